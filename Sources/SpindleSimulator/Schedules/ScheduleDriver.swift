package import SpindleModel

/// Holds threads in front of their visible steps as a schedule or a strategy wants it, and records the steps.
///
/// It knows who does a step by the log, which it reads like any other consumer, so that a schedule says what the log
/// says. A class, since whoever starts a run hands it in and reads it out again; it can be used for one run after another.
package final class ScheduleDriver {
  /// Whether steps are recorded, and which of them could have come in another order.
  package var recordsSteps = true
  /// Who chooses which thread goes on; nil where only the lines of the schedule hold anybody.
  package var chooser: (any StepChooser)?
  /// How many steps of the interpreter a run may take before nobody is held any more.
  package var patience = Int64.max

  /// The steps of the run, and the pairs of them whose order could be reversed.
  package private(set) var steps: [RecordedStep] = []
  package private(set) var pairs: [StepPair] = []
  /// What the order of dependent steps comes to: equal for runs in which it is the same.
  package private(set) var signature: UInt64 = 0
  /// The cycles of locks that were predicted.
  package internal(set) var cycles: [[PredictedStep]] = []
  /// Whether the run went on without holds after its patience had ended.
  package private(set) var isTired = false
  /// How long threads were held together, and the longest time of one.
  package private(set) var heldTotal: Int64 = 0
  package private(set) var heldLongest: Int64 = 0
  package var names = StepNames()

  private var lines: [DrivenLine] = []
  private var holds: [(held: HeldStep, since: Int64)] = []
  /// The thread that may take the step before which it was held; -1 for none.
  private var allowed: Int32 = -1
  private var actors = StepActors()
  /// What was known when each operation was submitted that has not begun; only looked up, never walked.
  private var submissions: [Int32: (clock: VectorClock, must: VectorClock)] = [:]
  /// The steps that threads have begun, by thread.
  private var begun: [Attempt?] = []
  private var counts: [StepKey: Int32] = [:]
  /// What comes before what, the order of dependent steps included.
  var order = HappensBefore(isOn: false, sharesNumbers: true)
  /// The last uses of each object, by its number.
  private var uses: [[Use]] = []
  /// The first uses of each, as far as they are kept.
  private var firstUses: [[FirstUse]] = []
  private var used: [Int32] = []
  /// What must come before what, whatever the order of dependent steps.
  var must = HappensBefore(isOn: false, sharesNumbers: true)
  private var hashes: [(ordered: UInt64, unordered: UInt64)] = []

  package init() {}

  /// A step that a thread has begun.
  private struct Attempt {
    let key: StepKey
    let shape: StepShape
    let place: Int32
    let clock: VectorClock?
    let must: VectorClock?

    /// The place of its uses: a condition has some for its lock, and some for its waiters.
    var channel: Int { 2 * Int(key.object) + (shape.isOfCondition ? 1 : 0) }
  }

  /// A use of an object that may be turned round with one that comes much later.
  private struct FirstUse {
    let step: Int32
    let actor: Int32
    let mode: StepMode
    let moment: Moment
  }

  /// A use of an object.
  private struct Use {
    let step: Int32
    let mode: StepMode
    let moment: Moment
    let clock: VectorClock
  }

  // MARK: Before and behind a run

  /// Prepares a run under a schedule.
  package func prepare(_ schedule: Schedule) {
    lines = schedule.lines.map { DrivenLine($0, &names) }
    holds.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    for channel in used {
      uses[Int(channel)].removeAll(keepingCapacity: true)
      firstUses[Int(channel)].removeAll(keepingCapacity: true)
      hashes[Int(channel)] = (0, 0)
    }
    used.removeAll(keepingCapacity: true)
    cycles.removeAll()
    begun.removeAll(keepingCapacity: true)
    submissions.removeAll()
    actors.forget()
    allowed = -1
    (isTired, heldTotal, heldLongest, signature) = (false, 0, 0, 0)
    if order.isOn == recordsSteps {
      order.reset()
      must.reset()
    } else {
      order = HappensBefore(isOn: recordsSteps, sharesNumbers: true)
      must = HappensBefore(isOn: recordsSteps, sharesNumbers: true)
      must.ignoresLocks = true
    }
  }

  /// The run of a program begins.
  func begin(_ program: Program, _ names: NameTable) { actors.begin(program, names) }

  /// The run has ended.
  func end() {
    var sum: UInt64 = 0
    for channel in used {
      let hash = hashes[Int(channel)]
      sum &+= RandomStreams.mix(
        RandomStreams.mix(hash.ordered &+ hash.unordered) ^ names.hash(channel / 2)
          &+ UInt64(channel % 2))
    }
    signature = RandomStreams.mix(sum)
  }

  /// Why the schedule of the run was not kept, line by line; nil for the lines that were.
  package func faults() -> [LineFault?] { lines.map(\.fault) }

  // MARK: What happens in a run

  /// Reads on in the log.
  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      // Entry by entry: an item that begins is a step among what the log tells before and behind it.
      if recordsSteps {
        noteSubmission(entry)
        order.receive(entry)
        must.receive(entry)
      }
      guard let item = actors.receive(entry, &names), let object = actors.operation(ofItem: item)
      else { continue }
      // No thread can be held before that, but others can wait for it.
      let known = submissions.removeValue(forKey: item)
      note(
        Attempt(
          key: StepKey(actor: actors.actor(ofItem: item), verb: .begins, object: object),
          shape: StepShape(verb: .begins, mode: .reads), place: entry.place, clock: known?.clock,
          must: known?.must), entry.thread, entry.time)
    }
  }

  /// An operation may begin as soon as it is submitted: what it waits for from then on is the order of steps that could be
  /// another one.
  private func noteSubmission(_ entry: LogEntry) {
    guard entry.event == .itemSubmitted,
      Submission.Flags(rawValue: entry.detail).contains(.isOperation)
    else { return }
    submissions[Submission(entry.value).item] = (
      order.clock(of: entry.thread) ?? VectorClock(), must.clock(of: entry.thread) ?? VectorClock()
    )
  }

  /// The number of an object that the log has named.
  func object(_ family: StepFamily, _ number: Int32) -> Int32? { actors.object(family, number) }

  /// The number of an object of which the log says nothing more than its name.
  func object(_ family: StepFamily, _ number: Int32, called name: String) -> Int32 {
    actors.object(family, number, called: name, &names)
  }

  /// Who does what a thread does.
  func actor(of thread: Int32, called name: @autoclosure () -> String) -> Int32 {
    actors.actor(of: thread, called: name(), &names)
  }

  /// What is to be done with a thread that comes to a step.
  enum Decision {
    case goesOn
    /// It is held, until a time if there is one.
    case isHeld(until: Int64?)
  }

  /// A thread comes to a step.
  func decide(
    _ shape: StepShape, _ key: StepKey, thread: Int32, place: Int32, at now: Int64
  ) -> Decision {
    // The write of a variable whose array was changed in place is one with that change.
    if shape.verb == .writes, Int(thread) < begun.count, begun[Int(thread)]?.key == key {
      return .goesOn
    }
    if allowed == thread {
      allowed = -1
    } else if !isTired {
      let time = counts[key, default: 0] + 1
      if chooser != nil {
        hold(
          HeldStep(
            thread: thread, key: key, time: time, mode: shape.mode, place: place, line: -1), now)
        return .isHeld(until: nil)
      }
      for index in lines.indices {
        let delay = lines[index].holds(key, time, shape, mayPass: isAwaited(key.actor))
        guard let delay else { continue }
        hold(
          HeldStep(
            thread: thread, key: key, time: time, mode: shape.mode, place: place,
            line: Int32(index)), now)
        return .isHeld(until: delay < 0 ? nil : now &+ delay)
      }
    }
    while begun.count <= Int(thread) { begun.append(nil) }
    begun[Int(thread)] = Attempt(
      key: key, shape: shape, place: place, clock: recordsSteps ? order.clock(of: thread) : nil,
      must: recordsSteps ? must.clock(of: thread) : nil)
    return .goesOn
  }

  /// Whether a line waits for something that somebody still has to do.
  private func isAwaited(_ actor: Int32) -> Bool { lines.contains { $0.awaits(actor) } }

  private func hold(_ held: HeldStep, _ now: Int64) { holds.append((held, now)) }

  /// Whether a thread has begun a step that is not done, and that its call has come far enough to do.
  func isDue(_ thread: Int32, isOver: Bool) -> Bool {
    guard Int(thread) < begun.count, let attempt = begun[Int(thread)] else { return false }
    return isOver || attempt.shape.isDoneAtOnce
  }

  /// A thread comes to a step, so that the one which it has begun before is done, unless it is a part of this one.
  func finishEarlier(than key: StepKey, _ thread: Int32, at now: Int64) -> [Int32] {
    guard Int(thread) < begun.count, let attempt = begun[Int(thread)] else { return [] }
    return attempt.key == key && key.verb == .writes ? [] : finish(thread, at: now)
  }

  /// The step that a thread has begun is done; gives the threads that need not be held any more.
  func finish(_ thread: Int32, at now: Int64) -> [Int32] {
    guard let attempt = begun[Int(thread)] else { return [] }
    begun[Int(thread)] = nil
    return note(attempt, thread, now)
  }

  @discardableResult
  private func note(_ attempt: Attempt, _ thread: Int32, _ now: Int64) -> [Int32] {
    let time = counts[attempt.key, default: 0] + 1
    counts[attempt.key] = time
    if recordsSteps { record(attempt, time, thread, now) }
    var released: [Int32] = []
    for index in lines.indices where lines[index].isMet(by: attempt.key, time) {
      released += release(line: Int32(index), now)
    }
    return released
  }

  private func release(line: Int32, _ now: Int64) -> [Int32] {
    var released: [Int32] = []
    for hold in holds where hold.held.line == line {
      released.append(hold.held.thread)
      count(now - hold.since)
    }
    holds.removeAll { $0.held.line == line }
    return released
  }

  private func count(_ length: Int64) {
    heldTotal += length
    heldLongest = max(heldLongest, length)
  }

  /// A thread that was held for a while goes on.
  func delayIsOver(_ thread: Int32, at now: Int64) {
    guard let index = holds.firstIndex(where: { $0.held.thread == thread }) else { return }
    count(now - holds[index].since)
    holds.remove(at: index)
  }

  /// Whether anybody is held.
  var hasHolds: Bool { !holds.isEmpty }

  /// Releases the longest-held threads when nothing else can happen, and returns them.
  ///
  /// The line that held them can't be kept.
  func giveUp(at now: Int64) -> [Int32] {
    if chooser != nil { return choose(at: now) }
    guard let oldest = holds.first else { return [] }
    let line = Int(oldest.held.line)
    // A thread that reached the step and waits for a held one still counts as first.
    let isBegun = begun.contains { attempt in
      attempt.map { lines[line].isMet(by: $0.key, counts[$0.key, default: 0] + 1) } ?? false
    }
    if !isBegun { lines[line].fault = .neverDone }
    return release(line: oldest.held.line, now)
  }

  private func choose(at now: Int64) -> [Int32] {
    if holds.isEmpty { return [] }
    let index = chooser?.choose(among: holds.map(\.held)) ?? 0
    let hold = holds.remove(at: index)
    count(now - hold.since)
    allowed = hold.held.thread
    return [allowed]
  }

  /// Releases all held threads, since the run has taken too many steps, and returns them.
  func tire(at now: Int64) -> [Int32] {
    isTired = true
    let released = holds.map(\.held.thread)
    for hold in holds { count(now - hold.since) }
    holds.removeAll()
    return released
  }

  /// The run comes to its horizon: the lines by which threads are still held were not kept.
  func reachHorizon() {
    for hold in holds where hold.held.line >= 0 {
      lines[Int(hold.held.line)].fault = .neverDone
    }
    if chooser != nil && !holds.isEmpty { isTired = true }
  }

  /// What a thread is held before, as the log says it.
  func heldText(_ thread: Int32) -> String {
    guard let hold = holds.last(where: { $0.held.thread == thread }) else { return "" }
    return "\(hold.held.key.verb.rawValue) \(names.subject(hold.held.key.object).name)"
  }

  // MARK: Steps and their order

  private func record(_ attempt: Attempt, _ time: Int32, _ thread: Int32, _ now: Int64) {
    let (channel, number) = (attempt.channel, Int32(steps.count))
    let mode = attempt.shape.mode
    steps.append(
      RecordedStep(
        key: attempt.key, time: time, mode: mode, place: attempt.place, thread: thread,
        instant: now))
    while uses.count <= channel {
      uses.append([])
      firstUses.append([])
      hashes.append((0, 0))
    }
    if uses[channel].isEmpty && hashes[channel] == (0, 0) { used.append(Int32(channel)) }
    hash(attempt, time, channel)
    guard var clock = attempt.clock else { return }
    let before = pairs.count
    for use in uses[channel].reversed() where use.mode.conflicts(with: mode) {
      if !clock.knows(use.moment) { pairs.append(StepPair(first: use.step, second: number)) }
      clock.join(use.clock)
    }
    order.learn(clock, on: thread)
    addFarPair(attempt, number, since: before)
    guard let (moment, after) = order.stamp(thread) else { return }
    uses[channel].removeAll { mode.covers($0.mode) }
    if uses[channel].count >= Self.keptUses { uses[channel].removeFirst() }
    uses[channel].append(Use(step: number, mode: mode, moment: moment, clock: after))
    if firstUses[channel].count < Self.keptFirst, let (early, _) = must.stamp(thread) {
      firstUses[channel].append(
        FirstUse(step: number, actor: attempt.key.actor, mode: mode, moment: early))
    }
  }

  /// Adds the pair with the first use that need not come before, where there are others between the two.
  private func addFarPair(_ attempt: Attempt, _ number: Int32, since before: Int) {
    guard let clock = attempt.must else { return }
    let first = firstUses[attempt.channel].first {
      $0.actor != attempt.key.actor && $0.mode.conflicts(with: attempt.shape.mode)
        && !clock.knows($0.moment)
    }
    guard let first, !pairs[before...].contains(where: { $0.first == first.step }) else { return }
    pairs.append(StepPair(first: first.step, second: number))
  }

  /// How many of the first uses of an object are kept.
  private static let keptFirst = 64

  /// How many uses of an object are kept that no later one stands for.
  private static let keptUses = 128

  private func hash(_ attempt: Attempt, _ time: Int32, _ channel: Int) {
    let own = names.hash(attempt.key, time)
    if attempt.shape.mode == .reads || attempt.shape.mode == .releases {
      hashes[channel].unordered &+= own
    } else {
      hashes[channel].ordered = RandomStreams.mix(
        RandomStreams.mix(hashes[channel].ordered &+ hashes[channel].unordered) ^ own)
      hashes[channel].unordered = 0
    }
  }
}

extension ScheduleDriver {
  /// Locks are taken in orders in which threads may wait for each other for ever.
  func predict(_ cycle: [LockOrder.Step]) {
    cycles.append(
      cycle.map {
        PredictedStep(
          thread: $0.moment.thread, hasPlace: $0.from.place, takesPlace: $0.taken.place)
      })
  }
}
