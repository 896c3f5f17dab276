import SpindleModel

/// Why tasks resumed when they did.
extension TimelineStore {
  /// What let a piece of a task begin.
  enum TaskStart {
    /// Another task, or this one before, at a moment.
    case task(TaskHistory.Place, Instant)
    /// A thread: it submitted or resumed the task, or was busy until then.
    case thread(ThreadIndex, Instant)
    /// A clock or a device, for which the task has waited since this piece of it.
    case ownWait(TaskHistory.Place)
    /// Nothing in the run.
    case nothing
  }

  /// What let a piece of a task begin when it did.
  ///
  /// A task that was runnable before was queued: for an actor, and then the task that left it is the cause,
  /// or for a thread, and then what that thread did. Otherwise the cause is what ended its wait: the task or
  /// the last one of the group that it awaited, or the code that resumed its continuation or fed its stream.
  /// The log does not name the latter; it is taken to be the thread that worked up to that moment, where
  /// there was only one.
  func cause(of place: TaskHistory.Place) -> TaskStart {
    let piece = tasks[place]
    if let before = actorHolder(before: place) { return .task(before, piece.start) }
    guard place.index > 0 else {
      guard let item = item(piece.item) else { return .nothing }
      if piece.start > item.submitted { return busy(piece) }
      if item.submitter.isNone { return .nothing }
      // Code that submits outside of every item may be the async main, which has that number.
      let parent = tasks.piece(of: item.parent, at: item.submitted)
      if let parent, tasks[parent].thread == item.submitter, parent.item != place.item {
        return .task(parent, item.submitted)
      }
      return .thread(item.submitter, item.submitted)
    }
    let before = TaskHistory.Place(item: place.item, index: place.index - 1)
    let left = tasks[before]
    if piece.ready < piece.start && left.wait != .executor { return busy(piece, or: before) }
    switch left.wait {
    case .task, .group, .groupEnd, .continuation, .stream:
      if let ender = ender(of: left, at: piece.ready) { return ender }
      return .ownWait(before)
    case .executor where piece.start > left.end: return busy(piece, or: before)
    case .sleep, .io, .yield, .executor, nil: return .ownWait(before)
    }
  }

  /// The thread that took a task up late, if it was at work until then.
  private func busy(_ piece: TaskPiece, or before: TaskHistory.Place? = nil) -> TaskStart {
    if let other = tasks.piece(on: piece.thread, before: piece.start),
      tasks[other].start < piece.start
    {
      return .task(other, piece.start)
    }
    let states = states[Int(piece.thread.raw)]
    let index = states.partition { $0.start < piece.start } - 1
    if index >= 0 && states[index].state != .waiting { return .thread(piece.thread, piece.start) }
    return before.map { .ownWait($0) } ?? .thread(piece.thread, piece.start)
  }

  /// The piece that left the actor for which a piece was queued, as it began.
  func actorHolder(before place: TaskHistory.Place) -> TaskHistory.Place? {
    let piece = tasks[place]
    guard let hold = actorHold(at: piece), hold.waited > .zero else { return nil }
    let last = holds.last {
      $0.kind == .actor && $0.lane == hold.lane && $0.item != piece.item && $0.end == hold.start
        && $0.start < hold.start
    }
    return last.flatMap { tasks.piece(of: $0.item, at: hold.start) }
  }

  /// The actor that a task enters as a piece of it begins; nil for none.
  func actorHold(at piece: TaskPiece) -> HoldSlice? {
    let first = holds.partition { $0.start < piece.start }
    return holds[first...].prefix { $0.start == piece.start }.first {
      $0.kind == .actor && $0.item == piece.item
    }
  }

  /// What ended a wait at a moment; nil where it is unknown.
  func ender(of left: TaskPiece, at time: Instant) -> TaskStart? {
    switch left.wait {
    case .task:
      guard let last = awaited(by: left, at: time) else { return nil }
      return .task(last, time)
    case .group, .groupEnd:
      guard let last = lastChild(of: left, at: time) else { return nil }
      return .task(last, time)
    case .continuation, .stream: return atWork(besides: left.item, at: time)
    case .executor, .sleep, .io, .yield, nil: return nil
    }
  }

  /// The last piece of the task whose end another one awaited, when it ended at a moment; a log in text
  /// does not name it, and it is then the last one that ended there.
  private func awaited(by left: TaskPiece, at time: Instant) -> TaskHistory.Place? {
    if !left.awaited.isNone {
      let isOver = item(left.awaited)?.outcome == .ran
      return tasks.last(of: left.awaited).flatMap { isOver && tasks[$0].end == time ? $0 : nil }
    }
    let ended = items.last {
      $0.isTask && $0.outcome == .ran && $0.ended == time && $0.item != left.item
    }
    return ended.flatMap { tasks.last(of: $0.item) }
  }

