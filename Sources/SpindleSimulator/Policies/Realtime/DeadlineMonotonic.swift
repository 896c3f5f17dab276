package import SpindleModel

/// The real-time thread with the shortest constraint first: priorities that never change.
///
/// The constraint is how long after its arrival a job has to be done. Ties, cores, placement and costs:
/// `RealtimePolicy`. On one core, where no deadline is later than the next arrival, no other fixed
/// priorities meet all deadlines where these do not.
///
/// Source: Leung, Whitehead, "On the Complexity of Fixed-Priority Scheduling of Periodic, Real-Time Tasks",
/// Performance Evaluation 2(4), 1982. Not: Audsley's assignment, which is the best with offsets or deadlines
/// behind the next arrival.
package struct DeadlineMonotonic: RealtimePolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "deadlineMonotonic", summary: "the shortest constraint first, among real-time threads",
    parameters: [RealtimePlacement.parameter])

  package var lines: RealtimeLines

  package let order = RealtimeAnalysis.Order.constraint

  package init(_ values: PolicyValues) { lines = RealtimeLines(values, order) }

  package static var measure: PolicyStanding.Measure { .constraint }

  package static func rank(_ job: RealtimeJob) -> Int64 { job.claim.constraint.rawValue }
}
