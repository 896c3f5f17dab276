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
    case .string: text.append(contentsOf: process.kernel.names.utf8(NameID(Int(value))))
    case .quoted: appendQuoted(NameID(Int(value)))
    case .boolean, .duration, .instant, .size, .decimal, .symbol, .thread, .object, .array:
      text.append(contentsOf: description(of: value, format).utf8)
    }
  }

  /// A text as Swift's `debugDescription` writes it: only what is ASCII is ever written otherwise than it is.
  private mutating func appendQuoted(_ name: NameID) {
    demand(name.index >= 0, "a text that is a part of something is none")
    text.append(UInt8(ascii: "\""))
    for unit in process.kernel.names.utf8(name) {
      let scalar = Unicode.Scalar(unit)
      if scalar.isASCII {
        text.append(contentsOf: scalar.escaped(asASCII: false).utf8)
      } else {
        text.append(unit)
      }
    }
    text.append(UInt8(ascii: "\""))
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
    case .decimal: FixedDecimal(billionths: value).printed
    case .string: process.kernel.text(value)
    case .symbol: "." + process.kernel.text(value)
    case .thread: threadDescription(value)
    case .object: "object \(value)"
    case .quoted: process.kernel.text(value).debugDescription
    case .array: "\(process.arrays[Int(value)].count) elements"
    }
  }

  private func threadDescription(_ handle: Int64) -> String {
    guard let thread = process.resolve(handle) else { return "ended thread" }
    return process.kernel.name(of: thread)
  }

  // MARK: Threads by handle
}
