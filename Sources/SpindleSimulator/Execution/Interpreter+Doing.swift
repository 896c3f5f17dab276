import SpindleModel

/// Waiting, noting, memory, and ending.
extension Interpreter {
  mutating func doing(_ primitive: DoingPrimitive, _ call: Call) -> CallResult {
    switch primitive {
    case .work: return work(process.argument(0, call), call)
    case .io: return pause("io", .io, process.argument(0, call), call)
    case .sleep: return pause("sleep", .sleep, process.argument(0, call), call)
    case .sleepUntil: return sleep(until: process.argument(0, call), call)
    case .print: note(.print, line(process.argument(0, call)), call)
    case .printPart: printPart(process.argument(0, call), call)
    case .textIsBefore, .textHasPrefix, .textHasSuffix, .textContains, .textCount,
      .textUppercased, .textLowercased, .textCapitalized, .textPart, .textTraits, .textNumber,
      .textByte:
      text(primitive, call)
    case .textScalar: scalar(process.argument(0, call), call)
    case .mark: note(.mark, process.argument(0, call), call)
    case .record: return recordValue(call)
    case .sample: sampleValue(call)
    case .yield:
      if !process.kernel.isWanted(coreOf: call.thread) { return .next }
      process.kernel.yield(call.thread)
      return .leftAndDone
    case .allocate: return allocate(process.argument(0, call), call)
    case .free: return free(process.argument(0, call), call)
    case .autorelease: return autorelease(process.argument(0, call), call)
    case .autoreleasePoolPush: threads.pushPool(call.thread, &process.kernel)
    case .autoreleasePoolPop: threads.popPool(call.thread, &process.kernel)
    case .fatalError:
      return process.crash(
        "Fatal error: \(process.kernel.text(process.argument(0, call)))", call)
    case .trap:
      return process.crash(process.kernel.text(process.argument(0, call)), call)
    case .uncaught:
      let text = process.kernel.text(process.argument(0, call))
      let origin = instruction(process.argument(1, call), orElse: Int(call.counter))
      process.crash(text, call.thread, at: Int32(truncatingIfNeeded: origin))
      return .stopped
    case .exit:
      let code = process.argument(0, call)
      process.endProcess(call.thread, exitCode: code == noValue ? 0 : code)
      return .stopped
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: DoingPrimitive) -> Int64 {
    switch primitive {
    case .io, .yield: process.kernel.costs.systemCall.rawValue
    case .sleep, .sleepUntil:
      process.kernel.costs.systemCall.rawValue + process.kernel.costs.timer.rawValue
    case .work, .print, .printPart, .textIsBefore, .textHasPrefix, .textHasSuffix, .textContains,
      .textCount,
      .textUppercased, .textLowercased, .textCapitalized, .textPart, .textTraits, .textNumber,
      .textByte, .textScalar, .mark, .record, .sample,
      .allocate, .free, .autorelease,
      .autoreleasePoolPush, .autoreleasePoolPop, .fatalError, .trap, .uncaught, .exit:
      0
    }
  }

  /// Work, which running instructions do themselves, without this detour.
  private mutating func work(_ duration: Int64, _ call: Call) -> CallResult {
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: work \(fault)", call)
    }
    if duration == 0 || process.kernel.threads[call.thread].phase == 2 { return .next }
    assert(
      process.kernel.threads[call.thread].remaining == 0,
      "thread \(call.thread.index) begins work and has some left")
    process.kernel.threads.at(call.thread).beginWork(process.kernel.memory.slowed(duration))
    process.kernel.threads.at(call.thread).setPhase(2)
    return .again
  }

