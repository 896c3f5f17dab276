import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What was measured of one benchmark.
struct Measurement {
  var name: String
  var unit: String
  var units: Int
  var seconds: Double
  var answers: [(String, String)]

  var nanosecondsPerUnit: Double { seconds * 1e9 / Double(max(1, units)) }

  /// One line of JSON.
  var json: String {
    let list = answers.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    return "{\"name\": \"\(name)\", \"unit\": \"\(unit)\", \"units\": \(units), "
      + "\"nanoseconds_per_unit\": \(nanosecondsPerUnit), \"peak_kib\": \(peakKibibytes()), "
      + "\"answers\": {\(list)}}"
  }

  /// The columns of the table; the peak is that of the process so far.
  static let columns: [TextTable.Column] = [
    .init("benchmark", .left), .init("unit", .left), .init("ns"), .init("a second"),
    .init("peak KiB"), .init("answers", .left),
  ]

  /// A row of the table.
  var row: [String] {
    let tenths = Int64((nanosecondsPerUnit * 10).rounded())
    return [
      name, unit, "\(tenths / 10).\(tenths % 10)",
      "\(seconds > 0 ? Int(Double(units) / seconds) : 0)", "\(peakKibibytes())",
      answers.map { "\($0.0) \($0.1)" }.joined(separator: ", "),
    ]
  }
}

/// The most memory that this process has had.
func peakKibibytes() -> Int {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  // Linux counts kibibytes, Darwin bytes.
  #if canImport(Darwin)
    return Int(usage.ru_maxrss) / 1_024
  #else
    return Int(usage.ru_maxrss)
  #endif
}

/// Seconds that `body` takes.
func seconds(_ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  let taken = clock.measure(body)
  return Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18
}

/// The program of a benchmark's trace, which has no errors.
func compile(_ source: SourceText) -> Program {
  let compiler = Compiler(catalogue: MachineCatalog.catalogue)
  let (program, diagnostics) = compiler.compile(source)
  guard let program else {
    fatalError(diagnostics.map { $0.message }.joined(separator: "\n"))
  }
  return program
}

/// Runs a trace with all metrics on, as often as the workload asks; an nth of the work, once, when
/// its instructions are counted.
func measure(_ workload: Workloads.Workload, share: Int) -> Measurement {
  let program = compile(SourceText(name: workload.name, workload.trace(share)))
  let repeats = share == 1 ? workload.repeats : 1
  let metrics = Metrics()
  var last: RunRecord?
  let taken = seconds {
    for _ in 0..<repeats { last = simulation(of: program).run(consumers: [metrics]) }
  }
  guard let record = last else { fatalError("workload '\(workload.name)' is never run") }
  let result = metrics.result
  var answers = [
    ("makespan_ns", "\(record.makespan.nanoseconds)"),
    // The main thread, which has nothing to do, is not counted.
    ("peak_threads", "\(result.threadsPeak - 1)"),
    ("scheduling_events", "\(record.schedulingEvents)"),
  ]
  if let job = result.kinds.first(where: { $0.pattern == "job" }) {
    answers.append(("mean_wait_us", "\(Double(job.wait.mean.rawValue) / 1_000)"))
  }
  var units = (workload.units ?? 0) / share
  if workload.units == nil {
    let (preemptions, blocks) = (result.switchesForced, result.switchesVoluntary)
    // The run's scheduling events are 3 for a preemption (it leaves, is ready, runs again), 2 for a
    // block (it leaves, another runs) and 1 for a wake-up.
    let wakeups = record.schedulingEvents - 3 * preemptions - 2 * blocks
    answers += [
      ("preemptions", "\(preemptions)"), ("blocks", "\(blocks)"), ("wakeups", "\(wakeups)"),
    ]
    units = Int(preemptions + blocks + wakeups)
  }
  return Measurement(
    name: workload.name, unit: workload.unit, units: units * repeats, seconds: taken,
    answers: answers)
}

/// Drives the simulator's own pending-event set.
func measureHoldModel(pending: Int, share: Int) -> Measurement {
  var model = HoldModel(pending: pending)
  let holds = 10_000_000 / share
  var check: UInt64 = 0
  let taken = seconds { check = model.run(holds: holds) }
  return Measurement(
    name: "w1-\(pending)", unit: "hold", units: holds, seconds: taken,
    answers: [("check", "\"\(String(check, radix: 16))\"")])
}

