import SpindleModel

/// Accesses to shared variables.
extension Interpreter {
  /// Looks for accesses that nothing orders with this one, and tells of them.
  @inline(never)
  mutating func noteAccess(
    _ kind: SharedAccess.Kind, _ variable: SharedVariable, _ name: Int32, _ thread: ThreadID,
    _ counter: Int
  ) {
    if thread.isNone { return }
    demand(name >= 0, "variable \(variable.number) of \(variable.owner) has no name")
    process.kernel.recorder.catchUp()
    guard
      var access = process.kernel.recorder.races.access(
        kind, by: thread, at: Int32(truncatingIfNeeded: counter),
        threadName: process.kernel.threadName(of: thread))
    else { return }
    let queue = dispatch.concurrentQueue(of: thread, process)
    // A barrier orders nothing with what an operation queue runs, or with what is elsewhere.
    access.queue = queue.isNone || operations.has(queue) ? -1 : queue.raw
    for race in process.kernel.recorder.races.note(access, to: variable) {
      tell(race, name, thread)
    }
  }

  /// Tells of two accesses to a variable of that name, unless their places were reported before.
  private mutating func tell(_ race: DataRace, _ name: Int32, _ thread: ThreadID) {
    let (here, there) = (race.later.place, race.earlier.place)
    let name = process.kernel.text(name)
    let places = (process.kernel.places[Int(here)], process.kernel.places[Int(there)])
    demand(!name.isEmpty, "a variable that is used at \(here) has no name")
    if !process.kernel.recorder.races.isNew(name, places: places.0, places.1) { return }
    let threads = (
      process.kernel.text(race.later.threadName), process.kernel.text(race.earlier.threadName)
    )
    process.kernel.report(
      .dataRace, thread: thread, places: [here, there],
      FindingText.dataRace(
        name, later: (race.later.kind.word, described(race.later.moment, on: threads.0)),
        earlier: (race.earlier.kind.word, described(race.earlier.moment, on: threads.1)),
        isOnePlace: places.0.lowerBound == places.1.lowerBound, isOneThread: threads.0 == threads.1,
        isSideBySide: race.later.queue >= 0 && race.earlier.queue == race.later.queue))
  }

  private func described(_ moment: Moment, on thread: String) -> FindingStatement {
    let item = process.itemName(moment.item, kind: moment.itemKind)
    return FindingText.thread(thread, runs: item == thread ? nil : item)
  }
}
