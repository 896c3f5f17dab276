package import SpindleModel

/// The real-time thread that has to be done first runs.
///
/// A deadline is the arrival of a job and the constraint. Ties, cores, placement and costs: `RealtimePolicy`.
/// A thread that has not waited since it became real-time has no deadline, and comes after those that have
/// one. On one core all deadlines are met where any policy can meet them; on several cores with one
/// line that is not so (Dhall's effect).
///
/// Source: Liu, Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", Journal
/// of the ACM 20(1), 1973; Dertouzos, "Control Robotics: The Procedural Control of Physical Processes", 1974.
/// Not: XNU's real-time class, which is in `timeshare` and `clutch`; a protection of those that
/// compute as they say, which is `constantBandwidth`.
package struct EarliestDeadlineFirst: RealtimePolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "earliestDeadlineFirst", summary: "the earliest deadline first, among real-time threads",
    parameters: [RealtimePlacement.parameter])

  package var lines: RealtimeLines

  package let order = RealtimeAnalysis.Order.deadline

  package init(_ values: PolicyValues) { lines = RealtimeLines(values, order) }

  package static var measure: PolicyStanding.Measure { .deadline }

  package static func rank(_ job: RealtimeJob) -> Int64 { job.deadline }
}
