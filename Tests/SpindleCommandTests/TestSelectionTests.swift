import SpindleSystem
import Testing

@testable import SpindleCommand

/// Which tests `spindle test` runs, and what it says of them.
@Suite struct TestSelectionTests {
  /// Five traces; the third fails.
  private func folder() -> TemporaryFolder {
    let folder = TemporaryFolder()
    for name in ["a/1", "a/2", "b/4", "b/5"] {
      folder.write("\(name).trace", "// A title.\n// tags: quick, \(name)\n" + SimulateTests.holds)
    }
    folder.write("a/3.trace", SimulateTests.fails)
    return folder
  }

  private func names(_ call: Invocation) -> [String] {
    call.output.split(separator: "\n").map { String($0.suffix(9)) }
  }

  @Test func listNamesAndRunsNothing() {
    let folder = folder()
    let call = Invocation("test", folder.path, "--list")
    #expect(call.status == .held)
    #expect(names(call) == ["a/1.trace", "a/2.trace", "a/3.trace", "b/4.trace", "b/5.trace"])
  }

  @Test func filterIsARegularExpression() {
    let folder = folder()
    let call = Invocation("test", folder.path, "--list", "--filter", "[ab]/[35].trace$")
    #expect(names(call) == ["a/3.trace", "b/5.trace"])
    let bad = Invocation("test", folder.path, "--filter", "(")
    #expect(bad.status == .usage)
    #expect(bad.error.contains("'--filter': '(' is not a valid regular expression"))
    let none = Invocation("test", folder.path, "--filter", "nothing")
    #expect(none.status == .usage)
    #expect(none.error.contains("none of 5 tests is selected"))
  }

  @Test func tagsStandAtTheTop() {
    let folder = folder()
    folder.write("b/6.trace", SimulateTests.holds + "// tags: quick\n")
    let call = Invocation("test", folder.path, "--list", "--tag", "quick")
    #expect(names(call) == ["a/1.trace", "a/2.trace", "b/4.trace", "b/5.trace"])
    #expect(names(Invocation("test", folder.path, "--list", "--tag", "b/4")) == ["b/4.trace"])
  }

  @Test func shardsAreEachTestOnce() {
    let folder = folder()
    var all: [String] = []
    for part in 1...3 {
      all += names(Invocation("test", folder.path, "--list", "--shard", "\(part)/3"))
    }
    #expect(all.sorted() == ["a/1.trace", "a/2.trace", "a/3.trace", "b/4.trace", "b/5.trace"])
    for wrong in ["0/3", "4/3", "1", "1/0", "a/b"] {
      let call = Invocation("test", folder.path, "--shard", wrong)
      #expect(call.status == .usage, "\(wrong)")
      #expect(call.error.contains("'--shard' needs PART/COUNT, such as 2/8, not '\(wrong)'"))
    }
    // A part without a test is no mistake: a service may have more machines than tests.
    #expect(Invocation("test", folder.path, "--shard", "9/9").status == .held)
  }

  @Test func firstFailureIsTheLastTest() {
    let folder = folder()
    for jobs in ["1", "4"] {
      let call = Invocation("test", folder.path, "--fail-fast", "--jobs", jobs)
      #expect(call.status == .notHeld)
      #expect(
        call.output.hasSuffix("\n2 passed, 1 failed, 2 not run, 3 without a recorded log\n"))
    }
  }

  @Test func passedTestsAreNamedWhereAsked() {
    let folder = folder()
    let call = Invocation("test", folder["b"], "--verbose")
    #expect(
      call.output == """
        passed \(folder["b/4.trace"])
        passed \(folder["b/5.trace"])
        2 passed, 0 failed, 2 without a recorded log

        """)
  }

  @Test func slowestAreNamed() {
    let folder = folder()
    let call = Invocation("test", folder["b"], "--durations", "1")
    let lines = call.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasSuffix(".trace") && lines[0].contains("s  /"))
  }

  @Test func progressIsForTerminals() {
    let folder = folder()
    let host = HostEnvironment(outputIsTerminal: true, errorIsTerminal: true)
    let call = Invocation(["test", folder.path], environment: host)
    #expect(call.error.contains("\r\u{1B}[K3 of 5, 1 failed"))
    #expect(call.error.hasSuffix("\r\u{1B}[K"))
    #expect(Invocation("test", folder.path).error.isEmpty)
    let dumb = HostEnvironment(
      variables: ["TERM": "dumb"], outputIsTerminal: true, errorIsTerminal: true)
    #expect(Invocation(["test", folder.path], environment: dumb).error.isEmpty)
  }

  @Test func orphansAreTold() {
    let folder = folder()
    _ = Invocation("test", folder.path, "--update")
    folder.remove("a/1.trace")
    folder.write("a/other.log", "of another program\n")
    let call = Invocation("test", folder.path, "--filter", "/b/[45]")
    #expect(
      call.output == "no trace for \(folder["a/1.log"]); remove it\n2 passed, 0 failed\n")
    #expect(call.status == .held)
  }
}

/// `spindle test --review` and what is recorded.
@Suite struct BaselineTests {
  private func folder() -> TemporaryFolder {
    let folder = TemporaryFolder()
    for name in ["1", "2", "3"] { folder.write("\(name).trace", SimulateTests.holds) }
    return folder
  }

