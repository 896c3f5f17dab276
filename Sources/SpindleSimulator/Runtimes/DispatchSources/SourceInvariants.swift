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
    }
  }

  private func checkSource(_ source: Int32, _ process: borrowing Process) {
    let record = sources[source]
    demand(record.suspensions >= 0, "source \(source) is suspended \(record.suspensions) times")
    if record.isOver {
      demand(
        !record.isBusy && !record.eventHandler.isSet && !record.cancelHandler.isSet,
        "source \(source) is over and still has something to do")
    }
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
