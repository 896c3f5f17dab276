/// The traces of which nothing may grow faster than n log n, each with n of one thing.
enum GrowthRows {
  /// One thing that there may be much of.
  struct Row: Sendable {
    /// Its name.
    let name: String
    /// The least of the three sizes; each is twice the one before.
    var size = 16_384
    /// Whether the trace is one that must be refused, so that only reading it is measured.
    var isRefused = false
    /// The trace with `n` of it.
    let trace: @Sendable (_ n: Int) -> String
  }

  static let all = operations + runLoops + others + expectations

  // MARK: Operations

  private static let operations = [
    // Each barrier stands behind all before it, and all behind it stand behind each barrier.
    Row(name: "operation-barriers") { n in
      program(
        """
            for i in 0 ..< \(n) {
                queue.addOperation { work(1us) }
                queue.addBarrierBlock { work(1us) }
            }
            queue.waitUntilAllOperationsAreFinished()
        """, top: "let queue = OperationQueue()")
    },
    // The same, which never start, so that the end of the run looks for cycles among them.
    Row(name: "operation-barriers-held") { n in
      program(
        """
            queue.isSuspended = true
            for i in 0 ..< \(n) {
                queue.addOperation { work(1us) }
                queue.addBarrierBlock { work(1us) }
            }
        """, top: "let queue = OperationQueue()")
    },
    // Each waiting thread is asked for whom it waits.
    Row(name: "operation-waiters") { n in
      program(
        """
            queue.isSuspended = true
            for i in 0 ..< \(n) {
                queue.addOperation { work(1us) }
                Thread.detachNewThread { queue.waitUntilAllOperationsAreFinished() }
            }
            sleep(1ms)
            queue.isSuspended = false
        """, top: "let queue = OperationQueue()")
    },
    // An item inside another one on each of many threads.
    Row(name: "interrupted-items") { n in
      program(
        """
            for i in 0 ..< \(n) {
                Thread.detachNewThread {
                    let inner = BlockOperation { sleep(1ms) }
                    let outer = BlockOperation { inner.start() }
                    outer.start()
                }
            }
        """)
    },
  ]

  // MARK: Run loops

  private static let runLoops = [
    Row(name: "ports") { n in
      program(
        """
            for i in 0 ..< \(n) {
                let port = Port { message in work(1us) }
                RunLoop.current.add(port, forMode: .default)
                port.send("x")
            }
        """)
    },
    // A run that returns after one source begins once for each.
    Row(name: "sources-in-turn") { n in
      program(
        """
            for i in 0 ..< \(n) {
                let source = Source { work(1us) }
                RunLoop.current.add(source, forMode: .default)
                source.signal()
            }
            for i in 0 ..< \(n) {
                _ = RunLoop.current.run(mode: .default, before: .distantFuture)
            }
        """)
    },
    Row(name: "sources-at-once") { n in
      program(
        """
            for i in 0 ..< \(n) {
                let source = Source(order: \(n) - i) { work(1us) }
                RunLoop.current.add(source, forMode: .default)
                source.signal()
            }
        """)
    },
    Row(name: "timers-repeating", size: 8_192) { n in
      program(
        """
            for i in 0 ..< \(n) {
                Timer.scheduledTimer(withTimeInterval: 1ms, repeats: true) { }
            }
        """, until: "3ms")
    },
    // Many that may all fire now, while other things keep the loop awake.
    Row(name: "timers-tolerant") { n in
      program(
        """
            for i in 0 ..< \(n) {
                let timer = Timer.scheduledTimer(withTimeInterval: 1s, repeats: true) { }
                timer.tolerance = 400ms
                let port = Port { message in }
                RunLoop.current.add(port, forMode: .default)
                port.send("x")
            }
        """, until: "3ms")
    },
    Row(name: "timers-once") { n in
      program(
        """
            for i in 0 ..< \(n) {
                Timer.scheduledTimer(withTimeInterval: 1us * (\(n) - i), repeats: false) { }
            }
        """)
    },
    Row(name: "performs-delayed") { n in
      program(
        """
            for i in 0 ..< \(n) { perform(afterDelay: 1s) { } }
            cancelPreviousPerforms()
            for i in 0 ..< \(n) { perform(afterDelay: 1us * i) { } }
        """)
    },
    // Half of them are for a mode in which the loop never runs.
    Row(name: "performs-on-a-thread") { n in
      program(
        """
            other.start()
            for i in 0 ..< \(n) {
                perform(on: other, modes: [own]) { }
                perform(on: other, modes: [.default]) { }
            }
        """,
        top: """
          let own = RunLoop.Mode("own")
          let other = Thread {
              RunLoop.current.add(Port { }, forMode: .default)
              RunLoop.current.run(until: 1s)
          }
          """)
    },
    Row(name: "common-modes") { n in
      program(
        """
            RunLoop.current.add(Port { }, forMode: .common)
            for i in 0 ..< \(n) {
                CFRunLoopAddCommonMode(RunLoop.current, RunLoop.Mode("mode\\(i)"))
            }
        """)
    },
    Row(name: "observers") { n in
      program(
        """
            for i in 0 ..< \(n) {
                RunLoop.current.observe(
                    .beforeWaiting, repeats: false, order: \(n) - i, forMode: .default) { }
            }
        """)
    },
    Row(name: "io-callbacks") { n in
      program(
        """
            for i in 0 ..< \(n) { io(1us * i, runLoop: RunLoop.current) { work(1us) } }
        """)
    },
  ]