/// Reads, checks and lowers a generated trace of a million tasks.
func measureReading(share: Int) -> Measurement {
  let source = SourceText(name: "generated", Workloads.generated(tasks: 1_000_000 / share))
  let compiler = Compiler(catalogue: MachineCatalog.catalogue)
  var instructions = 0
  let taken = seconds { instructions = compiler.compile(source).program?.instructions.count ?? 0 }
  return Measurement(
    name: "read", unit: "byte", units: source.utf8.count, seconds: taken,
    answers: [
      ("megabytes_per_second", "\(Double(source.utf8.count) / taken / 1e6)"),
      ("instructions", "\(instructions)"),
    ])
}

/// Writes a whole log as text, beside the metrics: what its entries cost more than the run without.
func measureLogText(share: Int) -> Measurement {
  let program = compile(SourceText(name: "log-text", Workloads.w3.trace(10 * share)))
  var (bytes, entries) = (0, Int64(0))
  // With a consumer that has all entries made and does nothing with them; the first run is to warm up.
  _ = simulation(of: program).run(consumers: [Metrics()])
  let plain = seconds { _ = simulation(of: program).run(consumers: [Metrics()]) }
  let written = seconds {
    let text = LogText { bytes += $0.count }
    entries = simulation(of: program).run(consumers: [Metrics(), text]).entries
  }
  return Measurement(
    name: "log-text", unit: "entry", units: Int(entries), seconds: max(0, written - plain),
    answers: [("bytes", "\(bytes)")])
}

/// Makes the timeline of a run, and in `store` keeps it: what its entries cost more than the run without.
func measureTimeline(keeps: Bool, share: Int) -> Measurement {
  let program = compile(SourceText(name: "timeline", Workloads.w3.trace(10 * share)))
  var entries: Int64 = 0
  _ = simulation(of: program).run(consumers: [Metrics()])
  let plain = seconds { _ = simulation(of: program).run(consumers: [Metrics()]) }
  let (store, counter) = (TimelineStore(), SliceCounter())
  let timeline = Timeline(keeps ? store : counter)
  let told = seconds {
    entries = simulation(of: program).run(consumers: [Metrics(), timeline]).entries
  }
  let slices = keeps ? store.states.reduce(0) { $0 + $1.count } : counter.slices
  return Measurement(
    name: keeps ? "timeline-store" : "timeline", unit: "entry", units: Int(entries),
    seconds: max(0, told - plain), answers: [("slices", "\(slices)")])
}

/// Exports a run in a format: what its entries cost more than those of its timeline.
func measureExport(_ format: ExportFormat, name: String, share: Int) -> Measurement {
  let program = compile(SourceText(name: name, Workloads.w3.trace(10 * share)))
  var (bytes, entries) = (0, Int64(0))
  _ = simulation(of: program).run(consumers: [Metrics(), Timeline(SliceCounter())])
  let plain = seconds {
    _ = simulation(of: program).run(consumers: [Metrics(), Timeline(SliceCounter())])
  }
  let written = seconds {
    let export = Timeline(format.makeExport { bytes += $0.count })
    entries = simulation(of: program).run(consumers: [Metrics(), export]).entries
  }
  return Measurement(
    name: name, unit: "entry", units: Int(entries), seconds: max(0, written - plain),
    answers: [("bytes", "\(bytes)")])
}

/// The rows of the exports: Perfetto's is `export`, and each other has its format behind it.
let exports: [(name: String, format: ExportFormat)] = ExportFormat.allCases.map { format in
  (format == .perfetto ? "export" : "export-\(format.rawValue)", format)
}

/// Counts the slices of threads.
final class SliceCounter: TimelineConsumer {
  private(set) var slices = 0

  func stateEnded(_ slice: ThreadSlice) { slices += 1 }
}

/// Writes what is known of a run as JSON, many times.
func measureJSON(share: Int) -> Measurement {
  let program = compile(SourceText(name: "json", Workloads.w4b.trace(1_000)))
  let metrics = Metrics()
  let record = simulation(of: program).run(consumers: [metrics])
  let runs = 10_000 / share
  var bytes = 0
  let taken = seconds {
    for _ in 0..<runs {
      bytes +=
        JSONText.run(
          program: program, machine: record.machine, metrics: metrics.result, verdicts: [],
          digest: ""
        ).utf8.count
    }
  }
  return Measurement(
    name: "json", unit: "run", units: runs, seconds: taken, answers: [("bytes", "\(bytes)")])
}

