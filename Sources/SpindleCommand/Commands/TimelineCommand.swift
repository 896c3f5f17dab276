import SpindleModel
import SpindleReports
import SpindleSystem

/// `spindle timeline`: draws a run, or a window of it, as lanes of letters.
struct TimelineCommand {
  private let arguments: ParsedArguments
  private let console: Console
  private let lanes: LanePicture.Lanes
  private let from: Instant?
  private let to: Instant?
  private let only: [String]
  private let width: Int?
  /// Where the drawing goes, if there is to be one; `-` for standard output.
  private let svg: String?

  /// Creates the command; throws when its options make no sense.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.arguments, self.console) = (arguments, console)
    let by = arguments[.by] ?? LanePicture.Lanes.thread.rawValue
    guard let lanes = LanePicture.Lanes(rawValue: by) else {
      let known = LanePicture.Lanes.allCases.map(\.rawValue)
      throw .usage(UsageText.laneUnknown(by, near: Spelling.proposal(by, in: known)))
    }
    self.lanes = lanes
    (from, to) = (try arguments.moment(.from), try arguments.moment(.to))
    if let from, let to, from >= to {
      throw .usage(UsageText.endBeforeBeginning)
    }
    only = arguments[.only].map { ListText.values($0) } ?? []
    width = try arguments.number(.width, in: 40...400).map { Int($0) }
    svg = arguments[.svg]
    if svg != nil && lanes != .thread && lanes != .core { throw .usage(UsageText.drawnLanes) }
  }

  /// Runs the trace and draws it.
  func run() throws(CommandFailure) -> ExitStatus {
    let (made, status) = try ExplainedRun.make(arguments, console, width: width)
    guard let made else { return status }
    let start = from ?? .start
    let end = min(to ?? .distantFuture, made.record.end)
    if start > made.record.end {
      throw .usage(UsageText.runEndsBefore("'--from'", end: made.record.end))
    }
    var picture = LanePicture(made.store, from: start, to: end, style: made.style)
    if let only = only.first, let (sort, names) = picture.others(by: lanes, than: self.only) {
      throw .usage(
        UsageText.itemUnknown(only, near: Spelling.proposal(only, in: names), sort: sort))
    }
    if let svg, start < end {
      var drawing = SVGPicture(made.store, from: start, to: end, width: 10 * (width ?? 96))
      let text = drawing.text(byCore: lanes == .core, only: only)
      try CommandFailure.wrap { () throws(FileFailure) in
        let output = try ResultOutput(svg, console)
        output.write(text)
        try output.commit()
      }
      return status
    }
    let lines = picture.lines(by: lanes, only: only)
    let text = lines.isEmpty ? "no time from \(start) to \(end)" : lines.joined(separator: "\n")
    console.output.write(text + "\n")
    return status
  }
}