  /// Input or output, and sleeping.
  private mutating func pause(
    _ name: String, _ reason: WaitReason, _ duration: Int64, _ call: Call
  ) -> CallResult {
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: \(name) \(fault)", call)
    }
    if duration == 0 { return .next }
    process.kernel.block(call.thread, reason, until: process.kernel.now + duration)
    return .leftAndDone
  }

  private mutating func sleep(until time: Int64, _ call: Call) -> CallResult {
    if time <= process.kernel.now { return .next }
    process.kernel.block(call.thread, .sleep, until: time)
    return .leftAndDone
  }

  /// The line that ends with a text, behind what was printed of it before.
  private mutating func line(_ text: Int64) -> Int64 {
    if openLine.isEmpty { return text }
    let whole = openLine + process.kernel.text(text)
    openLine = ""
    return Int64(process.kernel.intern(whole).index)
  }

  private mutating func printPart(_ text: Int64, _ call: Call) {
    let parts = process.kernel.text(text).split(separator: "\n", omittingEmptySubsequences: false)
    for part in parts.dropLast() {
      note(.print, line(Int64(process.kernel.intern(String(part)).index)), call)
    }
    openLine += parts.last ?? ""
  }

  /// At the end, what was printed of a line that nothing ended.
  mutating func endLine() {
    guard !openLine.isEmpty else { return }
    let text = process.kernel.intern(openLine)
    openLine = ""
    process.kernel.record(.print, thread: .none, object: text.index, place: -1)
  }

  private mutating func note(_ event: LogEvent, _ text: Int64, _ call: Call) {
    demand(
      text >= 0 && text < process.kernel.names.count, "the trace notes text \(text), which is none")
    // Whoever judges what the trace expects may have to keep it.
    if !process.program.expectations.isEmpty { process.kernel.storage.take(.expected, 64) }
    process.kernel.record(
      event, thread: call.thread, object: Int32(truncatingIfNeeded: text),
      place: Int32(truncatingIfNeeded: call.counter))
  }

  private mutating func recordValue(_ call: Call) -> CallResult {
    let key = Int32(truncatingIfNeeded: process.argument(0, call))
    if !recorded.insert(key).inserted {
      let name = process.kernel.text(key)
      return process.crash("Fatal error: record(\"\(name)\", …) was called twice", call)
    }
    let format = UInt8(truncatingIfNeeded: process.argument(2, call))
    demand(
      ValueFormat(rawValue: format) != nil, "no value is kept in format \(format)")
    process.kernel.record(
      .record, thread: call.thread, detail: format, object: key,
      place: Int32(truncatingIfNeeded: call.counter),
      value: recordable(process.argument(1, call), format))
    process.traceWrite(process.frames.registers(call.frame), call.counter)
    return .next
  }

  private mutating func sampleValue(_ call: Call) {
    let value = process.argument(1, call)
    if value == noValue { return }
    process.kernel.record(
      .sampled, thread: call.thread, detail: UInt8(truncatingIfNeeded: process.argument(2, call)),
      object: Int32(truncatingIfNeeded: process.argument(0, call)),
      place: Int32(truncatingIfNeeded: call.counter), value: value)
  }

  /// A value as the log keeps it: a thread becomes its name.
  private mutating func recordable(_ value: Int64, _ format: UInt8) -> Int64 {
    guard ValueFormat(rawValue: format) == .thread, value != noValue else { return value }
    return Int64(process.kernel.intern(description(of: value, .thread)).index)
  }

  private mutating func allocate(_ bytes: Int64, _ call: Call) -> CallResult {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: allocate \(fault)", call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    process.kernel.record(.memoryAllocated, thread: call.thread, place: place, value: bytes)
    process.kernel.changeHeap(by: bytes, call.thread)
    return process.checkMemory(call)
  }

  private mutating func free(_ bytes: Int64, _ call: Call) -> CallResult {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: free \(fault)", call)
    }
    if bytes > process.kernel.memory.used {
      return process.crash("Fatal error: \(ByteCount(bytes)) were freed, and less is in use", call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    process.kernel.record(.memoryFreed, thread: call.thread, place: place, value: bytes)
    process.kernel.changeHeap(by: -bytes, call.thread)
    return process.checkMemory(call)
  }

  private mutating func autorelease(_ bytes: Int64, _ call: Call) -> CallResult {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return process.crash("Fatal error: autorelease \(fault)", call)
    }
    threads.autorelease(bytes, call.thread, &process.kernel)
    return process.checkMemory(call)
  }
}
