package import SpindleModel

/// The real-time thread with the shortest period first: priorities that never change.
///
/// A thread's period is that of `realtime(period:computation:constraint:)`. Ties, cores, placement and costs:
/// `RealtimePolicy`. On one core, where deadlines are periods, no other fixed priorities meet all
/// deadlines where these do not.
///
/// Source: Liu, Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", Journal
/// of the ACM 20(1), 1973. Not: the priorities of a real system, of which there are few, so that periods
/// share them; a protocol for what threads share, which is the machine's.
package struct RateMonotonic: RealtimePolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "rateMonotonic", summary: "the shortest period first, among real-time threads",
    parameters: [RealtimePlacement.parameter])

  package var lines: RealtimeLines

  package let order = RealtimeAnalysis.Order.period

  package init(_ values: PolicyValues) { lines = RealtimeLines(values, order) }

  package static var measure: PolicyStanding.Measure { .period }

  package static func rank(_ job: RealtimeJob) -> Int64 { job.claim.period.rawValue }
}
