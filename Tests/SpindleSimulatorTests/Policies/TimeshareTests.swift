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
    run(&load, from: 0, to: 1_000, coreCount: 2)
    // Off the fixed shift of 23, which is that of a time base of 1 ns.
    #expect(load.shift(.standard) == (shift < 0 ? -1 : 23 - Int8(shift)))
  }

  /// compute_sched_load: one background thread counts for the bands above it, however many there are.
  ///
  /// With one of its own each of them has two threads on one core, a load of 2: 23 - 1.
  @Test(arguments: [TimeshareLoad.Band.utility, .standard, .foreground])
  func aBackgroundThreadCountsAbove(band: TimeshareLoad.Band) {
    var load = TimeshareLoad()
    (load.runnable[band], load.runnable[.background]) = (1, 5)
    run(&load, from: 0, to: 1_000)
    #expect(load.shift(band) == 22)
    load.runnable[.background] = 0
    run(&load, from: 1_000, to: 2_000)
    #expect(load.shift(band) == -1)
  }

  /// Goes through all looks and ticks behind one millisecond and up to another.
  private func run(
    _ load: inout TimeshareLoad, from first: Int64, to last: Int64, coreCount: Int = 1
  ) {
    var now = TimeshareLoad.next(after: first * 1_000_000)
    while now <= last * 1_000_000 {
      _ = load.advance(to: now, coreCount: coreCount)
      now = TimeshareLoad.next(after: now)
    }
  }

  /// compute_averages: the shifts are set at ticks only, and hold until the next.
  @Test func useCostsNothingBeforeTheFirstTick() {
    var load = TimeshareLoad()
    load.runnable[.standard] = 2
    run(&load, from: 0, to: 124)
    #expect(load.tick == 0)
    #expect(load.shift(.standard) == -1)
    run(&load, from: 124, to: 125)
    #expect(load.tick == 1)
    #expect(load.shift(.standard) == 22)
    load.runnable[.standard] = 0
    run(&load, from: 125, to: 249)
    #expect(load.shift(.standard) == 22)
    run(&load, from: 249, to: 250)
    #expect(load.shift(.standard) == -1)
  }

  /// While nobody waits for a core the kernel asks for no tick: the clock takes after what it missed, to
  /// the same end, whenever it is asked.
  @Test func whatWasMissedIsTakenAfter() {
    for end in stride(from: Int64(500), through: 1_200, by: 7) {
      var asked = TimeshareLoad()
      asked.runnable[.foreground] = 40
      run(&asked, from: 0, to: 495)
      asked.runnable[.foreground] = 0
      var missed = asked
      run(&asked, from: 495, to: end - 1)
      missed.catchUp(before: end * 1_000_000)
      #expect(missed.tick == asked.tick, "until \(end) ms")
      #expect(missed.shift(.foreground) == asked.shift(.foreground), "until \(end) ms")
      missed.runnable[.foreground] = 2
      asked.runnable[.foreground] = 2
      run(&asked, from: end - 1, to: end + 300)
      run(&missed, from: end - 1, to: end + 300)
      #expect(missed.shift(.foreground) == asked.shift(.foreground), "300 ms later")
    }
  }

  /// update_priority, lightweight_update_priority: a thread that runs across a tick has its whole turn
  /// charged and then aged when the turn ends, one that waits is aged at the tick, and use before the
  /// first tick was never charged.
  @Test func bothAgeByTheSameTick() {
    var policy = Timeshare(quantum: .milliseconds(10))
    policy.begin(coreCount: 1)
    for thread in 0...1 {
      policy.admit(ThreadID(thread), ThreadClaim(priority: 31, isBackground: false))
      policy.enqueue(ThreadID(thread), .started, at: .start)
    }
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var cores = Table<CoreRecord>(.threads, storage)
    cores.append(CoreRecord())
    let running = RunningThreads(cores: UnsafePointer(cores.base), count: 1)
    var (order, now): (String, Int64) = ("", 0)
    while now < 1_000_000_000, let thread = policy.dequeue(for: CoreID(0), at: Instant(now)) {
      order += thread.index == 0 ? "A" : "B"
      cores[0].thread = thread
      let quantum = policy.quantum(for: thread) ?? .zero
      let end = now + quantum.rawValue
      var tick = TimeshareLoad.next(after: now)
      while tick <= end {
        policy.tick(running: running, at: Instant(tick))
        #expect(policy.victim(among: running, at: Instant(tick)) == nil, "at \(Instant(tick))")
        tick = TimeshareLoad.next(after: tick)
      }
      now = end
      policy.ran(thread, for: quantum, at: Instant(now))
      policy.enqueue(thread, .quantumExpired, at: Instant(now))
    }
    #expect(order == String(repeating: "AB", count: 50))
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
