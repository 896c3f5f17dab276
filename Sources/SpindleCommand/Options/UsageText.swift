/// The messages for mistakes on the command line, in alphabetical order.
///
/// Each is one phrase without a full stop that states what was expected and quotes what was written.
/// `proposal` is the suggestion of `Spelling` with its introduction, or empty.
enum UsageText {
  /// A quoted part of the command line.
  typealias Shown = CustomStringConvertible

  static func axisForm(_ text: some Shown) -> String {
    "'--over' goes from a number, duration or size to another, as '1ms...100ms', not "
      + "'\(text)'"
  }

  static func axisOrder(_ text: some Shown) -> String {
    "'--over' needs the lower bound first, not '\(text)'"
  }

  static func colorForm(_ text: some Shown) -> String {
    "'--color' needs auto, always or never, not '\(text)'"
  }

  static func costsNeedEnding(_ name: some Shown) -> String {
    "'--output' needs a name that ends in .costs, not '\(name)'"
  }

  static let crossoverAlone = "'--crossover' needs a list with several values"

  static func crossoverListed(_ name: some Shown) -> String {
    "'--crossover' also tries intermediate values, and '\(name)' accepts only the values that it lists: "
      + "compare with '--set \(name)=all', or remove the list"
  }

  static func crossoverMeasures(_ count: some Shown) -> String {
    "'--crossover' takes one measure, not \(count)"
  }

  static func crossoverOrder(_ low: some Shown, _ high: some Shown) -> String {
    "'--crossover' needs the lower bound first, not \(low)...\(high)"
  }

  static func crossoverRuns(_ most: some Shown, seeds: some Shown) -> String {
    "'--crossover' may need \(most) variants, and \(seeds) seeds of each are too "
      + "many runs"
  }

  static func crossoverType(_ name: some Shown) -> String {
    "'--crossover' needs a whole number, a duration or a size, and '\(name)' has another type"
  }

  static func diffNeedsTwo(_ there: some Shown) -> String {
    "'diff' needs two traces, or one in two settings such as --set n=1,2; there \(there)"
  }

  static let drawnLanes = "'--svg' draws threads or cores, which '--by' selects"

  static let endBeforeBeginning = "'--to' must be later than '--from'"

  static func exclusive(_ first: some Shown, _ second: some Shown) -> String {
    "'\(first)' and '\(second)' exclude each other"
  }

  static func expectationUnknown(_ number: some Shown, of count: some Shown, in path: some Shown)
    -> String
  {
    "'\(path)' has \(count) expectations; there is no expectation \(number)"
  }

  static func exportFileNeeded(_ text: some Shown) -> String {
    "'--export' needs a file after '\(text)'"
  }

  static func exportUnknown(_ text: some Shown, near proposal: some Shown, of known: some Shown)
    -> String
  {
    "'--export': the format of '\(text)' is unknown\(proposal); write FORMAT=FILE, "
      + "with one of \(known)"
  }

  static func filesNeeded(_ command: some Shown, _ reason: some Shown) -> String {
    "'\(command)' needs files: \(reason)"
  }

  static func filterForm(_ text: some Shown) -> String {
    "'--filter': '\(text)' is not a valid regular expression"
  }

  static func findingNumber(_ count: Int) -> String {
    count == 0
      ? "the run has no findings" : "'--finding' takes 1 to \(count): the run has no more"
  }

  static func findingUnknown(_ name: some Shown, near proposal: some Shown) -> String {
    "unknown finding '\(name)'\(proposal)"
  }

  static func formatNeedsTable(_ format: some Shown) -> String {
    "'--format \(format)' needs '--table' or '--measure'"
  }

  static func formatUnknown(_ text: some Shown, of known: some Shown, near proposal: some Shown)
    -> String
  {
    "'--format' needs one of \(known), not '\(text)'\(proposal)"
  }

  static func formNeeded(_ option: some Shown, _ form: some Shown, not text: some Shown) -> String {
    "'\(option)' needs \(form), not '\(text)'"
  }

  static func givenByBoth(_ option: some Shown, _ name: some Shown) -> String {
    "'--set' and '\(option)' both give '\(name)'"
  }

  static let goalNeeded = "'tune' needs one of '--minimize MEASURE' and '--maximize MEASURE'"

  static func gridOver(_ counts: some Shown, most: some Shown)
    -> String
  {
    "\(counts) values make more cells than the limit of \(most)"
  }

  static let htmlFileNeeded = "'--html' needs a file"

  static func htmlMissing(_ option: some Shown) -> String {
    "'\(option)' needs '--html FILE'"
  }

  static func htmlOver(most: some Shown) -> String {
    "'--html' shows runs of at most \(most) log entries, and all variants are longer; "
      + "'simulate --html' shows a part of a longer run"
  }

  static func htmlSize(_ text: some Shown) -> String {
    "'--html-size' needs a size from 300KB to 10MB, not '\(text)'"
  }

