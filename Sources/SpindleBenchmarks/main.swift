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

  /// One line to read.
  var text: String {
    let rate = Double(units) / seconds
    let list = answers.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(name): \(units) \(unit)s in \(seconds) s, \(Int(rate)) a second, "
      + "\(nanosecondsPerUnit) ns each, peak \(peakKibibytes()) KiB; \(list)"
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
  var record = RunRecord(outcome: Outcome(.finished), end: .start, makespan: .start)
  let taken = seconds {
    for _ in 0..<repeats { record = Simulation(program).run(consumers: [metrics]) }
  }
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
  if workload.name == "w3" {
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

/// Reads a generated trace of a million tasks and runs it.
func measureMillion(share: Int) -> Measurement {
  let tasks = 1_000_000 / share
  let source = SourceText(name: "million", Workloads.generated(tasks: tasks))
  var makespan: Int64 = 0
  let taken = seconds {
    let program = compile(source)
    makespan = Simulation(program).run(consumers: [Metrics()]).makespan.nanoseconds
  }
  return Measurement(
    name: "million", unit: "task", units: tasks, seconds: taken,
    answers: [("makespan_ns", "\(makespan)")])
}

let names =
  ["w1-1000", "w1-100000", "w1-1000000"] + Workloads.all.map(\.name) + ["read", "million"]

func measurement(_ name: String, share: Int) -> Measurement? {
  switch name {
  case "w1-1000": measureHoldModel(pending: 1_000, share: share)
  case "w1-100000": measureHoldModel(pending: 100_000, share: share)
  case "w1-1000000": measureHoldModel(pending: 1_000_000, share: share)
  case "read": measureReading(share: share)
  case "million": measureMillion(share: share)
  default: Workloads.all.first { $0.name == name }.map { measure($0, share: share) }
  }
}

// `SpindleBenchmarks [NAME...] [--json] [--share=N]`
let arguments = CommandLine.arguments.dropFirst()
let wanted = arguments.filter { !$0.hasPrefix("-") }
let share =
  arguments.lazy.filter { $0.hasPrefix("--share=") }
  .compactMap { Int($0.dropFirst("--share=".count)) }.first { $0 > 0 } ?? 1
for name in wanted.isEmpty ? names : Array(wanted) {
  guard let found = measurement(name, share: share) else {
    print("no benchmark is called '\(name)'; there are \(names.joined(separator: ", "))")
    exit(64)
  }
  print(arguments.contains("--json") ? found.json : found.text)
  for (answer, known) in share == 1 ? Workloads.knownAnswers[name] ?? [] : [] {
    let seen = found.answers.first { $0.0 == answer }?.1
    if seen != known {
      print("\(name): \(answer) must be \(known), and is \(seen ?? "missing")")
      exit(1)
    }
  }
}
