import SpindleModel

/// What holds for run loops at every moment.
extension RunLoopRuntime {
  /// Stops with a message when the state of the run loops contradicts itself.
  func checkRunLoops(_ process: borrowing Process) {
    for index in loops.indices where !loops[index].thread.isNone {
      checkRuns(of: index, process)
      checkItems(of: index)
    }
    for timer in timers.indices where !timers[timer].loop.isNone {
      demand(timers[timer].isValid, "timer \(timer.raw) is in a loop and not valid")
    }
    demand(timerPasses >= 0, "more runs ended their timers than began")
    demand(mainDrains >= 0, "the main queue was left \(-mainDrains) times too often")
    for timer in retiredTimers {
      demand(
        !timers[timer].isValid && timers[timer].loop.isNone,
        "timer \(timer.raw) is to be used again and can fire")
    }
  }

  /// The runs of a loop, the innermost first, and whether its thread sleeps.
  private func checkRuns(of loop: RunLoop.Index, _ process: borrowing Process) {
    let record = loops[loop]
    let thread = process.kernel.threads[record.thread]
    demand(
      knownLoop(of: record.thread, process.kernel) == loop,
      "loop \(loop.raw) is not the one of its thread")
    demand(
      record.run.isNone == record.mode.isNone, "loop \(loop.raw) runs in no mode, or does not run")
    if record.sleeps {
      demand(
        thread.state == .waiting && thread.reason == .runLoop && thread.frame == record.run,
        "loop \(loop.raw) sleeps, and its thread is \(thread.state)")
      demand(!record.isWakeUpPending, "loop \(loop.raw) sleeps on a wake-up")
    }
    var (frame, count) = (record.run, 0)
    while !frame.isNone {
      demand(process.frames.activity(frame) == .runLoopRun, "the run of loop \(loop.raw) is no run")
      count += 1
      frame = RunLoopFrame(frame, process.frames).outerRun
    }
    checkModes(of: loop)
    let running = record.modes.reduce(0) { $0 + $1.runs }
    demand(count == running, "loop \(loop.raw) has \(count) runs, \(running) counted")
  }

  /// The modes that are common are listed in order, and each mode is found by its name.
  private func checkModes(of loop: RunLoop.Index) {
    let record = loops[loop]
    for (number, mode) in record.modes.enumerated() {
      let index = RunLoopMode.Index(Int32(number))
      demand(
        record.index(ofMode: mode.name) == index,
        "mode \(number) of loop \(loop.raw) is not found by its name")
      demand(
        record.commonModes.contains(index) == mode.isCommon,
        "mode \(number) of loop \(loop.raw) is listed wrong as common")
      demand(
        mode.itemCount >= 0 && mode.runs >= 0,
        "mode \(number) of loop \(loop.raw) has \(mode.itemCount) items and \(mode.runs) runs")
    }
  }

  /// Timers stand by their dates, observers by their order, and each item knows its loop.
  private func checkItems(of loop: RunLoop.Index) {
    for (number, mode) in loops[loop].modes.enumerated() {
      let index = RunLoopMode.Index(Int32(number))
      for entry in mode.timers.all {
        let record = timers[entry.item]
        demand(
          record.isValid && record.loop == loop && record.modes.contains(index),
          "timer \(entry.item.raw) does not know that it is in loop \(loop.raw)")
        demand(
          entry.first == record.fire && entry.second == record.rank
            && mode.timers.firing.contains(entry.item) == record.isFiring,
          "timer \(entry.item.raw) stands at a wrong place in loop \(loop.raw)")
      }
      checkPlaces(mode, RunLoopPlace(loop: loop, mode: index))
      for observer in mode.observers.flatMap(\.all) {
        let record = observers[observer]
        demand(
          record.isValid && record.loop == loop && record.modes.contains(index),
          "observer \(observer.raw) does not know that it is in loop \(loop.raw)")
      }
    }
  }

  /// Each source and port knows its modes, and each mode knows which of them are ready.
  private func checkPlaces(_ mode: RunLoopMode, _ place: RunLoopPlace) {
    var signalled = 0
    for source in mode.sources {
      let record = sources[source]
      demand(record.isValid && record.places.contains(place), "source \(source.raw) is lost")
      if record.isSignalled { signalled += 1 }
      demand(
        mode.signalled.contains(source) == record.isSignalled,
        "source \(source.raw) is listed wrong as signalled")
    }
    demand(mode.signalled.count == signalled, "a source is signalled in a mode without it")
    var ready = 0
    for port in mode.ports {
      let record = ports[port]
      demand(record.isValid && record.places.contains(place), "port \(port.raw) is lost")
      if !record.messages.isEmpty { ready += 1 }
      demand(
        mode.readyPorts.entry(of: port)?.first == record.messages.first?.ticket,
        "port \(port.raw) is listed wrong by its messages")
    }
    demand(mode.readyPorts.count == ready, "a port has messages for a mode without it")
  }
}
