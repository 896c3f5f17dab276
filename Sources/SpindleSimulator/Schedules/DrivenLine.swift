package import SpindleModel

/// Why a line of a schedule was not kept.
package enum LineFault: Hashable, Sendable {
  /// The step that others wait for, or that is late, never came: nobody of that name did it so often.
  case neverCame(Schedule.Step)
  /// It could not be done while the other one was held.
  case neverDone

  /// The reason in one sentence.
  package func reason(of line: Schedule.Line) -> String {
    switch (self, line) {
    case (.neverCame(let step), _): "no thread came to the step '\(step)' in this run"
    case (.neverDone, .order(let first, before: let second)):
      "the step '\(first)' was not done while '\(Schedule.quoted(second.actor))' was held"
    case (.neverDone, .late(let step, by: _)): "the step '\(step)' was not done"
    }
  }
}

/// A line of a schedule during a run.
struct DrivenLine {
  private let line: Schedule.Line
  private let first: StepKey
  private let firstTime: Int32
  private let second: StepKey
  private let secondTime: Int32
  /// How long the step is late; -1 for a line of order.
  private let delay: Int64
  /// Whether the step that is held has come, and whether what it waits for is done.
  private var isActive = false
  private var isMet = false
  private var isOfCondition = false
  /// Why it can't be kept any more, and whether that is so.
  private var failed: LineFault?
  private var isGivenUp = false

  init(_ line: Schedule.Line, _ names: inout StepNames) {
    self.line = line
    func key(_ step: Schedule.Step, _ names: inout StepNames) -> StepKey {
      StepKey(
        actor: names.number(step.actor), verb: step.verb, object: names.number(step.object))
    }
    second = key(line.held, &names)
    secondTime = Int32(clamping: line.held.time)
    switch line {
    case .order(let step, before: _):
      (first, firstTime, delay) = (key(step, &names), Int32(clamping: step.time), -1)
    case .late(_, let length): (first, firstTime, delay) = (second, 0, length.rawValue)
    }
  }

  /// Why it was not kept; nil where it was.
  var fault: LineFault? {
    get {
      if let failed { return failed }
      if delay >= 0 { return isActive ? nil : .neverCame(line.held) }
      if isMet { return nil }
      if case .order(let step, before: _) = line { return .neverCame(step) }
      return nil
    }
    set { (failed, isGivenUp) = (newValue, newValue != nil) }
  }

  /// Whether it waits for something that an actor has to do.
  func awaits(_ actor: Int32) -> Bool {
    delay < 0 && !isMet && !isGivenUp && first.actor == actor
  }

  /// The step that it holds, where that is one of an actor.
  func heldStep(of actor: Int32) -> StepKey? { second.actor == actor ? second : nil }

  /// Whether it may hold a step: most steps are none of its business.
  func concerns(_ key: StepKey) -> Bool {
    key.object == second.object && !isMet && !isGivenUp && (isActive || key == second)
  }

  /// Whether it holds a step: for how long, or -1 for until its other step is done.
  ///
  /// `mayPass` is whether another line waits for who comes: such a thread is not held as one that comes behind.
  mutating func holds(
    _ key: StepKey, _ time: Int32, _ shape: StepShape, mayPass: Bool
  ) -> Int64? {
    if isGivenUp || isMet { return nil }
    if delay >= 0 {
      if isActive || key != second || time != secondTime { return nil }
      isActive = true
      return delay
    }
    if key == second && time == secondTime {
      (isActive, isOfCondition) = (true, shape.isOfCondition)
      return -1
    }
    // Who would come behind the step that is held waits with it.
    let isBehind =
      isActive && !mayPass && key.object == second.object && key.object == first.object
      && shape.isOfCondition == isOfCondition && key.actor != first.actor
      && !(shape.mode == .reads && first.verb == .reads) && shape.mode != .releases
    return isBehind ? -1 : nil
  }

  /// Whether it holds a step until another one is done.
  func orders(_ step: StepOfThread, before other: StepOfThread) -> Bool {
    delay < 0 && !isMet && !isGivenUp && first == step.key && firstTime == step.time
      && isHeldStep(other.key, other.time)
  }

  /// Whether a step is the one that it holds.
  func isHeldStep(_ key: StepKey, _ time: Int32) -> Bool { key == second && time == secondTime }

  /// Whether a step is the one that it waits for; it is met from then on.
  mutating func isMet(by key: StepKey, _ time: Int32) -> Bool {
    if delay >= 0 || isMet { return false }
    if key == first && time == firstTime {
      isMet = true
      return true
    }
    return false
  }
}
