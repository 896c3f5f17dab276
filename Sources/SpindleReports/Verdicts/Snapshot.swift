package import SpindleModel

/// The content of the `.log` beside a trace: the log of the run, or the record of a long one.
package enum Snapshot: Sendable {
  /// The whole log, as text.
  case log([UInt8])
  /// The numbers of its end and the digests of its layers.
  case layers(LayerRecord)

  /// How many lines a log may have that is recorded whole unless someone asks for it.
  package static let lineLimit = 200

  /// Reads a recorded text; the message states why it can't be compared.
  package static func read(_ bytes: [UInt8]) -> Result<Snapshot, Unreadable> {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return .failure(Unreadable(reason: "is not valid UTF-8"))
    }
    if text.contains("\n\(LayerRecord.mark)") {
      guard let record = LayerRecord(text) else {
        return .failure(Unreadable(reason: "is damaged"))
      }
      return .success(.layers(record))
    }
    if text.contains("\n# layers 1 of ") || text.contains("\n# summary of a log of more than ") {
      return .failure(Unreadable(reason: "is of an older form"))
    }
    return .success(.log(bytes))
  }

  /// Why a text is not a record of a run.
  package struct Unreadable: Error {
    /// The reason, printed behind its name.
    package var reason: String

    /// Creates one.
    package init(reason: String) { self.reason = reason }
  }
}

/// Creates the content of the `.log` beside a trace: the whole log when it has at most `Snapshot.lineLimit`
/// lines, else the numbers of its end and the digests of its layers.
///
/// A class, since the simulator gets it and the caller reads it.
package final class SnapshotRecorder: LogConsumer {
  private let bytes = ByteStore()
  private let log: LogText
  private let layers = LayerRecorder()

  /// Creates a recorder for one run.
  package init() {
    let bytes = bytes
    log = LogText(limit: Snapshot.lineLimit) { bytes.append($0) }
  }

  package func begin(_ run: RunDescription) {
    bytes.clear()
    log.begin(run)
    layers.begin(run)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    log.receive(entries)
    layers.receive(entries)
  }

  package func end(_ record: RunRecord) {
    log.end(record)
    layers.end(record)
  }

  /// Whether the log is too long to be recorded whole.
  package var isLong: Bool {
    log.lineCount > Snapshot.lineLimit || bytes.lineCount > Snapshot.lineLimit
  }

  /// The record of the run, which has ended and whose numbers are `metrics`.
  package func text(_ metrics: RunMetrics) -> String {
    isLong ? record(metrics).text : bytes.text
  }

  /// How the run differs from a recorded one; nil when it does not.
  package func difference(_ recorded: LayerRecord, _ metrics: RunMetrics) -> LayerDifference? {
    LayerDifference(
      recorded: recorded, seen: record(metrics), layers: layers.layers(metrics))
  }

  /// The layers of the run, however short it is.
  package func record(_ metrics: RunMetrics) -> LayerRecord {
    LayerRecord(
      header: bytes.header, metrics: metrics, layers: layers.layers(metrics), digest: log.digest)
  }

  /// Keeps text.
  ///
  /// A class, since the log writes it from a closure.
  private final class ByteStore {
    private var bytes: [UInt8] = []

    func append(_ piece: ArraySlice<UInt8>) { bytes.append(contentsOf: piece) }
    func clear() { bytes.removeAll() }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var lineCount: Int { bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }

    /// The first lines, as far as they begin with `#`.
    var header: [String] {
      var lines: [String] = []
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        guard line.first == 0x23 else { break }
        lines.append(String(decoding: line, as: UTF8.self))
      }
      return lines
    }
  }
}