  /// The last child of a task that ended at a moment.
  private func lastChild(of left: TaskPiece, at time: Instant) -> TaskHistory.Place? {
    let isMain = item(left.item) == nil
    let child = items.last { child in
      guard child.isTask, child.outcome == .ran, child.ended == time else { return false }
      if !isMain { return child.parent == left.item }
      // The async main is not an item. It created what was created on the thread that it was on then.
      let maker = tasks.piece(of: left.item, at: child.submitted)
      return child.parent.isNone && maker.map { tasks[$0].thread == child.submitter } == true
    }
    return child.flatMap { tasks.last(of: $0.item) }
  }

  /// The thread that worked up to a moment; nil when there was none, or several.
  private func atWork(besides item: ItemIndex, at time: Instant) -> TaskStart? {
    var found: TaskStart?
    for thread in threads {
      let states = states[Int(thread.thread.raw)]
      let index = states.partition { $0.start < time } - 1
      guard index >= 0, states[index].end >= time else { continue }
      // One that has just begun to run did so at a device's or a clock's word.
      let next = index + 1
      let hasWoken =
        states[index].state == .waiting && next < states.count && states[next].start == time
        && states[index].ended == .woken
        && states[next...].prefix { $0.start == time }.contains { $0.state == .running }
      guard states[index].state == .running || hasWoken && isCaller(thread.thread, at: time) else {
        continue
      }
      if found != nil { return nil }
      if let place = tasks.piece(on: thread.thread, before: time), tasks[place].start < time {
        if tasks[place].item == item { continue }
        found = .task(place, time)
      } else {
        found = .thread(thread.thread, time)
      }
    }
    return found
  }

  /// Whether a thread that waited inside of something continues it at a moment.
  private func isCaller(_ thread: ThreadIndex, at time: Instant) -> Bool {
    spans[Int(thread.raw)].contains { $0.start < time && $0.end >= time }
  }

  // MARK: In words

  /// The wait of a task behind a piece of it, as a part of a path.
  func waitPiece(_ left: TaskPiece, to end: Instant) -> TimePiece {
    TimePiece(
      kind: .taskWait, start: left.end, end: end, slice: nil, unit: unit(of: left), task: left)
  }

  /// A piece of a task as what its thread was about; nil for the async main.
  private func unit(of piece: TaskPiece) -> SpanSlice? {
    item(piece.item).map { item in
      SpanSlice(
        kind: .item, thread: piece.thread, start: piece.start, end: piece.end, item: item.item,
        lane: item.lane, name: item.name, place: item.place)
    }
  }

  /// A task's name in quotes, with where it was made.
  func taskName(_ item: ItemIndex, _ thread: ThreadIndex) -> String {
    let name = name(of: item) ?? name(of: thread)
    let place = self.item(item).flatMap { position($0.place) }.map { " (\($0))" } ?? ""
    return "'\(name)'\(place)"
  }

  /// A task's wait in words: `100ms asleep at 12:9`.
  func taskWait(_ piece: TimePiece) -> String {
    let length = TimelineStore.short(piece.length)
    guard let left = piece.task, let wait = left.wait else { return length }
    return "\(length) \(TaskPhrase.text(wait))" + (position(left.place).map { " at \($0)" } ?? "")
  }

  /// What a task's time from its start to its end consisted of, in order, in words.
  func taskParts(of item: ItemSlice) -> [String] {
    guard let all = tasks.pieces[item.item.raw] else { return [] }
    let whole = max(1, item.ended.nanoseconds - item.started.nanoseconds)
    var texts: [(text: String, length: Int64)] = []
    for (index, piece) in all.enumerated() {
      let place = TaskHistory.Place(item: item.item.raw, index: index)
      if index > 0 { texts += gap(all[index - 1], piece, place) }
      let length = piece.end.nanoseconds - piece.start.nanoseconds
      guard length > 0 else { continue }
      let parts = parts(of: piece.thread, from: piece.start, to: piece.end)
      texts.append((TimelineStore.sequence(parts), length))
    }
    // As with the parts of a thread: short ones are summed, and few are listed.
    let order = texts.indices.sorted {
      texts[$0].length == texts[$1].length ? $0 < $1 : texts[$0].length > texts[$1].length
    }
    let listed = order.prefix(6).filter { texts[$0].length * 40 >= whole }
    let told = Set(listed)
    let left = texts.indices.filter { !told.contains($0) }.map { texts[$0].length }
    let least = listed.last.map { texts[$0].length } ?? whole
    var result = texts.indices.filter { told.contains($0) }.map { texts[$0].text }
    if let rest = TimelineStore.rest(left, told: least, of: whole) { result.append("and \(rest)") }
    if let last = all.last, let wait = waitAtTheEnd(last, of: item) { result.append(wait) }
    return result
  }

