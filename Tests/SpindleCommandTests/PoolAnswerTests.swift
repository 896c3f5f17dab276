import Testing

@testable import SpindleCommand

/// Workers that the pool adds late have a name, and what is told of a run adds up.
@Suite struct PoolAnswerTests {
  private func call(_ trace: String, _ arguments: String...) -> Invocation {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "200"], standardInput: Array(trace.utf8))
    return Invocation(["explain", "-"] + arguments, environment: environment)
  }

  /// Two workers wait at once on two cores: the kernel answers after 200 us, and again after twice that.
  private let blocked = """
    trace "blocked"
    machine { platform: .iOS; cores: 2; costs: .zero }
    main(.tool) {
      let g = DispatchGroup()
      for i in 0..<4 {
        DispatchQueue.global(qos: .userInitiated).async(name: "item\\(i)", group: g) { io(100ms) }
      }
      g.wait()
    }
    """

  @Test func theKernelsAnswerIsAPartOfThePath() {
    let output = call(blocked, "--critical-path").output
    #expect(
      output.contains("\n  200us for the kernel's answer for a further worker, asked at 0s\n"),
      "\(output)")
    #expect(output.contains("\n  'item3' (6:5) 100ms (100ms for io at 6:"), "\(output)")
    #expect(
      output.contains(
        "without waiting for the kernel's answer for a further worker, where fewer workers wait: "
          + "at most 200us less"), "\(output)")
  }

  @Test func anItemSaysThatItWaitedForTheKernel() {
    let output = call(blocked, "--item", "item3").output
    #expect(
      output.contains(
        "200us until 'worker-4' dequeued it: 200us for the kernel's answer for a further worker, "
          + "asked at 0s"), "\(output)")
  }

  /// Of four that wait 2.5 s two begin at once, and the monitor adds a worker at 1 s and at 2 s for the others: the fifth
  /// comes when the first one is done.
  ///
  /// Where they work, the cores are taken, and the monitor is not to blame.
  @Test func whoStandsBehindBlockedWorkersHearsOfTheMonitor() {
    func output(_ doing: String) -> String {
      call(
        """
        machine { platform: .linux; cores: 2; costs: .zero }
        main {
          for i in 0 ..< 4 { DispatchQueue.global().async(name: "job\\(i)") { \(doing)(2500ms) } }
          DispatchQueue.global().async(name: "quick") { work(1ms) }
        }
        """, "--item", "quick"
      ).output
    }
    let blocked = output("io")
    #expect(
      blocked.contains(
        " and 2 more; the pool monitor, which adds workers once a second, added 2 in that time\n"),
      "\(blocked)")
    let working = output("work")
    #expect(working.contains("behind 'job0'") && !working.contains("monitor"), "\(working)")
  }

  /// Two callers wait for barriers that need a worker, and a third for a worker: the monitor adds one at 1 s.
  @Test func theMonitorAddsWorkersOnceASecond() {
    let output = call(
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      let table = DispatchQueue(label: "table", attributes: .concurrent)
      main {
        for i in 0 ..< 3 {
          DispatchQueue.global().async(name: "caller \\(i)") {
            table.async(flags: .barrier) { mark("written") }
            table.sync { mark("read") }
          }
        }
      }
      """, "--item", "caller 2"
    ).output
    #expect(
      output.contains(
        "1s for the pool monitor, which adds workers once a second, asked at 0s"), "\(output)")
  }

  /// The same barriers: a caller waits for one that waits for a worker, and so does the path.
  ///
  /// The worker of the look at 1 s takes the third caller; from then on the next one is awaited, which the barrier gets.
  @Test func aSyncBehindABarrierThatWaitsForAWorkerNamesTheMonitor() {
    let trace = """
      machine { platform: .linux; cores: 2; costs: .zero }
      let table = DispatchQueue(label: "table", attributes: .concurrent)
      main {
        for i in 0 ..< 3 {
          DispatchQueue.global().async(name: "caller \\(i)") {
            table.async(name: "write \\(i)", flags: .barrier) { mark("written") }
            table.sync { mark("read") }
          }
        }
      }
      """
    let item = call(trace, "--item", "caller 0").output
    #expect(
      item.contains(
        "in sync for queue 'table' at 7:7, behind 'write 0' (6:7), which waited 1s for the pool monitor"
      ),
      "\(item)")
    let path = call(trace, "--critical-path").output
    #expect(
      path.contains("\n  1s for the pool monitor, which adds workers once a second, asked at 0s\n"),
      "\(path)")
    #expect(
      path.contains("\n  1s for the pool monitor, which adds workers once a second, asked at 1s\n"),
      "\(path)")
  }

  /// Somebody hands work over at 20 ms; the main thread idles to the end at 50 ms.
  @Test func whatLiesBeforeAndBehindIsTold() {
    let output = call(
      """
      trace "late" { until: 50ms }
      machine { cores: 1; costs: .zero }
      let pool = ThreadPool(width: 1)
      main { RunLoop.main.run() }
      at(20ms) { Thread(name: "late") { work(10ms) }.start() }
      every(50ms) { RunLoop.main.perform { } }
      """, "--critical-path"
    ).output
    #expect(output.contains("\n0..50ms:\n"), "\(output)")
    #expect(output.contains("  20ms until 'late' (5:12) came\n"), "\(output)")
    #expect(output.contains("in which no thread ran\n"), "\(output)")
  }

  /// A sync says whose it was, and what that one did.
  @Test func aSyncNamesItsItem() {
    let output = call(
      """
      trace "sync"
      machine { cores: 2; costs: .zero }
      let q = DispatchQueue(label: "cache")
      main {
        DispatchQueue.global().async(name: "refresher") { q.sync { work(20ms) } }
        RunLoop.main.run()
      }
      at(5ms) { DispatchQueue.main.async(name: "frame") { q.sync { } } }
      """, "--item", "frame"
    ).output
    #expect(output.contains("which ran a sync of 'refresher' (5:53), which worked for 15ms\n"))
    #expect(
      output.contains("\nqueue 'cache': held by 'refresher' (5:53) on worker-1 "), "\(output)")
  }

  /// An actor says what its holder did, and the picture has the holder's lane.
  @Test func anActorsHolderIsSeen() {
    let output = call(
      """
      trace "actor"
      machine { cores: 2; costs: .zero }
      actor X { func busy(_ d: Duration) { work(d) } }
      let x = X()
      main {
        Task.detached(name: "a") { await x.busy(30ms) }
        Task.detached(name: "b") { await Task.sleep(for: 5ms); await x.busy(10ms) }
        RunLoop.main.run()
      }
      """, "--item", "b"
    ).output
    #expect(
      output.contains("25ms queued for actor 'x', held by 'a' (6:3), which worked for 25ms\n"),
      "\(output)")
    #expect(output.contains("\nworker-1  "), "\(output)")
    #expect(output.contains("\nworker-2  "), "\(output)")
  }

  /// Main works for 30 ms on the only core; the worker is there for the actor's task.
  @Test func whatAReadyThreadIsThereForIsSaid() {
    let output = call(
      """
      trace "ready"
      machine { cores: 1; costs: .zero }
      actor X { func busy(_ d: Duration) { work(d) } }
      let x = X()
      main {
        Task.detached(name: "a", priority: .background) { await x.busy(5ms) }
        work(30ms)
        RunLoop.main.run()
      }
      """, "--at", "10ms"
    ).output
    #expect(
      output.contains(
        "'worker-1': runnable without a core, 0..30ms, started by 'main' to run 'a' on actor 'x', "
          + "while 'main' ran: policy clutch prefers 'main' by class, "
          + ".userInteractive against .background\n"), "\(output)")
  }

  /// Some thirty short items in a row, each with a wait: they are told by sort, all of the time.
  @Test func manyShortPartsAreToldBySort() {
    let output = call(
      """
      trace "short"
      machine { cores: 2; costs: .zero }
      let pool = ThreadPool(width: 2)
      main {
        for i in 0..<60 { pool.async(name: "item\\(i)") { io(exponential(5ms)); work(exponential(5ms)) } }
        pool.async(name: "last") { work(1ms) }
      }
      """, "--item", "last"
    ).output
    #expect(output.contains(" dequeued it: in all, "), "\(output)")
    #expect(output.contains(" 'item*' worked "), "\(output)")
    #expect(output.contains(" for io, "), "\(output)")
    #expect(!output.contains("smaller parts"), "\(output)")
  }
}
