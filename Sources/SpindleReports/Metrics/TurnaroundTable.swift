package import SpindleModel

/// Keeps when each thread and each item arrived, ran and completed, as textbooks on scheduling tabulate it.
///
/// A class, since the simulator gets it and the caller reads it. It keeps a row for each thread or item.
package final class TurnaroundTable: LogConsumer {
  /// What there is a row for.
  package enum Subject: String, Sendable { case threads, items }

  /// A thread or item.
  package struct Row: Hashable, Sendable {
    /// What it is called, as in the log: the second of a name ends with `#2`, and work without one is called after
    /// its kind.
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

  /// What there is a row for.
  package let subject: Subject
  /// The rows, by creation of threads or beginning of items; complete when the run has ended.
  package private(set) var rows: [Row] = []
  /// How many items were submitted that never began.
  package private(set) var neverBegan: Int64 = 0
  private var names = NameTable([])
  private var labels = ThreadLabels()
  /// The times of threads, and of items where there is a row for each.
  private var times = ItemTimes()
  /// By slot: the row of the thread in it; -1 for an empty one.
  private var rowOfSlot: [Int] = []
  /// The rows of items that have begun and not ended, by their numbers.
  private var open: [Int32: Int] = [:]
  /// By row: the number of its item.
  private var items: [Int32] = []
  private var program: Program?
  private var ordinals = LogOrdinals()

  /// Creates a table of one run.
  package init(of subject: Subject) { self.subject = subject }

  package func begin(_ run: RunDescription) {
    (rows, rowOfSlot, open, items, neverBegan) = ([], [], [:], [], 0)
    (times, ordinals) = (ItemTimes(), LogOrdinals())
    (names, labels, program) = (run.names, ThreadLabels(), run.program)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      times.receive(entry)
      switch entry.event {
      case .threadCreated: if subject == .threads { created(entry) }
      case .threadRuns: if subject == .threads { runs(entry) }
      case .threadEnded, .threadKilled: if subject == .threads { ended(entry) }
      case .itemSubmitted:
        neverBegan += 1
        ordinals.submitted(entry)
      case .itemStarted: if subject == .items { started(entry) }
      case .itemEnded: if subject == .items { finished(entry) }
      default: break
      }
    }
  }

  package func end(_ record: RunRecord) {
    let time = record.end.nanoseconds
    for slot in rowOfSlot.indices { settle(slot, at: time) }
    for (row, item) in items.enumerated() { settle(row, times.times(of: item, at: time)) }
  }

  private func created(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= rowOfSlot.count { rowOfSlot.append(-1) }
    rowOfSlot[slot] = rows.count
    let isMain = entry.detail == ThreadOrigin.main.rawValue
    let label = labels.label(entry)
    let ordinal = ordinals.threadMade(label, names)
    let name = label.text(names) ?? "thread \(rows.count + 1)"
    rows.append(
      Row(name: ordinal > 1 ? "\(name)#\(ordinal)" : name, isMain: isMain, arrival: entry.time))
  }

  private func runs(_ entry: LogEntry) {
    guard rowOfSlot.indices.contains(Int(entry.thread)) else { return }
    let row = rowOfSlot[Int(entry.thread)]
    if row >= 0 && rows[row].firstRun == nil { rows[row].firstRun = entry.time }
  }

  private func ended(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard rowOfSlot.indices.contains(slot), rowOfSlot[slot] >= 0 else { return }
    if entry.event == .threadEnded { rows[rowOfSlot[slot]].completion = entry.time }
    settle(slot, at: entry.time)
    rowOfSlot[slot] = -1
  }

  /// Moves the counts of a thread to its row.
  private func settle(_ slot: Int, at time: Int64) {
    if rowOfSlot[slot] >= 0 { settle(rowOfSlot[slot], times.threads.times(of: slot, at: time)) }
  }

  private func settle(_ row: Int, _ times: CoreTimes?) {
    guard let times else { return }
    (rows[row].waiting, rows[row].ran) = (times.waiting, times.ran)
  }

  private func started(_ entry: LogEntry) {
    neverBegan -= 1
    let time = Instant(entry.time)
    var item = ItemSlice(
      item: ItemIndex(entry.other), name: NameID(Int(entry.object)), kind: entry.subject,
      submitted: Instant(entry.time - entry.value), started: time, ended: time)
    item.ordinal = ordinals.ordinal(ofItem: entry.other)
    var row = Row(
      name: program.map { item.name(in: names, $0) } ?? "", arrival: item.submitted.nanoseconds)
    row.firstRun = entry.time
    open[entry.other] = rows.count
    items.append(entry.other)
    rows.append(row)
  }

  private func finished(_ entry: LogEntry) {
    guard let row = open.removeValue(forKey: entry.other) else { return }
    rows[row].completion = entry.time
    settle(row, times.ended)
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
