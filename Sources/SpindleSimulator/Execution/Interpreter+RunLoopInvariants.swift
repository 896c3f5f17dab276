import SpindleModel

/// What holds for run loops at every moment.
extension Interpreter {
  /// Stops with a message when the state of the run loops contradicts itself.
  func checkRunLoops() {
    for index in runLoops.loops.indices where runLoops.loops[index].thread >= 0 {
      checkRuns(of: Int32(index))
      checkItems(of: Int32(index))
    }
    for timer in runLoops.timers.indices where runLoops.timers[timer].loop >= 0 {
      demand(runLoops.timers[timer].isValid, "timer \(timer) is in a loop and not valid")
    }
    demand(runLoops.timerPasses >= 0, "more runs ended their timers than began")
  }

  /// The runs of a loop, the innermost first, and whether its thread sleeps.
  private func checkRuns(of loop: Int32) {
    let record = runLoops.loops[Int(loop)]
    let thread = kernel.threads[record.thread]
    demand(thread.runLoop == loop, "loop \(loop) is not the one of its thread")
    demand((record.run >= 0) == (record.mode >= 0), "loop \(loop) runs in no mode, or does not run")
    if record.sleeps {
      demand(
        thread.state == .waiting && thread.reason == .runLoop && thread.frame == record.run,
        "loop \(loop) sleeps, and its thread is \(thread.state)")
      demand(!record.isWakeUpPending, "loop \(loop) sleeps on a wake-up")
    }
    var (frame, count) = (record.run, 0)
    while frame >= 0 {
      demand(frames.activity(frame) == .runLoopRun, "the run of loop \(loop) is no run")
      count += 1
      frame = RunLoopFrame(frame, frames).outerRun
    }
    let running = record.modes.reduce(0) { $0 + $1.runs }
    demand(count == running, "loop \(loop) has \(count) runs, \(running) counted")
  }

  /// Timers stand by their dates, observers by their order, and each item knows its loop.
  private func checkItems(of loop: Int32) {
    for mode in runLoops.loops[Int(loop)].modes {
      for (timer, next) in zip(mode.timers, mode.timers.dropFirst()) {
        demand(runLoops.comes(timer, before: next), "the timers of loop \(loop) are not in order")
      }
      let orders = mode.observers.map { runLoops.observers[Int($0)].order }
      demand(orders == orders.sorted(), "the observers of loop \(loop) are not in order")
      for timer in mode.timers {
        let record = runLoops.timers[Int(timer)]
        demand(
          record.isValid && record.loop == loop && record.modes.contains(mode.name),
          "timer \(timer) does not know that it is in loop \(loop)")
      }
      for source in mode.sources {
        let record = runLoops.sources[Int(source)]
        demand(record.isValid && record.loops.contains(loop), "source \(source) is lost")
      }
      for port in mode.ports {
        let record = runLoops.ports[Int(port)]
        demand(record.isValid && record.loops.contains(loop), "port \(port) is lost")
      }
    }
  }
}
