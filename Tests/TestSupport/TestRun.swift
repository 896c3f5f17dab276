public import SpindleLanguage
public import SpindleModel
public import SpindleReports
import SpindleRun
package import SpindleSimulator

/// One run of a trace, with all that tests ask about.
public struct TestRun: Sendable {
  /// What the compiler said; a run without a program has errors here.
  public let diagnostics: [Diagnostic]
  /// The program, nil when the text has errors.
  public let program: Program?
  /// The end of the run.
  public let record: RunRecord?
  /// The numbers of the run.
  public let metrics: RunMetrics?
  /// What the trace expects, and whether it held.
  public let verdicts: [Verdict]
  /// The log as text, empty where none was asked for.
  public let log: String
  /// The run's digest.
  public let digest: String

  /// Compiles `text` and runs it; with `joined` false, one instruction after the other where several
  /// would be done at once.
  ///
  /// The result does not depend on `joined`, `sizes` and `shortcuts`. A log takes longer to write than
  /// the run takes; with `writesLog` false there is none.
  package init(
    _ text: String, name: String = "test.trace", overrides: Overrides = Overrides(),
    limits: RunLimits = RunLimits(), joined: Bool = true, sizes: StructureSizes = .standard,
    shortcuts: ShortcutSet = .all, writesLog: Bool = true
  ) {
    var compiler = Compiler.standard
    compiler.joinsInstructions = joined
    let source = SourceText(name: name, text)
    (program, diagnostics) = compiler.compile(source, overrides: overrides)
    guard let program else {
      (record, metrics, verdicts, log, digest) = (nil, nil, [], "", "")
      return
    }
    let collected = CollectedBytes()
    let lines = LogText(chunk: sizes.textChunk) { collected.bytes.append(contentsOf: $0) }
    var request = RunRequest(limits: limits)
    (request.sizes, request.shortcuts) = (sizes, shortcuts)
    let run = TraceRun(program, request, consumers: writesLog ? [lines] : [])
    (record, metrics, verdicts, digest) = (run.record, run.metrics, run.verdicts, run.digest)
    log = String(decoding: collected.bytes, as: UTF8.self)
  }

  /// The diagnostics as `LINE:COLUMN: severity: message`.
  ///
  /// But that a name is never used: rows have beginnings in common, and random traces need not use all that they have.
  public var messages: [String] {
    diagnostics.filter { !$0.message.hasSuffix("' is never used") }.map {
      "\($0.source.position(of: $0.range)): \($0.severity.rawValue): \($0.message)"
    }
  }
}

/// A growing text.
///
/// A class, since a log's writer hands it piece by piece to a closure.
private final class CollectedBytes {
  var bytes: [UInt8] = []
}
