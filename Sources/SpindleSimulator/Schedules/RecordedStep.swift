package import SpindleModel

/// A visible step that a run has taken, by the numbers that a driver gives to names.
package struct RecordedStep: BitwiseCopyable {
  /// Who did it, what, and to what.
  package let key: StepKey
  /// Which one of these steps, from 1.
  package let time: Int32
  package let mode: StepMode
  /// The instruction.
  package let place: Int32
  /// The thread, or the event that did it.
  package let thread: ThreadID
  /// When it was done.
  package let instant: Int64

  /// Whether no thread did it.
  var isOfEvent: Bool { StepEvent(thread) != nil }

  /// The same step as a use of another object.
  func using(_ object: Int32, _ mode: StepMode) -> RecordedStep {
    RecordedStep(
      key: StepKey(actor: key.actor, verb: key.verb, object: object), time: time, mode: mode,
      place: place, thread: thread, instant: instant)
  }
}

/// What a step uses besides the object after which it is named, as leaving a group enqueues what follows on a queue.
package struct StepUse: BitwiseCopyable {
  package let step: Int32
  package let object: Int32
  package let mode: StepMode

  package init(step: Int32, object: Int32, mode: StepMode) {
    (self.step, self.object, self.mode) = (step, object, mode)
  }
}

/// A step that a thread comes to, by its key and which one of these it is.
struct StepOfThread: Hashable, BitwiseCopyable {
  let key: StepKey
  let time: Int32
}

/// Who does a step, what, and to what: numbers of a driver's names.
package struct StepKey: Hashable, BitwiseCopyable, Sendable {
  package let actor: Int32
  package let object: Int32
  package let verb: StepVerb

  package init(actor: Int32, verb: StepVerb, object: Int32) {
    (self.actor, self.verb, self.object) = (actor, verb, object)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Int64(actor) << 32 | Int64(object))
    hasher.combine(verb)
  }
}

/// Two steps on one object whose order matters and that nothing else orders: the second could have come first.
package struct StepPair: BitwiseCopyable {
  package let first: Int32
  package let second: Int32
  /// Whether there are others between the two that would have to be reversed, too.
  package var isFar = false
}

/// A thread that waits in front of a step.
package struct HeldStep: BitwiseCopyable {
  package let thread: ThreadID
  package let key: StepKey
  package let time: Int32
  package let mode: StepMode
  package let place: Int32
  /// The line of the schedule that holds it; -1 where a chooser does.
  let line: Int32
  /// Whether the line is about another step, behind which this one would come.
  var isBehind = false
}

/// Chooses which of the threads that are held goes on: a strategy that draws.
package protocol StepChooser: AnyObject {
  /// The place of the one that goes on; there is at least one.
  func choose(among held: [HeldStep]) -> Int
}

/// A thread that took a lock while it had another one, as one step of a cycle that may close.
package struct PredictedStep: Sendable {
  package let thread: ThreadID
  /// The instructions that took the two.
  package let hasPlace: Int32
  package let takesPlace: Int32
}
