package import SpindleModel

/// Records what stands in the `.log` beside a trace: the whole log when it has at most
/// `Snapshot.lineLimit` lines, else a summary with the digest and the number of entries.
///
/// A class, since the simulator is handed it and the caller reads it.
package final class SnapshotRecorder: LogConsumer {
  private let bytes = ByteStore()
  private let log: LogText

  /// Creates a recorder for one run.
  package init() {
    let bytes = bytes
    log = LogText(limit: Snapshot.lineLimit) { bytes.append($0) }
  }

  package func begin(_ run: RunDescription) {
    bytes.clear()
    log.begin(run)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    log.receive(entries)
  }

  package func end(_ record: RunRecord) {
    log.end(record)
  }

  /// What is recorded of the run, which has ended and whose numbers are `metrics`.
  package func text(_ metrics: RunMetrics) -> String {
    if log.lineCount <= Snapshot.lineLimit && bytes.lineCount <= Snapshot.lineLimit {
      return bytes.text
    }
    return Snapshot.summary(
      header: bytes.header, metrics: metrics, digest: log.digest, entryCount: log.entryCount)
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

/// What stands in the `.log` beside a trace, and how two such texts differ.
package enum Snapshot {
  /// How many lines a recorded log may have.
  package static let lineLimit = 200
  /// How many lines that agree are shown before the first that does not.
  private static let context = 3

  /// The place where two recorded texts part.
  package struct Difference: Hashable, Sendable {
    /// The number of the first line that differs, counted from 1.
    package var line: Int
    /// The line of each with what stands around it: ` ` before what both have, `-` before what is
    /// recorded, `+` before what was seen.
    package var text: String
  }

  /// The first line where the texts part, with its context; nil when they are equal.
  package static func difference(recorded: String, seen: String) -> Difference? {
    guard recorded != seen else { return nil }
    let old = lines(recorded)
    let new = lines(seen)
    let common = zip(old, new).prefix { $0 == $1 }.count
    if common == old.count && common == new.count {
      return Difference(line: common + 1, text: "the texts differ in line breaks only\n")
    }
    var text = "line \(common + 1):\n"
    for line in old[max(0, common - context)..<common] { text += "  \(line)\n" }
    for line in old[common..<min(old.count, common + context)] { text += "- \(line)\n" }
    if common == old.count { text += "- (the end)\n" }
    for line in new[common..<min(new.count, common + context)] { text += "+ \(line)\n" }
    if common == new.count { text += "+ (the end)\n" }
    return Difference(line: common + 1, text: text)
  }

  private static func lines(_ text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// What stands for a log that is too long.
  static func summary(
    header: [String], metrics: RunMetrics, digest: String, entryCount: Int64
  ) -> String {
    var lines = header
    lines.append("# summary of a log of more than \(lineLimit) lines")
    lines.append(row("outcome", metrics.outcome.kind.name))
    if !metrics.outcome.message.isEmpty {
      lines.append(row("message", ValueText.quoted(metrics.outcome.message)))
    }
    if let code = metrics.outcome.exitCode { lines.append(row("exit code", "\(code)")) }
    lines.append(row("makespan", "\(metrics.makespan)"))
    lines.append(row("end", "\(metrics.end)"))
    lines.append(row("threads", "\(metrics.threadsCreated) created, peak \(metrics.threadsPeak)"))
    lines.append(row("memory", "peak \(metrics.memoryPeak), reserved \(metrics.reservedPeak)"))
    lines.append(
      row(
        "switches",
        "\(metrics.switchesVoluntary) voluntary, \(metrics.switchesForced) forced, "
          + "\(metrics.migrations) migrations"))
    for (number, core) in metrics.cores.prefix(16).enumerated() {
      lines.append(row("core \(number)", "busy \(core.busy), overhead \(core.overhead)"))
    }
    for kind in metrics.kinds.prefix(10) { lines += rows(kind) }
    for finding in metrics.findings.prefix(10) {
      lines.append(row("finding", "\(finding.kind.rawValue) at \(finding.time)"))
    }
    lines.append(row("entries", "\(entryCount)"))
    lines.append(row("digest", digest))
    return lines.joined(separator: "\n") + "\n"
  }

  private static func rows(_ kind: KindMetrics) -> [String] {
    [
      row("kind", "\(ValueText.quoted(kind.pattern)): \(kind.count), at once \(kind.runningPeak)"),
      row("  wait", times(kind.wait)),
      row("  latency", times(kind.latency)),
    ]
  }

  private static func times(_ distribution: LatencyDistribution) -> String {
    "mean \(distribution.mean), p50 \(distribution.p50), p95 \(distribution.p95), "
      + "max \(distribution.max)"
  }

  private static func row(_ title: String, _ text: String) -> String {
    title + String(repeating: " ", count: max(1, 11 - title.count)) + text
  }
}
