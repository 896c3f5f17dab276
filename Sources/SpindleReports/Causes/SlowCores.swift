import SpindleModel

/// Cores that are slower than others as a cause: work takes longer there.
extension TimelineStore {
  /// The slow core on which a thread ran for a good part of the time between two moments, as a clause.
  ///
  /// It follows what the thread worked, and states how many faster cores were idle all that time, and the class
  /// for which the policy left them idle. Empty where the thread ran on fast ones.
  func slowCore(of thread: ThreadIndex, from: Instant, to: Instant) -> String {
    guard let cores = run?.machine.cores, let fastest = cores.map(\.speed).max(by: isSlower),
      cores.contains(where: { isSlower($0.speed, fastest) })
    else { return "" }
    var times = [Int64](repeating: 0, count: cores.count)
    var qualities = [NameID](repeating: .none, count: cores.count)
    for slice in states(of: thread, from: from, to: to)
    where slice.state == .running && cores.indices.contains(Int(slice.core.index)) {
      times[Int(slice.core.index)] +=
        min(slice.end, to).nanoseconds - max(slice.start, from).nanoseconds
      qualities[Int(slice.core.index)] = slice.quality
    }
    let slow = cores.indices.filter { times[$0] > 0 && isSlower(cores[$0].speed, fastest) }
    let most = slow.map { times[$0] }.max() ?? 0
    guard let core = slow.first(where: { times[$0] == most }),
      slow.reduce(0, { $0 + times[$1] }) * 4 >= times.reduce(0, +)
    else { return "" }
    let speed = cores[core].speed
    let decimal = FixedDecimal(billionths: speed.numerator * 1_000_000_000 / speed.denominator)
    let others = slow.count == 1 ? "" : " and \(slow.count - 1) more"
    let idle = idleCores(from: from, to: to).filter { isSlower(speed, cores[$0].speed) }.count
    let beside =
      idle == 0
      ? "" : ", while \(Int64(idle).counted("faster core")) \(idle == 1 ? "was" : "were") idle"
    let because = idle == 0 ? "" : leavesIdle(qualities[core])
    return " on core \(core)\(others) at speed \(decimal)\(because)\(beside)"
  }

  /// The class of a thread for which its policy leaves fast cores idle, as a clause; empty for other classes and
  /// policies.
  ///
  /// Under edge, background work waits for efficiency cores, and utility work unless the policy says otherwise.
  private func leavesIdle(_ quality: NameID) -> String {
    let name = text(quality) ?? ""
    guard let policy = run?.machine.policy, policy.prefix(while: { $0 != "(" }) == "edge",
      name == "background" || name == "utility" && !policy.contains("utilityOnPerformance: true")
    else { return "" }
    return " because its class is .\(name)"
  }

  /// The class of a runnable thread that waited while only cores of the other kind were idle; nil where that was
  /// not so.
  func classOfOtherCores(_ thread: ThreadIndex, from: Instant, to: Instant) -> String? {
    guard let cores = run?.machine.cores, to > from,
      idleCores(from: from, to: to).contains(where: { cores[$0].cluster == .performance }),
      let slice = states(of: thread, from: to, to: Instant(to.nanoseconds + 1)).first
        ?? states(of: thread, from: .start, to: from).last(where: { $0.state == .running }),
      slice.state == .running, !leavesIdle(slice.quality).isEmpty
    else { return nil }
    return text(slice.quality)
  }

  /// The cores on which no thread ran between two moments.
  private func idleCores(from: Instant, to: Instant) -> [Int] {
    var isIdle = [Bool](repeating: true, count: run?.machine.cores.count ?? 0)
    for other in threads {
      for slice in states(of: other.thread, from: from, to: to)
      where slice.state == .running && isIdle.indices.contains(Int(slice.core.index)) {
        isIdle[Int(slice.core.index)] = false
      }
    }
    return isIdle.indices.filter { isIdle[$0] }
  }

  private func isSlower(_ left: Speed, _ right: Speed) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }
}
