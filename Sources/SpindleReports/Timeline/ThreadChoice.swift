import SpindleModel

/// A decision of the policy, with the threads of a timeline.
struct ThreadChoice {
  var time: Instant
  var preferred: ThreadIndex
  /// Whether the preferred one had a core already, and kept it.
  var isKept: Bool
  /// How the two compare; nil where the policy goes by the order in which they came.
  var comparison: PolicyChoice.Standings?

  /// The decisions of a run, by the thread that was to wait.
  static func all(
    _ report: PolicyReport?, of threads: [ThreadFacts]
  ) -> [ThreadIndex: [ThreadChoice]] {
    guard let report, !report.choices.isEmpty else { return [:] }
    var slots: [Int32: [ThreadFacts]] = [:]
    for thread in threads { slots[thread.slot, default: []].append(thread) }
    func index(_ slot: Int32, at time: Instant) -> ThreadIndex? {
      slots[slot]?.last { $0.time <= time }?.thread
    }
    var found: [ThreadIndex: [ThreadChoice]] = [:]
    for choice in report.choices {
      guard let waiting = index(choice.waiting, at: choice.time),
        let preferred = index(choice.preferred, at: choice.time)
      else { continue }
      found[waiting, default: []].append(
        ThreadChoice(
          time: choice.time, preferred: preferred, isKept: choice.isKept,
          comparison: choice.comparison))
    }
    return found
  }
}