  static let inputTwice = "standard input, '-', can be read only once"

  static func itemUnknown(_ name: some Shown, near proposal: some Shown, sort: String = "item")
    -> String
  {
    "no \(sort) of the run is called '\(name)'\(proposal)"
  }

  static let keptLogAlone = "'--keep-log' needs '--update' or '--review'"

  static func keptUnknown(_ text: some Shown, of count: some Shown, _ path: some Shown) -> String {
    "'\(text)' is neither a command nor one of the \(count) expectations of '\(path)' "
      + "as written; write 'expectation 1', 'finding KIND', 'outcome KIND', or what to run"
  }

  static func laneUnknown(_ text: some Shown, near proposal: some Shown) -> String {
    "'--by' needs thread, core, queue or task, not '\(text)'\(proposal)"
  }

  static func listNeeded(_ command: some Shown, _ form: some Shown) -> String {
    "'\(command)' needs '--over \(form)'"
  }

  static func logHasNoSettings(_ option: some Shown) -> String {
    "'\(option)' needs a trace: a log can't be run again"
  }

  static func momentForm(_ option: some Shown, not text: some Shown) -> String {
    "'\(option)' needs a moment such as 192ms or 1.5s, not '\(text)'"
  }

  static func neitherFileNorFinding(_ operand: some Shown, near proposal: some Shown) -> String {
    "'\(operand)' is neither a file nor a finding\(proposal)"
  }

  static func noCompletions(_ shell: some Shown, known: some Shown, near proposal: some Shown)
    -> String
  {
    "no completions for '\(shell)', only for \(known)\(proposal)"
  }

  static func noCondition(_ measure: some Shown) -> String {
    "'--subject-to' needs a condition such as 'utilization >= 0.8', not '\(measure)'"
  }

  static func noNumber(_ option: some Shown, _ measure: some Shown) -> String {
    "'\(option)' needs a number, not '\(measure)'"
  }

  static func noPreference(_ option: some Shown, _ measure: some Shown) -> String {
    "'\(option)': values of '\(measure)' are not better or worse than others"
  }

  static func noTestSelected(of count: some Shown) -> String {
    "none of \(count) tests is selected"
  }

  static func nothingListed(_ name: some Shown) -> String {
    "'--set \(name)=all': '\(name)' lists no values"
  }

  static func notOfWorkloads(_ option: some Shown, _ name: some Shown) -> String {
    "'\(option)' selects a part of a recording; \(name) is a workload, which is imported completely"
  }

  static func noValue(_ option: some Shown) -> String { "'\(option)' takes no value" }

  static func oneMeasure(_ option: some Shown, not count: some Shown) -> String {
    "'\(option)' takes one measure, not \(count)"
  }

  static func oneRun(_ option: some Shown, not count: some Shown) -> String {
    "'\(option)' takes the log of one run, not of \(count)"
  }

  static func oneRunOfSeeds(_ option: some Shown) -> String {
    "'\(option)' takes one run, and '--seeds' makes several"
  }

  static func oneSettingEach(_ count: some Shown) -> String {
    "two traces run in one setting each, not in \(count)"
  }

  static func oneTrace(_ option: some Shown, not count: some Shown) -> String {
    "'\(option)' takes the log of one trace, not of \(count)"
  }

  static func oneValue(_ option: some Shown, not shown: some Shown, hint: some Shown) -> String {
    "'\(option)' takes one value, not '\(shown)'\(hint)"
  }

  static func operandEmpty(_ number: some Shown) -> String { "operand \(number) is empty" }

  static func operandsNeeded(_ command: some Shown, _ operands: some Shown) -> String {
    "'\(command)' needs \(operands)"
  }

  static func operandsOver(
    _ command: some Shown, _ most: some Shown, _ further: some Shown, hint: some Shown
  ) -> String {
    "'\(command)' takes \(most), and '\(further)' is one more\(hint)"
  }

  static func optionTwice(_ option: some Shown) -> String {
    "'\(option)' is given twice"
  }

  static func optionUnknown(_ option: some Shown, of command: some Shown, near proposal: some Shown)
    -> String
  {
    "'\(command)' has no option '\(option)'\(proposal)"
  }

  static func outcomeUnknown(_ name: some Shown, near proposal: some Shown) -> String {
    "unknown outcome '\(name)'\(proposal)"
  }

  static func outputTwice(_ first: some Shown, _ second: some Shown) -> String {
    "\(first) and \(second) both write to standard output"
  }

  static func parameterTwice(_ option: some Shown, _ name: some Shown, hint: some Shown) -> String {
    "'\(option)' gives '\(name)' twice\(hint)"
  }

  static let paretoMeasures = "'--pareto' needs at least two measures"

  static func partsHaveAForm(_ option: some Shown) -> String {
    "the format of a part is fixed: give '\(option)' to 'spindle merge'"
  }

