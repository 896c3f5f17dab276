import SpindleModel

/// Accesses to shared variables.
extension Interpreter {
  /// Looks for accesses that nothing orders with this one, and tells of them.
  @inline(never)
  mutating func noteAccess(
    _ kind: SharedAccess.Kind, _ variable: SharedVariable, _ name: String, _ thread: Int32,
    _ counter: Int
  ) {
    if thread < 0 { return }
    demand(!name.isEmpty, "variable \(variable.number) of \(variable.owner) has no name")
    let races = process.kernel.presentRaces()
    guard
      var access = races.access(
        kind, by: thread, at: Int32(truncatingIfNeeded: counter),
        threadName: process.kernel.name(of: thread))
    else { return }
    let queue = dispatch.concurrentQueue(of: thread, process)
    // A barrier orders nothing with what an operation queue runs, or with what is elsewhere.
    access.queue = queue.isNone || operations.has(queue) ? -1 : queue.raw
    for race in races.note(access, to: variable) {
      let (here, there) = (race.later.place, race.earlier.place)
      let lines = (line(of: here), line(of: there))
      if !races.isNew(name, lines: lines.0, lines.1) { continue }
      process.kernel.report(
        .dataRace, thread: thread, places: [here, there],
        FindingText.dataRace(
          name, later: (race.later.kind.word, described(race.later)),
          earlier: (race.earlier.kind.word, described(race.earlier)), isOneLine: lines.0 == lines.1,
          isOneThread: race.later.threadName == race.earlier.threadName,
          isSideBySide: access.queue >= 0 && race.earlier.queue == access.queue))
    }
  }

  /// The line of the trace that an instruction comes from.
  private func line(of instruction: Int32) -> Int {
    process.program.source.lineNumber(at: process.kernel.places[Int(instruction)].lowerBound)
  }

  private func described(_ access: SharedAccess) -> String {
    let item = process.itemName(access.item, kind: access.itemKind)
    return FindingText.thread(access.threadName, runs: item == access.threadName ? nil : item)
  }
}
