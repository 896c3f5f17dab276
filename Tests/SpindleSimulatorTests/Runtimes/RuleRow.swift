import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// A rule, as a trace whose expectations say what follows from it.
struct RuleRow: Sendable, CustomTestStringConvertible {
  let rule: String
  /// When the run is to end, in milliseconds; nil where that does not matter.
  var end: Int64?
  let trace: String

  var testDescription: String { rule }

  /// What of the trace did not come out as it says; empty when all did.
  func failures(limits: RunLimits = RunLimits()) -> [String] {
    var checked = limits
    checked.checksInvariants = true
    let run = TestRun(trace, limits: checked)
    if run.record == nil { return run.messages }
    var texts: [String] = []
    if let end, run.record?.end.nanoseconds != end * 1_000_000 {
      texts.append("it is to end at \(end) ms\n\(run.log)")
    }
    for verdict in run.verdicts where !verdict.holds { texts.append("\(verdict)\n\(run.log)") }
    return texts
  }
}
