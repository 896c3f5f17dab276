package import SpindleModel

/// XNU's scheduler for one cluster of cores, which is the default of `.iOS` and `.macOS` there.
///
/// - Threads are of five classes by their base priority: foreground (38 and more), user-initiated (32 to 37),
///   default (21 to 31), utility (5 to 20), background (up to 4).
/// - Classes have deadlines: when a class's first thread gets ready it is 0, 37.5, 75, 150 or 250 ms later, and
///   again whenever the class has been served in its turn. The earliest deadline is next.
/// - A higher class may go before it for as long as its warp lasts: 8, 4, 2, 1 and 0 ms from the first such
///   choice on. It is renewed when the class is served in its turn.
/// - A class that is served while a higher one has threads is starving: all cores serve it, for one of its quanta.
/// - Within a class the group with the highest priority is next: that of its most urgent thread and 0 to 16 points
///   for how interactive it has been. All threads of a program are one group, as an app's are, unless
///   `separateGroups` makes each an app of its own.
/// - Within a group the highest priority is next, which sinks with use as under `timeshare`, where the group has
///   more threads than the machine has cores.
/// - A quantum is 10, 8, 6, 4 or 2 ms by class; with `longQuanta`, as macOS has them, 10, 10, 10, 4 and 2 ms.
/// - Real-time threads come before all others; see `TimeshareRealtime`.
///
/// Ties: of equal deadlines the higher class; of equal groups and threads who came first, and who had to give way
/// in its first turn before them; a running thread keeps its core against an equal in its first turn and
/// loses it afterwards. One queue for all cores, which are taken for one cluster. A core that gets free is
/// offered to the thread that ran there last. Choosing costs O(1), a tick O(waiting threads that used a core).
///
/// Source: xnu:osfmk/kern/sched_clutch.c; xnu:doc/scheduler/sched_clutch_edge.md. Not: threads of fixed
/// priority, threads bound to a cluster, several groups within a program.
package struct Clutch: ClutchPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "clutch",
    summary: "classes with deadlines and warp, groups, then threads: XNU, one cluster",
    parameters: [longQuanta, separateGroups])
  private static let longQuanta = MachineCatalogue.Parameter.truth("longQuanta", false)
  private static let separateGroups = MachineCatalogue.Parameter.truth("separateGroups", false)

  var scheduler: ClutchScheduler

  package init(_ values: PolicyValues) {
    scheduler = ClutchScheduler(
      name: Self.signature.name, usesLongQuanta: values.isOn(Self.longQuanta),
      separatesGroups: values.isOn(Self.separateGroups), hasClusters: false, savesUtility: false)
  }
}
