import SpindleModel

/// The times of tasks: on a thread, and queued for each actor.
struct TaskTally {
  /// The tasks that have begun and not ended.
  private var tasks = OpenTasks()
  private var actors: [ActorMetrics] = []
  private var names: [Int32] = []
  private var places: [Int32: Int] = [:]

  mutating func started(_ entry: LogEntry) {
    tasks.add(OpenTasks.Entry(number: entry.other, since: entry.time, served: 0))
  }

  mutating func suspended(_ entry: LogEntry) {
    tasks.change(entry.other) { task in
      if task.since < 0 { return }
      task.served += entry.time - task.since
      task.since = -1
    }
  }

  mutating func resumed(_ entry: LogEntry) { tasks.change(entry.other) { $0.since = entry.time } }

  /// A task has ended: for how long it was on threads; -1 when that is not known.
  mutating func ended(_ entry: LogEntry) -> Int64 {
    guard let task = tasks.remove(entry.other), task.since >= 0 else { return -1 }
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

/// Tasks by number: a few in a row, which are found sooner than by a hash, and the others by that.
private struct OpenTasks {
  struct Entry {
    let number: Int32
    /// Since when it is on its thread; -1 when it is on none.
    var since: Int64
    /// For how long it was before.
    var served: Int64
  }

  private static let most = 8
  private var few: [Entry] = []
  private var others: [Int32: Entry] = [:]

  /// Adds a task, or begins anew with one of its number.
  mutating func add(_ task: Entry) {
    if let index = index(of: task.number) {
      few[index] = task
    } else if few.count < Self.most && others.isEmpty {
      few.append(task)
    } else {
      others[task.number] = task
    }
  }

  /// Changes a task, if it is there.
  mutating func change(_ number: Int32, _ body: (inout Entry) -> Void) {
    if let index = index(of: number) {
      body(&few[index])
    } else if var task = others[number] {
      body(&task)
      others[number] = task
    }
  }

  /// Takes a task out; nil when it is not there.
  mutating func remove(_ number: Int32) -> Entry? {
    guard let index = index(of: number) else { return others.removeValue(forKey: number) }
    few.swapAt(index, few.count - 1)
    return few.removeLast()
  }

  /// Where a task is in the row; nil when it is not there.
  private func index(of number: Int32) -> Int? { few.firstIndex { $0.number == number } }
}
