import SpindleSystem
import Testing

@testable import SpindleCommand

/// What is kept while a trace becomes smaller, and with which seed.
@Suite struct ReducedFaultTests {
  private let folder = TemporaryFolder()

  /// The late reply wins: which one that is, and that there are two, is the fault.
  @Test func aWrongTextStaysThatText() {
    let path = folder.write(
      "late.trace",
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      var title = ""
      let loader = ThreadPool(width: 2)
      func load(_ page: Int, _ name: String, _ delay: Duration) {
          loader.async(name: "load\\(page)") { sleep(delay); work(1ms); title = "\\(name) \\(page)" }
      }
      main {
          load(1, "old", 70ms)
          sleep(5ms)
          load(2, "new", 20ms)
      }
      expect { values == [:]; value(title) == "new 2" }

      """)
    let call = Invocation("reduce", path, "--keep", "expectation 2")
    #expect(call.status == .held, "\(call.error)")
    #expect(
      call.output.contains("\"old\"") && call.output.contains("\"new\"")
        && call.output.contains("sleep(delay)"), "\(call.output)")
    // The number in a text may change: it is an amount.
    let small = Invocation("simulate", folder.write("small.trace", call.output))
    #expect(small.output.contains("old "), "\(small.output)")
  }

  /// Without its '% 3' an index would be out of range: what finished must not crash when it is smaller.
  @Test func aCrashIsNotIntroduced() {
    let path = folder.write(
      "forks.trace",
      """
      machine { platform: .ideal; cores: 1; costs: .zero }
      let forks = [NSLock(), NSLock(), NSLock()]
      main {
          for i in 0 ..< 3 {
              Thread.detachNewThread {
                  forks[i].lock()
                  forks[(i + 1) % 3].lock()
                  forks[(i + 1) % 3].unlock()
                  forks[i].unlock()
              }
          }
      }

      """)
    let call = Invocation("reduce", path)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains("findings == [.lockOrderInversion]"), "\(call.output)")
    #expect(!call.output.contains("outcome == .crashed"), "\(call.output)")
  }

  /// What is expected stays in the program: without it the expectation would fail for another reason.
  @Test func whatIsExpectedStaysInTheProgram() {
    let path = folder.write(
      "order.trace",
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      var last = "none"
      main {
          Thread.detachNewThread { sleep(40ms); last = "slow" }
          Thread.detachNewThread { sleep(10ms); last = "fast" }
          sleep(100ms)
          record("last", last)
      }
      expect { values == ["last": "fast"] }

      """)
    let call = Invocation("reduce", path, "--keep", "expectation 1")
    #expect(call.status == .held, "\(call.error)")
    for part in ["last = \"slow\"", "last = \"fast\"", "record(\"last\", last)"] {
      #expect(call.output.contains(part), "\(call.output)")
    }
  }

  private static let drawn = """
    trace "Drawn" { until: 10s }
    machine { platform: .ideal; cores: 2; costs: .zero }
    let a = NSLock()
    let b = NSLock()
    main {
        Thread.detachNewThread { sleep(uniform(0ms, 20ms)); a.lock(); work(4ms); b.lock(); b.unlock(); a.unlock() }
        Thread.detachNewThread { sleep(uniform(0ms, 20ms)); b.lock(); work(4ms); a.lock(); a.unlock(); b.unlock() }
    }
    expect { outcome == .finished }

    """

  /// The seeds from 0 to 19 with which a trace does not finish.
  private func failing(_ path: String) -> [Int] {
    (0..<20).filter { Invocation("simulate", path, "--seed", "\($0)").status == .notHeld }
  }

