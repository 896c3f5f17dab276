import SpindleModel

/// What objects of the library hold, for the cycles that a run is left with.
extension Interpreter {
  /// The objects that something of the trace holds, and nothing of the library, with what their closures hold.
  ///
  /// All others count as held from outside of every cycle. Linear in the objects that are counted.
  func objectsThatHold() -> [ObjectKey: ObjectHolding] {
    var found: [ObjectKey: ObjectHolding] = [:]
    for key in process.objectHolds.held {
      let counted = process.objectHolds.holders(of: key)
      // Most operations are held by nothing any more: no lists are made for them.
      if key.handle == .operation, counted == 0,
        operations.dependentCount(of: .init(key.index)) == 0
      {
        continue
      }
      guard var holding = holding(of: key) else { continue }
      holding.holders += counted
      if key.handle == .asyncStream {
        holding.holders += process.objectHolds.holders(
          of: ObjectKey(handle: .streamInput, object: key.object))
      }
      demand(
        holding.holders > 0 || key.handle == .operation,
        "\(key.handle) \(key.object) is held by nothing, and counted")
      if holding.holders == 0 { continue }
      holding.frames.removeAll { $0.isNone }
      found[key] = holding
    }
    return found
  }

  /// The closures of an object; nil of one that the library has, or whose class has none.
  private func holding(of key: ObjectKey) -> ObjectHolding? {
    switch key.handle {
    case .workItem:
      let item = dispatch.workItems[.init(key.index)]
      if item.uses > 0 { return nil }
      return ObjectHolding(frames: [item.handler.closure], madeAt: item.madeAt)
    case .dispatchSource:
      let source = sources.sources[.init(key.index)]
      if source.isBusy || source.isReleased { return nil }
      return ObjectHolding(
        frames: [source.eventHandler.closure, source.cancelHandler.closure], madeAt: source.madeAt)
    case .operation:
      if operations.isInUse(.init(key.index)) { return nil }
      let operation = operations.operations[.init(key.index)]
      // The code of one that is an instance is what that does itself.
      let code =
        process.objectHolds.whole(of: key) == nil ? operations.closures(of: .init(key.index)) : []
      var holding = ObjectHolding(
        frames: code + [operation.completion], madeAt: operation.madeAt)
      for dependency in operations.dependencies(of: .init(key.index)) {
        holding.values.append((dependency.register, .object(.operation)))
      }
      holding.holders = operations.dependentCount(of: .init(key.index))
      return holding
    case .timer:
      let timer = runLoops.timers[.init(key.index)]
      if !runLoops.isNeeded(timer: .init(key.index)) {
        return ObjectHolding(frames: [timer.handler.closure], madeAt: -1)
      }
      if !goesOnForEver(timer) { return nil }
      return ObjectHolding(
        frames: [timer.handler.closure], madeAt: timer.place, isInRunLoop: true)
    case .thread:
      let thread = process.kernel.threads[ThreadID(key.index)]
      if thread.state.isStarted { return nil }
      if process.objectHolds.whole(of: key) != nil {
        return ObjectHolding(frames: [], madeAt: thread.madeAt)
      }
      let closure =
        thread.state == .created ? thread.frame : threads.kept[ThreadID(key.index)] ?? .none
      return ObjectHolding(frames: [closure], madeAt: thread.madeAt)
    case .asyncStream: return concurrency.holding(ofStream: .init(key.index), process)
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore,
      .group, .threadPerTask, .threadPool, .taskExecutor, .runLoop, .source, .port, .observer,
      .queue, .pipe, .process, .onceToken, .operationQueue, .backgroundTask, .accelerator,
      .executor, .runLoopItem, .task, .taskGroup, .continuation, .streamInput, .taskResult:
      return nil
    }
  }

  /// Whether a timer that a run loop has fires again and again, and its own code never stops it: where
  /// nothing but what the timer keeps can name it, nobody ever will.
  ///
  /// Where the process ends its run loops end too, and their timers with them.
  private func goesOnForEver(_ timer: RunLoopTimer) -> Bool {
    if timer.interval == 0 || timer.isFiring || timer.handler.closure.isNone || process.endsProcess
    {
      return false
    }
    return !mayStopTimers(process.frames.block(timer.handler.closure))
  }

  /// Whether code may stop a timer, itself or by what it calls or hands over; of a closure that it has from
  /// elsewhere nothing is known.
  private func mayStopTimers(_ block: Int32) -> Bool {
    var seen: Set<Int32> = [block]
    var pending = [block]
    while let next = pending.popLast() {
      let code = process.program.blocks[Int(next)]
      assert(code.entry <= code.end, "block \(next) ends before it begins")
      for instruction in process.program.instructions[Int(code.entry)..<Int(code.end)] {
        switch instruction {
        case .call(let other, _, _), .closure(_, let other, _), .submit(_, let other, _):
          if seen.insert(other.index).inserted { pending.append(other.index) }
        case .perform(.timer(.invalidate), _, _), .perform(.timer(.setFireDate), _, _),
          .callClosure:
          return true
        default: break
        }
      }
    }
    return false
  }
}
