/// The traces that are measured, by the names of the yardstick.
enum Workloads {
  /// A trace with what one unit of it is.
  struct Workload {
    /// The benchmark's name.
    let name: String
    /// What is counted.
    let unit: String
    /// How many there are; nil when the run's preemptions, blocks and wake-ups are counted.
    let units: Int?
    /// How often it is run: a short one many times, as the yardstick's own is, so that memory is
    /// not touched for the first time all along.
    var repeats = 1
    /// The trace of an nth of the work.
    let trace: @Sendable (Int) -> String
  }

  /// An M/M/8 queue at load 0.9: a million jobs of 1 ms.
  static let w2 = Workload(
    name: "w2", unit: "job", units: 1_000_000,
    trace: { share in
      """
      trace "M/M/8 at load 0.9" { seed: 1; until: 1000s }
      machine { platform: .ideal; cores: 8; costs: .zero; policy: .fifo }
      let pool = ThreadPool(width: 8)
      main { }
      arrivals(every: exponential(138888ns), count: \(1_000_000 / share)) { _ in
          pool.async(name: "job") { work(exponential(1ms)) }
      }
      """
    })

  /// A round-robin scheduler with 8 cores and 1,000 threads that compute and do input and output.
  static let w3 = mixed("w3", policy: ".roundRobin(quantum: 10ms)", seconds: 3_000)

  /// The same threads under policies that are no queue, but preempt and look at what threads ask for.
  static let fixedPriority = mixed(
    "fixed-priority", policy: ".fixedPriority(quantum: 10ms)", seconds: 300)
  static let timeshare = mixed("timeshare", policy: ".timeshare(quantum: 10ms)", seconds: 300)
  static let fairShare = mixed("fair-share", policy: ".fairShare(slice: 3ms)", seconds: 300)

  /// 1,000 threads on 8 cores that compute and do input and output, under a policy.
  private static func mixed(_ name: String, policy: String, seconds: Int) -> Workload {
    Workload(
      name: name, unit: "event", units: nil,
      trace: { share in
        """
        trace "1,000 threads on 8 cores" { seed: 1; until: \(seconds / share)s }
        machine { platform: .ideal; cores: 8; costs: .zero; policy: \(policy) }
        main {
            for i in 0 ..< 1000 {
                Thread.detachNewThread {
                    while true {
                        work(exponential(5ms))
                        io(exponential(20ms))
                    }
                }
            }
        }
        """
      })
  }

  /// A thread that computes alone, and whose quantum ends a million times.
  static let loneThread = Workload(
    name: "lone-thread", unit: "quantum", units: 1_000_000,
    trace: { share in
      """
      machine { platform: .ideal; cores: 8; costs: .zero; policy: .roundRobin(quantum: 1ms) }
      main { work(\(1_000 / share)s) }
      """
    })

  /// A thread for each of 100,000 tasks of 1 ms.
  static let w4a = Workload(
    name: "w4a", unit: "task", units: 100_000, repeats: 50,
    trace: { share in
      """
      trace "A thread a task" { until: 100s }
      machine { platform: .ideal; cores: 8; memory: 32GB; costs: .zero; policy: .fifo }
      let pool = ThreadPerTask(stackSize: 512KB)
      main { }
      arrivals(every: 90us, count: \(100_000 / share)) { _ in pool.async { work(1ms) } }
      """
    })

  /// The same tasks, all at once, on a pool of eight.
  static let w4b = Workload(
    name: "w4b", unit: "task", units: 100_000, repeats: 50,
    trace: { share in
      """
      trace "A pool of eight" { until: 100s }
      machine { platform: .ideal; cores: 8; costs: .zero; policy: .fifo }
      let pool = ThreadPool(width: 8)
      main {
          for i in 0 ..< \(100_000 / share) {
              pool.async { work(1ms) }
          }
      }
      """
    })

  /// A million tasks, written out one by one: reading a trace counts too.
  static func generated(tasks: Int) -> String {
    var text = """
      machine { platform: .ideal; cores: 8; memory: 8GB; costs: .zero }
      let pool = ThreadPool(width: 8)
      main {

      """
    text.reserveCapacity(46 * tasks)
    for task in 0..<tasks { text += "    pool.async(name: \"t\(task % 100)\") { work(1500us) }\n" }
    return text + "}\n"
  }

