import SpindleModel

/// What holds for run loops at every moment.
extension RunLoopRuntime {
  /// Stops with a message when the state of the run loops contradicts itself.
  func checkRunLoops(_ process: borrowing Process) {
    for index in loops.indices where loops[index].thread >= 0 {
      checkRuns(of: Int32(index), process)
      checkItems(of: Int32(index))
    }
    for timer in timers.indices where timers[timer].loop >= 0 {
      demand(timers[timer].isValid, "timer \(timer) is in a loop and not valid")
    }
    demand(timerPasses >= 0, "more runs ended their timers than began")
  }

  /// The runs of a loop, the innermost first, and whether its thread sleeps.
  private func checkRuns(of loop: Int32, _ process: borrowing Process) {
    let record = loops[Int(loop)]
    let thread = process.kernel.threads[record.thread]
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
      demand(process.frames.activity(frame) == .runLoopRun, "the run of loop \(loop) is no run")
      count += 1
      frame = RunLoopFrame(frame, process.frames).outerRun
    }
    let running = record.modes.reduce(0) { $0 + $1.runs }
    demand(count == running, "loop \(loop) has \(count) runs, \(running) counted")
  }

  /// Timers stand by their dates, observers by their order, and each item knows its loop.
  private func checkItems(of loop: Int32) {
    for (index, mode) in loops[Int(loop)].modes.enumerated() {
      for entry in mode.timers.all {
        let record = timers[Int(entry.item)]
        demand(
          record.isValid && record.loop == loop && record.modes.contains(Int32(index)),
          "timer \(entry.item) does not know that it is in loop \(loop)")
        demand(
          entry.first == record.fire && entry.second == record.rank
            && mode.timers.firing.contains(entry.item) == record.isFiring,
          "timer \(entry.item) stands at a wrong place in loop \(loop)")
      }
      checkPlaces(mode, RunLoopPlace(loop: loop, mode: Int32(index)))
      for observer in mode.observers.flatMap(\.all) {
        let record = observers[Int(observer)]
        demand(
          record.isValid && record.loop == loop && record.modes.contains(Int32(index)),
          "observer \(observer) does not know that it is in loop \(loop)")
      }
    }
  }

  /// Each source and port knows its modes, and each mode knows which of them are ready.
  private func checkPlaces(_ mode: RunLoopMode, _ place: RunLoopPlace) {
    var signalled = 0
    for source in mode.sources {
      let record = sources[Int(source)]
      demand(record.isValid && record.places.contains(place), "source \(source) is lost")
      if record.isSignalled { signalled += 1 }
      demand(
        mode.signalled.contains(source) == record.isSignalled,
        "source \(source) is listed wrong as signalled")
    }
    demand(mode.signalled.count == signalled, "a source is signalled in a mode without it")
    var ready = 0
    for port in mode.ports {
      let record = ports[Int(port)]
      demand(record.isValid && record.places.contains(place), "port \(port) is lost")
      if !record.messages.isEmpty { ready += 1 }
      demand(
        mode.readyPorts.entry(of: port)?.first == record.messages.first?.ticket,
        "port \(port) is listed wrong by its messages")
    }
    demand(mode.readyPorts.count == ready, "a port has messages for a mode without it")
  }
}