  @Test func aFaultOfAnotherSeedIsReducedAndNeedsNoOption() throws {
    let path = folder.write("drawn.trace", Self.drawn)
    let failing = failing(path)
    let first = try #require(failing.first { $0 > 0 })
    let quiet = try #require((0..<20).first { !failing.contains($0) })
    let call = Invocation("reduce", path, "--seed", "\(first)")
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains("findings == [.deadlock]"), "\(call.output)")
    #expect(Invocation("test", folder.write("small.trace", call.output)).status == .held)
    let nothing = Invocation("reduce", path, "--seed", "\(quiet)", "--keep", "finding deadlock")
    #expect(nothing.status == .notHeld)
    #expect(nothing.error.contains("'finding deadlock' with seed \(quiet)"), "\(nothing.error)")
    // With some seeds there is a warning only: an error comes before it.
    let found = Invocation("reduce", path, "--seed", "\(quiet)", "--seeds", "20")
    #expect(found.status == .held, "\(found.error)")
    #expect(found.output.contains("findings == [.deadlock]"))
  }

  /// A seed that matters is set in what is left, wherever a trace has its settings.
  @Test(arguments: [
    "", "trace \"T\"\n", "trace \"T\" { }\n", "trace \"T\" { until: 1s }\n",
    "trace \"T\" { seed: 3 }\n",
  ])
  func theSeedIsSetInTheTrace(head: String) throws {
    let text =
      "// A comment.\n" + head + "main { work(uniform(1ms, 2ms)) }\nexpect { makespan < 1500us }\n"
    let path = folder.write("seed.trace", text)
    let first = try #require(
      (10..<40).first { Invocation("simulate", path, "--seed", "\($0)").status == .notHeld })
    let call = Invocation(
      "reduce", path, "--seed", "\(first)", "--keep",
      "sh -c 'grep -q uniform \"$0\" && grep -q \"seed: \(first)\" \"$0\"'")
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.contains("seed: \(first)"), "\(call.output)")
    #expect(
      Invocation("simulate", folder.write("left.trace", call.output)).status == .held,
      "\(call.output)")
  }

  /// Two that wait for two semaphores are no single one that waits for one.
  @Test func whatIsWaitedForStaysSeveral() {
    let path = folder.write(
      "two.trace",
      """
      let left = DispatchSemaphore(value: 1), right = DispatchSemaphore(value: 1)
      machine { platform: .ideal; cores: 2; costs: .zero }
      main {
          Thread.detachNewThread { left.wait(); work(5ms); right.wait(); right.signal(); left.signal() }
          Thread.detachNewThread { right.wait(); work(5ms); left.wait(); left.signal(); right.signal() }
      }

      """)
    let call = Invocation("reduce", path, "--keep", "finding deadlock")
    #expect(call.status == .held, "\(call.error)")
    #expect(
      call.output.contains("left.wait()") && call.output.contains("right.wait()"), "\(call.output)")
  }

  @Test func testsRunWithSeveralSeeds() throws {
    let path = folder.write("drawn.trace", Self.drawn)
    let failing = failing(path)
    let first = try #require(failing.first { $0 > 0 })
    let quiet = try #require((0..<20).first { !failing.contains($0) })
    let one = Invocation("test", path, "--seed", "\(first)")
    #expect(one.status == .notHeld)
    #expect(one.output.contains("with seed \(first): "), "\(one.output)")
    #expect(one.output.contains("error: deadlock"), "\(one.output)")
    #expect(Invocation("test", path, "--seed", "\(quiet)").status == .held)
    let all = Invocation("test", path, "--seed", "0", "--seeds", "20")
    #expect(all.status == .notHeld)
    #expect(
      all.output.contains("with \(failing.count) of 20 seeds from 0 on, such as \(failing[0]): "),
      "\(all.output)")
    let update = Invocation("test", path, "--seed", "1", "--update")
    #expect(update.status == .usage && update.error.contains("the trace's own seed"))
  }

  /// A recorded log belongs to the trace's own seed: other seeds are not compared with it, and it still is.
  @Test func aLogIsOfTheTracesOwnSeed() throws {
    let path = folder.write(
      "log.trace",
      "trace \"L\" { seed: 4 }\nmain { work(uniform(1ms, 9ms)) }\nexpect { makespan < 10ms }\n")
    #expect(Invocation("test", path, "--update").status == .held)
    #expect(Invocation("test", path, "--seed", "5").status == .held)
    #expect(Invocation("test", path, "--seeds", "5").status == .held)
    _ = folder.write("log.log", (folder.read("log.log") ?? "").replacing("seed 4", with: "seed 5"))
    let changed = Invocation("test", path, "--seeds", "5")
    #expect(changed.status == .notHeld, "\(changed.output)")
  }

  /// What passed with few seeds has not passed with many.
  @Test func passesAreKeptBySeeds() throws {
    let path = folder.write("drawn.trace", Self.drawn)
    let quiet = try #require((0..<20).first { !failing(path).contains($0) })
    let digests = folder["digests"]
    #expect(Invocation("test", path, "--seed", "\(quiet)", "--digests", digests).status == .held)
    let again = Invocation("test", path, "--seed", "\(quiet)", "--changed-since", digests)
    #expect(again.output.contains("1 unchanged"), "\(again.output)")
    let more = Invocation("test", path, "--seed", "0", "--seeds", "20", "--changed-since", digests)
    #expect(more.status == .notHeld, "\(more.output)")
  }
}
