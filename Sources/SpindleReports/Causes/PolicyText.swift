import SpindleModel

/// By what the policy prefers others to threads that could run.
extension TimelineStore {
  /// The policy's name without its parameters.
  var policyName: String { run.map { String("\($0.machine.policy)".prefix { $0 != "(" }) } ?? "" }

  /// Why a thread had no core between two moments, as a clause behind who ran; empty where that is not known.
  ///
  /// Nothing is said of `told`, of whom that was said already.
  func policyClause(
    against thread: ThreadIndex, from: Instant, to: Instant, besides told: ThreadIndex = .none
  ) -> String {
    if let class_ = classOfOtherCores(thread, from: from, to: to) {
      return ": policy \(policyName) runs class .\(class_) on efficiency cores only"
    }
    guard let report = record?.policyReport else { return "" }
    let asked = (choices[thread] ?? []).filter { $0.time >= from && $0.time < to }
    let lengths = asked.map { runTime(of: $0.preferred, from: max($0.time, from), to: to) }
    if let most = lengths.max(), most > 0, let place = lengths.firstIndex(of: most) {
      if asked[place].preferred == told { return "" }
      return ": policy \(policyName) " + words(asked[place], from: from)
    }
    guard !report.preempts, told.isNone, let other = firstRunning(besides: thread, at: from) else {
      return ""
    }
    return ": policy \(policyName) does not preempt \(who(other, at: from))"
  }

  /// What the policy decided at a moment against a thread that was runnable then, and the thread that it preferred; nil
  /// where it decided nothing against it.
  func decision(
    against thread: ThreadIndex, at time: Instant
  ) -> (words: String, preferred: String)? {
    if let choice = choices[thread]?.first(where: { $0.time == time }) {
      return ("policy \(policyName) " + words(choice, from: time), name(of: choice.preferred))
    }
    let isRunnable = states(of: thread, from: time, to: Instant(time.nanoseconds + 1)).contains {
      $0.state == .ready && $0.end > time
    }
    guard isRunnable, record?.policyReport?.preempts == false,
      let other = firstRunning(besides: thread, at: time)
    else { return nil }
    return ("policy \(policyName) does not preempt \(who(other, at: time))", name(of: other))
  }

  /// Why a runnable thread had no core for a time, as a clause: how it lost the one that it had, who ran meanwhile,
  /// and by what the policy preferred that.
  func withoutCore(_ slice: ThreadSlice, from: Instant, to: Instant) -> String {
    let others = competitors(of: slice.thread, from: from, to: to)
    let lost = lostCore(slice)
    return (lost.map { ", \($0)" } ?? "")
      + (others.isEmpty ? "" : ", while \(TimelineStore.list(others)) ran")
      + policyClause(
        against: slice.thread, from: from, to: to, besides: lost == nil ? .none : slice.agent)
  }

  /// By what a thread was preferred that took a core from another one, as words behind that; empty where that is not
  /// known, or goes by the order alone.
  func policyMeasure(_ preferred: ThreadIndex, over thread: ThreadIndex, at time: Instant) -> String
  {
    let choice = choices[thread]?.first { $0.time == time && $0.preferred == preferred }
    guard let comparison = choice?.comparison, comparison.isBefore else { return "" }
    return " by \(words(comparison))"
  }

  /// What the policy decided, behind its name.
  private func words(_ choice: ThreadChoice, from: Instant) -> String {
    let other = who(choice.preferred, at: max(choice.time, from))
    guard let comparison = choice.comparison else { return inOrder(choice, other) }
    if comparison.measure == .tickets && !choice.isKept {
      return "drew \(other), which has \(words(comparison))"
    }
    if comparison.isBefore && (!choice.isKept || comparison.takesCores) {
      return "prefers \(other) by \(words(comparison))"
    }
    if comparison.isTie {
      let equal = comparison.measure.text(comparison.preferred).map { " \($0)" } ?? ""
      return inOrder(choice, other) + ", of equal \(comparison.measure.noun)\(equal)"
    }
    if choice.isKept { return inOrder(choice, other) }
    // A class of XNU that is lower, and whose deadline is earlier.
    return "serves \(other), which was due, in spite of its \(words(comparison))"
  }

  private func inOrder(_ choice: ThreadChoice, _ other: String) -> String {
    choice.isKept ? "lets \(other) finish its turn" : "has \(other) before it in line"
  }

  private func words(_ comparison: PolicyChoice.Standings) -> String {
    let measure = comparison.measure
    guard let one = measure.text(comparison.preferred), let other = measure.text(comparison.waiting)
    else { return measure.noun }
    if measure == .tickets { return "\(one) tickets against \(other)" }
    return "\(measure.noun), \(one) against \(other)"
  }

  /// A thread with the item that it runs at a moment.
  private func who(_ thread: ThreadIndex, at time: Instant) -> String {
    let unit = units(of: thread, from: time, to: Instant(time.nanoseconds + 1)).first
    guard let unit, unit.kind == .item, let item = name(of: unit.item) else {
      return "'\(name(of: thread))'"
    }
    return "'\(item)'"
  }

  private func runTime(of thread: ThreadIndex, from: Instant, to: Instant) -> Int64 {
    states(of: thread, from: from, to: to).reduce(0) { sum, slice in
      guard slice.state == .running else { return sum }
      return sum + min(slice.end, to).nanoseconds - max(slice.start, from).nanoseconds
    }
  }

  /// The first thread that has a core at a moment, and had it before.
  private func firstRunning(besides thread: ThreadIndex, at time: Instant) -> ThreadIndex? {
    let end = Instant(time.nanoseconds + 1)
    return threads.map(\.thread).first { other in
      other != thread
        && states(of: other, from: time, to: end).contains {
          $0.state == .running && $0.start <= time
        }
    }
  }
}

extension PolicyStanding.Measure {
  /// What it is called.
  var noun: String {
    switch self {
    case .realtime: "being real-time"
    case .budget: "what is left of its budget"
    case .priority: "priority"
    case .level: "level"
    case .queue: "queue"
    case .threadClass: "class"
    case .virtualRuntime: "virtual runtime"
    case .virtualDeadline: "virtual deadline"
    case .lag: "lag"
    case .deadline: "deadline"
    case .latestStart: "latest start"
    case .period: "period"
    case .constraint: "constraint"
    case .burst: "burst"
    case .responseRatio: "response ratio"
    case .pass: "pass"
    case .tickets: "tickets"
    }
  }

  /// A value in words; nil where the noun says it all.
  func text(_ value: Int64) -> String? {
    switch self {
    case .realtime, .budget: nil
    case .priority, .level, .queue, .tickets: "\(value)"
    case .pass: value.grouped
    case .threadClass:
      Self.classes.indices.contains(Int(value)) ? ".\(Self.classes[Int(value)])" : nil
    case .virtualRuntime, .virtualDeadline, .lag, .period, .constraint, .burst:
      Nanoseconds(value).approximate
    case .deadline, .latestStart: value == Int64.max ? "none" : "\(Instant(value))"
    case .responseRatio:
      "\(FixedDecimal(billionths: (value + 5_000_000) / 10_000_000 * 10_000_000))"
    }
  }

  /// The classes of XNU's scheduler, by the quality of service that has the priorities of each.
  private static let classes = [
    "userInteractive", "userInitiated", "default", "utility", "background",
  ]
}
