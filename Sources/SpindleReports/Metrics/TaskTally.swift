import SpindleModel

/// What is counted of tasks: for how long each was on a thread, and of each actor who stood in line.
struct TaskTally {
  /// The tasks that have begun and not ended, by number: since when one is on its thread, or -1, and for how
  /// long it was before.
  private var tasks: [Int32: (since: Int64, served: Int64)] = [:]
  private var actors: [ActorMetrics] = []
  private var names: [Int32] = []
  private var places: [Int32: Int] = [:]

  mutating func started(_ entry: LogEntry) { tasks[entry.other] = (entry.time, 0) }

  mutating func suspended(_ entry: LogEntry) {
    guard let task = tasks[entry.other], task.since >= 0 else { return }
    tasks[entry.other] = (-1, task.served + entry.time - task.since)
  }

  mutating func resumed(_ entry: LogEntry) { tasks[entry.other]?.since = entry.time }

  /// A task has ended: for how long it was on threads; -1 when that is not known.
  mutating func ended(_ entry: LogEntry) -> Int64 {
    guard let task = tasks.removeValue(forKey: entry.other), task.since >= 0 else { return -1 }
    return task.served + entry.time - task.since
  }

  // MARK: Actors

  mutating func entered(_ entry: LogEntry) {
    let place = place(of: entry.object)
    actors[place].turns += 1
    let priority = Int(TaskPriority(rawValue: entry.detail)?.rawValue ?? 0)
    actors[place].waits[priority].add(entry.value)
  }

  mutating func left(_ entry: LogEntry) {
    let place = place(of: entry.object)
    actors[place].held.add(entry.value)
  }

  /// Forgets what was counted of actors.
  mutating func restart() { (actors, names, places) = ([], [], [:]) }

  /// The actors, the one that was waited for longest first.
  func result(names known: NameTable) -> [ActorMetrics] {
    let order = actors.indices.sorted {
      let (left, right) = (actors[$0].totalWait, actors[$1].totalWait)
      return left == right ? $0 < $1 : left > right
    }
    return order.map { index in
      var actor = actors[index]
      if names[index] >= 0 { actor.name = known.text(NameID(Int(names[index]))) }
      return actor
    }
  }

  private mutating func place(of name: Int32) -> Int {
    if let known = places[name] { return known }
    places[name] = actors.count
    names.append(name)
    actors.append(ActorMetrics(name: "the main actor"))
    return actors.count - 1
  }
}
