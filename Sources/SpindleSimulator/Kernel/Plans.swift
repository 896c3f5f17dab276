/// What is planned for a moment: whose plan it is, and which of its.
///
/// The kernel knows its own plan alone; those of the runtimes stand in their rooms, and `PlanOwner` says who
/// is who.
struct PlanKind: Equatable, BitwiseCopyable, CustomStringConvertible {
  /// Whose plan it is; 0 is the kernel.
  let owner: UInt8
  /// Which of its owner's.
  let code: UInt8

  /// The machine wakes.
  static var machineWakes: PlanKind { PlanKind(owner: 0, code: 0) }

  /// What it is, for messages.
  var description: String { "plan \(code) of owner \(owner)" }
}

/// Something that a runtime has planned.
struct Plan: BitwiseCopyable {
  typealias Index = TableIndex<Plan>

  /// What is to happen.
  var kind: PlanKind
  /// To which object.
  var object: Int32
  /// A value of the plan, as its kind says.
  var value: Int64
  /// The event that it waits for.
  var event: UInt64
  /// Whether the world outside does it.
  var isWorld = false
}

/// Housekeeping that is due some time, but that no run goes on for.
struct Chore: BitwiseCopyable {
  let time: Int64
  let kind: PlanKind
  let object: Int32
  /// By which its owner knows it again.
  let number: UInt64
}

extension Kernel {
  // MARK: Plans

  /// Plans something for a moment that has not passed.
  ///
  /// What the world outside does (`isWorld`) comes before timers of the same instant. Returns the
  /// plan, by which it can be cancelled until it is due.
  mutating func plan(
    _ kind: PlanKind, _ object: Int32, value: Int64 = 0, at time: Int64, isWorld: Bool = false
  ) -> Plan.Index {
    let fresh = Plan(kind: kind, object: object, value: value, event: 0, isWorld: isWorld)
    let plan = plans.add(fresh)
    if plan.raw >= ScheduledEvent.maximumIndex { storage.exceed(.plans) }
    plans[plan].event = schedule(
      isWorld ? .worldPlan : .plan, index: plan.raw, at: max(now, time))
    return plan
  }

  /// Takes a plan back; its index must not be used any more.
  mutating func cancel(plan: Plan.Index) {
    demand(
      plans[plan].event != 0, "plan \(plan) is taken back and waits for no event")
    plans.remove(plan)
  }

  /// Whether a plan still waits for an event.
  @inline(never)
  func isOpen(plan: Plan.Index, for event: UInt64) -> Bool {
    plans.contains(plan) && plans.unchecked(plan).pointee.event == event
  }

  /// Takes a plan that is due.
  mutating func takePlan(_ index: Plan.Index) -> Plan {
    let plan = plans[index]
    demand(
      presentPhase == (plan.isWorld ? 1 : 2),
      "event \(index), \(plan.kind), is taken in class \(presentPhase)")
    plans.remove(index)
    return plan
  }

  // MARK: Input and output

  /// Input or output begins that takes so long.
  @inline(__always)
  mutating func countInput(_ duration: Int64) {
    assert(duration >= 0, "input or output takes \(duration) ns")
    let (sum, overflow) = inputTime.addingReportingOverflow(duration)
    inputTime = overflow ? .max : sum
  }

  /// Input or output ends before its time, and so much of it is not done.
  mutating func uncountInput(_ left: Int64) {
    assert(left >= 0, "input or output that is cancelled has \(left) ns left")
    if inputTime == .max { return }
    demand(left <= inputTime, "\(left) ns of input or output are left of \(inputTime)")
    inputTime -= left
  }

  // MARK: Housekeeping

  /// Notes housekeeping for a moment; a run that has nothing else to do ends without it.
  ///
  /// Returns its number, by which it can be cancelled.
  @discardableResult
  mutating func addChore(_ kind: PlanKind, _ object: Int32, at time: Int64) -> UInt64 {
    demand(object >= -1, "\(kind) is to be done some time for object \(object)")
    sequence &+= 1
    let chore = Chore(time: max(now, time), kind: kind, object: object, number: sequence)
    // The next one stands last; of two of one moment the one that was noted first.
    let place = chores.lastIndex { $0.time > chore.time }.map { $0 + 1 } ?? 0
    chores.insert(chore, at: place)
    return chore.number
  }

  /// Takes housekeeping back; one that was done or taken back already is no mistake.
  mutating func cancel(chore number: UInt64) {
    assert(number <= sequence, "housekeeping \(number) is taken back and was never noted")
    if let place = chores.lastIndex(where: { $0.number == number }) { chores.remove(at: place) }
  }

  /// Takes the next housekeeping that is due now; nil when none is.
  mutating func takeChore() -> Chore? {
    guard let next = chores.last, next.time <= now else { return nil }
    return chores.removeLast()
  }
}
