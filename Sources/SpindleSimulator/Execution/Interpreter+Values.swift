import SpindleModel

/// Texts, draws and names.
extension Interpreter {
  /// Draws from a distribution whose parameters stand from `base` on.
  @inline(__always)
  func draw(
    _ distribution: Distribution, _ key: UInt64, _ base: UnsafeMutablePointer<Int64>, _ count: Int
  ) -> Int64 {
    switch distribution {
    case .exponential: sampler.exponential(key, mean: base[0])
    case .uniform: sampler.uniform(key, least: base[0], most: base[1])
    case .normal: sampler.normal(key, mean: base[0], deviation: base[1])
    case .pareto: sampler.pareto(key, least: base[0], shape: base[1])
    case .choice: base[Int(sampler.uniform(key, least: 0, most: Int64(count - 1)))]
    }
  }

  /// Appends a value to the text that is being built.
  mutating func appendText(_ value: Int64, _ format: ValueFormat) {
    if value == noValue {
      text.append(contentsOf: "nil".utf8)
      return
    }
    switch format {
    case .integer: appendInteger(value)
    case .string: text.append(contentsOf: kernel.names.utf8(NameID(Int(value))))
    default: text.append(contentsOf: description(of: value, format).utf8)
    }
  }

  private mutating func appendInteger(_ value: Int64) {
    if value >= 0 && value < 10 {
      text.append(UInt8(truncatingIfNeeded: 48 + value))
    } else {
      text.append(contentsOf: String(value).utf8)
    }
  }

  /// A value as `print` writes it.
  func description(of value: Int64, _ format: ValueFormat) -> String {
    switch format {
    case .integer: "\(value)"
    case .boolean: value == 0 ? "false" : "true"
    case .duration: Nanoseconds(value).description
    case .instant: Instant(value).description
    case .size: ByteCount(value).description
    case .decimal: FixedDecimal(billionths: value).description
    case .string: kernel.names.text(NameID(Int(value)))
    case .symbol: "." + kernel.names.text(NameID(Int(value)))
    case .thread: threadDescription(value)
    case .object: "object \(value)"
    case .array: "\(arrays[Int(value)].count) elements"
    }
  }

  private func threadDescription(_ handle: Int64) -> String {
    guard let thread = resolve(handle) else { return "ended thread" }
    return kernel.name(of: thread)
  }

  // MARK: Threads by handle

  /// What a register holds for a thread.
  func handle(_ thread: Int32) -> Int64 {
    Int64(kernel.threads[thread].generation) << 32 | Int64(thread)
  }

  /// The thread that a register names; nil when it has ended and its number is used again.
  func resolve(_ handle: Int64) -> Int32? {
    let thread = Int32(truncatingIfNeeded: handle & 0xFFFF_FFFF)
    if kernel.threads[thread].generation != Int32(truncatingIfNeeded: handle >> 32) { return nil }
    return thread
  }

  /// The number of an object's name: the one that is given, or the class with a number.
  mutating func objectName(_ given: Int64, _ className: String) -> Int32 {
    if given != noValue { return Int32(truncatingIfNeeded: given) }
    let number = (nameless[className] ?? 0) + 1
    nameless[className] = number
    return kernel.intern("\(className)-\(number)").index
  }

  /// The deadline that a register holds; nil for none and for the distant future.
  func deadline(_ value: Int64) -> Int64? {
    value == noValue || value == Int64.max ? nil : value
  }
}
