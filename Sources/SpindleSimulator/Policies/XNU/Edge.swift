package import SpindleModel

/// XNU's scheduler for performance and efficiency cores, which is the default of `.iOS` and `.macOS` there.
///
/// Each kind of cores is a cluster with queues of its own, which works as `clutch` says. Beside that:
/// - Each class is recommended to a kind: background to the efficiency cores, and utility too unless
///   `utilityOnPerformance`; the others and real-time threads to the performance cores. On Apple's systems that
///   is the closed performance controller's choice.
/// - A thread that gets ready goes to its kind while that has fewer threads of its class and above than cores; else
///   to the other, if that has, or if it would wait there for less, by 64 us of the load's measure. So it goes from
///   performance to efficiency cores only: what is recommended to these never leaves them, even when
///   performance cores are idle.
/// - An idle core takes threads that wait at the wrong kind; then those that run there come over; then an
///   efficiency core takes one of a class that has more threads than there are performance cores.
/// - A thread whose quantum ends at the wrong kind goes to its own and takes a core there from an equal that is
///   not in its first turn, which takes its place: so the threads of a program that is as wide as the machine
///   get equally far.
///
/// Ties: as `clutch`; of several threads at the wrong kind the one on the core with the lowest number comes over.
/// One queue for each cluster, moved between them by the rules above. Choosing costs O(1), getting ready
/// O(classes), a tick O(waiting threads that used a core), an idle core O(cores).
///
/// Source: xnu:osfmk/kern/sched_clutch.c; xnu:doc/scheduler/sched_clutch_edge.md. Departures: an idle
/// efficiency core may take a thread whenever something happens, where XNU's has to be woken for it; one thread
/// comes over to an idle core, where XNU lets all try. Not: several clusters of a kind, threads that share a
/// cluster's resources, recommendations that change during a run.
package struct Edge: ClutchPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "edge", summary: "clutch for performance and efficiency cores, with migration: XNU",
    parameters: [longQuanta, separateGroups, utilityOnPerformance])
  private static let longQuanta = MachineCatalogue.Parameter.truth("longQuanta", false)
  private static let separateGroups = MachineCatalogue.Parameter.truth("separateGroups", false)
  private static let utilityOnPerformance = MachineCatalogue.Parameter.truth(
    "utilityOnPerformance", false)

  var scheduler: ClutchScheduler

  package init(_ values: PolicyValues) {
    scheduler = ClutchScheduler(
      name: Self.signature.name, usesLongQuanta: values.isOn(Self.longQuanta),
      separatesGroups: values.isOn(Self.separateGroups), hasClusters: true,
      savesUtility: !values.isOn(Self.utilityOnPerformance))
  }

  package var movesRunningThreads: Bool { true }
  package var hasThreadToMove: Bool { scheduler.hasForeignThread }
  package func coreToVacate() -> CoreID? { scheduler.coreWithForeignThread().map { CoreID($0) } }
}
