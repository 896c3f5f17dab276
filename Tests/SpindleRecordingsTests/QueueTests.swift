import SpindleModel
import Testing

@testable import SpindleRecordings

/// Recordings with probes in libdispatch: what its workers did becomes the items of queues.
@Suite struct QueueTests {
  /// Main submits two items of 2 ms to a serial queue, with a group, and waits for it.
  ///
  /// The worker takes 0.1 ms before
  /// the first item and 0.05 ms before the second one.
  private static func serial() -> ProbedRecording {
    var all = ProbedRecording()
    all.runs(0, 0, 100)
    all.at(0, 0, "q_create: (0x7f) label=\"com.app.state\"")
    all.at(0, 0, "q_created: (0x7f <- 0x7f) dq=0x10")
    all.at(1_000, 0, "q_push: (0x7f) dq=0x10 func=0x7 ctxt=0x1")
    all.at(1_000, 0, "q_rpush: (0x7f) dq=0x99 func=0x0 ctxt=0x0")
    all.makes(1_000, 0, 101)
    all.runs(1_000, 1, 101)
    all.at(1_000, 1, "worker: (0x7f)")
    all.at(2_000, 0, "q_push: (0x7f) dq=0x10 func=0x7 ctxt=0x2")
    all.at(2_500, 0, "group_wait: (0x7f) group=0x50")
    all.runs(2_500, 0, 0)
    all.item(1, 1, 1_100, 3_100)
    all.at(3_100, 1, "group_leave: (0x7f) group=0x50")
    all.item(2, 1, 3_150, 5_150)
    all.at(5_150, 1, "group_leave: (0x7f) group=0x50")
    all.wakes(5_150, 1, 100)
    all.runs(5_150, 1, 0)
    all.runs(5_150, 0, 100)
    all.at(5_150, 0, "group_waited: (0x7f <- 0x7f)")
    all.at(6_000, 0, "sched_process_exit: comm=app pid=100 prio=120")
    all.runs(6_000, 0, 0, left: "Z")
    return all
  }

