import SpindleReports
import SpindleRun

extension ParsedArguments {
  /// What `--warm-up` leaves out; nil when it is not given.
  func observedPart(hasBatches: Bool = false) throws(CommandFailure) -> ObservedPart? {
    guard let text = self[.warmUp] else { return nil }
    guard has(.measure) || has(.minimize) || has(.maximize) else {
      throw .usage(UsageText.warmUpWithoutMeasure)
    }
    if text == "auto" { return ObservedPart(warmUp: .found, hasBatches: hasBatches) }
    guard let moment = MomentText.value(text) else {
      throw .usage(UsageText.warmUpForm(text, near: Spelling.proposal(text, in: ["auto"])))
    }
    return ObservedPart(warmUp: .until(moment), hasBatches: hasBatches)
  }
}
