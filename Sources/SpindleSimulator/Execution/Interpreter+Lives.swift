import SpindleModel

/// Lives of instances, closures and arrays: who holds them, and what is done when nobody does.
extension Interpreter {
  /// Runs an instruction that holds or lets go; false when it ends the run.
  mutating func useLife(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .hold(let to, let from, let kind):
      process.release(registers[to], kind)
      registers[to] = registers[from]
    case .retain(let to, let from, let kind):
      let value = registers[from]
      process.retain(value, kind)
      process.release(registers[to], kind)
      registers[to] = value
    case .keep(let from, let kind): process.retain(registers[from], kind)
    case .release(let from, let kind):
      process.release(registers[from], kind)
      registers[from] = noValue
    case .loadWeak(let to, let from):
      let value = registers[from]
      let present = process.instances.isAlive(value) ? value : noValue
      process.retain(present, .instance)
      process.release(registers[to], .instance)
      registers[to] = present
    case .checkUnowned(let from):
      if registers[from] == noValue || process.instances.isAlive(registers[from]) { return true }
      _ = stop(
        "Attempted to read an unowned reference but the object was already deallocated", thread,
        counter)
      return false
    case .countElements(let array, let kind):
      process.countElements(of: registers[array], kind)
    case .adoptElements(let array, let kind):
      process.arrayHolds[Int(registers[array])].kind = kind
    case .disownElements(let array):
      process.arrayHolds[Int(registers[array])].kind = nil
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// Enters the `deinit` of all instances that nothing holds, one behind the other; their caller goes on
  /// at `counter` then, or, with -1, as it would.
  ///
  /// Objects of the library die before, and what a stream calls at its end is called before. Returns the
  /// first one's frame, the caller where there is none; nil where the thread goes on in a frame of the simulator's
  /// own, or where the run has ended.
  @inline(never)
  mutating func enterDeinit(caller: FrameIndex, _ thread: ThreadID, _ counter: Int) -> FrameIndex? {
    if counter >= 0 {
      process.frames.unchecked.setCounter(caller, Int32(truncatingIfNeeded: counter))
    }
    let planned = concurrency.lastStep
    if releasesOverflow(thread, counter) { return nil }
    guard endObjects(caller, thread, counter) else { return nil }
    var next = caller
    if releasesOverflow(thread, counter) { return nil }
    while let (instance, depth) = process.lives.takeLastDying() {
      process.instances.noteDepth(depth, of: instance)
      let type = Int(process.instances.instance(instance).type)
      guard let block = process.program.classes[type].deinitializer else {
        fatalError("an instance waits for a 'deinit' that its class has not")
      }
      let key = RandomStreams.key(
        process.frames.unchecked.key(next), salt: UInt32.max, ordinal: instance)
      let ending = concurrency.ending(of: instance, on: thread, globals, &dispatch, process)
      if case .later(let executor) = ending {
        let waiting = process.makeFrame(block.index, parent: .none, key: key)
        process.frames.unchecked.registers(waiting)[0] = instance
        concurrency.runLater(deinit: waiting, on: executor, by: thread, &dispatch, &process)
        continue
      }
      next = process.makeFrame(block.index, parent: next, key: key)
      process.frames.unchecked.registers(next)[0] = instance
      if case .here(let executor) = ending { concurrency.place(deinit: next, on: executor) }
      if let message = process.overflow(thread, in: next) {
        _ = stop(message, thread, max(0, counter))
        return nil
      }
    }
    if !concurrency.isolatedEnds.isEmpty { concurrency.begin(deinit: next, on: thread, process) }
    if concurrency.lastStep == planned { return next }
    if !thread.isNone { process.kernel.threads.unchecked(thread).setFrame(next) }
    concurrency.doSteps(thread, isCall: false, &dispatch, &process)
    return thread.isNone ? next : nil
  }

  /// Ends the run where releases within each other have needed more than their thread's stack.
  private mutating func releasesOverflow(_ thread: ThreadID, _ counter: Int) -> Bool {
    if !process.lives.haveOverflowed { return false }
    let place = !thread.isNone ? Int(process.kernel.threads.unchecked(thread).pointee.place) : 0
    _ = stop(Process.releasesOverflowMessage, thread, counter > 0 ? counter - 1 : max(0, place))
    return true
  }

  /// Lets the objects of the library die that nothing holds; false when that ends the run.
  private mutating func endObjects(_ frame: FrameIndex, _ thread: ThreadID, _ counter: Int) -> Bool
  {
    while let (key, depth) = process.lives.takeFirstObject() {
      assert(process.counts, "\(key.handle) \(key.object) dies, and nothing is counted")
      let place = !thread.isNone ? Int(process.kernel.threads.unchecked(thread).pointee.place) : 0
      let call = Call(
        thread: thread, frame: frame, base: Register(0),
        counter: counter > 0 ? counter - 1 : max(0, place), site: SiteID(-1))
      if key.handle.diesQuietly {
        process.lives.depth = depth
        abandon(key)
        process.lives.depth = 0
      } else if key.handle == .continuation {
        // The trace can't let go of one by itself, so that it dies once.
        concurrency.letGo(ofContinuation: .init(key.index), by: thread, &process)
      } else if case .stopped = letGo(of: key, call) {
        return false
      }
    }
    return true
  }

  /// The `deinit` of an instance has run, and the instance is gone; the program crashes where something holds it still.
  ///
  /// Source: swift:stdlib/public/runtime/HeapObject.cpp, swift_deallocClassInstance.
  /// Returns the frame that goes on, `.none` where none does; nil where that is one of the simulator's own, or
  /// where the run has ended.
  @inline(never)
  mutating func leaveDeinit(
    of instance: Int64, _ frame: FrameIndex, _ thread: ThreadID, _ counter: Int
  ) -> FrameIndex? {
    process.releaseOwned(frame)
    let isHeld = process.instances.instance(instance).holders < 0
    process.endInstance(instance)
    if isHeld {
      // What its properties hold may let go of it: it is looked at again when that is gone.
      if process.lives.hasDying { return enterDeinit(caller: frame, thread, counter) }
      let record = process.instances.instance(instance)
      if record.holders < 0 {
        let name = process.program.classes[Int(record.type)].name
        _ = stop(Process.outlived(name, count: 1 - Int(record.holders)), thread, counter)
        return nil
      }
      process.endInstance(instance)
    }
    let parent = process.frames.parent(frame)
    if !concurrency.isolatedEnds.isEmpty { concurrency.end(deinit: frame, process) }
    process.frames.release(frame)
    if !thread.isNone { process.kernel.threads.unchecked(thread).dropFrame() }
    if parent.isNone || process.frames.isNative(parent) {
      if !thread.isNone { process.kernel.threads.unchecked(thread).setFrame(parent) }
      return parent.isNone ? parent : nil
    }
    if process.lives.hasDying { return enterDeinit(caller: parent, thread, -1) }
    if !concurrency.isolatedEnds.isEmpty { concurrency.begin(deinit: parent, on: thread, process) }
    return parent
  }
}
