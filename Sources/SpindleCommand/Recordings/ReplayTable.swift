import SpindleModel
import SpindleRecordings
import SpindleReports

/// A recording and its simulation, side by side.
struct ReplayTable {
  /// A thread in both.
  struct Pair {
    var name: String
    var recorded: ThreadActivity
    var simulated: ThreadActivity
  }

  /// How long the program took.
  let recorded: Nanoseconds
  let simulated: Nanoseconds
  /// Its threads, the main one first.
  let pairs: [Pair]
  /// Whether the workers of a pool are among them, as one.
  let hasPool: Bool
  private let style: TextStyle

  /// How far the simulation may be off before it is not to be trusted.
  static let bound = 0.05
  /// So many threads are shown.
  private static let shown = 30

  /// Compares a program with a run of its trace.
  init(_ program: RecordedProgram, _ table: ActivityTable, style: TextStyle) {
    self.style = style
    recorded = program.span
    let rows = program.rows
    hasPool = rows.contains(where: \.isPool)
    let known = Set(program.others + rows.filter { !$0.isPool && !$0.isMain }.map(\.name))
    var simulatedRows: [String: ThreadActivity] = [:]
    var pool = ThreadActivity()
    for row in table.rows {
      var activity = ThreadActivity()
      (activity.ran, activity.waited) = (row.ran, row.waited)
      (activity.switches, activity.wakes) = (row.switches, row.wakes)
      (activity.first, activity.last) = (row.first, row.last)
      simulatedRows[row.isMain ? "" : row.name] = activity
      // Of the simulated pool are those that the trace does not make.
      if !row.isMain && !known.contains(row.name) { pool.add(activity) }
    }
    pairs = rows.map { row in
      let simulated = simulatedRows[row.isMain ? "" : row.name] ?? ThreadActivity()
      return Pair(
        name: row.name, recorded: row.activity, simulated: row.isPool ? pool : simulated)
    }
    // A thread that never ran has no last moment.
    simulated = Nanoseconds(max(0, pairs.map(\.simulated.last).max() ?? 0))
  }

  /// By how much the simulation is off, as a share of what was recorded.
  var error: Double { Self.error(simulated.rawValue, of: recorded.rawValue) ?? 0 }

  /// Whether the simulation is near enough to trust it with what was not recorded.
  var isConsistent: Bool { abs(error) <= Self.bound }

  /// Why what is said of another machine is to be doubted, though all in all the simulation is near enough: a
  /// thread may be off where the whole is not, and the recording may not tell who woke whom.
  func doubts(_ program: RecordedProgram) -> [String] {
    var doubts: [String] = []
    if let most = strays.first {
      let share = Self.percent(Self.error(most.simulated.span, of: most.recorded.span) ?? 0)
      doubts.append(
        "forecasts may be inaccurate: of \(Int64(pairs.count).counted("thread")), the span of "
          + "\(strays.count) is off by more than 5%, of '\(most.name)' by \(share)")
    }
    let counts = program.survey.counts
    if counts.wakes == 0 {
      doubts.append(
        "forecasts may be inaccurate: the recording has no wake-ups; record "
          + "'sched_waking'")
    } else if !counts.tellsInterrupts {
      doubts.append(
        "forecasts may be inaccurate: the recording has no interrupt events; a timer may "
          + "be mistaken for a waking thread")
    }
    return doubts
  }

  /// Why the program alone, of which this is a run on the recorded machine, may take longer for real: in the recording
  /// it did, for what the simulation leaves out; nil where both are about equal.
  ///
  /// What else ran may go on running; and a simulated machine leaves no core idle while a thread is ready, as the
  /// kernel did.
  func doubt(beside program: RecordedProgram, probes: Nanoseconds) -> String? {
    let alone = Nanoseconds(simulated.rawValue + probes.rawValue)
    guard let error = Self.error(alone.rawValue, of: program.span.rawValue), abs(error) > Self.bound
    else { return nil }
    var causes: [String] = []
    if program.othersTime > .zero {
      causes.append("other programs used its cores for \(program.othersTime.approximate)")
    }
    if program.heldTime > .zero {
      causes.append(
        "its threads were runnable for \(program.heldTime.approximate) while a core of it was idle")
    }
    let text =
      "forecasts may be inaccurate: on the recorded machine the program took "
      + "\(program.span.approximate) beside other programs, and alone it takes \(simulated.approximate), "
      + "\(Self.percent(error))"
    return causes.isEmpty
      ? text
      : text + "; \(causes.joined(separator: ", and ")), and this may continue"
  }

