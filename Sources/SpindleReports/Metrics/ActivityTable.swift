package import SpindleModel

/// Counts what each thread of a run did: how long it ran and waited for a core, how often it was dispatched
/// and woken.
///
/// A class, since the simulator gets it and the caller reads it.
package final class ActivityTable: LogConsumer {
  /// A thread.
  package struct Row: Hashable, Sendable {
    /// What it is called.
    package var name: String
    /// Whether it is the main thread.
    package var isMain: Bool
    /// How long it had a core.
    package var ran: Int64 = 0
    /// How long it could have run and had none.
    package var waited: Int64 = 0
    /// How often it got a core.
    package var switches: Int64 = 0
    /// How often a wait of it ended.
    package var wakes: Int64 = 0
    /// When it was made, or was woken first if it waited at once; and the last moment at which it was
    /// ready or ran.
    package var first: Int64
    package var last: Int64
  }

  private enum Phase { case ready, running, waiting }

  private struct Slot {
    var row: Int
    var phase: Phase
    var since: Int64
  }

  /// The threads, in the order in which they were made; complete when the run has ended.
  package private(set) var rows: [Row] = []
  private var slots: [Int32: Slot] = [:]
  private var names = NameTable([])
  private var labels = ThreadLabels()

  /// Creates a table of one run.
  package init() {}

  package func begin(_ run: RunDescription) {
    (rows, slots, names, labels) = ([], [:], run.names, ThreadLabels())
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      switch entry.event {
      case .threadCreated: created(entry)
      case .threadReady: change(entry, to: .ready)
      case .threadRuns: change(entry, to: .running)
      case .threadPreempted: change(entry, to: .ready)
      case .threadBlocked: change(entry, to: .waiting)
      case .threadEnded, .threadKilled:
        change(entry, to: .waiting)
        slots[entry.thread] = nil
      default: break
      }
    }
  }

  package func end(_ record: RunRecord) {
    let threads = slots.keys.sorted()
    for thread in threads {
      if let slot = slots[thread] { settle(slot, at: record.end.nanoseconds) }
    }
    slots = [:]
  }

  private func created(_ entry: LogEntry) {
    let label = labels.label(entry)
    slots[entry.thread] = Slot(row: rows.count, phase: .ready, since: entry.time)
    rows.append(
      Row(
        name: label.text(names) ?? "thread \(rows.count + 1)",
        isMain: entry.detail == ThreadOrigin.main.rawValue, first: entry.time, last: entry.time))
  }

  private func change(_ entry: LogEntry, to phase: Phase) {
    guard var slot = slots[entry.thread] else { return }
    settle(slot, at: entry.time)
    if phase == .running { rows[slot.row].switches += 1 }
    if phase == .ready && slot.phase == .waiting { rows[slot.row].wakes += 1 }
    rows[slot.row].last = entry.time
    if phase == .waiting && rows[slot.row].ran == 0 && rows[slot.row].wakes == 0 {
      // It has only begun to wait.
      (rows[slot.row].switches, rows[slot.row].waited) = (0, 0)
    }
    if phase == .ready && rows[slot.row].switches == 0 { rows[slot.row].first = entry.time }
    (slot.phase, slot.since) = (phase, entry.time)
    slots[entry.thread] = slot
  }

  private func settle(_ slot: Slot, at time: Int64) {
    switch slot.phase {
    case .ready: rows[slot.row].waited += time - slot.since
    case .running:
      rows[slot.row].ran += time - slot.since
      rows[slot.row].last = max(rows[slot.row].last, time)
    case .waiting: break
    }
  }
}
