import SpindleModel

/// What is always true of dispatch sources and pipes.
extension SourceRuntime {
  /// Stops with a message when a source or a pipe contradicts itself.
  func checkSources(_ process: borrowing Process) {
    for source in sources.indices { checkSource(source, process) }
    for pipe in pipes.indices {
      let record = pipes[pipe]
      demand(
        record.filled >= 0 && record.filled <= record.capacity,
        "pipe \(pipe) holds \(record.filled) of \(record.capacity) bytes")
      demand(
        record.waiting == 0 || record.filled == record.capacity,
        "pipe \(pipe) has room, and \(record.waiting) bytes wait")
      checkSources(of: pipe)
    }
    for source in sources.indices { checkMessages(of: source) }
  }

  private func checkSources(of pipe: PipeRecord.Index) {
    for source in pipes[pipe].sources.indices(in: sources) {
      let record = sources[source]
      demand(
        (record.kind == .read || record.kind == .write) && .init(register: record.handle) == pipe,
        "source \(source) stands in the list of pipe \(pipe) and does not watch it")
    }
  }

  private func checkMessages(of source: DispatchSourceRecord.Index) {
    let record = sources[source]
    let count = record.messages.indices(in: messages).count
    demand(
      count == 0 || record.kind == .machReceive,
      "source \(source) has \(count) messages and no port")
  }

  private func checkSource(_ source: DispatchSourceRecord.Index, _ process: borrowing Process) {
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
    if record.plan.isNone { return }
    let plan = process.kernel.plans[record.plan]
    demand(
      plan.kind == .sourceEvent && plan.object == source.raw,
      "source \(source) waits for plan \(record.plan), which is not its own")
    demand(
      record.isOpen && !record.isBusy && !record.isCancelled && !record.isReleased,
      "source \(source) is armed and may not fire")
  }
}