  @Test func itemsAreWhatAWorkerDoesBetweenCallAndReturn() throws {
    #expect(
      try Self.serial().trace() == """
        let state = DispatchQueue(label: "com.app.state")
        let group = DispatchGroup()

        main(.tool) {
            work(1ms)
            state.async(group: group) { stateItem(0) }
            work(1ms)
            state.async(group: group) { stateItem(1) }
            work(500us)
            group.wait()
            work(850us)
        }

        let stateItemLengths = [
            2.1ms, 2.05ms,
        ]
        func stateItem(_ i: Int) {
            work(stateItemLengths[i])
        }

        """)
  }

  /// Main and all workers as one; what they computed is what the recording has.
  @Test func workersAreOneRow() throws {
    let rows = try Self.serial().program().rows
    #expect(rows.map(\.name) == ["app", "workers"])
    #expect(rows.map(\.isPool) == [false, true])
    #expect(rows.map(\.activity.ran) == [3_350_000, 4_150_000])
  }

  @Test func workersAreThreadsWhereThatIsWanted() throws {
    var choice = RecordingChoice()
    choice.takesQueues = false
    let text = try Self.serial().trace(choice)
    #expect(text.contains("Thread.detachNewThread(name: \"oot.default-qos\")"))
    #expect(!text.contains("DispatchQueue"))
  }

  /// From 4 ms on the first item is over, the second was submitted before, and main waits since before.
  @Test func timeMayBeginWithinAnItem() throws {
    var choice = RecordingChoice()
    choice.from = .milliseconds(4)
    #expect(
      try Self.serial().trace(choice) == """
        let state = DispatchQueue(label: "com.app.state")
        let group = DispatchGroup()

        // Submitted by timers, by devices, or before the recording.
        at(0s) {
            state.async(group: group) { stateItem() }
        }

        main(.tool) {
            group.wait()
            work(850us)
        }

        func stateItem() {
            work(1.15ms)
        }

        """)
  }

  /// A concurrent queue with a barrier, whose first item calls a block of a serial queue and waits for it.
  ///
  /// It signals a semaphore for which the barrier waits. The group that a block has for itself is nobody's.
  private static func cache() -> ProbedRecording {
    var all = ProbedRecording()
    all.runs(0, 0, 100)
    all.at(0, 0, "q_create: (0x7f) label=\"cache\"")
    all.at(0, 0, "q_created: (0x7f <- 0x7f) dq=0x10")
    all.at(0, 0, "q_create: (0x7f) label=(fault)")
    all.at(0, 0, "q_created: (0x7f <- 0x7f) dq=0x20")
    all.at(1_000, 0, "q_cpush: (0x7f) dq=0x10 flags=0x11c ctxt=0x1")
    // A queue that is busy takes what comes as a serial one does: it is the same item.
    all.at(1_000, 0, "q_push: (0x7f) dq=0x10 flags=0x11c ctxt=0x1")
    all.at(2_000, 0, "q_cpush: (0x7f) dq=0x10 flags=0x11e ctxt=0x2")
    all.makes(2_000, 0, 101)
    all.runs(2_000, 0, 101)
    all.at(2_000, 0, "q_call: (0x7f) ctxt=0x1")
    all.at(3_000, 0, "q_sync: (0x7f) dq=0x20")
    all.item(77, 0, 3_000, 3_500)
    all.at(3_500, 0, "q_synced: (0x7f <- 0x7f)")
    all.at(4_000, 0, "sema_signal: (0x7f) sema=0x60")
    all.at(4_000, 0, "q_return: (0x7f <- 0x7f)")
    all.at(4_000, 0, "q_call: (0x7f) ctxt=0x2")
    all.at(5_000, 0, "sema_wait: (0x7f) sema=0x60")
    all.at(5_000, 0, "sema_waited: (0x7f <- 0x7f)")
    all.at(5_000, 0, "sema_wait: (0x7f) sema=0x60")
    all.at(5_000, 0, "sema_waited: (0x7f <- 0x7f)")
    all.at(6_000, 0, "group_leave: (0x7f) group=0x70")
    all.at(6_000, 0, "q_return: (0x7f <- 0x7f)")
    all.runs(6_000, 0, 0)
    return all
  }

  @Test func barriersAndSemaphoresAndSyncAreToldByTheirProbes() throws {
    // Once it was signalled and twice waited for: it began with one.
    #expect(
      try Self.cache().trace() == """
        let cache = DispatchQueue(label: "cache", attributes: .concurrent)
        let queue = DispatchQueue(label: "unlabelled")
        let semaphore = DispatchSemaphore(value: 1)

        main {
            work(1ms)
            cache.async { cacheItem() }
            work(1ms)
            cache.async(flags: .barrier) { cacheBarrier() }
        }

        func cacheItem() {
            work(1ms)
            queue.sync { queueSync() }
            work(500us)
            semaphore.signal()
        }

        func cacheBarrier() {
            work(1ms)
            semaphore.wait()
            semaphore.wait()
            work(1ms)
        }

        func queueSync() {
            work(500us)
        }

        """)
  }

  /// A timer's block: an interrupt wakes the worker, and it calls what nobody submitted.
  ///
  /// It leaves a group that it did not enter. What main wakes a worker for without being seen to submit it, main submits there.
  @Test func whatNobodySubmitsComesOfWhatWokeTheWorker() throws {
    var all = ProbedRecording()
    all.runs(0, 0, 100)
    all.makes(0, 0, 101)
    all.runs(0, 1, 101)
    all.at(0, 1, "worker: (0x7f)")
    all.item(0, 1, 0, 20)
    all.runs(20, 1, 0)
    all.at(1_000, 0, "group_wait: (0x7f) group=0x50")
    all.runs(1_000, 0, 0)
    all.wakes(3_000, 1, 101, flags: "d.h3.")
    all.runs(3_000, 1, 101)
    all.at(3_000, 1, "q_call: (0x7f) ctxt=0x8")
    all.at(4_000, 1, "group_leave: (0x7f) group=0x50")
    all.wakes(4_000, 1, 100)
    all.runs(4_000, 0, 100)
    all.at(4_000, 0, "group_waited: (0x7f <- 0x7f)")
    all.at(4_500, 1, "q_return: (0x7f <- 0x7f)")
    all.runs(4_500, 1, 0)
    all.wakes(5_000, 0, 101)
    all.runs(5_000, 1, 101)
    all.item(9, 1, 5_000, 7_000)
    all.runs(7_000, 1, 0)
    all.runs(8_000, 0, 0)
    // The call of 20 us is the library's own: it is in front of what the worker does next.
    #expect(
      try all.trace() == """
        let global = DispatchQueue.global()
        let group = DispatchGroup()

        // Submitted by timers, by devices, or before the recording.
        at(3ms) {
            global.async { globalItem() }
        }

        main {
            group.enter()
            work(1ms)
            group.wait()
            work(1ms)
            global.async { globalItem_2() }
            work(3ms)
        }

        func globalItem() {
            work(1.02ms)
            group.leave()
            work(500us)
        }

        func globalItem_2() {
            work(2ms)
        }

        """)
  }

  /// An item that waits for a thread in a way that no probe tells has a semaphore of its own.
  @Test func waitOfAnItemIsASemaphore() throws {
    var all = ProbedRecording()
    all.runs(0, 0, 100)
    all.at(1_000, 0, "q_rpush: (0x7f) dq=0x10 func=0x7 ctxt=0x1")
    all.makes(1_000, 0, 101)
    all.runs(1_000, 1, 101)
    all.at(1_000, 1, "q_call: (0x7f) ctxt=0x1")
    all.runs(2_000, 1, 0)
    all.wakes(4_000, 0, 101)
    all.runs(4_000, 1, 101)
    all.at(5_000, 1, "q_return: (0x7f <- 0x7f)")
    all.runs(5_000, 1, 0)
    all.runs(6_000, 0, 0)
    #expect(
      try all.trace() == """
        let global = DispatchQueue.global()
        let semaphore = DispatchSemaphore(value: 0)

        main {
            work(1ms)
            global.async { globalItem() }
            work(3ms)
            semaphore.signal()
            work(2ms)
        }

        func globalItem() {
            work(1ms)
            semaphore.wait()
            work(1ms)
        }

        """)
  }

  @Test func damagedProbesArePassedOver() throws {
    var all = Self.serial()
    for (place, event) in [
      "q_push: (0x7f) dq=0x10 func=0x7", "q_call: (0x7f) ctxt=", "group_leave: (0x7f)",
      "q_create: (0x7f)", "sema_wait: (0x7f) sema=x", "q_sync: (0x7f)",
    ].enumerated() {
      all.at(6_000 + place, 0, event)
    }
    let program = try all.program()
    #expect(program.survey.counts.unread == 6)
    #expect(program.survey.counts.firstUnread?.reason == "the fields of q_push can't be read")
    // Other events of these names, and ends without a beginning.
    var ends = Self.serial()
    for event in ["q_return:", "q_synced:", "sema_waited:", "group_waited:", "q_pushed: x"] {
      ends.at(500, 0, event)
    }
    #expect(try ends.program().survey.counts.unread == 0)
  }

  /// The queue of an item of the system is known by the name of who runs it.
  @Test(
    "a worker's name tells the quality of service",
    arguments: [
      ("oot.utility-qos", "DispatchQueue.global(qos: .utility)"),
      (".background-qos", "DispatchQueue.global(qos: .background)"),
      ("interactive-qos", "DispatchQueue.global(qos: .userInteractive)"),
      ("r-initiated-qos", "DispatchQueue.global(qos: .userInitiated)"),
      ("oot.default-qos", "DispatchQueue.global()"),
      ("-qos.overcommit", "DispatchQueue.global()"),
    ])
  func qualityIsToldByTheWorker(name: String, queue: String) throws {
    var queues = RecordedQueues()
    let submitted = queues.submitted(1, to: 2, .root, isBarrier: false)
    queues.ran(try #require(submitted), onWorker: name)
    #expect(RecordedQueues.isWorker(name))
    #expect(TraceText.made(queues.queues[0]) == queue)
  }
}