  /// The threads whose spans are off by more than the bound, and by a hundredth of the whole at least, the one
  /// that is off most first; but none that hardly computed.
  private var strays: [Pair] {
    func isOff(_ pair: Pair) -> Double {
      abs(Double(pair.simulated.span) - Double(pair.recorded.span))
    }
    let ran = pairs.reduce(0) { $0 + Double($1.recorded.ran) }
    return pairs.filter { pair in
      Double(pair.recorded.ran) * 100 >= ran
        && isOff(pair) > Self.bound * Double(pair.recorded.span)
        && isOff(pair) * 100 >= Double(recorded.rawValue)
    }
    .sorted { isOff($0) > isOff($1) }
  }

  /// The table: the program as a whole, then its threads, those that computed most first.
  func lines() -> [String] {
    let all = Self.sum(pairs.map(\.recorded), pairs.map(\.simulated))
    var table = TextTable(columns: [
      .init("thread", .left), .init("", .left), .init("processor"), .init("waiting"),
      .init("switches"), .init("wakes"), .init("span"),
    ])
    var whole = Pair(name: "all", recorded: all.recorded, simulated: all.simulated)
    (whole.recorded.first, whole.recorded.last) = (0, recorded.rawValue)
    (whole.simulated.first, whole.simulated.last) = (0, simulated.rawValue)
    for pair in [whole] + ordered.prefix(Self.shown) { Self.add(pair, to: &table) }
    var lines = table.rendered(width: style.width).split(separator: "\n").map(String.init)
    lines[0] = style.paint(lines[0], .bold)
    if pairs.count > Self.shown {
      lines.append("and \(Int64(pairs.count - Self.shown).counted("more thread"))")
    }
    return lines
  }

  private var ordered: [Pair] {
    let main = pairs.prefix(1)
    let others = pairs.dropFirst().enumerated().sorted {
      ($1.element.recorded.ran, $0.offset) < ($0.element.recorded.ran, $1.offset)
    }
    return main + others.map(\.element)
  }

  private static func sum(
    _ recorded: [ThreadActivity], _ simulated: [ThreadActivity]
  ) -> (recorded: ThreadActivity, simulated: ThreadActivity) {
    func all(_ list: [ThreadActivity]) -> ThreadActivity {
      list.reduce(into: ThreadActivity()) { sum, one in
        sum.ran += one.ran
        sum.waited += one.waited
        sum.switches += one.switches
        sum.wakes += one.wakes
      }
    }
    return (all(recorded), all(simulated))
  }

  private static func add(_ pair: Pair, to table: inout TextTable) {
    for (name, word, row) in [
      (pair.name, "recorded", pair.recorded), ("", "simulated", pair.simulated),
    ] {
      table.add([
        name, word, time(row.ran), time(row.waited), "\(row.switches)", "\(row.wakes)",
        time(row.span),
      ])
    }
    let (one, other) = (pair.recorded, pair.simulated)
    table.add([
      "", "error", difference(other.ran, one.ran), difference(other.waited, one.waited),
      difference(other.switches, one.switches), difference(other.wakes, one.wakes),
      difference(other.span, one.span),
    ])
  }

  private static func time(_ length: Int64) -> String { Nanoseconds(length).approximate }

  private static func difference(_ simulated: Int64, _ recorded: Int64) -> String {
    if simulated == recorded { return "=" }
    guard let error = error(simulated, of: recorded) else { return "-" }
    return percent(error)
  }

  /// A share with its sign, to a tenth of a percent.
  static func percent(_ share: Double) -> String {
    let tenths = Int64((share.magnitude * 1_000).rounded())
    return "\(share < 0 ? "-" : "+")\(tenths / 10).\(tenths % 10)%"
  }

  private static func error(_ simulated: Int64, of recorded: Int64) -> Double? {
    recorded == 0 ? nil : (Double(simulated) - Double(recorded)) / Double(recorded)
  }
}
