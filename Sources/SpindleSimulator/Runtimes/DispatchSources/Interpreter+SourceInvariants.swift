import SpindleModel

/// What is always true of dispatch sources, pipes and background tasks.
extension Interpreter {
  /// Stops with a message when a source, a pipe or the app's life contradicts itself.
  func checkSources() {
    for source in 0..<Int32(sources.sources.count) { checkSource(source) }
    for pipe in 0..<Int32(sources.pipes.count) {
      let record = sources.pipes[pipe]
      demand(
        record.filled >= 0 && record.filled <= record.capacity,
        "pipe \(pipe) holds \(record.filled) of \(record.capacity) bytes")
      demand(
        record.waiting == 0 || record.filled == record.capacity,
        "pipe \(pipe) has room, and \(record.waiting) bytes wait")
    }
    var open: Int32 = 0
    for task in 0..<Int32(life.tasks.count) where !life.tasks[task].isEnded { open += 1 }
    demand(open == life.openTasks, "\(open) background tasks are open, \(life.openTasks) counted")
  }

  private func checkSource(_ source: Int32) {
    let record = sources.sources[source]
    demand(record.suspensions >= 0, "source \(source) is suspended \(record.suspensions) times")
    if record.isOver {
      demand(
        !record.isBusy && !record.eventHandler.isSet && !record.cancelHandler.isSet,
        "source \(source) is over and still has something to do")
    }
    if record.plan < 0 { return }
    let plan = process.kernel.plans[record.plan]
    demand(
      plan.event != 0 && plan.kind == .sourceEvent && plan.object == source,
      "source \(source) waits for plan \(record.plan), which is not its own")
    demand(
      record.isOpen && !record.isBusy && !record.isCancelled && !record.isReleased,
      "source \(source) is armed and may not fire")
  }
}
