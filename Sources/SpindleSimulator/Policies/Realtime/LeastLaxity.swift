package import SpindleModel

/// The real-time thread that can wait the least runs.
///
/// The laxity of a job is the time until its deadline, less what it has still to compute by its own saying
/// (`computation`, at speed 1; nothing once it has computed for longer). Who runs keeps its laxity, who waits
/// loses it, so two that are equal would change without end: laxities are compared when a thread becomes ready
/// and at all whole multiples of `quantum`. Ties, cores, placement and costs: `RealtimePolicy`, and a look at
/// all cores in each quantum while a real-time thread is ready.
///
/// Source: Mok, "Fundamental Design Problems of Distributed Systems for the Hard-Real-Time Environment", 1983;
/// Dertouzos, Mok, "Multiprocessor On-Line Scheduling of Hard-Real-Time Tasks", 1989. Not: an oracle, which
/// would know what a job really computes; the variants that change less often.
package struct LeastLaxity: RealtimePolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "leastLaxity", summary: "the least laxity first, among real-time threads",
    parameters: [RealtimePlacement.parameter, quantum])
  private static let quantum = MachineCatalogue.Parameter.duration("quantum", .milliseconds(1))

  package var lines: RealtimeLines
  package let order = RealtimeAnalysis.Order.deadline
  package var isExact: Bool { false }
  private let quantum: Int64

  package init(_ values: PolicyValues) {
    lines = RealtimeLines(values, order)
    quantum = values.duration(Self.quantum).rawValue
  }

  package static var measure: PolicyStanding.Measure { .latestStart }

  package static func rank(_ job: RealtimeJob) -> Int64 { job.latestStart }

  package func nextTick(after now: Instant) -> Instant? {
    if lines.realtimeCount == 0 { return nil }
    let (whole, _) = now.nanoseconds.quotientAndRemainder(dividingBy: quantum)
    let (next, overflow) = (whole + 1).multipliedReportingOverflow(by: quantum)
    return overflow ? nil : Instant(next)
  }
}