  /// 100,000 threads alive at once.
  static let threads = Workload(
    name: "threads-100000", unit: "thread", units: 100_000,
    trace: { share in
      """
      machine { platform: .ideal; cores: 8; memory: 64GB; costs: .zero; policy: .fifo }
      main {
          for i in 0 ..< \(100_000 / share) { Thread.detachNewThread { sleep(1s) } }
      }
      """
    })

  /// Blocks handed to a serial dispatch queue.
  static let dispatchAsync = dispatch(
    "dispatch-async", queue: "DispatchQueue(label: \"queue\")", call: "queue.async { work(1us) }")

  /// Calls that wait for their block, on a queue that is free.
  static let dispatchSync = dispatch(
    "dispatch-sync", queue: "DispatchQueue(label: \"queue\")", call: "queue.sync { work(1us) }")

  /// Barriers on a concurrent queue, each behind a reader.
  static let dispatchBarrier = dispatch(
    "dispatch-barrier",
    queue: "DispatchQueue(label: \"queue\", attributes: .concurrent)",
    call: "queue.async { work(1us) }; queue.async(flags: .barrier) { work(1us) }")

  /// Passes of the main thread's run loop, each of which fires a timer.
  static let runLoopPass = Workload(
    name: "run-loop-pass", unit: "pass", units: 100_000,
    trace: { share in
      """
      trace "passes" { until: \(100_000 / share)ms }
      machine { platform: .macOS; cores: 8; costs: .zero; policy: .fifo }
      main {
          Timer.scheduledTimer(withTimeInterval: 1ms, repeats: true) { work(1us) }
      }
      """
    })

  /// Operations on a queue, each of which depends on the one before it.
  static let operationDependency = Workload(
    name: "operation-dependency", unit: "operation", units: 20_000,
    trace: { share in
      """
      machine { platform: .macOS; cores: 8; costs: .zero; policy: .fifo }
      let queue = OperationQueue()
      main {
          var last = BlockOperation { work(1us) }
          queue.addOperation(last)
          for i in 1 ..< \(20_000 / share) {
              let next = BlockOperation { work(1us) }
              next.addDependency(last)
              queue.addOperation(next)
              last = next
          }
          queue.waitUntilAllOperationsAreFinished()
      }
      """
    })

  /// A call in a loop, on a machine of 8 cores that costs nothing.
  private static func dispatch(_ name: String, queue: String, call: String) -> Workload {
    Workload(
      name: name, unit: "call", units: 100_000,
      trace: { share in
        """
        machine { platform: .macOS; cores: 8; costs: .zero; policy: .fifo }
        let queue = \(queue)
        main {
            for i in 0 ..< \(100_000 / share) { \(call) }
        }
        """
      })
  }

  /// What some benchmarks must come to.
  ///
  /// The numbers of `w1` are those of any correct queue that is driven by the same draws; the times of
  /// `w4a` and `w4b` follow by arithmetic: the last of 100,000 threads that are born every 90 us on
  /// eight cores ends at 12.50072 s, and 100,000 items of 1 ms on eight workers take 12.5 s.
  static let knownAnswers: [String: [(answer: String, known: String)]] = [
    "w1-1000": [("check", "\"fc34119d223d7ff3\"")],
    "w1-100000": [("check", "\"f0d30fa8d3a10db3\"")],
    "w1-1000000": [("check", "\"e2ad048cf5a68fb3\"")],
    "w4a": [("makespan_ns", "12500720000"), ("peak_threads", "28008")],
    "w4b": [("makespan_ns", "12500000000"), ("peak_threads", "8")],
  ]

  static let all = [
    w2, w3, fixedPriority, timeshare, fairShare, loneThread, w4a, w4b, threads, dispatchAsync,
    dispatchSync,
    dispatchBarrier, runLoopPass,
    operationDependency, taskAwaited, actorFree, actorBusy, streamElement,
  ]
}
