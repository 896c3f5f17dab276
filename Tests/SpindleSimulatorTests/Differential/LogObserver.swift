import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator

/// Reads out of Spindle's log what the reference says too.
final class LogObserver: LogConsumer {
  private(set) var observed = SeenRun()
  private var names: NameTable?
  /// The names of the items that each thread is in, the innermost last.
  private var items: [Int32: [String]] = [:]

  /// Runs a trace and says what was seen; nil when it has errors.
  static func run(_ text: String) -> SeenRun? {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (program, _) = compiler.compile(
      SourceText(name: "small.trace", text), overrides: Overrides())
    guard let program else { return nil }
    let observer = LogObserver()
    var limits = RunLimits()
    limits.checksInvariants = true
    let record = Simulation(program, limits: limits).run(consumers: [observer])
    observer.observed.outcome = "\(record.outcome.kind)"
    return observer.observed
  }

  func begin(_ run: RunDescription) { names = run.names }

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries { receive(entry) }
  }

  func end(_ record: RunRecord) {}

  private func receive(_ entry: LogEntry) {
    let time = entry.time / 1_000_000
    switch entry.event {
    case .itemStarted:
      items[entry.thread, default: []].append(name(entry.object))
      observed.steps.append("\(time) starts \(name(entry.object))")
    case .itemEnded:
      _ = items[entry.thread]?.popLast()
      observed.steps.append("\(time) ends \(name(entry.object))")
    case .mark: observed.steps.append("\(time) mark \(name(entry.object))")
    case .lockAcquired, .semaphorePassed:
      let who = items[entry.thread]?.last ?? "main"
      observed.passes[name(entry.object), default: []].append("\(time) \(who)")
    default: break
    }
  }

  private func name(_ number: Int32) -> String { names?.text(NameID(Int(number))) ?? "" }
}
