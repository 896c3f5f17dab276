import SpindleModel
import SpindleReports
import SpindleSystem

/// `spindle explain`: says why something in a run took as long as it did.
struct ExplainCommand {
  private let arguments: ParsedArguments
  private let console: Console
  private let at: Instant?

  /// Creates the command; throws when its options contradict each other.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.arguments, self.console) = (arguments, console)
    at = try arguments.moment(.at)
    if arguments.has(.thread) && at == nil {
      throw .usage(UsageText.threadWithoutMoment)
    }
  }

  /// Runs the trace and explains what was asked for.
  func run() throws(CommandFailure) -> ExitStatus {
    if let page = try page() {
      console.output.write(page.joined(separator: "\n") + "\n")
      return .held
    }
    let number = try arguments.number(.finding, in: 1...Int64.max)
    let (made, status) = try ExplainedRun.make(arguments, console)
    guard let made else { return status }
    let explanation = Explanation(made)
    let asksNothing =
      at == nil && number == nil && !arguments.has(.item) && !arguments.has(.stall)
      && !arguments.has(.criticalPath) && !arguments.has(.value)
    var texts: [[String]] = []
    if let at {
      guard at <= made.record.end else {
        throw .usage(UsageText.runEndsBefore("'--at \(at)'", end: made.record.end))
      }
      texts.append(try explanation.moment(at, thread: arguments[.thread]))
    }
    if let name = arguments[.item] { texts.append(try explanation.item(name)) }
    if let name = arguments[.value] { texts.append(try explanation.value(name)) }
    if let number { texts.append(try explanation.finding(number)) }
    if asksNothing && made.record.crash != nil { texts.append(explanation.crash()) }
    if arguments.has(.stall) || asksNothing { texts.append(explanation.stall()) }
    if arguments.has(.criticalPath) || asksNothing { texts.append(explanation.criticalPath()) }
    console.output.write(
      texts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
    return status
  }

  /// The page of a finding, where the operand is the name of one and no file.
  private func page() throws(CommandFailure) -> [String]? {
    let operand = arguments.operands[0]
    guard operand != "-" && Files.kind(of: operand) == .missing else { return nil }
    if let kind = Finding.Kind(rawValue: operand), let page = FindingPage.page(kind) {
      let style = TextStyle(
        width: console.environment.width, usesColor: console.usesColor(try arguments.colorChoice()))
      return page.lines(kind, style: style)
    }
    if operand.contains(".") || operand.contains("/") { return nil }
    throw .usage(
      UsageText.neitherFileNorFinding(
        operand, near: Spelling.proposal(operand, in: Finding.Kind.allCases.map(\.rawValue))))
  }
}
