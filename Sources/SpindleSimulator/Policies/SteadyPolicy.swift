package import SpindleModel

/// A policy that knows how long a thread that is alone keeps its core, however unlike its quanta are.
///
/// Until then none of their ends is an event: what they come to is computed when another thread becomes ready, or when
/// the thread leaves its core.
package protocol SteadyPolicy: SchedulingPolicy {
  /// When `thread`, whose quantum begins now, is first taken from its core, or not known to keep it, if no other thread
  /// runs or is ready until then; nil for never.
  func keepsCoreUntil(_ thread: ThreadID, at now: Instant) -> Instant?
  /// What decides the lengths of the quanta of such a thread from the one on that begins now; nil where that is not known.
  func phase(of thread: ThreadID, at now: Instant) -> SIMD8<Int64>?
  /// Quanta of such a thread have passed that led from one phase to the same one: they took `time`, and the present one
  /// begins now.
  mutating func cyclesPassed(_ thread: ThreadID, for time: Nanoseconds, at now: Instant)
}

/// The quantum of a thread that is alone, from its beginning to its end.
struct LoneQuantum {
  var begin: Int64
  /// `Int64.max` where it has no end.
  var end: Int64
}

extension SteadyPolicy {
  /// The quantum that a thread has after a moment, when `quantum` is the present one of which the policy knows; comes to
  /// the same as being told of each end up to that moment by `ran`, `enqueue` and `dequeue`.
  ///
  /// Quanta that are alike are told at once, and so are those between two equal phases. The phase to compare with is
  /// that after 1, 2, 4, 8 and so on quanta: a cycle of any length is found before three times its length has passed.
  /// Each time that the policy is told something is a step of the run: where none is left, the quantum that it has come
  /// to is given, and the run has to end.
  mutating func pass(
    _ quantum: LoneQuantum, of thread: ThreadID, on core: CoreID, until moment: Int64,
    _ stepsLeft: inout Int64
  ) -> LoneQuantum {
    var present = quantum
    var mark: (phase: SIMD8<Int64>, begin: Int64)?
    var (told, next) = (0, 1)
    while present.end <= moment, stepsLeft > 0 {
      stepsLeft -= 1
      tellNext(&present, of: thread, on: core, until: moment)
      guard let phase = phase(of: thread, at: Instant(present.begin)) else { continue }
      if let mark, mark.phase == phase {
        let cycle = present.begin - mark.begin
        let time = (moment - present.begin) / cycle * cycle
        present.begin += time
        if present.end < Int64.max { present.end += time }
        if time > 0 {
          cyclesPassed(thread, for: Nanoseconds(time), at: Instant(present.begin))
        }
      }
      told += 1
      if told == next { (mark, next) = ((phase, present.begin), next * 2) }
    }
    return present
  }

  /// Tells the policy that the present quantum has ended, or it and some that are like it.
  private mutating func tellNext(
    _ present: inout LoneQuantum, of thread: ThreadID, on core: CoreID, until moment: Int64
  ) {
    let length = present.end - present.begin
    let alike = equalQuanta(of: thread, at: Instant(present.begin))
    let count = min(alike - 1, (moment - present.begin) / length)
    if count > 0 {
      present.begin += count * length
      present.end = present.begin + length
      repeated(
        thread, on: core, Nanoseconds(length), times: count, until: Instant(present.begin))
      if present.end > moment { return }
    }
    let now = Instant(present.end)
    demand(keepsCore(thread, core, at: now), "\(name): thread \(thread.index) loses its core")
    ran(thread, for: Nanoseconds(length), at: now)
    enqueue(thread, .quantumExpired, at: now)
    let given = dequeue(for: core, at: now)
    demand(given == thread, "\(name): thread \(thread.index) is alone, and not given out")
    present.begin = present.end
    present.end = self.quantum(for: thread).map { (now + $0).nanoseconds } ?? Int64.max
  }
}