  // MARK: Threads and queues

  private static let others = [
    // A tick of timesharing looks at the ready threads, of which there are many.
    Row(name: "timeshare", size: 65_536) { n in
      program(
        """
            for i in 0 ..< \(n) { Thread.detachNewThread { work(1ms) } }
        """, policy: "timeshare")
    },
    // A thread that yields stands behind all that are ready.
    Row(name: "fair-share-yields") { n in
      program(
        """
            for i in 0 ..< \(n) { Thread.detachNewThread { work(1us); yield(); work(1us) } }
        """, policy: "fairShare")
    },
    // A queue that is let go of asks whether a source still needs it.
    Row(name: "sources-of-queues") { n in
      program(
        """
            for i in 0 ..< \(n) {
                let queue = DispatchQueue(label: "queue")
                let source = DispatchSource.makeUserDataAddSource(queue: queue)
                source.setEventHandler { }
                source.resume()
                queue.release()
            }
        """)
    },
    // Each `sync` goes through all targets; there may be 1,000 in a chain.
    Row(name: "target-chain", size: 240) { n in
      program(
        """
            var last = DispatchQueue(label: "queue")
            for i in 1 ..< \(n) { last = DispatchQueue(label: "queue", target: last) }
            for i in 0 ..< 2_000 { last.sync { } }
        """)
    },
  ]

  // MARK: Expectations and messages

  private static let expectations = [
    Row(name: "expected-values") { n in
      program(
        """
            for i in 0 ..< \(n) { record("key\\(i)", i) }
        """, expect: ["values == [\(list(n) { "\"key\(n - 1 - $0)\": \(n - 1 - $0)" })]"])
    },
    Row(name: "expected-kinds", size: 4_096) { n in
      program(
        (0..<n).map { "    pool.async(name: \"kind\($0)-\\(1)\") { work(1us) }" }
          .joined(separator: "\n"), top: "let pool = ThreadPool(width: 4)",
        expect: (0..<n).map { "count(of: \"kind\($0)-*\") == 1" })
    },
    Row(name: "expected-names", size: 4_096) { n in
      program(
        """
            for i in 0 ..< \(n) { pool.async(name: "item\\(i)") { work(1us) } }
        """, top: "let pool = ThreadPool(width: 1)",
        expect: ["order(\(list(n) { "\"item\($0)\"" }))"]
          + (0..<n).map { "ended(\"item\($0)\") > 0s" })
    },
    Row(name: "expected-marks") { n in
      program(
        """
            for i in 0 ..< \(n) { mark("mark\\(\(n) - 1 - i)") }
        """, expect: ["timeline == [0s: any(\(list(n) { "\"mark\($0)\"" }))]"])
    },
    Row(name: "unknown-names", size: 4_096, isRefused: true) { n in
      program(
        (0..<n).map { "    work(valu\($0))" }.joined(separator: "\n"),
        top: (0..<n).map { "let value\($0) = \($0)" }.joined(separator: "\n"))
    },
  ]

  // MARK: Texts

  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ", ")
  }

  /// A trace whose main thread runs `main`, on a machine that costs nothing.
  private static func program(
    _ main: String, top: String = "", policy: String = "fifo", until: String? = nil,
    expect: [String] = []
  ) -> String {
    let title = until.map { "trace \"growth\" { until: \($0) }\n" } ?? ""
    let claims = expect.isEmpty ? "" : "expect {\n\(expect.joined(separator: "\n"))\n}\n"
    return """
      \(title)machine { platform: .ideal; cores: 4; memory: 512GB; costs: .zero; policy: .\(policy) }
      \(top)
      main {
      \(main)
      }
      \(claims)
      """
  }
}
