import SpindleModel

/// What threads of executors mostly do, in a straight line: `ShortcutSet.straightLine` and `.briefSteps`.
extension Interpreter {
  /// Lets the thread on `core`, which has no work left, go on until it needs time, loses the core or the
  /// run ends.
  ///
  /// What threads of executors mostly do is done here in a straight line: an item has come to its end,
  /// the next one begins and works. Whatever is not so plain goes step by step, to the same end.
  @inline(never)
  mutating func resumeThread(
    _ thread: ThreadID, _ record: ThreadPointer, on core: CoreID
  ) {
    var frame = record.pointee.frame
    if !record.pointee.flags.isDisjoint(with: .passes) { return runThread(thread, on: core) }
    if frame.raw < -1 {
      frame = process.makeFrame(of: frame)
      record.setFrame(frame)
    } else if frame.isNone || process.frames.unchecked.isNative(frame) {
      return runThread(thread, on: core)
    }
    if process.stepsLeft <= straightFloor { return runThread(thread, on: core) }
    process.makespan = process.kernel.now
    if !record.pointee.flags.contains(.begun) {
      if !record.pointee.role.runsItems || record.pointee.itemKind < 0 {
        return runThread(thread, on: core)
      }
      record.insert(.begun)
      noteStart(thread, record)
    } else if case .finish = process.code[Int(process.frames.unchecked.counter(frame))] {
      if !record.pointee.flags.contains(.endsPlainly)
        || !process.frames.unchecked.parent(frame).isNone
      {
        return runThread(thread, on: core)
      }
      noteEnd(thread, record)
      process.kernel.breakWork()
      if record.pointee.role == .plain {
        leaveLast(frame, record)
        return endThread(thread)
      }
      guard let item = executors.takeFirst(of: .init(record.pointee.executor)) else {
        leaveLast(frame, record)
        let hasOne = executors.findOther(
          thread, .init(record.pointee.executor), &process.kernel)
        return hasOne ? runThread(thread, on: core) : ()
      }
      process.stepsLeft &-= 1
      frame = process.makeFrame(of: item.pointee.frame, from: frame)
      executors.assignNext(item.pointee, frame, to: record)
      noteStart(thread, record)
    }
    switch tryShortcut(frame, thread, record) {
    case .computing: process.kernel.beginBurst(on: core, of: record)
    case .left: return
    default: runThread(thread, on: core)
    }
  }

  /// Goes on with an activity that only begins to work or an input, or ends, as most do.
  ///
  /// The loop would do the same; entering it costs more than that. Nil when there is more to do.
  @inline(__always)
  mutating func tryShortcut(
    _ frame: FrameIndex, _ thread: ThreadID, _ record: ThreadPointer
  ) -> Pause? {
    var place = Int(process.frames.unchecked.counter(frame))
    if process.stepsLeft <= briefFloor { return nil }
    if case .jump(let target) = process.code[place] {
      // The foot of a loop.
      process.stepsLeft &-= 1
      place = Int(target)
      process.frames.unchecked.setCounter(frame, target)
    }
    switch process.code[place] {
    case .finish:
      if !process.frames.unchecked.parent(frame).isNone { return nil }
      leaveLast(frame, record)
      return .finished
    case .workConstant(let work, let register):
      if work <= 0 { return nil }
      process.stepsLeft &-= 2
      process.frames.unchecked.registers(frame)[register] = work
      beginWork(work, frame, record, at: place &+ 1)
      return .computing
    case .drawConstant(let mean, let register):
      return drawTime(mean, register, frame, thread, at: place)
    default: return nil
    }
  }

  /// Does the `.finish` of a thread's only frame.
  @inline(__always)
  mutating func leaveLast(_ frame: FrameIndex, _ record: ThreadPointer) {
    assert(
      process.frames.unchecked.parent(frame).isNone, "frame \(frame) is not a thread's only one")
    process.stepsLeft &-= 1
    process.frames.release(frame)
    record.setFrame(.none)
  }

  /// Does `.drawConstant` at `place`, and the work or the input that takes as long.
  @inline(never)
  private mutating func drawTime(
    _ mean: Int64, _ register: Register, _ frame: FrameIndex, _ thread: ThreadID, at place: Int
  ) -> Pause? {
    guard case .draw(_, let site, _, _) = process.code[place &+ 1],
      case .perform(.doing(let primitive), register, _) = process.code[place &+ 2],
      primitive == .work || primitive == .io && !process.kernel.hasCosts
    else { return nil }
    let registers = process.frames.unchecked.registers(frame)
    let time = sampler.exponential(
      process.key(at: site, process.frames.unchecked.key(frame), registers), mean: mean)
    registers[register] = time
    process.stepsLeft &-= 2
    if time == 0 {
      process.frames.unchecked.setCounter(frame, Int32(truncatingIfNeeded: place &+ 2))
      return nil
    }
    process.stepsLeft &-= 1
    if primitive == .work {
      beginWork(time, frame, process.kernel.threads.unchecked(thread), at: place &+ 2)
      return .computing
    }
    beginInput(time, frame, thread, at: place &+ 2)
    return .left
  }

  /// A running thread waits for an input or output that costs nothing to ask for, at an instruction
  /// behind which it goes on.
  @inline(__always)
  private mutating func beginInput(
    _ time: Int64, _ frame: FrameIndex, _ thread: ThreadID, at place: Int
  ) {
    assert(time > 0 && !process.kernel.hasCosts, "an input of \(time) ns begins for nothing")
    rest(frame, process.kernel.threads.unchecked(thread), at: place)
    let (end, overflow) = process.kernel.now.addingReportingOverflow(time)
    process.kernel.block(thread, .io, until: overflow ? Int64.max - 1 : end)
  }
}
