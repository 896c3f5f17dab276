import SpindleModel

/// What a trace says beside its code: settings, parameters, expectations, a schedule.
///
/// It is taken in declaration by declaration, before the code; `finish` compiles what needs all code.
struct TraceOutline {
  private(set) var settings: SettingsCompiler
  private var trace: (settings: [Grammar.Setting], range: SourceRange)?
  private var machine: (settings: [Grammar.Setting], range: SourceRange)?
  private var expectations: [Grammar.Block] = []
  private var schedule: SourceRange?
  private var explore: (settings: [Grammar.Setting], range: SourceRange)?

  /// Creates the outline of a trace before its first declaration is read.
  init(_ catalogue: MachineCatalogue, _ overrides: Overrides) {
    settings = SettingsCompiler(catalogue: catalogue, overrides: overrides)
  }

  /// Checks the names of parameters that options give values, and of `values` that options replace.
  mutating func begin(
    _ declarations: [Grammar.Declaration], values: @autoclosure () -> [String],
    _ reader: inout OutlineReader
  ) {
    let parameters = declarations.compactMap { declaration -> String? in
      guard case .setting(.parameter(let name, _, _)) = declaration.kind else { return nil }
      return name.text
    }
    settings.checkOptionNames(parameters, values: values(), &reader)
  }

  /// Takes in a part of a trace that is no code.
  mutating func add(
    _ section: Grammar.Section, at range: SourceRange, _ reader: inout OutlineReader
  ) {
    switch section {
    case .trace(let title, let settings):
      guard TraceOutline.isFirst("trace", trace?.range, range, &reader) else { return }
      trace = (settings, range)
      if let title { reader.program.title = title }
    case .machine(let settings):
      guard TraceOutline.isFirst("machine", machine?.range, range, &reader) else { return }
      machine = (settings, range)
    case .parameter(let name, let value, let allowed):
      settings.declareParameter(name, value, allowed, &reader)
    case .expect(let block): expectations.append(block)
    case .schedule(let lines):
      guard TraceOutline.isFirst("schedule", schedule, range, &reader) else { return }
      schedule = range
      reader.program.schedule = TraceOutline.schedule(lines, &reader)
    case .explore(let settings):
      guard TraceOutline.isFirst("explore", explore?.range, range, &reader) else { return }
      explore = (settings, range)
    }
  }

  /// Applies settings and options, and compiles expectations and measures, when all code is there; `end` is the place
  /// of `main`.
  mutating func finish(end: SourceRange?, _ reader: inout OutlineReader) {
    settings.applyTraceSettings(trace?.settings ?? [], &reader)
    settings.applyMachineSettings(machine?.settings ?? [], &reader)
    if let explore { settings.applyExploreSettings(explore.settings, at: explore.range, &reader) }
    settings.applyOptions(&reader)
    let platform = settings.machine.platform
    reader.program.expectations = ExpectationCompiler.compile(
      expectations, end: end ?? SourceRange(0, 0), on: platform, &reader)
    reader.program.measures = ExpectationCompiler.requests(
      settings.overrides.measures, on: platform, &reader)
  }

  /// Judges the parameters when all uses of them are known.
  func judge(_ reader: inout OutlineReader) { settings.judgeParameters(&reader) }

  /// Puts settings and code into the program; `joined` replaces sequences of instructions by single ones where it can.
  func complete(_ program: inout Program, _ code: inout CodeBuilder, joined: Bool) {
    if joined { code.joinInstructions() }
    settings.finish(into: &program)
    if let schedule = settings.overrides.schedule { program.schedule = ProgramSchedule(schedule) }
    code.finish(into: &program)
  }

  /// What a `schedule` block says; its text is between its braces.
  private static func schedule(
    _ range: SourceRange, _ reader: inout OutlineReader
  ) -> ProgramSchedule? {
    let source = reader.source
    let first = source.lineNumber(at: range.lowerBound)
    // The place of a line of the block, without the space around its words.
    func place(_ number: Int) -> SourceRange {
      let next = first + number - 1
      var start = number == 1 ? range.lowerBound : source.lineStarts[next - 1]
      var end = range.upperBound
      if next < source.lineStarts.count { end = min(source.lineStarts[next], end) }
      while start < end, source.utf8[Int(start)] <= 0x20 { start += 1 }
      while end > start, source.utf8[Int(end) - 1] <= 0x20 { end -= 1 }
      return SourceRange(Int(start), Int(end))
    }
    do {
      let lines = try Schedule.placed(source.text(in: range))
      return ProgramSchedule(Schedule(lines.map(\.line)), places: lines.map { place($0.number) })
    } catch {
      reader.error(error.message, place(error.line))
      return nil
    }
  }

  /// Whether a declaration is the only one of its kind; reports when it is not.
  static func isFirst(
    _ name: String, _ earlier: SourceRange?, _ range: SourceRange,
    _ reader: inout OutlineReader
  ) -> Bool {
    guard let earlier else { return true }
    let line = reader.diagnosis.line(earlier)
    reader.error(Messages.twice(name, line: line), range)
    return false
  }
}
