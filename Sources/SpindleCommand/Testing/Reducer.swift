import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator
import SpindleSystem

/// Makes a trace small that shows something, by steps of its syntax tree, until none of them leaves it.
///
/// Source: A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002, by tree as in
/// G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", 2006.
struct Reducer {
  /// Whether a trace still shows it.
  let shows: (SourceText) throws(FileFailure) -> Bool
  /// How many traces were tried.
  private(set) var tries = 0

  /// Creates a reducer.
  init(shows: @escaping (SourceText) throws(FileFailure) -> Bool) { self.shows = shows }

  /// The smallest trace that was found: no single step makes it smaller and still shows it.
  mutating func reduced(_ source: SourceText) throws(FileFailure) -> SourceText {
    // What depends on lines or comments keeps them.
    var form: (SourceText) -> SourceText = Reducer.canonical
    if try !shows(form(source)) { form = Reducer.formatted }
    if try !shows(form(source)) { form = { $0 } }
    var current = form(source)
    var failed: Set<[UInt8]> = [current.utf8]
    var wasReduced = true
    while wasReduced {
      wasReduced = false
      var steps = TraceReduction.all(of: current)
      var index = 0
      while index < steps.count {
        let candidate = form(steps[index].applied(to: current))
        index += 1
        guard failed.insert(candidate.utf8).inserted else { continue }
        tries += 1
        guard try shows(candidate) else { continue }
        (current, wasReduced) = (candidate, true)
        // The steps of the new trace that save no more than those that were tried.
        let saving = steps[index - 1].saving
        steps = TraceReduction.all(of: current)
        index = steps.firstIndex { $0.saving <= saving } ?? steps.count
      }
    }
    return current
  }

  /// The canonical form, without empty lines.
  private static func canonical(_ source: SourceText) -> SourceText {
    let text = String(decoding: formatted(source).utf8, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !ListText.trimmed($0).hasPrefix("//") }
    return SourceText(name: source.name, lines.joined(separator: "\n") + "\n")
  }

  /// The canonical form; where the text has errors, the text itself.
  private static func formatted(_ source: SourceText) -> SourceText {
    let (text, diagnostics) = SpindleLanguage.formatted(source)
    return diagnostics.isEmpty ? SourceText(name: source.name, text) : source
  }
}

/// What a trace must go on to show while it is made smaller.
enum ReductionGoal: Equatable {
  /// A finding of this kind, whose threads wait for the same kinds of things.
  case finding(Finding.Kind, FailureWay)
  /// An end of this kind; a crash with the same message, a deadlock with the same kinds of waits.
  case outcome(Outcome.Kind, message: String, Set<FailureWay>)
  /// An expectation, by its text, that fails in the same way. The words in quotation marks that it and the program
  /// have stay there: where what is expected is gone, it fails for another reason.
  case expectation(String, FailureWay?, words: Set<String>)
  /// A command that ends with 0 when it is given the trace.
  case command(String)

  /// What a run shows that goes wrong in it; nil when nothing does.
  static func first(in run: TraceRun) -> ReductionGoal? {
    if let finding = run.metrics.findings.first(where: { $0.kind.severity == .error }) {
      return ReductionGoal(finding)
    }
    if run.metrics.outcome.kind != .finished { return ReductionGoal(run.metrics.outcome.kind, run) }
    if let verdict = run.verdicts.first(where: { !$0.holds && !$0.isImplied }) {
      return ReductionGoal(verdict, of: run.program.source)
    }
    return run.metrics.findings.first { $0.kind.severity == .warning }.map { ReductionGoal($0) }
  }

  /// A finding like one that was seen.
  init(_ finding: Finding) { self = .finding(finding.kind, FailureWay(finding)) }

  /// An end like that of a run, if it is of a kind.
  init(_ kind: Outcome.Kind, _ run: TraceRun) {
    self = .outcome(
      kind, message: run.metrics.outcome.message, ReductionGoal.waits(atEndOf: run))
  }

  /// An expectation of a trace that fails as it was seen to.
  init(_ verdict: Verdict, of source: SourceText) {
    let words = source.quotedWords(in: verdict.place)
    self = .expectation(
      verdict.text, verdict.way,
      words: words.isEmpty ? [] : words.intersection(source.quotedWordsOfProgram))
  }

  /// The first finding of a kind in a run; nil when there is none.
  static func finding(_ kind: Finding.Kind, in run: TraceRun) -> ReductionGoal? {
    run.metrics.findings.first { $0.kind == kind }.map { ReductionGoal($0) }
  }

  /// What those wait for because of whom a run ended in a deadlock.
  private static func waits(atEndOf run: TraceRun) -> Set<FailureWay> {
    guard run.metrics.outcome.kind == .deadlock else { return [] }
    return Set(
      run.metrics.findings.lazy.filter { $0.kind.severity == .error }.map { FailureWay($0) })
  }

  /// Whether a run shows it.
  func isShown(by run: TraceRun) -> Bool {
    switch self {
    case .finding(let kind, let way):
      run.metrics.findings.contains { $0.kind == kind && FailureWay($0) == way }
    case .outcome(let kind, let message, let waits):
      run.metrics.outcome.kind == kind && run.metrics.outcome.message == message
        && ReductionGoal.waits(atEndOf: run) == waits
    case .expectation(let text, let way, let words):
      run.verdicts.contains { !$0.holds && $0.text == text && $0.way == way }
        && (words.isEmpty || words.isSubset(of: run.program.source.quotedWordsOfProgram))
    case .command: false
    }
  }

  /// Whether it is no more than a warning.
  var isWarning: Bool {
    if case .finding(let kind, _) = self { kind.severity != .error } else { false }
  }

  /// What it is called.
  var name: String {
    switch self {
    case .finding(let kind, _): "finding \(kind.rawValue)"
    case .outcome(let kind, _, _): "outcome \(kind.name)"
    case .expectation(let text, _, _): "expectation '\(text)'"
    case .command(let command): "'\(command)'"
    }
  }
}
