import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle simulate --table`.
@Suite struct TurnaroundTests {
  /// Silberschatz, Galvin, Gagne, "Operating System Concepts", chapter 5: bursts of 24, 3 and 3 with a
  /// quantum of 4 complete at 30, 7 and 10, wait 6, 4 and 7, and first run at 0, 4 and 7.
  static let processes = """
    machine { platform: .ideal; cores: 1; policy: .roundRobin(quantum: 4ms) }
    let p1 = Thread(name: "P1") { work(24ms) }
    let p2 = Thread(name: "P2") { work(3ms) }
    let p3 = Thread(name: "P3") { work(3ms) }
    main {
        p1.start()
        p2.start()
        p3.start()
    }

    """
  /// Two items on one worker: the second comes at 1 ms, begins at 5 ms, is 2 ms on a core and waits
  /// 3 ms for the world; meanwhile nobody else wants the core.
  static let items = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    let pool = ThreadPool(width: 1)
    main { pool.async(name: "a") { work(5ms) } }
    at(1ms) { pool.async(name: "b") { work(1ms); io(3ms); work(1ms) } }

    """
  private let folder = TemporaryFolder()

  @Test func threadsAsInTheTextbook() {
    let path = folder.write("p.trace", TurnaroundTests.processes)
    // The means: 47 / 3, 11 / 3, 17 / 3, 30 / 3.
    #expect(
      Invocation("simulate", path, "--table", "threads").output == """
        thread  arrival  first run  completion  turnaround  response  waiting   ran
        main         0s         0s           -           -        0s       0s    0s
        P1           0s         0s        30ms        30ms        0s      6ms  24ms
        P2           0s        4ms         7ms         7ms       4ms      4ms   3ms
        P3           0s        7ms        10ms        10ms       7ms      7ms   3ms
        mean                                        15.7ms    3.67ms   5.67ms  10ms
        Means over 3 threads that completed, without main.

        """)
    let csv = Invocation("simulate", path, "--table", "threads", "--format", "csv").output
    #expect(csv.hasPrefix("thread,arrival [ns],first run [ns],completion [ns],turnaround [ns],"))
    #expect(csv.contains("\nP2,0,4000000,7000000,7000000,4000000,4000000,3000000\n"))
    let json = Invocation("simulate", path, "--table", "threads", "--json").output
    #expect(json.contains("\"turnaroundNanoseconds\": 15666667"))
    let markdown = Invocation("simulate", path, "--table", "threads", "--format", "markdown").output
    #expect(markdown.contains("| P3 | 0s | 7ms | 10ms | 10ms | 7ms | 7ms | 3ms |\n"))
  }

  @Test func itemsWaitForTheirTurnAndForACore() {
    let path = folder.write("i.trace", TurnaroundTests.items)
    let csv = Invocation("simulate", path, "--table", "items", "--format", "csv").output
    #expect(csv.contains("\na,0,0,5000000,5000000,0,0,5000000\n"), "\(csv)")
    // Submitted at 1, begun at 5, done at 10: 9 in all, of which 4 for its turn, 2 on a core.
    #expect(csv.contains("\nb,1000000,5000000,10000000,9000000,4000000,4000000,2000000\n"))
  }

  /// 7 and 2 ms on two sides of a wait of 5, by a task; the mean of 6, 4 and 7 is what an expectation measures, too.
  @Test func tasksRanWhereverTheirPiecesDid() {
    let path = folder.write(
      "t.trace",
      """
      machine { platform: .iOS; cores: 4; costs: .zero }
      main {
          Task.detached(name: "t") { work(7ms); await io(5ms); work(2ms) }
          for _ in 0 ..< 2 { DispatchQueue.global().async { work(1ms) } }
      }

      """)
    let csv = Invocation("simulate", path, "--table", "items", "--format", "csv").output
    #expect(csv.contains("\nt,0,0,14000000,14000000,0,0,9000000\n"), "\(csv)")
    #expect(csv.contains("\nglobal().async:4,") && csv.contains("\nglobal().async:4#2,"), "\(csv)")
    let processes = folder.write("p.trace", TurnaroundTests.processes)
    let said = Invocation("simulate", processes, "--measure", "waiting(\"P*\").mean").output
    #expect(said.contains("waiting(\"P*\").mean: 5.666666ms"), "\(said)")
  }

  /// A table of half a run says that it is one, with the message and its place.
  @Test func aRunThatCrashedIsNotHidden() {
    let path = folder.write(
      "c.trace",
      """
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { work(2ms); fatalError("out of paper") }
      expect { outcome == .crashed }

      """)
    let table = Invocation("simulate", path, "--table", "threads").output
    #expect(table.contains("out of paper") && table.contains("2:19"), "\(table)")
    let csv = Invocation("simulate", path, "--table", "threads", "--format", "csv")
    #expect(csv.error.contains("out of paper"), "\(csv.error)")
  }

  @Test func severalRunsAreOneTableForPrograms() {
    let path = folder.write("p.trace", TurnaroundTests.processes)
    let other = folder.write("i.trace", TurnaroundTests.items)
    let call = Invocation("simulate", path, other, "--table", "threads", "--format", "csv")
    #expect(call.output.hasPrefix("run,thread,"))
    #expect(call.output.split(separator: "\n").count { $0.hasPrefix("run,") } == 1)
    #expect(call.output.contains("\n\(other),main,"))
    let json = Invocation("simulate", path, other, "--table", "items", "--json").output
    #expect(json.hasPrefix("[\n{") && json.hasSuffix("}\n]\n"))
  }

  @Test func samplesHaveARowEach() {
    let path = folder.write(
      "s.trace",
      """
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { sample("depth", 3); work(2ms); sample("free", 4KB); sample("lag", 1500us) }

      """)
    #expect(
      Invocation("simulate", path, "--table", "samples").output == """
        sample  time  value
        depth     0s      3
        free     2ms    4KB
        lag      2ms  1.5ms

        """)
    #expect(
      Invocation("simulate", path, "--table", "samples", "--format", "csv").output == """
        sample,time [ns],value,unit
        depth,0,3,
        free,2000000,4096,B
        lag,2000000,1500000,ns

        """)
    let json = Invocation("simulate", path, "--table", "samples", "--json").output
    #expect(json.contains("\"of\": \"samples\"") && json.contains("\"value\": 4096"), "\(json)")
    let other = folder.write("p.trace", TurnaroundTests.processes)
    #expect(Invocation("simulate", other, "--table", "samples").output == "no samples\n")
  }

  /// Each span that an expectation or a measure asks for; an end without a start has no row.
  @Test func spansHaveARowEach() {
    let trace = """
      machine { platform: .ideal; cores: 1; costs: .zero }
      main {
          mark("tap 1"); work(2ms); mark("tap 2"); mark("shown 1"); work(3ms); mark("shown 2"); mark("shown 3")
      }

      """
    let path = folder.write(
      "s.trace", trace + "expect { span(\"tap *\", \"shown *\").max <= 3ms }\n")
    let call = Invocation("simulate", path, "--table", "spans")
    #expect(
      call.output == """
        from   to       start  end  length
        tap *  shown 1     0s  2ms     2ms
        tap *  shown 2    2ms  5ms     3ms

        """)
    #expect(
      Invocation("simulate", path, "--table", "spans", "--format", "csv").output == """
        from,to,start [ns],end [ns],length [ns]
        tap *,shown 1,0,2000000,2000000
        tap *,shown 2,2000000,5000000,3000000

        """)
    #expect(
      Invocation("simulate", path, "--table", "spans", "--json").output
        .contains("\"lengthNanoseconds\": 3000000"))
    let other = folder.write("o.trace", trace)
    let asked = Invocation(
      "simulate", other, "--table", "spans", "--measure", "span(\"tap *\", \"shown *\").max")
    #expect(asked.output == call.output)
    #expect(
      Invocation("simulate", other, "--table", "spans").output
        == "no expectation and no '--measure' asks for a span(\"FROM\", \"TO\")\n")
  }

  @Test func mistakesAreUsage() {
    let path = folder.write("p.trace", TurnaroundTests.processes)
    let call = Invocation("simulate", path, "--table", "thread")
    #expect(call.status == .usage)
    #expect(
      call.error.contains(
        "needs threads, items, samples or spans, not 'thread'; did you mean 'threads'?"))
    #expect(Invocation("simulate", path, "--table", "items", "--log", "-").status == .usage)
  }

  /// A table must not change what the trace expects, nor hide that it does not hold.
  @Test func whatDoesNotHoldIsSaid() {
    let path = folder.write("f.trace", SimulateTests.fails)
    let call = Invocation("simulate", path, "--table", "threads")
    #expect(call.status == .notHeld)
    #expect(call.output.contains("not met: makespan == 2ms"))
  }
}
