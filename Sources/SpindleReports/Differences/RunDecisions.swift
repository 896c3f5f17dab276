package import SpindleModel

/// One step of a run in words that two runs can be compared by: without numbers of threads and places.
package struct Decision: Hashable, Sendable {
  /// When.
  package var time: Instant
  /// The actor: a thread, or what submits.
  package var who: String
  /// What: `gets core 0`, `waits for lock 'lock'`.
  package var what: String
  /// Which sort of step it is.
  package var kind: Kind

  /// The sorts of steps.
  package enum Kind: Hashable, Sendable {
    case created, ready, runs, waits, ends, submitted, itemStarts, itemEnds
  }
}

/// Keeps the steps of a run: dispatches, waits, submissions, starts and ends.
///
/// A class, as all consumers of a timeline are.
package final class RunDecisions: TimelineConsumer {
  /// The steps, in order.
  package private(set) var decisions: [Decision] = []
  /// Of each the index of the instruction behind it; -1 for none.
  package private(set) var places: [Int32] = []
  /// All else that is known of the run.
  package let store = TimelineStore()
  /// How many steps are kept.
  private let limit: Int

  /// Creates one for one run, of which the first `limit` steps are kept.
  package init(limit: Int = 2_000_000) { self.limit = limit }

  package func begin(_ run: RunDescription) {
    store.begin(run)
    (decisions, places) = ([], [])
  }

  package func threadBegan(_ thread: ThreadFacts) {
    store.threadBegan(thread)
    add(thread.time, store.name(of: thread.thread), "is started", .created, thread.place)
  }

  package func laneBegan(_ lane: LaneFacts) { store.laneBegan(lane) }

  package func stateBegan(_ slice: ThreadSlice) {
    let who = store.name(of: slice.thread)
    switch slice.state {
    case .running: add(slice.start, who, "gets core \(slice.core.index)", .runs, slice.place)
    case .ready:
      if slice.began == .started { return }
      add(slice.start, who, ready(slice), .ready, slice.place)
    case .waiting:
      let object = slice.lane.isNone ? store.text(slice.name) : store.name(of: slice.lane)
      let word = slice.reason.map { "\($0.facts.word)" } ?? "waits"
      add(slice.start, who, word + (object.map { " '\($0)'" } ?? ""), .waits, slice.place)
    }
  }

  package func stateEnded(_ slice: ThreadSlice) {
    store.stateEnded(slice)
    if slice.ended == .ended { add(slice.end, store.name(of: slice.thread), "ends", .ends, -1) }
  }

  package func itemSubmitted(_ item: ItemSlice) {
    let queue = item.lane.isNone ? "" : " to '\(store.name(of: item.lane))'"
    add(item.submitted, called(item), "is submitted\(queue)", .submitted, item.place)
  }

  package func itemStarted(_ item: ItemSlice) {
    let thread = store.name(of: item.thread)
    add(item.started, called(item), "begins on '\(thread)'", .itemStarts, item.place)
  }

  package func itemEnded(_ item: ItemSlice) {
    store.itemEnded(item)
    if item.outcome == .cut { return }
    add(item.ended, called(item), "ends", .itemEnds, item.place)
  }

  package func spanEnded(_ span: SpanSlice) { store.spanEnded(span) }
  package func holdEnded(_ hold: HoldSlice) { store.holdEnded(hold) }
  package func noted(_ note: TimelineNote) { store.noted(note) }
  package func end(_ record: RunRecord) { store.end(record) }

  private func called(_ item: ItemSlice) -> String {
    guard let run = store.run else { return "item" }
    return item.name(in: run.names, run.program)
  }

  private func ready(_ slice: ThreadSlice) -> String {
    switch slice.began {
    case .quantumEnded: "loses its core, its quantum is over"
    case .preempted: "loses its core to somebody more urgent"
    case .yielded: "yields"
    case .timedOut: "waits no longer, its limit is reached"
    default: slice.agent.isNone ? "is woken" : "is woken by '\(store.name(of: slice.agent))'"
    }
  }

  private func add(
    _ time: Instant, _ who: String, _ what: String, _ kind: Decision.Kind, _ place: Int32
  ) {
    guard decisions.count < limit else { return }
    decisions.append(Decision(time: time, who: who, what: what, kind: kind))
    places.append(place)
  }
}
