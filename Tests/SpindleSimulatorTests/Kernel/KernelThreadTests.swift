import SpindleModel
import Testing

@testable import SpindleSimulator

/// The kernel's verbs for threads, each alone.
@Suite struct KernelThreadTests {
  @Test func whoStartsIsReadyAndTakesMemory() {
    let bench = KernelBench(platform: .iOS, costs: Configuration(name: "apple"))
    let thread = bench.kernel.createThread { $0.pointee.stackSize = 16_384 }
    #expect(bench.state(thread) == .created)
    #expect(bench.kernel.liveCount == 0)
    #expect(bench.events() == [])
    bench.kernel.start(thread, origin: .thread, executorName: -1, by: .none)
    #expect(bench.state(thread) == .ready)
    #expect(bench.kernel.liveCount == 1)
    #expect(bench.kernel.readyCount == 1)
    let footprint = bench.kernel.footprint(of: thread)
    #expect(bench.kernel.memory.used == footprint)
    #expect(bench.kernel.memory.used > 0)
    #expect(bench.events() == [.threadCreated, .memoryChanged, .threadReady])
  }

  @Test func whoEndsGivesAllBack() {
    let bench = KernelBench(platform: .iOS, costs: Configuration(name: "apple"))
    let thread = bench.start()
    #expect(bench.assign() == [0])
    _ = bench.kernel.leaveCore(thread)
    bench.kernel.retire(thread)
    #expect(bench.state(thread) == .finished)
    #expect(bench.kernel.liveCount == 0)
    #expect(bench.kernel.memory.used == 0)
    #expect(bench.running().isNone && bench.kernel.idleCount == 1)
  }

  @Test func numbersAreUsedAgainButNotThoseOfNamedThreads() {
    let bench = KernelBench()
    let (nameless, named) = (bench.start(), bench.start())
    bench.kernel.threads.writable[named].flags.insert(.named)
    bench.kernel.retire(nameless)
    bench.kernel.retire(named)
    let next = bench.kernel.createThread { _ in }
    #expect(next == nameless)
    #expect(bench.kernel.threads[nameless].generation == 1)
    let another = bench.kernel.createThread { _ in }
    #expect(another == ThreadID(2))
  }

  @Test func whoWaitsHasNoCoreUntilItIsWoken() {
    let bench = KernelBench()
    let (first, second) = (bench.start(), bench.start())
    #expect(bench.assign() == [0])
    #expect(bench.running() == first)
    bench.kernel.block(first, .semaphore, on: 7)
    #expect(bench.state(first) == .waiting)
    #expect(bench.kernel.threads[first].waitObject == 7)
    #expect(bench.assign() == [0])
    #expect(bench.running() == second)
    bench.kernel.wake(first, .granted, by: second)
    #expect(bench.state(first) == .ready)
    #expect(bench.kernel.threads[first].wakeResult == .granted)
    #expect(bench.kernel.threads[first].waitObject == -1)
    #expect(bench.assign() == [], "the core is taken")
  }

  /// A wait with a limit is an event, which nobody wants any more when the wait ends before it.
  @Test func aWaitHasALimit() {
    let bench = KernelBench()
    let thread = bench.start()
    #expect(bench.assign() == [0])
    bench.kernel.block(thread, .lock, until: 5_000_000)
    #expect(bench.nextEvent() == 5)
    let event = bench.kernel.queue.peek()
    #expect(event?.rawKind == DueKind.threadTimer.rawValue && event?.index == thread.index)
    #expect(event?.sequence == bench.kernel.threads[thread].timer)
    bench.advance(to: 3)
    bench.kernel.wake(thread, .granted, by: .none)
    #expect(bench.kernel.threads[thread].timer == 0)
    #expect(bench.log().contains { $0.event == .waitLimited && $0.value == 5_000_000 })
  }

  /// What a device does comes before what timers do at the same instant.
  @Test func inputIsAnEventOfTheWorld() {
    let bench = KernelBench(speeds: [.one, .one])
    let (sleeper, reader) = (bench.start(), bench.start())
    #expect(bench.assign() == [0, 1])
    bench.kernel.block(sleeper, .sleep, until: 5_000_000)
    bench.kernel.block(reader, .io, until: 5_000_000)
    #expect(bench.takeEvent()?.index == reader.index)
    #expect(bench.takeEvent()?.index == sleeper.index)
  }

  @Test func whoYieldsStandsBehindTheOthers() {
    let bench = KernelBench()
    let threads = [bench.start(), bench.start(), bench.start()]
    var order: [ThreadID] = []
    for _ in 0..<6 {
      #expect(bench.assign() == [0])
      order.append(bench.running())
      bench.kernel.yield(bench.running())
    }
    #expect(order == threads + threads)
  }

  // MARK: Lists of waiting threads

  /// Threads that wait in one list, by when they came; every second one is real-time.
  private static func order(_ platform: Platform) -> [Int32] {
    let bench = KernelBench(
      speeds: Array(repeating: .one, count: 6), platform: platform,
      policy: Configuration(name: "fifo"))
    let claim = RealtimeClaim(computation: .milliseconds(1), constraint: .milliseconds(5))
    var list = WaitList()
    for index in 0..<6 { _ = bench.start(realtime: index % 2 == 1 ? claim : nil) }
    _ = bench.assign()
    for thread in (0..<6).map({ ThreadID($0) }) {
      bench.kernel.block(thread, .condition)
      bench.kernel.append(thread, to: &list)
    }
    // On Linux both stand in the middle.
    bench.kernel.remove(ThreadID(0), from: &list)
    bench.kernel.remove(ThreadID(5), from: &list)
    let first = bench.kernel.removeFirst(from: &list)
    bench.kernel.wakeAll(&list, by: .none)
    let woken = bench.log().filter { $0.event == .threadReady }.map(\.thread).suffix(3)
    return [first.index] + woken
  }

  @Test func listsAreInTheOrderOfArrival() {
    #expect(Self.order(.ideal) == [1, 2, 3, 4])
    #expect(Self.order(.iOS) == [1, 2, 3, 4])
    #expect(Self.order(.linux) == [1, 3, 2, 4], "there real-time threads stand in front")
  }

  @Test func anEmptyListHasNobody() {
    let bench = KernelBench()
    var list = WaitList()
    let first = bench.kernel.removeFirst(from: &list)
    #expect(first.isNone)
    bench.kernel.wakeAll(&list, by: .none)
    #expect(list.isEmpty && bench.events() == [])
  }

  // MARK: Deadlines

  /// A real-time thread with 5 ms wakes at 10 ms, and waits again at 15, 16 and 18 ms after its wakes.
  @Test func whoWaitsTooLateMissesItsDeadline() {
    let bench = KernelBench()
    let claim = RealtimeClaim(computation: .milliseconds(1), constraint: .milliseconds(5))
    let thread = bench.start(realtime: claim)
    var now: Int64 = 0
    for late in [Int64(0), 1, 3] {
      _ = bench.assign()
      bench.kernel.block(thread, .sleep, until: (now + 10) * 1_000_000)
      now += 10
      bench.advance(to: now)
      bench.kernel.wake(thread, .granted, by: .none)
      now += 5 + late
      bench.advance(to: now)
    }
    _ = bench.assign()
    bench.kernel.block(thread, .sleep, until: 100_000_000)
    let missed = bench.log().filter { $0.event == .deadlineMissed }
    #expect(missed.map(\.value) == [1_000_000, 3_000_000])
    #expect(bench.kernel.findings.map(\.kind) == [.deadlineMissed], "it is reported once")
  }
}
