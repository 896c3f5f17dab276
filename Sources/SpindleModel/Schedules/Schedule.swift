/// What is to be different from the normal run: a short list of changes of order and of delays.
///
/// Without lines it is the normal run. Steps are named by who does them, what they do, and to what, as the log says
/// it, so that a schedule survives changes elsewhere in a trace.
package struct Schedule: Hashable, Sendable {
  /// The changes, in any order.
  package var lines: [Line]

  /// Creates a schedule.
  package init(_ lines: [Line] = []) { self.lines = lines }

  /// Whether it changes nothing.
  package var isEmpty: Bool { lines.isEmpty }

  /// A thread, an item or an object, as the log calls it.
  package struct Subject: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Which one of its name, from 1.
    package var ordinal: Int

    /// Creates a subject.
    package init(_ name: String, ordinal: Int = 1) { (self.name, self.ordinal) = (name, ordinal) }
  }

  /// A visible step of a run.
  package struct Step: Hashable, Sendable {
    /// Who does it: an item or a task where one runs, else the thread.
    package var actor: Subject
    /// What is done.
    package var verb: StepVerb
    /// What it is done to.
    package var object: Subject
    /// Which one of these steps, from 1.
    package var time: Int

    /// Creates a step.
    package init(_ actor: Subject, _ verb: StepVerb, _ object: Subject, time: Int = 1) {
      (self.actor, self.verb, self.object, self.time) = (actor, verb, object, time)
    }
  }

  /// One change.
  package enum Line: Hashable, Sendable {
    /// The second step, and any other thread's step on the same object behind which it would come, waits until the
    /// first has been done.
    case order(Step, before: Step)
    /// The step waits for so long.
    case late(Step, by: Nanoseconds)

    /// The step that is held.
    package var held: Step {
      switch self {
      case .order(_, before: let step), .late(let step, by: _): step
      }
    }
  }
}

/// The schedule that a trace or a command line gives a program.
package struct ProgramSchedule: Hashable, Sendable {
  /// The changes.
  package var schedule: Schedule
  /// Where each stands in the trace; empty for those that do not stand there.
  package var places: [SourceRange]

  /// Creates one.
  package init(_ schedule: Schedule, places: [SourceRange] = []) {
    (self.schedule, self.places) = (schedule, places)
  }
}

/// A line of a schedule that a run could not keep.
package struct ScheduleFault: Hashable, Sendable {
  /// The line.
  package let line: Schedule.Line
  /// Where it stands in the trace; nil where it does not.
  package let place: SourceRange?
  /// Why, in one sentence without a full stop.
  package let reason: String

  /// Creates a fault.
  package init(line: Schedule.Line, place: SourceRange?, reason: String) {
    (self.line, self.place, self.reason) = (line, place, reason)
  }
}
