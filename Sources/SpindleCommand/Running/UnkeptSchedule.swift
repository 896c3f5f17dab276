import SpindleModel
import SpindleReports
import SpindleSystem

/// A run whose schedule could not be kept: it is not the run that was asked for.
enum UnkeptSchedule {
  /// Reports the lines that were not kept on standard error; the status is 1 where there are any.
  static func report(
    _ faults: [ScheduleFault], of source: SourceText, _ console: Console, color: ColorChoice
  ) -> ExitStatus {
    let style = TextStyle(
      width: console.environment.width, usesColor: console.usesColor(color, onError: true))
    for fault in faults {
      let lines = Verdict(fault).told(of: source, style: style)
      console.error.write(lines.map { "\($0)\n" }.joined())
    }
    return faults.isEmpty ? .held : .notHeld
  }
}
