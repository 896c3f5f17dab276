import SpindleModel
import SpindleReports
package import SpindleSystem

/// What became of the ratchets of a trace, and of the record of their best beside it.
package struct BestState: Sendable {
  /// The trace's path.
  private let trace: String
  /// What stands beside the trace, or nothing.
  private let recorded: BestRecord
  /// What would be recorded of this run.
  private let updated: BestRecord
  /// Whether there is a record.
  package let isThere: Bool
  /// Whether the record can't be read.
  private let isDamaged: Bool
  /// Whether the trace has ratchets that came to a value.
  package let hasRatchets: Bool
  /// Whether one of them got worse than it may.
  private let isWorse: Bool

  /// The path of the record of the trace at `path`: `NAME.best` beside `NAME.trace`.
  package static func path(for path: String) -> String {
    (path.hasSuffix(".trace") ? String(path.dropLast(6)) : path) + ".best"
  }

  /// Compares the ratchets of a run with the record; nil where there is neither.
  ///
  /// What got worse is told by the verdicts of the run, a record that is no record by the result.
  package init?(_ trace: String, _ run: inout TraceRun, _ result: inout TraceTest.Result) {
    let path = BestState.path(for: trace)
    let ratchets = run.verdicts.compactMap(\.ratchet)
    let isThere = Files.kind(of: path) == .file
    guard isThere || !ratchets.isEmpty else { return nil }
    var read: BestRecord? = BestRecord()
    if isThere {
      do {
        read = BestRecord(try Files.read(path))
      } catch {
        result.fail(error)
      }
    }
    (self.trace, self.isThere, hasRatchets) = (trace, isThere, !ratchets.isEmpty)
    recorded = read ?? BestRecord()
    updated = recorded.updated(ratchets)
    isDamaged = read == nil
    run.compare(with: recorded)
    isWorse = run.verdicts.contains { $0.ratchet != nil && !$0.holds }
    if isDamaged {
      let text =
        "\(FileName.shown(path)) is damaged\n"
        + "  'spindle test --update \(FileName.shown(trace))' records it anew"
      result.fail(.notHeld, TestFailure(.ratchet, text))
    }
  }

  /// What would be written otherwise than it is, line by line; empty when nothing would.
  package var changes: [String] {
    let changes = recorded.changes(to: updated)
    return changes.isEmpty && isDamaged ? ["it was damaged"] : changes
  }

  /// What is to be said of a run that is better than the record, or has none; nil where nothing is.
  package var proposal: String? {
    guard !changes.isEmpty && !isWorse && !isDamaged else { return nil }
    let path = FileName.shown(BestState.path(for: trace))
    let isBetter = updated.rows.contains { row in
      recorded[row.measure].map { $0 != row.value } ?? false
    }
    let head = isBetter ? "better than \(path)" : "not recorded in \(path)"
    return "\(head)\n\(changes.joined(separator: "\n").indented)"
      + "  'spindle test --update \(FileName.shown(trace))' records it\n"
  }

  /// Writes the record anew.
  package func write() throws(FileFailure) {
    try WholeFile.write(updated.text, to: BestState.path(for: trace))
  }

  /// Takes back the failures that the new record mends.
  package func forgive(_ result: inout TraceTest.Result) {
    result.failures.removeAll { $0.kind == .ratchet }
    if result.failures.isEmpty { result.status = .held }
  }
}
