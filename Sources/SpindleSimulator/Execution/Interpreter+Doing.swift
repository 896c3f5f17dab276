import SpindleModel

/// Waiting, noting, memory, and ending.
extension Interpreter {
  mutating func doing(_ primitive: Primitive, _ call: Call) -> Advance {
    let value =
      primitive == .yield || primitive == .autoreleasePoolPush || primitive == .autoreleasePoolPop
      ? 0 : argument(0, call)
    switch primitive {
    case .print: note(.print, value, call)
    case .mark: note(.mark, value, call)
    case .record: return recordValue(call)
    case .yield:
      if kernel.readyCount == 0 { return .next }
      kernel.yield(call.thread)
      return .leftAndDone
    case .allocate, .free, .autorelease: return memory(primitive, value, call)
    case .autoreleasePoolPush: threads.pushPool(call.thread, &kernel)
    case .autoreleasePoolPop: threads.popPool(call.thread, &kernel)
    case .fatalError:
      return crash("Fatal error: \(kernel.names.text(NameID(Int(value))))", call)
    case .exit:
      endProcess(call.thread, exitCode: value == noValue ? 0 : value)
      return .stopped
    default: fatalError("\(primitive) is not done here")
    }
    return .next
  }

  /// Input or output, and sleeping.
  mutating func pause(
    _ primitive: Primitive, _ value: Int64, _ call: Call
  ) -> Advance {
    if primitive == .sleepUntil {
      if value <= kernel.now { return .next }
      kernel.block(call.thread, .sleep, until: value)
      return .leftAndDone
    }
    if let fault = Arithmetic.fault(ofDuration: value) {
      return crash("Fatal error: \(primitive) \(fault)", call)
    }
    if value == 0 { return .next }
    kernel.block(call.thread, primitive == .io ? .io : .sleep, until: kernel.now + value)
    return .leftAndDone
  }

  private mutating func note(_ event: LogEvent, _ text: Int64, _ call: Call) {
    // Whoever judges what the trace expects may have to keep it.
    if !program.expectations.isEmpty { kernel.storage.take(.expected, 64) }
    kernel.record(
      event, thread: call.thread, object: Int32(truncatingIfNeeded: text),
      place: Int32(truncatingIfNeeded: call.counter))
  }

  private mutating func recordValue(_ call: Call) -> Advance {
    let key = Int32(truncatingIfNeeded: argument(0, call))
    if !recorded.insert(key).inserted {
      let name = kernel.names.text(NameID(Int(key)))
      return crash("Fatal error: record(\"\(name)\", …) was called twice", call)
    }
    let format = UInt8(truncatingIfNeeded: argument(2, call))
    kernel.record(
      .record, thread: call.thread, detail: format, object: key,
      place: Int32(truncatingIfNeeded: call.counter), value: recordable(argument(1, call), format))
    return .next
  }

  /// A value as the log keeps it: a thread becomes its name.
  private mutating func recordable(_ value: Int64, _ format: UInt8) -> Int64 {
    guard ValueFormat(rawValue: format) == .thread, value != noValue else { return value }
    return Int64(kernel.intern(description(of: value, .thread)).index)
  }

  private mutating func memory(
    _ primitive: Primitive, _ bytes: Int64, _ call: Call
  ) -> Advance {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return crash("Fatal error: \(primitive) \(fault)", call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    switch primitive {
    case .allocate:
      kernel.record(.memoryAllocated, thread: call.thread, place: place, value: bytes)
      kernel.changeMemory(by: bytes)
    case .free:
      if bytes > kernel.memory.used {
        return crash("Fatal error: \(ByteCount(bytes)) were freed, and less is in use", call)
      }
      kernel.record(.memoryFreed, thread: call.thread, place: place, value: bytes)
      kernel.changeMemory(by: -bytes)
    default:
      threads.autorelease(bytes, call.thread, &kernel)
    }
    return checkMemory(call)
  }

  /// Ends the process when it needs more memory than the system lets it have.
  @inline(__always)
  mutating func checkMemory(_ call: Call) -> Advance {
    kernel.memory.isExceeded ? memoryIsExceeded(call) : .next
  }

  private mutating func memoryIsExceeded(_ call: Call) -> Advance {
    if !kernel.machine.killsOverMemory {
      if !kernel.memory.isPastAddresses { return .next }
      return crash("Fatal error: a process has addresses for 1 EB, and more is in use", call)
    }
    outcome = Outcome(
      .killed,
      message:
        "the app uses \(ByteCount(kernel.memory.used)) and the machine has "
        + "\(ByteCount(kernel.memory.size))",
      place: program.places[call.counter])
    return .stopped
  }
}