  static func precisionForm(_ text: some Shown) -> String {
    "'--until-precision' needs a percentage, as 2% or 0.5%, not '\(text)'"
  }

  static func precisionSeeds(_ seeds: some Shown, of known: some Shown) -> String {
    "with '--until-precision', '--seeds' is the greatest number of seeds: one of \(known), "
      + "not \(seeds)"
  }

  static func rangeDots(_ option: some Shown, _ range: some Shown, not text: some Shown) -> String {
    "'\(option)': a range has three dots, '\(range)', not '\(text)'"
  }

  static func rangeForm(_ option: some Shown, not text: some Shown) -> String {
    "'\(option)': a range goes from a number, duration or size to another, as "
      + "'1...8' or '10ms...50ms by 10ms', not '\(text)'"
  }

  static func rangeOrder(_ option: some Shown, not text: some Shown) -> String {
    "'\(option)': a range needs its lower bound first, not '\(text)'"
  }

  static func rangeOver(_ option: some Shown, _ text: some Shown, most: some Shown) -> String {
    "'\(option)': '\(text)' has more than \(most) values"
  }

  static func rangeStep(_ option: some Shown, _ step: some Shown, of text: some Shown) -> String {
    "'\(option)': '\(step)' is not a valid step for the range of '\(text)'"
  }

  static func rangeStepNeeded(_ option: some Shown, _ text: some Shown) -> String {
    "'\(option)': a range with a unit needs a step: '\(text) by …'"
  }

  static let recordedSeed = "logs are recorded with the trace's own seed, and '--seed' sets another"

  static func refusedInCI(_ option: some Shown) -> String {
    "'\(option)' is refused while CI is set: a person has to read the logs"
  }

  static func runEndsBefore(_ moment: some Shown, end: some Shown) -> String {
    "the run ends at \(end), before \(moment)"
  }

  static func searchOver(most: some Shown) -> String {
    "the search would start with more than \(most) points"
  }

  static func sentencesOrJSON(_ what: some Shown, not format: some Shown) -> String {
    "'\(what)' writes sentences or JSON, not \(format)"
  }

  static func shardForm(_ text: some Shown, most: some Shown)
    -> String
  {
    "'--shard' needs K/N, a part from 1 to N of at most \(most), not '\(text)'"
  }

  static func tableOfCrossover(_ option: some Shown) -> String {
    "'\(option)' needs a table, and '--crossover' prints none"
  }

  static func tableUnknown(_ text: some Shown, of known: some Shown, near proposal: some Shown)
    -> String
  {
    "'--table' needs \(known), not '\(text)'\(proposal)"
  }

  static func testShardForm(_ text: some Shown) -> String {
    "'--shard' needs PART/COUNT, such as 2/8, not '\(text)'"
  }

  static let threadWithoutMoment = "'--thread' needs '--at'"

  static func tooManyRuns(variants: some Shown, seeds: some Shown) -> String {
    "\(variants) variants of \(seeds) seeds are too many runs"
  }

  static func traceTwice(_ path: some Shown) -> String {
    "'compare' is given '\(path)' twice"
  }

  static func twoForms(_ format: some Shown) -> String {
    "'--json' and '--format \(format)' ask for different formats"
  }

  static func unknown(_ what: some Shown, _ name: some Shown, near proposal: some Shown) -> String {
    "unknown \(what) '\(name)'\(proposal)"
  }

  static func valueEmpty(_ option: some Shown, in list: some Shown) -> String {
    "'\(option)' has an empty value in '\(list)'"
  }

  static func valueNeeded(_ option: some Shown, _ placeholder: some Shown) -> String {
    "'\(option)' needs a value: \(option) \(placeholder)"
  }

  static func valueTwice(_ option: some Shown, _ value: some Shown) -> String {
    "'\(option)' names '\(value)' twice"
  }

  static func variantsOver(_ counts: some Shown, most: some Shown) -> String {
    "\(counts) values make more variants than the limit of \(most)"
  }

  static func warmUpForm(_ text: some Shown, near proposal: some Shown) -> String {
    "'--warm-up' needs a time such as 10s, or 'auto', not '\(text)'\(proposal)"
  }

  static let warmUpWithoutMeasure =
    "'--warm-up' needs '--measure'"

  static func wholeNumberNeeded(_ option: some Shown, bound: some Shown, not text: some Shown)
    -> String
  {
    "'\(option)' needs a whole number \(bound), not '\(text)'"
  }

  static func windowForm(_ text: some Shown) -> String {
    "'--window' needs two moments such as 180ms...260ms, not '\(text)'"
  }

  static func wordForm(
    _ option: some Shown, _ first: some Shown, _ second: some Shown, not text: some Shown,
    near proposal: some Shown
  ) -> String {
    "'\(option)' needs \(first) or \(second), not '\(text)'\(proposal)"
  }
}