/// Reads a generated trace of a million tasks and runs it.
func measureMillion(share: Int) -> Measurement {
  let tasks = 1_000_000 / share
  let source = SourceText(name: "million", Workloads.generated(tasks: tasks))
  var makespan: Int64 = 0
  let taken = seconds {
    let program = compile(source)
    makespan = simulation(of: program).run(consumers: [Metrics()]).makespan.nanoseconds
  }
  return Measurement(
    name: "million", unit: "task", units: tasks, seconds: taken,
    answers: [("makespan_ns", "\(makespan)")])
}

let names =
  ["w1-1000", "w1-100000", "w1-1000000"] + Workloads.all.map(\.name)
  + ["log-text", "timeline", "timeline-store"] + exports.map(\.name)
  + ["json", "read", "million"] + ExploreRows.all.map(\.name)

func measurement(_ name: String, share: Int) -> Measurement? {
  switch name {
  // What a process takes that does nothing.
  case "start": Measurement(name: name, unit: "process", units: 1, seconds: 0, answers: [])
  case "w1-1000": measureHoldModel(pending: 1_000, share: share)
  case "w1-100000": measureHoldModel(pending: 100_000, share: share)
  case "w1-1000000": measureHoldModel(pending: 1_000_000, share: share)
  case "log-text": measureLogText(share: share)
  case "timeline": measureTimeline(keeps: false, share: share)
  case "timeline-store": measureTimeline(keeps: true, share: share)
  case "json": measureJSON(share: share)
  case "read": measureReading(share: share)
  case "million": measureMillion(share: share)
  default:
    exports.first { $0.name == name }.map { measureExport($0.format, name: name, share: share) }
      ?? Workloads.all.first { $0.name == name }.map { measure($0, share: share) }
      ?? ExploreRows.all.first { $0.name == name }.map { ExploreRows.measure($0, share: share) }
  }
}

/// `growth [NAME...]` measures how costs grow; with `--size=N` it runs one row once, for itself.
func measureGrowth(_ names: ArraySlice<String>) -> Int32 {
  let size = names.first { $0.hasPrefix("--size=") }.flatMap { Int($0.dropFirst("--size=".count)) }
  let wanted = names.filter { !$0.hasPrefix("-") }
  let rows = GrowthRows.all.filter { wanted.isEmpty || wanted.contains($0.name) }
  if rows.count < wanted.count {
    let known = GrowthRows.all.map(\.name).joined(separator: ", ")
    print("not all of these are known: \(wanted.joined(separator: ", ")); there are \(known)")
    return 64
  }
  guard let size else { return GrowthTable.measure(rows) ? 0 : 1 }
  for row in rows { GrowthTable.run(row, size: size) }
  return 0
}

/// A run of a program with the shortcuts that the command line leaves on.
func simulation(of program: Program) -> Simulation {
  var simulation = Simulation(program)
  for (name, shortcut) in ShortcutSet.named
  where CommandLine.arguments.contains("--without=\(name)") {
    simulation.shortcuts.remove(shortcut)
  }
  return simulation
}

// `SpindleBenchmarks [NAME...] [--json] [--share=N] [--without=SHORTCUT...]`,
// `SpindleBenchmarks growth [NAME...]`
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "growth" { exit(measureGrowth(arguments.dropFirst())) }
let wanted = arguments.filter { !$0.hasPrefix("-") }
let share =
  arguments.lazy.filter { $0.hasPrefix("--share=") }
  .compactMap { Int($0.dropFirst("--share=".count)) }.first { $0 > 0 } ?? 1
let printsJSON = arguments.contains("--json")
var table = TextTable(columns: Measurement.columns)
var mistake: String?
for name in wanted.isEmpty ? names : Array(wanted) {
  guard let found = measurement(name, share: share) else {
    print("no benchmark is called '\(name)'; there are \(names.joined(separator: ", "))")
    exit(64)
  }
  if printsJSON { print(found.json) } else { table.add(found.row) }
  for (answer, known) in share == 1 ? Workloads.knownAnswers[name] ?? [] : [] {
    let seen = found.answers.first { $0.0 == answer }?.1
    if seen != known {
      mistake = "\(name): \(answer) must be \(known), and is \(seen ?? "missing")"
    }
  }
  if mistake != nil { break }
}
if !printsJSON { print(table.rendered(width: table.naturalWidth), terminator: "") }
if let mistake {
  print(mistake)
  exit(1)
}
