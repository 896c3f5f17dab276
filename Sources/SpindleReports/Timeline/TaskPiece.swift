public import SpindleModel

/// A stretch of time in which a task had a thread, from its start or resume to its next suspension or end.
public struct TaskPiece: Hashable, Sendable, BitwiseCopyable {
  /// The task's item; none for the async main, which was not submitted.
  public var item: ItemIndex
  /// Where it ran.
  public var thread: ThreadIndex
  /// When it began.
  public var start: Instant
  /// When it ended; of one that has just begun the start.
  public var end: Instant
  /// Since when the task could have run; the start where it did at once.
  public var ready: Instant
  /// For what it left its thread; nil when it ended there, or the run did.
  public var wait: TaskWait?
  /// Whose end it waits for; none where it waits for something else.
  public var awaited: ItemIndex = .none
  /// The index of the instruction at which it left its thread; -1 where it did not.
  package var place: Int32 = -1
}

/// The pieces of all tasks of a run, by task and by thread.
struct TaskHistory {
  /// The position of a piece.
  struct Place: Hashable {
    var item: Int32
    var index: Int
  }

  /// By number of the item: its pieces in order, the last one maybe not ended.
  private(set) var pieces: [Int32: [TaskPiece]] = [:]
  /// By thread: the pieces in the order in which they ended.
  private var ended: [Int32: [Place]] = [:]
  private var open: Set<Int32> = []

  /// Adds that a task begins or resumes.
  mutating func began(_ piece: TaskPiece) {
    let item = piece.item.raw
    if !open.insert(item).inserted { return }
    pieces[item, default: []].append(piece)
  }

  /// Takes in that a task leaves its thread; one that is met first by that is the async main.
  mutating func left(_ piece: TaskPiece) {
    let item = piece.item.raw
    if !open.contains(item) {
      var first = piece
      (first.start, first.ready) = (.start, .start)
      began(first)
    }
    open.remove(item)
    guard let index = pieces[item]?.indices.last else { return }
    assert(
      lastEnd(of: piece.thread) <= piece.end,
      "a piece of task \(item) ends on thread \(piece.thread.raw) before the one before it")
    pieces[item]?[index].end = piece.end
    pieces[item]?[index].wait = piece.wait
    pieces[item]?[index].awaited = piece.awaited
    pieces[item]?[index].place = piece.place
    ended[piece.thread.raw, default: []].append(Place(item: item, index: index))
  }

  /// The run has ended, and with it what was open.
  mutating func finish(at end: Instant) {
    for item in open.sorted() {
      guard let index = pieces[item]?.indices.last, let thread = pieces[item]?[index].thread else {
        continue
      }
      pieces[item]?[index].end = end
      ended[thread.raw, default: []].append(Place(item: item, index: index))
    }
    open = []
  }

  /// Whether there were tasks at all.
  var isEmpty: Bool { pieces.isEmpty }

  subscript(place: Place) -> TaskPiece { pieces[place.item, default: []][place.index] }

  /// The last piece of a task; nil for one that never ran.
  func last(of item: ItemIndex) -> Place? {
    pieces[item.raw].map { Place(item: item.raw, index: $0.count - 1) }
  }

  /// The piece that has a thread just before a moment, the innermost; else one of no length at it.
  func piece(on thread: ThreadIndex, before time: Instant) -> Place? {
    guard let all = ended[thread.raw] else { return nil }
    let first = all.partition { self[$0].end < time }
    var instant: Place?
    for place in all[first...] {
      let piece = self[place]
      if piece.start < time { return place }
      if piece.end == time { instant = place } else if piece.start > time { break }
    }
    return instant
  }

  /// The first piece of those that begin on a thread at a moment or later.
  func first(on thread: ThreadIndex, from time: Instant) -> Place? {
    guard let all = ended[thread.raw] else { return nil }
    // One that begins there does not end before.
    return all[all.partition { self[$0].end < time }...].first { self[$0].start >= time }
  }

  /// When the last piece of all that ended on a thread did; the start for none.
  private func lastEnd(of thread: ThreadIndex) -> Instant {
    ended[thread.raw]?.last.map { self[$0].end } ?? .start
  }

  /// When the last piece that ended on a thread before a moment did; nil for none.
  func lastEnd(on thread: ThreadIndex, before time: Instant) -> Instant? {
    guard let all = ended[thread.raw] else { return nil }
    let count = all.partition { self[$0].end < time }
    return count > 0 ? self[all[count - 1]].end : nil
  }

  /// The piece of a task in which a moment lies; nil when it had no thread then.
  func piece(of item: ItemIndex, at time: Instant) -> Place? {
    guard let all = pieces[item.raw] else { return nil }
    let index = all.lastIndex { $0.start <= time && $0.end >= time }
    return index.map { Place(item: item.raw, index: $0) }
  }

  /// The piece that ended last, up to a moment; of several at one moment that of the item made last.
  func lastEnded(by time: Instant) -> Place? {
    var found: Place?
    for item in pieces.keys.sorted() {
      guard let all = pieces[item], let index = all.lastIndex(where: { $0.end <= time }) else {
        continue
      }
      let place = Place(item: item, index: index)
      if found.map({ all[index].end >= self[$0].end }) ?? true { found = place }
    }
    return found
  }
}