  private func review(_ folder: TemporaryFolder, _ answers: String) -> Invocation {
    Invocation(
      ["test", folder.path, "--review"],
      environment: HostEnvironment(standardInput: Array(answers.utf8)))
  }

  @Test func eachChangeIsTakenOrLeft() {
    let folder = folder()
    let call = review(folder, "n\nwhat\ny\n")
    #expect(folder.names == ["1.trace", "2.log", "2.trace", "3.trace"])
    #expect(call.output.contains("record \(folder["1.log"])?\n[y] take it, [n] leave it"))
    #expect(call.output.contains("1 recorded, 0 updated, 0 unchanged, 2 left\n"))
    folder.write("2.trace", SimulateTests.holds.replacing("mark(\"m", with: "mark(\"other"))
    let second = review(folder, "y\nn\n")
    #expect(second.status == .notHeld)
    #expect(second.output.contains("update \(folder["2.log"])?\n  from 1ms on, line "))
    #expect(second.output.contains("failed \(folder["2.trace"])\n  the run differs from "))
    // Who was asked has seen the difference, and is not shown it once more.
    #expect(second.output.ranges(of: "mark \"other0\"").count == 1, "\(second.output)")
    #expect(review(folder, "a\n").output.contains("1 recorded, 1 updated, 1 unchanged\n"))
    #expect(Invocation("test", folder.path).output == "3 passed, 0 failed\n")
  }

  @Test func theEndOfTheInputLeavesAll() {
    let folder = folder()
    #expect(
      review(folder, "").output.hasSuffix(
        "unchanged, 3 left\n3 passed, 0 failed, 3 without a recorded log\n"))
    #expect(review(folder, "y\nq\n").output.contains("1 recorded, 0 updated, 0 unchanged, 2 left"))
    #expect(Invocation("test", folder.path, "--review", "--update").status == .usage)
    let host = HostEnvironment(variables: ["CI": "1"])
    #expect(Invocation(["test", folder.path, "--review"], environment: host).status == .usage)
    #expect(Invocation("test", folder.path, "--keep-log").status == .usage)
  }

  /// 300 steps: more than are recorded whole unless asked for.
  static let long = """
    machine { platform: .ideal; cores: 1 }
    main { for i in 0 ..< 300 { work(1ms); mark("m\\(i)") } }

    """

  @Test func wholeLogIsKeptWhereAsked() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.long)
    #expect(Invocation("test", path, "--update").status == .held)
    let digests = folder.read("t.log") ?? ""
    #expect(digests.contains("\n# layers 2 of ") && digests.utf8.count < 500)
    #expect(Invocation("test", path).status == .held)
    let kept = Invocation("test", path, "--update", "--keep-log")
    #expect(kept.output.contains("updated \(folder["t.log"])\n  the whole log takes the place"))
    let log = folder.read("t.log") ?? ""
    #expect(log.contains("mark \"m299\""))
    #expect(Invocation("test", path).output == "1 passed, 0 failed\n")
    _ = Invocation("simulate", path, "--log", folder["other.log"])
    #expect(folder.read("other.log") == log)
    // It stays whole when it is recorded anew.
    folder.write("t.trace", Self.long.replacing("300", with: "299"))
    let changed = Invocation("test", path)
    #expect(changed.output.contains("\n  - ") && changed.output.contains("mark \"m299\""))
    #expect(!changed.output.contains("mark \"m298\"\n  +"))
    _ = Invocation("test", path, "--update")
    #expect(folder.read("t.log")?.contains("mark \"m298\"") == true)
  }

  @Test func digestsSayWhatChanged() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", Self.long)
    _ = Invocation("test", path, "--update")
    folder.write(
      "t.trace",
      Self.long.replacing("work(1ms)", with: "work(i == 150 ? 3ms : 1ms)"))
    let call = Invocation("test", path)
    #expect(call.status == .notHeld)
    #expect(call.output.contains("  order    the same steps, in the same order\n"))
    // Step 150 ends at 151 ms; it takes 2 ms more.
    #expect(call.output.contains("  times    the same steps at other times, from 1"))
    #expect(call.output.contains("; the end comes 2ms later\n"))
    #expect(call.output.contains("  totals   other work, runs or items of \"main\", of 1 thread\n"))
    #expect(call.output.contains("  - makespan 300ms\n"))
    #expect(call.output.contains("  + makespan 302ms\n"))
  }

  @Test func failureSaysWhatWasFound() {
    let folder = TemporaryFolder()
    let crash = folder.write("crash.trace", "main { work(1ms)\n    fatalError(\"boom\") }\n")
    let call = Invocation("test", crash)
    #expect(call.output.contains("not met: outcome == .finished"))
    #expect(call.output.contains("outcome: crashed: "))
    #expect(call.output.contains("boom"))
    #expect(call.output.contains("\(crash):2:"))
    let stuck = folder.write(
      "stuck.trace",
      """
      machine { platform: .ideal; cores: 2 }
      let lock = NSLock()
      main { lock.lock()
          lock.lock() }

      """)
    let deadlock = Invocation("test", stuck)
    #expect(deadlock.output.contains("  \(stuck):4:5: error: "))
    #expect(deadlock.output.contains("outcome: deadlock"))
  }
}