  /// What a task that never ended waits for when the run ends, and which of the tasks that it waits for never
  /// ended; nil of one that ended, or was on a thread.
  private func waitAtTheEnd(_ last: TaskPiece, of item: ItemSlice) -> String? {
    guard item.outcome != .ran, let wait = last.wait else { return nil }
    let length = item.ended.nanoseconds - last.end.nanoseconds
    let time = length > 0 ? "\(TimelineStore.short(length)) " : ""
    var text = time + TaskPhrase.text(wait) + (position(last.place).map { " at \($0)" } ?? "")
    let missing = items.filter { other in
      guard other.isTask && other.outcome != .ran else { return false }
      switch wait {
      case .task: return other.item == last.awaited
      case .group, .groupEnd: return other.parent == item.item && other.item != item.item
      case .executor, .sleep, .io, .yield, .continuation, .stream: return false
      }
    }
    if !missing.isEmpty {
      let names = missing.map { taskName($0.item, $0.thread) }
      let who = TimelineStore.list(names)
      text += wait == .task ? ", \(who), which never ended" : ", of which \(who) never ended"
    }
    return text + (length > 0 ? ", until the run ended" : ", from \(last.end) to the end")
  }

  /// What was between two pieces of a task: the wait, what ended it, and the time queued after that.
  private func gap(
    _ left: TaskPiece, _ piece: TaskPiece, _ place: TaskHistory.Place
  ) -> [(text: String, length: Int64)] {
    var texts: [(String, Int64)] = []
    let ready = left.wait == .executor ? left.end : max(left.end, piece.ready)
    if ready > left.end {
      let length = ready.nanoseconds - left.end.nanoseconds
      var text = taskWait(waitPiece(left, to: ready))
      switch ender(of: left, at: ready) {
      case .task(let other, _):
        let who = taskName(tasks[other].item, tasks[other].thread)
        text += TaskPhrase.ended(left.wait, by: who)
        text += doing(tasks[other].item, from: left.end, to: ready)
      case .thread(let thread, _):
        let item = units(of: thread, from: left.end, to: ready).last { $0.end >= ready }
        let who = "\(words(item, on: thread))"
        let place = item.flatMap { position($0.place) }.map { " (\($0))" } ?? ""
        text += TaskPhrase.ended(left.wait, by: who + place)
      case .ownWait, .nothing, nil: break
      }
      texts.append((text, length))
    }
    if piece.start > ready {
      texts.append((line(piece, from: ready), piece.start.nanoseconds - ready.nanoseconds))
    }
    return texts
  }

  /// What a task mostly did between two moments, as a clause behind its name.
  private func doing(_ item: ItemIndex, from: Instant, to: Instant) -> String {
    guard let all = tasks.pieces[item.raw] else { return "" }
    let whole = to.nanoseconds - from.nanoseconds
    var work: Int64 = 0
    var longest: (wait: TimePiece, next: TaskPiece)?
    for (index, piece) in all.enumerated() {
      work += max(
        0, min(piece.end, to).nanoseconds - max(piece.start, from).nanoseconds)
      guard index > 0, piece.start > from else { continue }
      var wait = waitPiece(all[index - 1], to: min(piece.start, to))
      wait.start = max(wait.start, from)
      if wait.length > longest?.wait.length ?? 0 { longest = (wait, piece) }
    }
    var clauses: [String] = []
    if let longest, longest.wait.length * 4 >= whole {
      clauses.append(
        longest.wait.task?.wait == .executor
          ? "was \(line(longest.next, from: longest.wait.start))"
          : "waited \(taskWait(longest.wait))")
    }
    if work * 4 >= whole { clauses.append("had a thread for \(TimelineStore.short(work))") }
    return clauses.isEmpty ? "" : ", which \(clauses.joined(separator: " and "))"
  }
}

/// The wording of a task's waits.
enum TaskPhrase {
  /// The text that follows the length of a wait.
  static func text(_ wait: TaskWait) -> String {
    switch wait {
    case .executor: "queued for its turn"
    case .task: "awaiting a task"
    case .group: "awaiting the next of its group"
    case .groupEnd: "awaiting its group"
    case .sleep: "asleep"
    case .io: "for io"
    case .yield: "while others ran"
    case .continuation: "for its continuation"
    case .stream: "for an element of a stream"
    }
  }

  /// What ended a wait, as a clause.
  static func ended(_ wait: TaskWait?, by who: String) -> String {
    switch wait {
    case .task: ", \(who)"
    case .group: ", which was \(who)"
    case .groupEnd: ", of which \(who) ended last"
    case .continuation: ", which \(who) resumed"
    case .stream: ", which came from \(who)"
    case .executor, .sleep, .io, .yield, nil: ""
    }
  }
}
