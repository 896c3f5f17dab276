import SpindleModel

/// What is always true of dispatch sources and pipes.
extension SourceRuntime {
  /// Stops with a message when a source or a pipe contradicts itself.
  func checkSources(_ process: borrowing Process) {
    for source in 0..<Int32(sources.count) { checkSource(source, process) }
    for pipe in 0..<Int32(pipes.count) {
      let record = pipes[pipe]
      demand(
        record.filled >= 0 && record.filled <= record.capacity,
        "pipe \(pipe) holds \(record.filled) of \(record.capacity) bytes")
      demand(
        record.waiting == 0 || record.filled == record.capacity,
        "pipe \(pipe) has room, and \(record.waiting) bytes wait")
      checkSources(of: pipe)
    }
    for source in 0..<Int32(sources.count) { checkMessages(of: source) }
  }

  private func checkSources(of pipe: Int32) {
    var (source, last, steps) = (pipes[pipe].firstSource, Int32(-1), 0)
    while source >= 0 {
      let record = sources[source]
      demand(
        (record.kind == .read || record.kind == .write) && Process.index(record.handle) == pipe,
        "source \(source) stands in the list of pipe \(pipe) and does not watch it")
      (last, source, steps) = (source, record.nextOfPipe, steps + 1)
      demand(steps <= sources.count, "the list of pipe \(pipe) has no end")
    }
    demand(last == pipes[pipe].lastSource, "the list of pipe \(pipe) has a wrong end")
  }

  private func checkMessages(of source: Int32) {
    let record = sources[source]
    if record.firstMessage < 0 { return }
    demand(record.kind == .machReceive, "source \(source) has messages and no port")
    var (message, last) = (record.firstMessage, Int32(-1))
    while message >= 0 { (last, message) = (message, next(behind: message)) }
    demand(last == record.lastMessage, "the messages of source \(source) have a wrong end")
  }

  private func checkSource(_ source: Int32, _ process: borrowing Process) {
    let record = sources[source]
    demand(record.suspensions >= 0, "source \(source) is suspended \(record.suspensions) times")
    if record.isOver {
      demand(
        !record.isBusy && !record.eventHandler.isSet && !record.cancelHandler.isSet,
        "source \(source) is over and still has something to do")
    }
    demand(!record.isEnding || record.isBusy || record.isOver, "source \(source) ends by itself")
    demand(record.missed == 0 || record.kind == .signal, "source \(source) has missed signals")
    demand(
      record.kind != .signal || record.isOver || watchers(of: record.handle).contains(source),
      "source \(source) watches a signal that does not know it")
    if record.plan < 0 { return }
    let plan = process.kernel.plans[record.plan]
    demand(
      plan.kind == .sourceEvent && plan.object == source,
      "source \(source) waits for plan \(record.plan), which is not its own")
    demand(
      record.isOpen && !record.isBusy && !record.isCancelled && !record.isReleased,
      "source \(source) is armed and may not fire")
  }
}
