import SpindleModel

extension CostProfile {
  /// As the notes on iOS threading say it: "about 90 ms" to make a thread, all else as `apple`.
  ///
  /// Source: note A1. Apple's guide says 90 us, a thousand times less; the profile exists so that
  /// the claim can be run beside it.
  static let notes: CostProfile = {
    var profile = apple
    profile.threadCreate = .milliseconds(45)
    profile.threadStart = .milliseconds(45) - profile.contextSwitch
    return profile
  }()
}
