import SpindleModel

/// Waiting, noting, memory, and ending.
extension Interpreter {
  mutating func doing(_ primitive: DoingPrimitive, _ call: Call) -> Advance {
    switch primitive {
    case .work: return work(argument(0, call), call)
    case .io: return pause("io", .io, argument(0, call), call)
    case .sleep: return pause("sleep", .sleep, argument(0, call), call)
    case .sleepUntil: return sleep(until: argument(0, call), call)
    case .print: note(.print, argument(0, call), call)
    case .mark: note(.mark, argument(0, call), call)
    case .record: return recordValue(call)
    case .yield:
      if kernel.readyCount == 0 { return .next }
      kernel.yield(call.thread)
      return .leftAndDone
    case .allocate: return allocate(argument(0, call), call)
    case .free: return free(argument(0, call), call)
    case .autorelease: return autorelease(argument(0, call), call)
    case .autoreleasePoolPush: threads.pushPool(call.thread, &kernel)
    case .autoreleasePoolPop: threads.popPool(call.thread, &kernel)
    case .fatalError:
      return crash("Fatal error: \(kernel.names.text(NameID(Int(argument(0, call)))))", call)
    case .exit:
      let code = argument(0, call)
      endProcess(call.thread, exitCode: code == noValue ? 0 : code)
      return .stopped
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: DoingPrimitive) -> Int64 {
    switch primitive {
    case .io, .sleep, .sleepUntil, .yield: kernel.costs.systemCall.rawValue
    case .work, .print, .mark, .record, .allocate, .free, .autorelease, .autoreleasePoolPush,
      .autoreleasePoolPop, .fatalError, .exit:
      0
    }
  }

  /// Work, which running instructions do themselves, without this detour.
  private mutating func work(_ duration: Int64, _ call: Call) -> Advance {
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return crash("Fatal error: work \(fault)", call)
    }
    if duration == 0 || kernel.threads[call.thread].phase == 2 { return .next }
    kernel.threads[call.thread].work = kernel.memory.slowed(duration)
    kernel.threads[call.thread].phase = 2
    return .again
  }

  /// Input or output, and sleeping.
  private mutating func pause(
    _ name: String, _ reason: WaitReason, _ duration: Int64, _ call: Call
  ) -> Advance {
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return crash("Fatal error: \(name) \(fault)", call)
    }
    if duration == 0 { return .next }
    kernel.block(call.thread, reason, until: kernel.now + duration)
    return .leftAndDone
  }

  private mutating func sleep(until time: Int64, _ call: Call) -> Advance {
    if time <= kernel.now { return .next }
    kernel.block(call.thread, .sleep, until: time)
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

  private mutating func allocate(_ bytes: Int64, _ call: Call) -> Advance {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return crash("Fatal error: allocate \(fault)", call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    kernel.record(.memoryAllocated, thread: call.thread, place: place, value: bytes)
    kernel.changeMemory(by: bytes)
    return checkMemory(call)
  }

  private mutating func free(_ bytes: Int64, _ call: Call) -> Advance {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return crash("Fatal error: free \(fault)", call)
    }
    if bytes > kernel.memory.used {
      return crash("Fatal error: \(ByteCount(bytes)) were freed, and less is in use", call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    kernel.record(.memoryFreed, thread: call.thread, place: place, value: bytes)
    kernel.changeMemory(by: -bytes)
    return checkMemory(call)
  }

  private mutating func autorelease(_ bytes: Int64, _ call: Call) -> Advance {
    if let fault = Arithmetic.fault(ofSize: bytes) {
      return crash("Fatal error: autorelease \(fault)", call)
    }
    threads.autorelease(bytes, call.thread, &kernel)
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
