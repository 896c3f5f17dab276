import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator

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
    var current = Reducer.canonical(source)
    var failed: Set<[UInt8]> = [current.utf8]
    var wasReduced = true
    while wasReduced {
      wasReduced = false
      var steps = TraceReduction.all(of: current)
      var index = 0
      while index < steps.count {
        let candidate = Reducer.canonical(steps[index].applied(to: current))
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
    let (text, diagnostics) = formatted(source)
    guard diagnostics.isEmpty else { return source }
    let lines = text.split(separator: "\n").filter { !ListText.trimmed($0).hasPrefix("//") }
    return SourceText(name: source.name, lines.joined(separator: "\n") + "\n")
  }
}

/// What a trace must go on to show while it is made smaller.
enum ReductionGoal: Equatable {
  /// A finding of this kind.
  case finding(Finding.Kind)
  /// An end of this kind; a crash with the same message.
  case outcome(Outcome.Kind, message: String)
  /// An expectation, by its text, that does not hold.
  case expectation(String)
  /// A command that ends with 0 when it is given the trace.
  case command(String)

  /// What a run shows that goes wrong in it; nil when nothing does.
  static func first(in run: TraceRun) -> ReductionGoal? {
    if let finding = run.metrics.findings.first(where: { $0.kind.severity == .error }) {
      return .finding(finding.kind)
    }
    let outcome = run.metrics.outcome
    if outcome.kind != .finished { return .outcome(outcome.kind, message: outcome.message) }
    if let verdict = run.verdicts.first(where: { !$0.holds && !$0.isImplied }) {
      return .expectation(verdict.text)
    }
    return run.metrics.findings.first { $0.kind.severity == .warning }.map { .finding($0.kind) }
  }

  /// Whether a run shows it.
  func isShown(by run: TraceRun) -> Bool {
    switch self {
    case .finding(let kind): run.metrics.findings.contains { $0.kind == kind }
    case .outcome(let kind, let message):
      run.metrics.outcome.kind == kind && run.metrics.outcome.message == message
    case .expectation(let text): run.verdicts.contains { !$0.holds && $0.text == text }
    case .command: false
    }
  }

  /// What it is called.
  var name: String {
    switch self {
    case .finding(let kind): "finding \(kind.rawValue)"
    case .outcome(let kind, _): "outcome \(kind.name)"
    case .expectation(let text): "expectation '\(text)'"
    case .command(let command): "'\(command)'"
    }
  }
}
