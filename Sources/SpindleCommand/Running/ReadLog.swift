import SpindleModel
import SpindleReports
import SpindleSystem

/// Logs that stand where a trace may: they are read, and not run.
enum ReadLog {
  /// The options that say how a trace is run, which a log has no use for.
  private static let settings: [OptionDescription.Name] = [
    .policy, .policies, .cores, .platform, .costs, .set, .replace, .seed, .until, .steps,
    .schedule,
  ]

  /// The log that `source` is; nil for a trace.
  static func read(_ source: SourceText) throws(CommandFailure) -> LogReader? {
    guard LogReader.isLog(source.utf8) else { return nil }
    do throws(LogReadingError) {
      return try LogReader(source.utf8)
    } catch {
      throw .file(
        FileFailure(
          purpose: .input,
          message: "cannot read '\(source.name)': line \(error.line): \(error.message)"))
    }
  }

  /// Refuses settings of a run where nothing is run.
  static func refuseSettings(_ arguments: ParsedArguments) throws(CommandFailure) {
    if let option = settings.first(where: { arguments.has($0) }) {
      throw .usage(UsageText.logHasNoSettings(option.rawValue))
    }
  }
}
