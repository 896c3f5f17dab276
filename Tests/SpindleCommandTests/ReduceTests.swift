import SpindleLanguage
import SpindleModel
import SpindleRun
import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle reduce`: the smallest trace that still fails.
@Suite struct ReduceTests {
  static let deadlock = """
    // Two locks in opposite orders, among much else.
    trace "App" { seed: 3; until: 20s }
    machine { platform: .macOS; cores: 4 }
    param rounds = 3
    let a = NSLock()
    let b = NSLock()
    let c = NSLock()
    let pool = ThreadPool(width: 2)
    func step(n: Int) { work(1ms * n); c.withLock { work(2ms) } }
    main {
        for i in 0 ..< rounds { pool.async(name: "job\\(i)") { step(n: i) } }
        Thread.detachNewThread {
            if rounds > 2 {
                a.lock(); work(5ms); b.lock()
                b.unlock(); a.unlock()
            }
        }
        Thread.detachNewThread {
            b.withLock {
                work(uniform(4ms, 6ms))
                a.withLock { work(1ms) }
            }
        }
        sleep(1s)
    }

    """

  @Test func aDeadlockIsWhatIsLeft() {
    let folder = TemporaryFolder()
    let path = folder.write("app.trace", Self.deadlock)
    let call = Invocation(
      "reduce", path, "--keep", "finding deadlock", "--output", folder["s.trace"])
    #expect(call.status == .held, "\(call.error)")
    let text = folder.read("s.trace") ?? ""
    #expect(text.hasPrefix("// Reduced from \(path): finding deadlock.\n"))
    // Two threads that take two locks, and what is expected: nothing else can be needed.
    let lines = text.split(separator: "\n")
    #expect(lines.count <= 20, "\(text)")
    #expect(!text.contains("pool") && !text.contains("param") && !text.contains("machine"))
    #expect(text.contains("findings == [.deadlock"))
    #expect(Invocation("test", folder["s.trace"]).status == .held, "\(text)")
    #expect(call.error.contains(" lines in ") && call.error.hasSuffix("tries: finding deadlock\n"))
  }

  @Test func anExpectationIsNamedAsItIsWrittenAndNothingElseIsRun() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "e.trace",
      "let lock = NSLock()\nmain { lock.withLock { work(3ms) } }\n"
        + "expect { threads.peak == 1; makespan  <  1ms }\n")
    let call = Invocation("reduce", path, "--keep", "makespan < 1ms")
    #expect(call.status == .held, "\(call.error)")
    #expect(call.error.hasSuffix("tries: expectation 'makespan < 1ms'\n"), "\(call.error)")
    // A shell would write into a file of that name.
    let name = folder["1ms"]
    let wrong = Invocation("reduce", path, "--keep", "makespan > \(name)")
    #expect(wrong.status == .usage)
    #expect(
      wrong.error.contains("is neither a command nor one of the 2 expectations of")
        && wrong.error.contains("write 'expectation 1', 'finding KIND'"), "\(wrong.error)")
    #expect(folder.read("1ms") == nil)
  }

  /// Members of a type that nothing needs go, with what mentions them.
  @Test func membersOfATypeGo() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "m.trace",
      """
      final class Store {
          let queue = DispatchQueue(label: "store")
          var onChange: ((Int) -> Void)?
          private var rows = 0; var title: String { "rows: \\(rows)" }
          func add() { rows += 1; onChange?(rows) }
          func hang() { queue.sync { queue.sync { } } }
      }
      let store = Store()
      main {
          store.onChange = { n in print(n) }
          store.add()
          print(store.title)
          store.hang()
      }
      """)
    let call = Invocation("reduce", path, "--keep", "finding syncOnOwnQueue")
    #expect(call.status == .held, "\(call.error)")
    for gone in ["onChange", "rows", "title", "add"] {
      #expect(!call.output.contains(gone), "\(call.output)")
    }
    #expect(call.output.contains("queue.sync"))
  }

  @Test func whatGoesWrongFirstIsKept() {
    let folder = TemporaryFolder()
    let crash = folder.write(
      "c.trace",
      "let lock = NSLock()\nmain {\n    lock.lock()\n    work(3ms)\n    if true { fatalError(\"boom\") }\n}\n"
    )
    #expect(
      Invocation("reduce", crash).output == """
        // Reduced from \(crash): outcome crashed.
        main {
            fatalError("boom")
        }
        expect {
            outcome == .crashed
            findings == []
        }

        """)
    let late = folder.write(
      "l.trace",
      """
      machine { platform: .ideal; cores: 2 }
      main { work(3ms); for i in 0 ..< 7 { work(2ms) } }
      expect { threads.peak == 1; makespan < 10ms; threads.created == 1 }

      """)
    let kept = Invocation("reduce", late, "--keep", "expectation 2").output
    #expect(kept.contains("expect {") && kept.contains("makespan < 10ms"))
    #expect(!kept.contains("threads"))
  }

  /// The amounts may change, and not the way: each row has a trace, what is kept, what the result has, and what the
  /// smallest trace would be that fails somehow, which the result is not.
  @Test(
    "the reason is kept",
    arguments: [
      // A value that is wrong does not become one that is missing, or 0.
      (
        """
        main {
            work(3ms)
            record("n", 7)
            sleep(2ms)
        }
        expect { values == ["n": 5] }
        """, "expectation 1", ["record(\"n\", 6)"]
      ),
      (
        """
        var n = 0
        main { for i in 0 ..< 9 { n += 1; work(1ms) } }
        expect { value(n) == 20 }
        """, "expectation 1", ["n += 1"]
      ),
      // What took too long does not become what never ended.
      (
        """
        let pool = ThreadPool(width: 1)
        main { for i in 0 ..< 5 { pool.async(name: "job\\(i)") { work(9ms) } } }
        expect { latency("job*").max < 30ms }
        """, "expectation 1", ["pool.async", "work("]
      ),
      // A printed line that is wrong stays there.
      (
        """
        main { work(2ms); print("two"); print("one") }
        expect { output == ["one", "two"] }
        """, "expectation 1", ["print(\"two\")"]
      ),
      // Findings that were not expected are the same ones.
      (
        """
        let a = NSLock()
        main {
            Thread.detachNewThread { a.lock() }
            sleep(1ms)
            let op = BlockOperation { work(1ms) }
        }
        expect { findings == [] }
        """, "expectation 1", ["lock()", "BlockOperation"]
      ),
      // A cycle of a lock and a group does not become one of locks.
      (
        """
        let a = NSLock()
        let b = NSLock()
        let g = DispatchGroup()
        main {
            g.enter()
            Thread.detachNewThread { sleep(1ms); a.lock(); g.leave() }
            Thread.detachNewThread { b.lock(); b.lock() }
            a.lock()
            g.wait()
        }
        """, "outcome deadlock", ["a.lock()", "b.lock()", "g.wait()"]
      ),
    ])
  func theReasonIsKept(text: String, keep: String, parts: [String]) {
    let folder = TemporaryFolder()
    let call = Invocation("reduce", folder.write("r.trace", text + "\n"), "--keep", keep)
    #expect(call.status == .held, "\(call.error)")
    for part in parts { #expect(call.output.contains(part), "\(call.output)") }
  }

  @Test func whatIsNotThereIsTold() {
    let folder = TemporaryFolder()
    let holds = folder.write("h.trace", SimulateTests.holds)
    let nothing = Invocation("reduce", holds)
    #expect(nothing.status == .notHeld)
    #expect(nothing.error.contains("nothing goes wrong in '\(holds)'"))
    #expect(Invocation("reduce", holds, "--keep", "finding deadlock").status == .notHeld)
    let unknown = Invocation("reduce", holds, "--keep", "finding deadlok")
    #expect(unknown.status == .usage)
    #expect(unknown.error.contains("unknown finding 'deadlok'; did you mean 'deadlock'?"))
    #expect(Invocation("reduce", holds, "--keep", "expectation 2").status == .usage)
    #expect(Invocation("reduce", folder.write("m", SimulateTests.mistaken)).status == .traceErrors)
    #expect(Invocation("reduce", holds, "--output", holds).status == .noOutput)
  }

  @Test func aCommandDecides() {
    let folder = TemporaryFolder()
    let path = folder.write("h.trace", SimulateTests.holds)
    let call = Invocation("reduce", path, "--keep", "grep -q mark")
    #expect(call.output.contains("mark(") && !call.output.contains("work"))
    #expect(Invocation("reduce", path, "--keep", "false").status == .notHeld)
    // What it looks for may stand in a comment, or on a line of a number.
    let noted = folder.write(
      "n.trace", "// as seen\n\nmain {\n    work(1ms) // why\n\n    mark(\"m\")\n}\n")
    let inComment = Invocation("reduce", noted, "--keep", "grep -q seen").output
    #expect(inComment.contains("// as seen") && !inComment.contains("mark"), "\(inComment)")
    let onLine = Invocation("reduce", noted, "--keep", "sh -c 'sed -n 6p \"$0\" | grep -q mark'")
    #expect(onLine.output.contains("\n\n    mark(\"m\")\n"), "\(onLine.output)")
  }

  @Test func parenthesesThatHoldNothingGo() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "p.trace",
      """
      let q = DispatchQueue(label: "q")
      main { q.async(name: "x") { work(1ms) } }
      """)
    let call = Invocation("reduce", path, "--keep", "grep -q async")
    #expect(call.output.contains("q.async {"), "\(call.output)")
  }

  /// What a command is given stands where `TMPDIR` says, whatever the folder is called.
  @Test func aCommandIsGivenAFileInTheTemporaryFolder() {
    let folder = TemporaryFolder()
    let path = folder.write("it's/h.trace", SimulateTests.holds)
    let environment = HostEnvironment(variables: ["TMPDIR": "\(folder["it's"])/"])
    let command =
      "sh -c 'case \"$0\" in */it?s/spindle-reduce-*.trace) grep -q mark \"$0\";; *) false; esac'"
    let call = Invocation("reduce", path, "--keep", command, environment: environment)
    #expect(call.status == .held)
    #expect(call.output.contains("mark("))
    #expect(folder.names == ["it's"])
  }

  /// No step of the tree makes a result smaller and keeps what it shows: each is tried here once more.
  @Test func theResultIsMinimal() throws {
    var reducer = Reducer { (candidate) throws(FileFailure) in ReduceTests.deadlocks(candidate) }
    let small = try reducer.reduced(SourceText(name: "t", Self.deadlock))
    #expect(Self.deadlocks(small))
    for step in TraceReduction.all(of: small) {
      let smaller = step.applied(to: small)
      // A step that leaves the same trace in its canonical form takes nothing away.
      if formatted(smaller).text == formatted(small).text { continue }
      let isLess = formatted(smaller).text.utf8.count < formatted(small).text.utf8.count
      #expect(
        !isLess || !Self.deadlocks(smaller), "\(String(decoding: smaller.utf8, as: UTF8.self))")
    }
  }

  /// Every subset of the lines of a small trace: none that is smaller shows it.
  @Test func noSmallerSetOfLinesShowsIt() throws {
    let text = """
      let a = NSLock()
      let b = NSLock()
      main {
      a.lock()
      b.lock()
      work(1ms)
      a.unlock()
      a.lock()
      b.lock()
      b.unlock()
      }

      """
    var reducer = Reducer { (candidate) throws(FileFailure) in ReduceTests.deadlocks(candidate) }
    let small = try reducer.reduced(SourceText(name: "t", text))
    let lines = text.split(separator: "\n").map(String.init)
    var least = Int.max
    for mask in 0..<(1 << lines.count) {
      let chosen = lines.indices.filter { mask >> $0 & 1 == 1 }
      guard chosen.count < least else { continue }
      let candidate = chosen.map { lines[$0] + "\n" }.joined()
      if Self.deadlocks(SourceText(name: "t", candidate)) { least = chosen.count }
    }
    // A lock, main, and two times lock(): with the closing brace five lines.
    #expect(least == 5)
    #expect(small.utf8.count { $0 == 0x0A } == least)
  }

  /// Five who wait in a circle for each other are no two of whom one has ended with its lock; and three are enough.
  @Test func aCircleStaysACircle() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "p.trace",
      """
      let forks = (0 ..< 5).map { _ in NSLock() }
      main {
          for i in 0 ..< 5 {
              Thread {
                  forks[i].lock(); work(1ms); forks[(i + 1) % 5].lock(); work(1ms)
                  forks[(i + 1) % 5].unlock(); forks[i].unlock()
              }.start()
          }
      }
      machine { cores: 5 }

      """)
    let call = Invocation("reduce", path)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains("findings == [.deadlock]"), "\(call.output)")
    #expect(call.output.contains("forks[(i + 1) % 3].lock()"), "\(call.output)")
    let small = folder.write("s.trace", call.output)
    let run = Invocation("simulate", small).output
    #expect(run.contains("none of them can") && !run.contains("lockHeldByEndedWork"), "\(run)")
  }

  private static func deadlocks(_ source: SourceText) -> Bool {
    var limits = RunLimits()
    limits.steps = 10_000
    guard let program = Compiler.standard.compile(source).program else { return false }
    let run = TraceRun(program, RunRequest(limits: limits))
    return ReductionGoal.finding(.deadlock, in: run) != nil
      || ReductionGoal.finding(.selfDeadlock, in: run) != nil
  }
}
