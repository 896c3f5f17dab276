import SpindleModel
import Testing

@testable import SpindleSimulator

/// The arithmetic of XNU's timesharing, against figures derived from its source.
@Suite struct TimeshareTests {
  /// load_shift_init: load 0 does not decay, 1 gives 0, 2 and 3 give 1, 4 to 7 give 2, 8 to 15 give 3.
  ///
  /// With two cores the load is half the number of runnable threads, once the average has settled;
  /// as many threads as cores are no load.
  @Test(arguments: [(1, -1), (2, -1), (3, 0), (4, 1), (6, 1), (8, 2), (14, 2), (16, 3)])
  func loadShiftIsTheLogarithm(threads: Int, shift: Int) {
    var load = TimeshareLoad()
    load.runnable[.standard] = Int64(threads)
    for _ in 0..<200 { load.average(coreCount: 2) }
    // The average closes in from below, so a load that is a power of two stays just under it.
    let settled = load.shift(.standard) ?? -1
    #expect(settled == shift || (threads & (threads - 1) == 0 && settled == shift - 1))
  }

  @Test func bandsFollowTheQualityOfService() {
    let rows: [(Int, TimeshareLoad.Band)] = [
      (47, .foreground), (37, .foreground), (31, .standard), (21, .standard), (20, .utility),
      (5, .utility), (4, .background), (0, .background),
    ]
    for (priority, band) in rows { #expect(TimeshareLoad.Band(priority: priority) == band) }
  }

  @Test func prioritiesOfQualities() {
    // xnu:osfmk/kern/thread_policy.c, qos_pri; the front-most app's main thread has 47.
    let rows: [(WellKnownName, Int16)] = [
      (.userInteractive, 46), (.userInitiated, 37), (.default, 31), (.utility, 20),
      (.background, 4),
    ]
    for (name, priority) in rows {
      #expect(ThreadRuntime.basePriority(quality: name.id.index, isMain: false) == priority)
    }
    #expect(
      ThreadRuntime.basePriority(quality: WellKnownName.userInteractive.id.index, isMain: true)
        == 47)
    // POSIX priorities 15 to 47 on Darwin.
    #expect(ThreadRuntime.basePriority(threadPriority: 0) == 15)
    #expect(ThreadRuntime.basePriority(threadPriority: 500_000_000) == 31)
    #expect(ThreadRuntime.basePriority(threadPriority: 1_000_000_000) == 47)
  }
}
