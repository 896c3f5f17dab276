package import SpindleModel

/// Keeps a run's timeline for queries.
///
/// With a window it keeps only the slices that touch it. Threads and lanes are always kept.
package final class TimelineStore: TimelineConsumer {
  /// The threads, by `ThreadIndex`.
  package private(set) var threads: [ThreadFacts] = []
  /// The lanes, by `LaneIndex`.
  package private(set) var lanes: [LaneFacts] = []
  /// The states of each thread in order, by `ThreadIndex`.
  package private(set) var states: [[ThreadSlice]] = []
  /// The spans of each thread, nested ones after the outer one, by `ThreadIndex`.
  package private(set) var spans: [[SpanSlice]] = []
  /// The items, in the order in which they ended.
  package private(set) var items: [ItemSlice] = []
  /// What was held, in the order in which it began.
  package private(set) var holds: [HoldSlice] = []
  /// What happened at one moment.
  package private(set) var notes: [TimelineNote] = []
  /// The run; nil before it has begun.
  package private(set) var run: RunDescription?
  /// How it ended; nil before it has.
  package private(set) var record: RunRecord?
  /// What the policy decided against each thread, in the order of the run; empty unless that was asked for.
  private(set) var choices: [ThreadIndex: [ThreadChoice]] = [:]
  /// The position of each kept item, by number.
  private(set) var itemPlaces: [Int32: Int] = [:]
  /// What each thread was about, the outermost only, by `ThreadIndex`; known when the run has ended.
  private(set) var units: [[SpanSlice]] = []
  /// The pieces of tasks, whatever the window.
  private(set) var tasks = TaskHistory()
  /// The window that is kept.
  private let window: ClosedRange<Instant>

  /// Creates a store for one run.
  package init(window: ClosedRange<Instant> = Instant.start...Instant.distantFuture) {
    self.window = window
  }

  package func begin(_ run: RunDescription) {
    self.run = run
    (threads, lanes, states, spans) = ([], [], [], [])
    (items, holds, notes, record, itemPlaces, units) = ([], [], [], nil, [:], [])
    (tasks, choices) = (TaskHistory(), [:])
  }

  package func threadBegan(_ thread: ThreadFacts) {
    precondition(
      Int(thread.thread.raw) == threads.count,
      "thread \(thread.thread.raw) begins, and \(threads.count) have begun")
    threads.append(thread)
    states.append([])
    spans.append([])
  }

  package func laneBegan(_ lane: LaneFacts) {
    precondition(
      Int(lane.lane.raw) == lanes.count,
      "lane \(lane.lane.raw) begins, and \(lanes.count) have begun")
    lanes.append(lane)
  }

  package func stateEnded(_ slice: ThreadSlice) {
    assert(
      states[Int(slice.thread.raw)].last.map { $0.end <= slice.start } ?? true,
      "a state of thread \(slice.thread.raw) begins at \(slice.start), before the one before it ends"
    )
    if touches(slice.start, slice.end) { states[Int(slice.thread.raw)].append(slice) }
  }

  package func itemStarted(_ item: ItemSlice) {
    guard item.isTask else { return }
    tasks.began(
      TaskPiece(
        item: item.item, thread: item.thread, start: item.started, end: item.started,
        ready: item.submitted))
  }

  package func taskLeft(_ piece: TaskPiece) { tasks.left(piece) }

  package func taskResumed(_ piece: TaskPiece) { tasks.began(piece) }

  package func itemEnded(_ item: ItemSlice) {
    if item.isTask && item.outcome == .ran, let last = tasks.last(of: item.item) {
      var piece = tasks[last]
      (piece.end, piece.wait, piece.awaited) = (item.ended, nil, .none)
      tasks.left(piece)
    }
    guard touches(item.submitted, item.ended) else { return }
    if !item.item.isNone {
      let before = itemPlaces.updateValue(items.count, forKey: item.item.raw)
      assert(before == nil, "item \(item.item.raw) ends twice")
    }
    items.append(item)
  }

  package func spanEnded(_ span: SpanSlice) {
    if touches(span.start, span.end) { spans[Int(span.thread.raw)].append(span) }
  }

  package func holdEnded(_ hold: HoldSlice) {
    if touches(hold.start, hold.end) { holds.append(hold) }
  }

  package func noted(_ note: TimelineNote) {
    if window.contains(note.time) { notes.append(note) }
  }

  package func end(_ record: RunRecord) {
    self.record = record
    choices = ThreadChoice.all(record.policyReport, of: threads)
    tasks.finish(at: record.end)
    defer { units = spans.map { $0.filter { $0.depth == 0 } } }
    for index in spans.indices {
      spans[index].sort { ($0.start, $0.depth) < ($1.start, $1.depth) }
    }
    // Of equal beginnings the one that ended first comes first, as sorting keeps them.
    holds.sort { $0.start < $1.start }
  }

  /// The window that is kept; nil when it is the whole run.
  var keeps: ClosedRange<Instant>? {
    window.lowerBound <= .start && window.upperBound == .distantFuture ? nil : window
  }

  private func touches(_ start: Instant, _ end: Instant) -> Bool {
    start <= window.upperBound && end >= window.lowerBound
  }
}
