import SpindleModel
import SpindleSimulator

/// Schedules that would bring about what the normal run predicts.
enum Predictions {
  /// For each cycle of locks: every thread waits before its second lock until the next one has that as its first.
  ///
  /// One of the lines is not needed, and may be any: each is left out once. Source: Joshi, Park, Sen and Naik 2009, A
  /// Randomized Dynamic Program Analysis Technique for Detecting Real Deadlocks, for holding threads in front of the
  /// second lock.
  static func schedules(_ normal: Trial) -> [Schedule] {
    var schedules: [Schedule] = []
    for cycle in normal.cycles {
      var lines: [Schedule.Line] = []
      for (index, step) in cycle.enumerated() {
        let next = cycle[(index + 1) % cycle.count]
        guard let held = taking(step.takesPlace, step.thread, normal),
          let first = taking(next.hasPlace, next.thread, normal, object: held.key.object)
            ?? taking(next.takesPlace, next.thread, normal)
        else { continue }
        let (one, other) = (normal.words(of: first), normal.words(of: held))
        if one.actor != other.actor { lines.append(.order(one, before: other)) }
      }
      guard lines.count == cycle.count else { continue }
      // What the normal run does anyway need not be said; where it is not known what that is, each is left out once.
      let changed = lines.filter { !isNormal($0, normal) }
      if changed.count < lines.count { schedules.append(Schedule(changed)) }
      for index in lines.indices.reversed() {
        var most = lines
        most.remove(at: index)
        schedules.append(Schedule(most))
      }
      schedules.append(Schedule(lines))
    }
    return schedules
  }

  /// Whether a line says what is so in the normal run.
  private static func isNormal(_ line: Schedule.Line, _ normal: Trial) -> Bool {
    guard case .order(let first, before: let second) = line else { return false }
    let order = normal.steps.lazy.map { normal.words(of: $0) }
    guard let one = order.firstIndex(of: first), let other = order.firstIndex(of: second) else {
      return false
    }
    return one < other
  }

  /// The first step at a place that a thread took.
  private static func taking(
    _ place: Int32, _ thread: ThreadID, _ trial: Trial, object: Int32? = nil
  ) -> RecordedStep? {
    trial.steps.first {
      $0.place == place && $0.thread == thread && (object == nil || $0.key.object == object)
        && $0.key.verb != .unlocks && $0.key.verb != .signals
    }
  }
}
