public import SpindleModel

/// The first lines that a run printed, and how many there were.
public struct PrintedLines: Hashable, Sendable {
  /// The first ten, in order; a text of several lines counts as one.
  public var first: [String] = []
  /// How many there were in all.
  public var count: Int64 = 0

  /// Creates what a run printed that printed nothing.
  package init() {}
}

/// Keeps what a run prints, as far as it is short.
///
/// A class, since the simulator gets it and the caller reads it.
public final class PrintedOutput: LogConsumer {
  private static let limit = 10

  /// What has been printed by now.
  public private(set) var result = PrintedLines()
  private var names = NameTable([])

  /// Creates a consumer for one run.
  public init() {}

  public func begin(_ run: RunDescription) {
    names = run.names
    result = PrintedLines()
  }

  public func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries where entry.event == .print {
      if result.first.count < PrintedOutput.limit {
        result.first.append(names.text(NameID(Int(entry.object))))
      }
      result.count += 1
    }
  }

  public func end(_ record: RunRecord) {}
}
