package import SpindleModel

/// Keeps when each thread and each item came, ran and was done, as textbooks on scheduling tabulate it.
///
/// A class, since the simulator is handed it and the caller reads it. It keeps a row for each thread or
/// item.
package final class TurnaroundTable: LogConsumer {
  /// What there is a row for.
  package enum Subject: String, CaseIterable, Sendable { case threads, items }

  /// A thread or item.
  package struct Row: Hashable, Sendable {
    /// What it is called.
    package var name: String
    /// Whether it is the main thread.
    package var isMain = false
    /// When a thread was made or an item submitted.
    package var arrival: Int64
    /// When it first had a core; nil when it never did.
    package var firstRun: Int64?
    /// When it was done; nil when it never was.
    package var completion: Int64?
    /// How long it could have run and had no core; an item's wait for its turn included.
    package var waiting: Int64 = 0
    /// How long it had a core.
    package var ran: Int64 = 0

    /// From arrival to completion.
    package var turnaround: Int64? { completion.map { $0 - arrival } }
    /// From arrival to the first run.
    package var response: Int64? { firstRun.map { $0 - arrival } }
  }

  /// What is known of the thread in a slot.
  private struct Slot {
    var row = -1
    var isReady = false
    var isRunning = false
    /// Since when it is ready or running.
    var since: Int64 = 0
    var waited: Int64 = 0
    var ran: Int64 = 0

    /// Counts the time up to now.
    mutating func advance(to time: Int64) {
      if isReady { waited += time - since }
      if isRunning { ran += time - since }
      since = time
    }
  }

  /// An item that has begun: where, and what its thread's counts were then.
  private struct Open {
    var row: Int
    var slot: Int
    var waited: Int64
    var ran: Int64
  }

  /// What there is a row for.
  package let subject: Subject
  /// The rows, by creation of threads or beginning of items; complete when the run has ended.
  package private(set) var rows: [Row] = []
  /// How many items were submitted that never began.
  package private(set) var neverBegan: Int64 = 0
  private var names = NameTable([])
  private var labels = ThreadLabels()
  private var slots: [Slot] = []
  /// By row: what was so when the item began.
  private var starts: [Open] = []
  /// The rows of items that have begun and not ended, by their numbers.
  private var open: [Int32: Int] = [:]

  /// Creates a table of one run.
  package init(of subject: Subject) { self.subject = subject }

  package func begin(_ run: RunDescription) {
    (rows, slots, starts, open, neverBegan) = ([], [], [], [:], 0)
    (names, labels) = (run.names, ThreadLabels())
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      switch entry.event {
      case .threadCreated: created(entry)
      case .threadReady: change(entry) { $0.isReady = true }
      case .threadRuns: runs(entry)
      case .threadPreempted:
        change(entry) { ($0.isReady, $0.isRunning) = (true, false) }
      case .threadBlocked: change(entry) { ($0.isReady, $0.isRunning) = (false, false) }
      case .threadEnded, .threadKilled: ended(entry)
      case .itemSubmitted: neverBegan += 1
      case .itemStarted: if subject == .items { started(entry) }
      case .itemEnded: if subject == .items { finished(entry) }
      default: break
      }
    }
  }

  package func end(_ record: RunRecord) {
    let time = record.end.nanoseconds
    for index in slots.indices {
      slots[index].advance(to: time)
      settle(index)
    }
    for start in starts where rows[start.row].completion == nil { close(start, at: time) }
  }

  private func created(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= slots.count { slots.append(Slot()) }
    slots[slot] = Slot()
    let label = labels.label(entry)
    guard subject == .threads else { return }
    slots[slot].row = rows.count
    let isMain = entry.detail == ThreadOrigin.main.rawValue
    rows.append(
      Row(
        name: label.text(names) ?? "thread \(rows.count + 1)", isMain: isMain, arrival: entry.time))
  }

  private func change(_ entry: LogEntry, _ body: (inout Slot) -> Void) {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < slots.count else { return }
    slots[slot].advance(to: entry.time)
    body(&slots[slot])
  }

  private func runs(_ entry: LogEntry) {
    change(entry) { ($0.isReady, $0.isRunning) = (false, true) }
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < slots.count else { return }
    let row = slots[slot].row
    if row >= 0 && rows[row].firstRun == nil { rows[row].firstRun = entry.time }
  }

  private func ended(_ entry: LogEntry) {
    change(entry) { ($0.isReady, $0.isRunning) = (false, false) }
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < slots.count, slots[slot].row >= 0 else { return }
    if entry.event == .threadEnded { rows[slots[slot].row].completion = entry.time }
    settle(slot)
    slots[slot].row = -1
  }

  /// Hands what was counted of a thread to its row.
  private func settle(_ slot: Int) {
    let row = slots[slot].row
    guard row >= 0 else { return }
    (rows[row].waiting, rows[row].ran) = (slots[slot].waited, slots[slot].ran)
  }

  private func started(_ entry: LogEntry) {
    neverBegan -= 1
    var row = Row(
      name: ValueText.name(Int64(entry.object), names), arrival: entry.time - entry.value)
    (row.firstRun, row.waiting) = (entry.time, entry.value)
    let needsThread = !ItemFlags(rawValue: entry.detail).contains(.needsNoThread)
    let slot = needsThread && Int(entry.thread) < slots.count ? Int(entry.thread) : -1
    if slot >= 0 { slots[slot].advance(to: entry.time) }
    open[entry.other] = rows.count
    starts.append(
      Open(
        row: rows.count, slot: slot, waited: slot >= 0 ? slots[slot].waited : 0,
        ran: slot >= 0 ? slots[slot].ran : 0))
    rows.append(row)
  }

  private func finished(_ entry: LogEntry) {
    guard let row = open.removeValue(forKey: entry.other) else { return }
    rows[row].completion = entry.time
    close(starts[row], at: entry.time)
  }

  private func close(_ item: Open, at time: Int64) {
    guard item.slot >= 0 else { return }
    slots[item.slot].advance(to: time)
    rows[item.row].waiting += slots[item.slot].waited - item.waited
    rows[item.row].ran += slots[item.slot].ran - item.ran
  }
}

extension TurnaroundTable {
  /// Means over rows, rounded to the nearest nanosecond.
  package struct Means: Hashable, Sendable {
    /// How many rows they are over: those that are done, without the main thread where there are
    /// others.
    package var count = 0
    package var turnaround: Int64?
    package var response: Int64?
    package var waiting: Int64?
    package var ran: Int64?
  }

  /// The means, over those that are done.
  package var means: Means {
    let done = rows.filter { $0.completion != nil }
    let others = done.filter { !$0.isMain }
    let counted = others.isEmpty ? done : others
    func mean(_ value: (Row) -> Int64?) -> Int64? {
      let values = counted.compactMap(value)
      guard !values.isEmpty else { return nil }
      let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
      return Int64((2 * sum + Int128(values.count)) / Int128(2 * values.count))
    }
    return Means(
      count: counted.count, turnaround: mean(\.turnaround), response: mean(\.response),
      waiting: mean(\.waiting), ran: mean(\.ran))
  }
}
