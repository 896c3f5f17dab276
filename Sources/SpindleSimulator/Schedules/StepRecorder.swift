import SpindleModel

/// Records the visible steps of a run, and which of them could have come in the other order.
package struct StepRecorder {
  /// The steps of the run, and the pairs of them whose order could be reversed.
  package private(set) var steps: [RecordedStep] = []
  package private(set) var pairs: [StepPair] = []
  /// The steps that were begun and not done when the run ended.
  ///
  /// In pairs they are numbered behind those that were done.
  package private(set) var pending: [RecordedStep] = []
  /// What steps use besides their objects, in the order of the steps.
  package private(set) var otherUses: [StepUse] = []
  /// What the order of dependent steps comes to: equal for runs in which it is the same.
  package private(set) var signature: UInt64 = 0
  /// Whether there were more uses of one object than are kept, so that pairs may be missing.
  package private(set) var hasForgotten = false

  /// What comes before what, the order of dependent steps included.
  var order = HappensBefore(isOn: false, sharesNumbers: true)
  /// What must come before what, whatever the order of dependent steps.
  var must = HappensBefore(isOn: false, sharesNumbers: true)
  /// What was known when each operation was submitted that has not begun; only looked up, never walked.
  private var submissions: [Int32: Past] = [:]
  /// What the last arrival and the last timer left behind: the next one comes after it.
  private var lastArrival: Past?
  private var lastTimer: Past?
  /// What the last event left behind: what it does to other objects comes after it.
  private var lastEvent: Past?
  /// The last uses of each object, by its channel.
  private var uses: [[Use]] = []
  /// The last times that each was given back, which none but tries conflict with.
  private var returns: [[Use]] = []
  /// The first uses of each, as far as they are kept.
  private var firstUses: [[FirstUse]] = []
  private var hashes: [ChannelHash] = []
  /// By channel: whether a waiter or another observer may notice which item of a group enters or leaves it first.
  private var observed: [Bool] = []
  /// By strand: when it did its last step.
  private var lastSteps: [Int32] = []
  /// The channels that the run has used.
  private var used: [Int32] = []

  /// What is known where a step begins.
  struct Past {
    var clock: VectorClock
    let must: VectorClock
    /// Whether the next timer comes after it.
    var isTimer = false
  }

  /// A use of an object that may be turned round with one that comes much later.
  private struct FirstUse {
    let step: Int32
    let actor: Int32
    let mode: StepMode
    let moment: Moment
    let isObserved: Bool
  }

  /// A use of an object.
  private struct Use {
    let step: Int32
    let mode: StepMode
    let moment: Moment
    let clock: VectorClock
    /// Whether somebody waited for the group then, or had looked at it.
    let isObserved: Bool
  }

  /// Nothing is recorded any more, and the tables are kept for another run.
  mutating func reset(isOn: Bool) {
    steps.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    otherUses.removeAll(keepingCapacity: true)
    lastSteps.removeAll(keepingCapacity: true)
    signature = 0
    for channel in used {
      uses[Int(channel)].removeAll(keepingCapacity: true)
      if !returns[Int(channel)].isEmpty {
        returns[Int(channel)].removeAll(keepingCapacity: true)
      }
      firstUses[Int(channel)].removeAll(keepingCapacity: true)
      hashes[Int(channel)] = ChannelHash()
      observed[Int(channel)] = false
    }
    used.removeAll(keepingCapacity: true)
    if !submissions.isEmpty { submissions.removeAll(keepingCapacity: true) }
    (lastArrival, lastTimer, lastEvent, hasForgotten) = (nil, nil, nil, false)
    if order.isOn == isOn {
      order.reset()
      must.reset()
    } else {
      order = HappensBefore(isOn: isOn, sharesNumbers: true)
      must = HappensBefore(isOn: isOn, sharesNumbers: true)
      must.ignoresLocks = true
    }
  }

  /// The run has ended.
  mutating func end(_ names: StepNames) {
    var sum: UInt64 = 0
    for channel in used {
      let hash = hashes[Int(channel)]
      sum &+= RandomStreams.mix(
        RandomStreams.mix(hash.sum) ^ names.hash(channel / 2) &+ UInt64(channel % 2))
    }
    signature = RandomStreams.mix(sum)
  }

  /// Reads an entry of the log.
  mutating func receive(_ entry: LogEntry) {
    // An operation may begin as soon as it is submitted: what it waits for from then on is the order of steps that could
    // be another one.
    if entry.event == .itemSubmitted,
      Submission.Flags(rawValue: entry.detail).contains(.isOperation)
    {
      submissions[Submission(entry.value).item] = Past(
        clock: order.keptClock(of: entry.threadID) ?? VectorClock(),
        must: must.keptClock(of: entry.threadID) ?? VectorClock())
    }
    order.receive(entry)
    must.receive(entry)
  }

  /// What a thread knows; nil for the world outside.
  mutating func past(of thread: ThreadID) -> Past? {
    guard let clock = order.keptClock(of: thread), let must = must.keptClock(of: thread) else {
      return nil
    }
    return Past(clock: clock, must: must)
  }

  /// What was known when an operation was submitted, which begins now.
  mutating func takePast(ofItem item: Int32) -> Past? { submissions.removeValue(forKey: item) }

  /// What is known where the moment of a planned item has come: what was when it was planned, and by a timer what the
  /// last timer knew.
  func past(ofPlanned item: Int32, isTimer: Bool) -> Past {
    let object = SyncObject(kind: .dispatchItem, number: item)
    var clock = order.known(at: object) ?? VectorClock()
    var before = must.known(at: object) ?? VectorClock()
    if isTimer, let lastTimer {
      clock.join(lastTimer.clock)
      before.join(lastTimer.must)
    }
    return Past(clock: clock, must: before, isTimer: isTimer)
  }

  /// What is known where something arrives from outside.
  var pastOfArrival: Past { lastArrival ?? Past(clock: VectorClock(), must: VectorClock()) }

  /// An arrival is over: it enqueues nothing any more.
  mutating func endArrival() {
    order.lend(nil)
    must.lend(nil)
  }

  /// Records a step, with its number in signatures and what was known where it began.
  mutating func record(
    _ step: RecordedStep, hash own: UInt64, isOfCondition: Bool, _ past: Past?
  ) {
    let number = Int32(steps.count)
    steps.append(step)
    // A condition has uses for its lock, and others for its waiters.
    use(step, number, 2 * Int(step.key.object) + (isOfCondition ? 1 : 0), own, past)
  }

  /// Whether all steps so far come before what a thread does now.
  func isBehindAll(_ thread: ThreadID) -> Bool {
    guard let clock = order.clock(of: thread) else { return false }
    return lastSteps.indices.allSatisfy { clock[Int32($0)] >= lastSteps[$0] }
  }

  /// The number of the step that was recorded last.
  var last: Int32 { Int32(steps.count) - 1 }

  /// A step uses one more object.
  mutating func use(_ object: Int32, _ mode: StepMode, by number: Int32, hash own: UInt64) {
    let step = steps[Int(number)]
    if step.key.object == object { return }
    otherUses.append(StepUse(step: number, object: object, mode: mode))
    let past = step.isOfEvent ? lastEvent : past(of: step.thread)
    use(step.using(object, mode), number, 2 * Int(object), own, past)
  }

  private mutating func use(
    _ step: RecordedStep, _ number: Int32, _ channel: Int, _ own: UInt64, _ past: Past?
  ) {
    reach(channel)
    hash(step, own, channel)
    guard var past else { return }
    let before = pairs.count
    addPairs(step, number, channel, &past.clock)
    if !step.isOfEvent { order.learn(past.clock, on: step.thread) }
    addFarPair(step, number, channel, past.must, since: before)
    keep(step, number, channel, past)
  }

  /// Records a step that was begun and is not done: it could have come before those for which it waits.
  mutating func recordPending(_ step: RecordedStep, isOfCondition: Bool, _ past: VectorClock) {
    let number = Int32(steps.count + pending.count)
    pending.append(step)
    let channel = 2 * Int(step.key.object) + (isOfCondition ? 1 : 0)
    if channel >= uses.count { return }
    var clock = past
    addPairs(step, number, channel, &clock)
  }

  /// Adds the pairs with earlier uses that nothing orders, the latest first, and learns what they knew.
  private mutating func addPairs(
    _ step: RecordedStep, _ number: Int32, _ channel: Int, _ clock: inout VectorClock
  ) {
    var back = step.mode == .tries ? returns[channel].count : 0
    let oldest = max(0, back - Self.keptUses)
    for index in uses[channel].indices.reversed() {
      while back > oldest, returns[channel][back - 1].step > uses[channel][index].step {
        back -= 1
        addPair(returns[channel][back], number, &clock)
      }
      if conflict(
        uses[channel][index].mode, uses[channel][index].isObserved, with: step.mode)
      {
        addPair(uses[channel][index], number, &clock)
      }
    }
    while back > oldest {
      back -= 1
      addPair(returns[channel][back], number, &clock)
    }
  }

  private mutating func addPair(_ use: Use, _ number: Int32, _ clock: inout VectorClock) {
    if !clock.knows(use.moment) && !isPaired(use.step, number) {
      pairs.append(StepPair(first: use.step, second: number))
    }
    clock.join(use.clock)
  }

  /// Whether the last steps that were paired are these two, which use more than one object.
  private func isPaired(_ first: Int32, _ second: Int32) -> Bool {
    if otherUses.last?.step != second { return false }
    var index = pairs.count - 1
    while index >= 0 && pairs[index].second == second {
      if pairs[index].first == first { return true }
      index -= 1
    }
    return false
  }

  /// A thread was woken where another one could have been: the number of what each does next is asked for at the end.
  mutating func addChoice(of woken: StepOfThread, over other: StepOfThread, _ thread: ThreadID) {
    guard let first = number(of: woken) else { return }
    let second = number(of: other) ?? Int32(steps.count + pending.count)
    if second == steps.count + pending.count {
      pending.append(
        RecordedStep(
          key: other.key, time: other.time, mode: .writes, place: -1, thread: thread, instant: -1))
    }
    pairs.append(StepPair(first: first, second: second, isFar: second < first))
  }

  /// The number of a step that was done, or begun; nil where it was not.
  private func number(of step: StepOfThread) -> Int32? {
    if let done = steps.lastIndex(where: { $0.key == step.key && $0.time == step.time }) {
      return Int32(done)
    }
    return pending.lastIndex { $0.key == step.key && $0.time == step.time }
      .map { Int32(steps.count + $0) }
  }

  private mutating func reach(_ channel: Int) {
    while uses.count <= channel {
      uses.append([])
      returns.append([])
      firstUses.append([])
      hashes.append(ChannelHash())
      observed.append(false)
    }
    if uses[channel].isEmpty && hashes[channel] == ChannelHash() { used.append(Int32(channel)) }
  }

  /// Adds the pair with the first use that need not come before, where there are others between the two.
  private mutating func addFarPair(
    _ step: RecordedStep, _ number: Int32, _ channel: Int, _ must: VectorClock, since before: Int
  ) {
    let first = firstUses[channel].first {
      $0.actor != step.key.actor && conflict($0.mode, $0.isObserved, with: step.mode)
        && !must.knows($0.moment)
    }
    guard let first, !pairs[before...].contains(where: { $0.first == first.step }) else { return }
    pairs.append(StepPair(first: first.step, second: number, isFar: true))
  }

  /// Keeps the use that a step is, in place of those for which it stands.
  private mutating func keep(
    _ step: RecordedStep, _ number: Int32, _ channel: Int, _ past: Past
  ) {
    let early = step.isOfEvent ? must.occur(behind: past.must) : nil
    let stamp = early == nil ? order.stamp(step.thread) : order.occur(behind: past.clock)
    guard let (moment, after) = stamp else { return }
    if let early {
      // What it enqueues comes behind it.
      order.lend(after)
      must.lend(early.1)
      let left = Past(clock: after, must: early.1)
      lastEvent = left
      if step.key.verb != .fires {
        lastArrival = left
      } else if past.isTimer {
        lastTimer = left
      }
    }
    if otherUses.last?.step != number {
      while lastSteps.count <= Int(moment.strand) { lastSteps.append(0) }
      lastSteps[Int(moment.strand)] = moment.time
    }
    let use = Use(
      step: number, mode: step.mode, moment: moment, clock: after, isObserved: observed[channel])
    if step.mode == .releases {
      if returns[channel].count == 2 * Self.keptUses {
        returns[channel].removeFirst(Self.keptUses)
        hasForgotten = true
      }
      returns[channel].append(use)
    } else {
      replaceUses(by: use, channel, past.clock)
    }
    if firstUses[channel].count < Self.keptFirst,
      let (moment, _) = early ?? must.stamp(step.thread)
    {
      firstUses[channel].append(
        FirstUse(
          step: number, actor: step.key.actor, mode: step.mode, moment: moment,
          isObserved: observed[channel]))
    }
  }

  private mutating func replaceUses(by use: Use, _ channel: Int, _ clock: VectorClock) {
    // Whoever conflicts with one of those comes behind this step, and so behind them.
    var kept = 0
    for index in uses[channel].indices
    where
      !(use.mode.covers(uses[channel][index].mode)
      && clock.knows(uses[channel][index].moment))
    {
      if kept < index { uses[channel].swapAt(kept, index) }
      kept += 1
    }
    uses[channel].removeLast(uses[channel].count - kept)
    if uses[channel].count >= Self.keptUses {
      uses[channel].removeFirst()
      hasForgotten = true
    }
    uses[channel].append(use)
  }

  /// How many of the first uses of an object are kept.
  private static let keptFirst = 64

  /// How many uses of an object are kept that no later one stands for.
  private static let keptUses = 128

  private mutating func hash(_ step: RecordedStep, _ own: UInt64, _ channel: Int) {
    if !step.mode.isOfItem { observe(channel) }
    hashes[channel].add(own, step.mode, isObserved: observed[channel])
  }

  /// From now on somebody may notice which item of a group enters or leaves it first.
  mutating func observe(_ channel: Int) {
    reach(channel)
    observed[channel] = true
  }

  /// A group is empty: whoever waited for that goes on, and nobody notices what comes.
  mutating func unobserve(_ channel: Int) {
    if channel < observed.count { observed[channel] = false }
  }

  /// Whether the order of an earlier use and a later one matters.
  ///
  /// While a group has no waiter and no observer, only the number of items in it counts.
  private func conflict(_ earlier: StepMode, _ wasObserved: Bool, with mode: StepMode) -> Bool {
    earlier.conflicts(with: mode) && (wasObserved || !(earlier.isOfItem && mode.isOfItem))
  }
}
