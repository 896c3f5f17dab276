import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSystem

/// `spindle tune`: searches the values with which a measure is best.
struct TuneCommand {
  private let console: Console
  private let path: String
  private let base: Overrides
  private let lists: [Overrides.Assignment]
  private let prefersMore: Bool
  private let seedCount: Int
  private let format: ComparisonReport.Format
  private let color: ColorChoice
  private let limits: RunLimits
  private let observing: ObservedPart?
  private let jobs: Int

  /// The most points that the first grid may have.
  private static let mostGridPoints = 10_000

  /// Creates the command; throws when an option can't be understood.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    self.console = console
    path = arguments.operands[0]
    guard arguments.has(.minimize) != arguments.has(.maximize) else {
      throw .usage(UsageText.goalNeeded)
    }
    prefersMore = arguments.has(.maximize)
    var base = try arguments.gridOverrides()
    base.measures = arguments.measures([prefersMore ? .maximize : .minimize, .subjectTo])
    self.base = base
    lists = try arguments.assignments(.over)
    if lists.isEmpty { throw .usage(UsageText.listNeeded("tune", "NAME=LOW...HIGH")) }
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) } ?? 1
    format = try arguments.format(standard: .table, json: .json)
    if format == .csv || format == .markdown {
      throw .usage(UsageText.sentencesOrJSON("tune", not: format.rawValue))
    }
    color = try arguments.colorChoice()
    limits = try arguments.limits()
    observing = try arguments.observedPart()
    jobs = try arguments.jobs(console.environment)
  }

  /// Searches, and says what was found.
  func run() throws(CommandFailure) -> ExitStatus {
    let source = try CommandFailure.wrap { () throws(FileFailure) in
      try FileRoles(console).read(path)
      return try TraceReader(console.environment).read(path)
    }
    var report = DiagnosticReport(
      color: console.usesColor(color, onError: true),
      optionNames: base.parameters.isEmpty ? ["--set": "--over"] : [:])
    let (compiled, diagnostics) = Compiler.standard.compile(source, overrides: base)
    report.add(diagnostics, to: console.error)
    guard let program = compiled else { return report.status }
    try check(program.measures)
    var axes: [TuneAxis] = []
    for list in lists {
      if base.parameters.contains(where: { $0.name == list.name }) {
        throw .usage(UsageText.givenByBoth("--over", list.name))
      }
      axes.append(try TuneAxis(list, program))
    }
    guard TuneSearch.gridSize(axes.map(\.search)) <= TuneCommand.mostGridPoints else {
      throw .usage(UsageText.searchOver(most: TuneCommand.mostGridPoints))
    }
    let sides = sides(program, source)
    let conditions = Array(program.measures.dropFirst())
    guard let found = search(axes, source, sides, conditions, &report) else { return report.status }
    return show(found, axes, program)
  }

  /// Refuses a measure that is no number, and a condition that is none.
  private func check(_ measures: [RequestedMeasure]) throws(CommandFailure) {
    let conditions = OptionDescription.Name.subjectTo.rawValue
    let goals = measures.filter { $0.option != conditions }
    let option = prefersMore ? "--maximize" : "--minimize"
    guard goals.count == 1 else {
      throw .usage(UsageText.oneMeasure(option, not: goals.count))
    }
    if goals[0].unit == .text {
      throw .usage(UsageText.noNumber(option, goals[0].text))
    }
    for measure in measures where measure.option == conditions && measure.unit != .truth {
      throw .usage(UsageText.noCondition(measure.text))
    }
  }

  /// A search that is over, with what each point came to.
  private struct Found {
    var search: TuneSearch
    /// What the conditions compare, behind them among the measures.
    var sides: [Side] = []
    /// The points in the order in which they were looked at.
    var points: [TuneReport.Point] = []
  }

  /// Runs rounds until the search is over; nil when the trace has errors at a point.
  private func search(
    _ axes: [TuneAxis], _ source: SourceText, _ sides: [Side], _ conditions: [RequestedMeasure],
    _ report: inout DiagnosticReport
  ) -> Found? {
    var found = Found(
      search: TuneSearch(axes.map(\.search), prefersMore: prefersMore), sides: sides)
    let base = base.asking(sides.map(\.side))
    while !found.search.wanted.isEmpty {
      let points = found.search.wanted
      let variants = points.map { TuneAxis.variant(axes, $0, base: base) }
      let (isLimited, seedCount) = (base.until != nil, seedCount)
      let (limits, observing) = (limits, observing)
      let results = ParallelRuns.map(points.count, threads: jobs) { index in
        SweepGrid.run(
          index, source: source, overrides: variants[index].overrides, isLimited: isLimited,
          seedCount: seedCount, limits: limits, observing: observing)
      }
      var values: [Double?] = []
      for (variant, result) in zip(variants, results) {
        report.add(result.diagnostics, to: console.error)
        guard let cell = result.cell else { return nil }
        let point = TuneCommand.point(variant, cell, sides, conditions)
        values.append(point.isAllowed ? point.mean : nil)
        found.points.append(point)
      }
      found.search.learn(values)
    }
    return found
  }

  /// What a condition compares, and the column that it has.
  private struct Side {
    let side: ComparedSide
    let column: ComparedColumn
  }

  /// What the conditions compare that is a number, each once, apart from the measure that is made best.
  private func sides(_ program: Program, _ source: SourceText) -> [Side] {
    var sides: [ComparedSide] = []
    for side in program.measures.flatMap(\.sides)
    where side.text != program.measures[0].text && !sides.contains(where: { $0.text == side.text })
    {
      sides.append(side)
    }
    let asking = Compiler.standard.compile(source, overrides: base.asking(sides)).program
    let columns = (asking?.measures ?? []).suffix(sides.count).map { ComparedColumn($0) }
    return zip(sides, columns).map { Side(side: $0, column: $1) }.filter { !$0.column.isText }
  }

  /// What a point came to: of what conditions compare, the value of the seed that is farthest from meeting them.
  private static func point(
    _ variant: TraceVariant, _ cell: SweepCell, _ sides: [Side], _ conditions: [RequestedMeasure]
  ) -> TuneReport.Point {
    let first = (cell.runs.first?.values.count ?? 0) - sides.count
    let held = (1..<max(1, first)).map { column in
      cell.runs.allSatisfy { $0.values[column].number == 1 }
    }
    let values = sides.indices.map { index -> Double? in
      let column = first + index
      let numbers = cell.runs.compactMap { $0.values[column].number }
      guard numbers.count == cell.runs.count else { return nil }
      return switch sides[index].side.worst {
      case .greatest: numbers.max().map { Double($0) }
      case .least: numbers.min().map { Double($0) }
      case nil: cell.mean(column)
      }
    }
    var point = TuneReport.Point(
      settings: variant.settings, mean: cell.mean(0), held: held, sides: values, ending: cell.mark)
    point.halfWidth = cell.halfWidth(0)
    point.miss = zip(conditions, held).filter { !$0.1 }
      .compactMap { miss($0.0, sides, values) }.max()
    return point
  }

  /// By what share of its limit a condition is missed; nil where it does not compare a measure with a number.
  private static func miss(
    _ condition: RequestedMeasure, _ sides: [Side], _ values: [Double?]
  ) -> Double? {
    guard case .compare(_, let left, let right, _) = condition.term, condition.sides.count == 1,
      let index = sides.firstIndex(where: { $0.side.text == condition.sides[0].text }),
      let value = values[index]
    else { return nil }
    let limit: ExpectationValue
    switch (left, right) {
    case (_, .value(let number)), (.value(let number), _): limit = number
    default: return nil
    }
    guard let wanted = sides[index].column.unit.number(limit) else { return nil }
    return (value - wanted).magnitude / max(wanted.magnitude, 1)
  }

  private func show(_ found: Found, _ axes: [TuneAxis], _ program: Program) -> ExitStatus {
    let search = found.search
    let report = TuneReport(
      names: axes.map(\.name), column: ComparedColumn(program.measures[0]),
      prefersMore: prefersMore, conditions: program.measures.dropFirst().map(\.text),
      sides: found.sides.map(\.column), points: found.points,
      best: search.best.flatMap { search.order.firstIndex(of: $0) },
      gridCount: search.gridCount, seedCount: seedCount)
    let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
    console.output.write(format == .json ? report.json + "\n" : report.text(style: style))
    return search.best == nil ? .notHeld : .held
  }
}

extension Overrides {
  /// The same, and what these sides of comparisons come to.
  fileprivate func asking(_ sides: [ComparedSide]) -> Overrides {
    var overrides = self
    let option = OptionDescription.Name.measure.rawValue
    overrides.measures += sides.map { Overrides.Assignment(name: option, value: $0.text) }
    return overrides
  }
}
