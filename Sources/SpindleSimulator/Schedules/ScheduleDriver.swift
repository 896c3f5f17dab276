package import SpindleModel

/// Holds threads in front of their visible steps as a schedule or a strategy wants it, and records the steps.
///
/// It knows who does a step by the log, which it reads like any other consumer, so that a schedule says what the log
/// says. A class, since whoever starts a run hands it in and reads it out again. It serves one run of a program after
/// another.
package final class ScheduleDriver {
  /// Whether steps are recorded, and which of them could have come in another order.
  @exclusivity(unchecked) package var recordsSteps = true
  /// Who chooses which thread goes on; nil where only the lines of the schedule hold anybody.
  @exclusivity(unchecked) package var chooser: (any StepChooser)?
  /// How many steps of the interpreter a run may take before nobody is held any more.
  @exclusivity(unchecked) package var patience = Int64.max

  /// The steps of the run, where they are recorded.
  @exclusivity(unchecked) package var recorder = StepRecorder()
  /// The cycles of locks that were predicted.
  @exclusivity(unchecked) package internal(set) var cycles: [[PredictedStep]] = []
  /// Whether the run went on without holds after its patience had ended.
  @exclusivity(unchecked) package private(set) var isTired = false
  /// The longest time that a thread was held.
  @exclusivity(unchecked) package private(set) var heldLongest: Int64 = 0
  @exclusivity(unchecked) package var names = StepNames()

  @exclusivity(unchecked) var lines: [DrivenLine] = []
  /// Who is held, in the order of age, and since when.
  @exclusivity(unchecked) var holds: [HeldStep] = []
  @exclusivity(unchecked) private var heldSince: [Int64] = []
  /// The thread that may take the step before which it was held, or none.
  @exclusivity(unchecked) var allowed = ThreadID.none
  @exclusivity(unchecked) var actors = StepActors()
  /// The arrival that happens now; nil between two.
  @exclusivity(unchecked) var arrival: (actor: Int32, event: ThreadID)?
  @exclusivity(unchecked) var events = EventOrder()
  /// The steps that threads have begun, by thread, and what was known where they began.
  @exclusivity(unchecked) var begun: [Attempt?] = []
  @exclusivity(unchecked) private var pasts: [StepRecorder.Past?] = []
  /// What ends the program can notice.
  @exclusivity(unchecked) private(set) var asksForEnds: AskedEnds = []
  /// What the steps that threads have begun use besides their objects.
  @exclusivity(unchecked) var otherUses: [OtherUse] = []
  /// By thread: the step that is done and may still use something, -1 for none; the same for what happens outside.
  @exclusivity(unchecked) var ended: [Int32] = []
  @exclusivity(unchecked) var endedEvent: Int32 = -1
  /// The wakings for which another thread could have been chosen.
  @exclusivity(unchecked) var choices: [WakeChoice] = []
  /// The kinds of orders of this run that no schedule varies.
  @exclusivity(unchecked) package internal(set) var unvaried: Set<UnvariedOrder> = []
  /// How often each step was done, and the names of what threads were held before.
  @exclusivity(unchecked) var counts = StepTable()
  @exclusivity(unchecked) private var heldNames = StepTable()

  package init() {}

  /// A step that a thread has begun.
  struct Attempt: BitwiseCopyable {
    let key: StepKey
    let shape: StepShape
    let place: Int32
  }

  // MARK: Before and behind a run

  /// Prepares a run under a schedule.
  package func prepare(_ schedule: Schedule) {
    lines = schedule.lines.map { DrivenLine($0, &names) }
    holds.removeAll(keepingCapacity: true)
    heldSince.removeAll(keepingCapacity: true)
    counts.removeAll()
    heldNames.removeAll()
    cycles.removeAll()
    begun.removeAll(keepingCapacity: true)
    pasts.removeAll(keepingCapacity: true)
    forgetUses()
    actors.forget()
    (allowed, arrival) = (.none, nil)
    events.reset()
    (isTired, heldLongest) = (false, 0)
    recorder.reset(isOn: recordsSteps)
  }

  /// The run of a program begins.
  func begin(_ program: Program, _ names: NameTable) {
    if actors.begin(program, names, &self.names) { asksForEnds = AskedEnds(program) }
  }

  /// The run has ended.
  func end() {
    actors.settle(&names)
    if recordsSteps {
      recordPending()
      recordChoices()
    }
    recorder.end(names)
  }

  /// Records the steps that threads have begun and not done, as those that wait for a lock for ever.
  private func recordPending() {
    for (index, attempt) in begun.enumerated() {
      guard let attempt, let past = pasts[index] else { continue }
      recorder.recordPending(
        RecordedStep(
          key: attempt.key, time: counts[attempt.key] + 1, mode: attempt.shape.mode,
          place: attempt.place, thread: ThreadID(index), instant: -1),
        isOfCondition: attempt.shape.isOfCondition, past.clock)
    }
  }

  /// Why the schedule of the run was not kept, line by line; nil for the lines that were.
  package func faults() -> [LineFault?] { lines.map(\.fault) }

  // MARK: What happens in a run

  /// Reads on in the log.
  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      // Entry by entry: an item that begins is a step among what the log tells before and behind it.
      if recordsSteps {
        recorder.receive(entry)
        if entry.event == .itemStarted || entry.event == .taskResumed { beginAnew(entry.threadID) }
      }
      guard let item = actors.receive(entry, &names), let object = actors.operation(ofItem: item)
      else { continue }
      // No thread can be held before that, but others can wait for it.
      note(
        Attempt(
          key: StepKey(actor: actors.actor(ofItem: item), verb: .begins, object: object),
          shape: StepShape(verb: .begins, mode: .reads), place: entry.place),
        behind: recorder.takePast(ofItem: item), entry.threadID, entry.time)
    }
  }

  /// The number of an object that the log has named.
  func object(_ family: StepFamily, _ number: Int32) -> Int32? { actors.object(family, number) }

  /// The number of an object; one that has none yet is numbered by its name, which is all that the log says of it.
  func object(
    _ family: StepFamily, _ number: Int32, called name: @autoclosure () -> String
  ) -> Int32 {
    actors.object(family, number) ?? actors.object(family, number, called: name(), &names)
  }

  /// The number of a variable of an instance.
  func field(_ number: Int32, of instance: Int64, called name: () -> String) -> Int32 {
    actors.field(number, of: instance, called: name, &names)
  }

  /// Who does what a thread does.
  func actor(of thread: ThreadID, called name: @autoclosure () -> String) -> Int32 {
    actors.actor(of: thread, called: name(), &names)
  }

  /// What is to be done with a thread or an event that comes to a step.
  enum Decision {
    case goesOn
    /// It is held, until a time if there is one.
    case isHeld(until: Int64?)
  }

  /// A thread comes to a step.
  func decide(
    _ shape: StepShape, _ key: StepKey, thread: ThreadID, place: Int32, at now: Int64,
    mayHold: Bool = true
  ) -> Decision {
    // The write of a variable whose array was changed in place is one with that change.
    if shape.verb == .writes, Int(thread.index) < begun.count, begun[Int(thread.index)]?.key == key
    {
      return .goesOn
    }
    if !mayHold {
      refuse(key)
    } else if let decision = hold(shape, key, thread, place, now) {
      return decision
    }
    beginAnew(thread)
    // A wait with a limit is done when it is over, and looks from now on.
    if recordsSteps && shape.verb == .waits { recorder.observe(2 * Int(key.object)) }
    while begun.count <= Int(thread.index) {
      begun.append(nil)
      pasts.append(nil)
    }
    begun[Int(thread.index)] = Attempt(key: key, shape: shape, place: place)
    if recordsSteps { pasts[Int(thread.index)] = recorder.past(of: thread) }
    return .goesOn
  }

  /// Holds a thread or an event before a step where the strategy or a line wants it; nil where it goes on.
  func hold(
    _ shape: StepShape, _ key: StepKey, _ thread: ThreadID, _ place: Int32, _ now: Int64
  ) -> Decision? {
    if allowed == thread {
      allowed = .none
    } else if !isTired {
      let time = counts[key] + 1
      if chooser != nil {
        hold(
          HeldStep(
            thread: thread, key: key, time: time, mode: shape.mode, place: place, line: -1), now)
        return .isHeld(until: nil)
      }
      for index in lines.indices {
        guard lines[index].concerns(key),
          let delay = lines[index].holds(key, time, shape, mayPass: isAwaited(key.actor))
        else { continue }
        let isBehind = delay < 0 && !lines[index].isHeldStep(key, time)
        hold(
          HeldStep(
            thread: thread, key: key, time: time, mode: shape.mode, place: place,
            line: Int32(index), isBehind: isBehind), now)
        return .isHeld(until: delay < 0 ? nil : now &+ delay)
      }
    }
    return nil
  }

  /// A thread comes to a step and can't be held: no line is kept that wants it to be.
  private func refuse(_ key: StepKey) {
    let time = counts[key] + 1
    for index in lines.indices
    where lines[index].concerns(key) && lines[index].isHeldStep(key, time) {
      lines[index].fault = .neverDone
    }
  }

  /// Whether a line waits for something that somebody still has to do.
  private func isAwaited(_ actor: Int32) -> Bool { lines.contains { $0.awaits(actor) } }

  private func hold(_ held: HeldStep, _ now: Int64) {
    holds.append(held)
    heldSince.append(now)
  }

  /// The thread at a place among those that are held is held no more.
  private func removeHold(at index: Int, _ now: Int64) -> HeldStep {
    count(now - heldSince.remove(at: index))
    let held = holds.remove(at: index)
    if let event = StepEvent(held.thread) { events.release(event) }
    return held
  }

  /// Whether a thread has begun a step that is not done, and that its call has come far enough to do.
  func isDue(_ thread: ThreadID, isOver: Bool) -> Bool {
    guard Int(thread.index) < begun.count, let attempt = begun[Int(thread.index)] else {
      return false
    }
    return isOver || attempt.shape.isDoneAtOnce
  }

  /// A thread comes to a step, so that the one which it has begun before is done, unless it is a part of this one.
  func finishEarlier(than key: StepKey, _ thread: ThreadID, at now: Int64) -> [ThreadID] {
    guard Int(thread.index) < begun.count, let attempt = begun[Int(thread.index)] else { return [] }
    return attempt.key == key && key.verb == .writes ? [] : finish(thread, at: now)
  }

  /// The step that a thread has begun is done; gives the threads that need not be held any more.
  func finish(_ thread: ThreadID, at now: Int64) -> [ThreadID] {
    guard let attempt = begun[Int(thread.index)] else { return [] }
    begun[Int(thread.index)] = nil
    return note(attempt, behind: pasts[Int(thread.index)].take(), thread, now)
  }

  /// A step is done that began with `past` known; gives the threads that need not be held any more.
  @discardableResult
  func note(
    _ attempt: Attempt, behind past: StepRecorder.Past?, _ thread: ThreadID, _ now: Int64
  ) -> [ThreadID] {
    let time = counts[attempt.key] + 1
    counts[attempt.key] = time
    if recordsSteps {
      recorder.record(
        RecordedStep(
          key: attempt.key, time: time, mode: attempt.shape.mode, place: attempt.place,
          thread: thread, instant: now),
        hash: names.hash(attempt.key, time), isOfCondition: attempt.shape.isOfCondition,
        past)
      if !otherUses.isEmpty { recordUses(of: thread) }
    }
    var released: [ThreadID] = []
    for index in lines.indices where lines[index].isMet(by: attempt.key, time) {
      released += release(line: Int32(index), now)
    }
    return released
  }

  private func release(line: Int32, _ now: Int64) -> [ThreadID] {
    var (released, index): ([ThreadID], Int) = ([], 0)
    while index < holds.count {
      if holds[index].line == line {
        released.append(removeHold(at: index, now).thread)
      } else {
        index += 1
      }
    }
    return released
  }

  private func count(_ length: Int64) {
    heldLongest = max(heldLongest, length)
  }

  /// A thread that was held for a while goes on.
  func delayIsOver(_ thread: ThreadID, at now: Int64) {
    guard let index = holds.firstIndex(where: { $0.thread == thread }) else { return }
    _ = removeHold(at: index, now)
  }

  /// Whether anybody is held.
  var hasHolds: Bool { !holds.isEmpty }

  /// Releases the longest-held threads when nothing else can happen, and returns them.
  ///
  /// The line that held them can't be kept.
  func giveUp(at now: Int64) -> [ThreadID] {
    if chooser != nil { return choose(at: now) }
    // Who only would come behind a held step may have to go on, so that others come to what that waits for.
    if let behind = holds.firstIndex(where: { $0.isBehind }) {
      allowed = removeHold(at: behind, now).thread
      return [allowed]
    }
    guard let oldest = holds.first else { return [] }
    let line = Int(oldest.line)
    // A thread that reached the step and waits for a held one still counts as first.
    let isBegun = begun.contains { attempt in
      attempt.map { lines[line].isMet(by: $0.key, counts[$0.key] + 1) } ?? false
    }
    if !isBegun { lines[line].fault = .neverDone }
    return release(line: oldest.line, now)
  }

  private func choose(at now: Int64) -> [ThreadID] {
    if holds.isEmpty { return [] }
    let index = chooser?.choose(among: holds) ?? 0
    allowed = removeHold(at: index, now).thread
    return [allowed]
  }

  /// Releases all held threads, since the run has taken too many steps, and returns them.
  func tire(at now: Int64) -> [ThreadID] {
    isTired = true
    let released = holds.map(\.thread)
    while !holds.isEmpty { _ = removeHold(at: holds.count - 1, now) }
    return released
  }

  /// The run comes to its horizon: the lines by which threads are still held were not kept.
  func reachHorizon() {
    for hold in holds where hold.line >= 0 { lines[Int(hold.line)].fault = .neverDone }
    if chooser != nil && !holds.isEmpty { isTired = true }
  }

  /// The name of what the thread is held before that was held last, as the log says it; `intern` numbers a text.
  func heldName(_ intern: (String) -> NameID) -> NameID {
    guard let hold = holds.last else { return intern("") }
    let key = StepKey(actor: -1, verb: hold.key.verb, object: hold.key.object)
    let known = heldNames[key]
    if known > 0 { return NameID(Int(known) - 1) }
    let name = intern("\(hold.key.verb.rawValue) \(names.subject(hold.key.object).name)")
    heldNames[key] = name.index + 1
    return name
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
