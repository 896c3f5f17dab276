import SpindleReports
import SpindleRun
import SpindleSystem

/// Records logs, where a person wants it so.
///
/// A class, since an answer may be about all that follow.
final class BaselineKeeper {
  private let console: Console
  private let updates: TestOptions.Updates
  private let keepsLog: Bool
  /// What was answered for all the rest.
  private var answer: Answer?

  private enum Answer { case take, leave }

  /// Creates a keeper that writes what the options say.
  init(_ console: Console, _ options: TestOptions) {
    (self.console, updates, keepsLog) = (console, options.updates, options.keepsLog)
  }

  /// Writes the log of a result anew, or leaves it; what was recorded is no failure any more.
  func keep(_ result: inout TraceTest.Result, _ test: TraceTest, _ report: inout TestReport) {
    guard updates != .nothing else { return }
    keepBest(&result, &report)
    let path = FileName.shown(TraceTest.logPath(for: result.path))
    switch result.log {
    case .none: return
    case .agrees: report.unchanged += 1
    // Whoever wants to know only whether something gets worse wants no log, which any change fails.
    case .missing where result.best?.hasRatchets == true && !keepsLog: return
    case .missing(let log), .unreadable(let log, _):
      guard takes("record \(path)", "", &report) else { return }
      guard write(log, test, &result) else { return }
      report.recorded += 1
      report.write("recorded \(path)\(remark(result))\n")
    case .differs(let log, let difference):
      let shown = difference.indented
      guard takes("update \(path)", shown, &report) else {
        // Who was asked has seen it.
        for index in result.failures.indices where result.failures[index].kind == .difference {
          result.failures[index].text = result.failures[index].text.replacing(difference, with: "")
        }
        return
      }
      guard write(log, test, &result) else { return }
      report.updated += 1
      report.write("updated \(path)\(remark(result))\n\(updates == .asked ? "" : shown)")
    }
  }

  /// Writes the best of the ratchets anew, or leaves it.
  private func keepBest(_ result: inout TraceTest.Result, _ report: inout TestReport) {
    guard let best = result.best else { return }
    let path = FileName.shown(BestState.path(for: result.path))
    guard !best.changes.isEmpty else {
      report.unchanged += 1
      return
    }
    let shown = best.changes.joined(separator: "\n").indented
    let change = best.isThere ? "update \(path)" : "record \(path)"
    guard takes(change, shown, &report) else { return }
    do {
      try best.write()
    } catch {
      result.fail(error)
      return
    }
    best.forgive(&result)
    if best.isThere { report.updated += 1 } else { report.recorded += 1 }
    let done = best.isThere ? "updated" : "recorded"
    report.write("\(done) \(path)\(remark(result))\n\(updates == .asked ? "" : shown)")
  }

  /// Writes a log; what it says is then no failure any more.
  private func write(
    _ log: TraceTest.NewLog, _ test: TraceTest, _ result: inout TraceTest.Result
  ) -> Bool {
    result.failures.removeAll { $0.kind == .difference }
    if result.failures.isEmpty { result.status = .held }
    result.log = .agrees
    do {
      try test.write(log)
      return true
    } catch {
      result.fail(error)
      return false
    }
  }

  /// What is said of a log of a run that fails all the same.
  private func remark(_ result: TraceTest.Result) -> String {
    result.failures.isEmpty ? "" : ", of a trace that fails"
  }

  /// Whether a change is wanted.
  private func takes(_ change: String, _ shown: String, _ report: inout TestReport) -> Bool {
    let isTaken =
      updates == .all || answer.map { $0 == .take } ?? ask("\(change)?\n\(shown)", report)
    if !isTaken { report.left += 1 }
    return isTaken
  }

  /// Asks a person; the end of the input leaves all.
  private func ask(_ question: String, _ report: TestReport) -> Bool {
    report.write(question)
    while true {
      report.write("[y] take it, [n] leave it, [a] take all, [q] leave all: ")
      console.output.flush()
      switch console.readLine().map({ ListText.trimmed($0[...]).lowercased() }) {
      case "y", "yes": return true
      case "n", "no": return false
      case "a", "all": answer = .take
      case nil, "q", "quit": answer = .leave
      default: continue
      }
      return answer == .take
    }
  }
}
