/// What the policies look at, each as its page says it.
extension ReferenceSimulator {
  // MARK: Who goes first

  /// Whether a policy takes cores away for who is more urgent.
  var isPreempting: Bool {
    switch machine.policy {
    case .fixedPriority, .multilevelQueue, .multilevelFeedback, .priorityAging,
      .shortestRemainingTime:
      true
    case .fifo, .roundRobin, .fixedPriorityCooperative, .priorityAgingCooperative,
      .shortestJobFirst, .highestResponseRatioNext:
      false
    }
  }

  /// Whether one thread goes before another, whenever they came.
  func goesBefore(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (threads[a], threads[b])
    if machine.policy.isOracle && (first.hasYielded || second.hasYielded) {
      // After all that are ready, those too that yielded before.
      return !first.hasYielded && second.hasYielded
    }
    switch machine.policy {
    case .fifo, .roundRobin: return false
    case .fixedPriority, .fixedPriorityCooperative: return priority(a) > priority(b)
    case .multilevelQueue: return queueLevel(a) > queueLevel(b)
    case .multilevelFeedback: return first.level < second.level
    case .priorityAging, .priorityAgingCooperative: return grownPriority(a) > grownPriority(b)
    case .shortestJobFirst: return first.burst < second.burst
    case .shortestRemainingTime: return workAhead(a) < workAhead(b)
    case .highestResponseRatioNext:
      // wait / burst, where who has no work has no bound.
      if first.burst == 0 || second.burst == 0 { return first.burst == 0 && second.burst > 0 }
      return (now - first.readySince) * second.burst > (now - second.readySince) * first.burst
    }
  }

  /// What a ready thread asks for: when it changes the thread goes behind its new equals.
  func claim(_ thread: Int) -> Int {
    switch machine.policy {
    case .fixedPriority, .fixedPriorityCooperative, .priorityAging, .priorityAgingCooperative:
      priority(thread)
    case .multilevelQueue: queueLevel(thread)
    case .fifo, .roundRobin, .multilevelFeedback, .shortestJobFirst, .shortestRemainingTime,
      .highestResponseRatioNext:
      0
    }
  }

  /// Whether a ready thread that is given a priority goes behind, though it be the one that it had.
  var beginsAnew: Bool {
    machine.policy == .fixedPriority || machine.policy == .fixedPriorityCooperative
  }

  // MARK: Turns

  /// How long a turn of a thread is; nil for none.
  func quantum(_ thread: Int) -> Int? {
    switch machine.policy {
    case .fifo, .shortestJobFirst, .shortestRemainingTime, .highestResponseRatioNext,
      .fixedPriorityCooperative, .priorityAgingCooperative:
      nil
    case .roundRobin, .fixedPriority, .priorityAging: machine.quantum
    case .multilevelQueue: queueLevel(thread) >= 2 ? machine.quantum : nil
    case .multilevelFeedback:
      // Nobody sinks from the lowest level.
      threads[thread].level == machine.levels - 1
        ? levelQuantum(thread) : min(levelQuantum(thread), allotmentLeft(thread))
    }
  }

  /// When ready threads grow next, and may take a core with that; nil where that can't be.
  var nextPoint: Int? {
    guard machine.policy == .priorityAging && !line.isEmpty else { return nil }
    return (now / machine.interval + 1) * machine.interval
  }

  /// A thread is given a core.
  func noteChosen(_ thread: Int) {
    if machine.policy == .priorityAging || machine.policy == .priorityAgingCooperative {
      threads[thread].turnPoints = points(thread)
    }
    threads[thread].hasYielded = false
  }

  /// A thread has had a core since its turn began.
  func countUse(_ thread: Int) {
    guard machine.policy == .multilevelFeedback else { return }
    threads[thread].used += now - threads[thread].turnBegan
    guard allotmentLeft(thread) <= 0 else { return }
    threads[thread].used = 0
    threads[thread].level = min(threads[thread].level + 1, machine.levels - 1)
  }

  /// A turn is over.
  func forget(_ thread: Int) {
    threads[thread].turn = nil
    threads[thread].turnPoints = nil
    threads[thread].readySince = now
  }

  /// A thread has become ready, after a wait or since it must give way.
  func noteReady(_ thread: Int) {
    threads[thread].readySince = now
    threads[thread].burst = workAhead(thread)
    // What it had come to is for its turn, which a wait ends.
    if threads[thread].turn == nil { threads[thread].turnPoints = nil }
  }

  // MARK: What each policy keeps

  /// The queue of a multilevel queue; 4 is the highest.
  private func queueLevel(_ thread: Int) -> Int {
    let priority = priority(thread)
    return [5, 21, 37, 46].count { priority >= $0 }
  }

  /// A turn is as many times longer at each lower level.
  private func levelQuantum(_ thread: Int) -> Int {
    (0..<threads[thread].level).reduce(machine.quantum) { turn, _ in turn * machine.growth }
  }

  private func allotmentLeft(_ thread: Int) -> Int {
    levelQuantum(thread) * machine.allotment - threads[thread].used
  }

  /// One point more at each whole multiple of the interval that a thread is ready at.
  private func grownPriority(_ thread: Int) -> Int {
    min(priority(thread) + points(thread), 96)
  }

  private func points(_ thread: Int) -> Int {
    let points = threads[thread].turnPoints ?? 0
    guard threads[thread].state == .ready else { return points }
    return points + now / machine.interval - threads[thread].readySince / machine.interval
  }

  /// What a thread computes until it next may wait.
  private func workAhead(_ thread: Int) -> Int {
    guard machine.policy.isOracle, let frame = threads[thread].frames.last else { return 0 }
    var work = threads[thread].work ?? 0
    if threads[thread].state == .running && threads[thread].work != nil {
      work -= now - threads[thread].reckoned
    }
    let body = code.bodies[frame.code]
    var next = max(frame.next, 0)
    // The lock that a condition's wait takes again is part of the wait.
    if next > 0, case .conditionWait = body[next - 1] { next += 1 }
    for step in body.dropFirst(next) {
      switch step {
      case .work(let more): work += more
      case .mark, .unlock, .signal, .enter, .leave, .conditionSignal, .detach, .start, .setPriority:
        break
      case .io, .sleep, .yield, .lock, .lockBefore, .wait, .groupWait, .notify, .conditionWait,
        .submit, .sync, .join:
        return work
      }
    }
    return work
  }
}
