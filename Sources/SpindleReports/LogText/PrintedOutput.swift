package import SpindleModel

/// The first lines that a run printed, and how many there were.
package struct PrintedLines: Hashable, Sendable {
  /// The first ones, in order; a text of several lines counts as one.
  package var first: [String] = []
  /// How many there were in all.
  package var count: Int64 = 0

  /// Creates what a run printed that printed nothing.
  package init() {}
}

/// Keeps what a run prints, as far as it is short.
///
/// A class, since the simulator gets it and the caller reads it.
package final class PrintedOutput: LogConsumer {
  private let limit: Int

  /// What has been printed by now.
  package private(set) var result = PrintedLines()
  private var names = NameTable([])

  /// Creates a consumer for one run, which keeps at most `limit` texts.
  package init(limit: Int = 10_000) { self.limit = limit }

  package func begin(_ run: RunDescription) {
    names = run.names
    result = PrintedLines()
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries where entry.event == .print {
      if result.first.count < limit {
        result.first.append(names.text(NameID(Int(entry.object))))
      }
      result.count += 1
    }
  }

  package func end(_ record: RunRecord) {}
}
