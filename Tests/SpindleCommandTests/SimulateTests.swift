import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle simulate`, with its exit statuses.
@Suite struct SimulateTests {
  static let holds = """
    machine { platform: .ideal; cores: 1 }
    param n = 2
    main {
        for i in 0 ..< n {
            work(1ms)
            mark("m\\(i)")
        }
    }
    expect { makespan == 1ms * n }

    """
  static let fails = """
    machine { platform: .ideal; cores: 1 }
    main { work(1ms) }
    expect { makespan == 2ms }

    """
  static let mistaken = """
    main { wrok(1ms) }

    """
  static let listed = """
    machine { platform: .ideal; cores: 1 }
    param pace = "slow" in ["slow", "fast"]
    main { work(pace == "slow" ? 2ms : 1ms) }

    """

  @Test func statusSaysHowItWent() {
    let folder = TemporaryFolder()
    let (held, failed) = (folder.write("h", Self.holds), folder.write("f", Self.fails))
    let mistaken = folder.write("m", Self.mistaken)
    #expect(Invocation("simulate", held).status == .held)
    #expect(Invocation("simulate", failed).status == .notHeld)
    #expect(Invocation("simulate", mistaken).status == .traceErrors)
    #expect(Invocation("simulate", folder["no"]).status == .noInput)
    #expect(Invocation("simulate", folder.path).status == .noInput)
    #expect(Invocation("simulate", held, "--set", "k=1").status == .usage)
    #expect(Invocation("simulate", held, "--policy", "no").status == .usage)
    #expect(Invocation("simulate", held, failed).status == .notHeld)
    #expect(Invocation("simulate", failed, mistaken, folder["no"]).status == .noInput)
  }

  @Test func folderAndMissingFileAreNamed() {
    let folder = TemporaryFolder()
    #expect(
      Invocation("simulate", folder["no"]).error
        == "spindle: error: no such file: '\(folder["no"])'\n")
    #expect(
      Invocation("simulate", folder.path).error
        == "spindle: error: '\(folder.path)' is a folder; only 'spindle test' takes folders\n")
  }

  @Test func mistakeIsShownWhereItIs() {
    let folder = TemporaryFolder()
    let path = folder.write("m.trace", Self.mistaken)
    let call = Invocation("simulate", path)
    #expect(call.output.isEmpty)
    #expect(call.error.hasPrefix("\(path):1:8: error: "))
    #expect(call.error.contains("did you mean 'work'?"))
  }

  /// What is said of a run that comes to the end of an hour can be typed as it stands, and helps.
  @Test(arguments: [
    "work(2h)", "sleep(2h)", "DispatchQueue.main.asyncAfter(deadline: .now() + 2h) { print(1) }",
  ])
  func aRunOfMoreThanAnHourSaysHowToGoOn(body: String) throws {
    let folder = TemporaryFolder()
    let path = folder.write("long", "main { \(body) }\n")
    let call = Invocation("simulate", path)
    #expect(call.status == .notHeld)
    let said = call.flat
    #expect(said.contains("timeLimit: 1h of virtual time is over, and something may repeat"))
    let parts = said.split(separator: "`", omittingEmptySubsequences: false)
    try #require(parts.count == 3, "\(said)")
    #expect(parts[2].hasPrefix(" or --until 3h,"))
    let longer = folder.write("longer", "\(parts[1])\nmain { \(body) }\n")
    #expect(Invocation("simulate", longer).output.contains("outcome     finished"))
    #expect(Invocation("simulate", path, "--until", "3h").status == .held)
  }

  @Test func textsOfACrashAreAsked() {
    let folder = TemporaryFolder()
    func call(_ condition: String) -> Invocation {
      let text = "main { fatalError(\"boom\") }\nexpect { outcome == .crashed; \(condition) }\n"
      return Invocation("simulate", folder.write("crash", text))
    }
    for held in [
      "crash.message.hasPrefix(\"Fatal\")", "crash.message.hasSuffix(\"boom\")",
      "crash.message.contains(\"error\")", "!crash.message.isEmpty",
      "!crash.message.hasPrefix(\"boom\")",
    ] {
      #expect(call(held).status == .held, "\(held)")
    }
    for failed in [
      "crash.message.hasPrefix(\"boom\")", "crash.message.hasSuffix(\"Fatal\")",
      "crash.message.contains(\"bomb\")", "crash.message.isEmpty",
    ] {
      #expect(call(failed).status == .notHeld, "\(failed)")
    }
  }

  @Test func standardInputIsRead() {
    let host = HostEnvironment(standardInput: Array(Self.holds.utf8))
    #expect(Invocation(["simulate", "-"], environment: host).status == .held)
    let mistaken = HostEnvironment(standardInput: Array(Self.mistaken.utf8))
    #expect(Invocation(["check", "-"], environment: mistaken).output.hasPrefix("<stdin>:1:8: "))
  }

  @Test func severalTracesStandUnderHeadings() {
    let folder = TemporaryFolder()
    let (one, two) = (folder.write("one", Self.holds), folder.write("two", Self.holds))
    let call = Invocation("simulate", one, two)
    #expect(call.output.hasPrefix("== \(one) ==\n"))
    #expect(call.output.contains("\n\n== \(two) ==\n"))
    #expect(!Invocation("simulate", one).output.contains("=="))
  }

  @Test func allMakesOneRunOfEachListedValue() {
    let folder = TemporaryFolder()
    let path = folder.write("l", Self.listed)
    let call = Invocation("simulate", path, "--set", "pace=all")
    #expect(call.status == .held)
    #expect(call.output.contains("== pace=\"slow\" =="))
    #expect(call.output.contains("== pace=\"fast\" =="))
    #expect(
      Invocation("simulate", path, "--set", "pace=all", "--log", folder["log"]).status == .usage)
  }

  @Test func logIsWrittenWhole() {
    let folder = TemporaryFolder()
    let path = folder.write("h.trace", Self.holds)
    #expect(Invocation("simulate", path, "--log", folder["log"]).status == .held)
    #expect(folder.names == ["h.trace", "log"])
    let log = folder.read("log") ?? ""
    #expect(log.contains("mark \"m1\""))
    let shown = Invocation("simulate", path, "--log", "-")
    #expect(shown.output == log)
    #expect(shown.error == Invocation("simulate", path).output)
    #expect(Invocation("simulate", path, "--log", folder["no/log"]).status == .noOutput)
  }

  @Test func oneRunIsAnObjectAndSeveralAreAnArray() {
    let folder = TemporaryFolder()
    let path = folder.write("h.trace", Self.holds)
    let one = Invocation("simulate", path, "--json").output
    #expect(one.hasPrefix("{\n") && one.hasSuffix("\n}\n"))
    let object = one.dropLast()
    #expect(Invocation("simulate", path, path, "--json").output == "[\n\(object),\n\(object)\n]\n")
    let none = Invocation("simulate", folder["no"], folder["none"], "--json")
    #expect(none.output == "[]\n")
  }

  @Test func neverColoredWithoutATerminal() {
    let folder = TemporaryFolder()
    let path = folder.write("f", Self.fails)
    #expect(!Invocation("simulate", path).output.contains("\u{1B}"))
    #expect(Invocation("simulate", path, "--color", "always").output.contains("\u{1B}"))
  }

  @Test func limitOfStepsEndsARun() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "l", "main { while true { mark(\"again\") } }\nexpect { outcome == .stepLimit }\n")
    #expect(Invocation("simulate", path, "--steps", "1000").status == .held)
  }

  @Test func invariantsAreCheckedOnRequest() {
    let folder = TemporaryFolder()
    let path = folder.write("h", Self.holds)
    let checked = Invocation("simulate", path, "--check-invariants")
    #expect(checked.output == Invocation("simulate", path).output)
  }
}

/// `spindle check` and `spindle format`.
@Suite struct CheckTests {
  @Test func diagnosticsOnly() {
    let folder = TemporaryFolder()
    let (held, mistaken) = (
      folder.write("h", SimulateTests.holds), folder.write("m", SimulateTests.mistaken)
    )
    let good = Invocation("check", held)
    #expect(good.status == .held)
    #expect(good.output.isEmpty && good.error.isEmpty)
    let bad = Invocation("check", mistaken, held)
    #expect(bad.status == .traceErrors)
    #expect(bad.output.contains("1:8: error: "))
    #expect(Invocation("check", folder.path, mistaken).status == .noInput)
  }

  @Test func diagnosticsAreSARIFToo() {
    let folder = TemporaryFolder()
    let path = folder.write("bad.trace", "main { wrok(5ms) }\n")
    let call = Invocation("check", path, folder["none"], "--sarif", folder["out.sarif"])
    #expect(call.status == .noInput)
    #expect(call.output.contains("did you mean 'work'?"))
    let text = folder.read("out.sarif") ?? ""
    #expect(text.contains("\"version\": \"2.1.0\""))
    #expect(text.contains("\"startLine\": 1,") && text.contains("\"startColumn\": 8"))
    #expect(text.contains("did you mean 'work'?") && text.contains("no such file"))
    let piped = Invocation("check", path, "--sarif", "-")
    #expect(piped.status == .traceErrors)
    #expect(piped.output.hasPrefix("{") && piped.error.contains("did you mean 'work'?"))
    #expect(Invocation("check", path, "--sarif", path).status != .held)
    #expect(folder.read("bad.trace") == "main { wrok(5ms) }\n")
  }

  @Test func formatRewritesWhatIsNotCanonical() {
    let folder = TemporaryFolder()
    let path = folder.write("f.trace", "main {\nwork( 1ms ) // why\n}\n")
    #expect(Invocation("format", path, "--check").status == .notHeld)
    #expect(Invocation("format", path, "--check").output == "\(path)\n")
    #expect(folder.read("f.trace") == "main {\nwork( 1ms ) // why\n}\n")
    #expect(Invocation("format", path).output == "formatted \(path)\n")
    let canonical = folder.read("f.trace")
    #expect(canonical == "main {\n    work(1ms)  // why\n}\n")
    #expect(Invocation("format", path).output.isEmpty)
    #expect(Invocation("format", path, "--check").status == .held)
    #expect(folder.names == ["f.trace"])
  }

  @Test func brokenTraceIsLeftAlone() {
    let folder = TemporaryFolder()
    let path = folder.write("f.trace", "main { work( }\n")
    let call = Invocation("format", path)
    #expect(call.status == .traceErrors)
    #expect(call.error.hasPrefix("\(path):1:"))
    #expect(folder.read("f.trace") == "main { work( }\n")
  }

  @Test func standardInputIsFormattedToStandardOutput() {
    let host = HostEnvironment(standardInput: Array("main {\nwork(1ms)\n}\n".utf8))
    let call = Invocation(["format", "-"], environment: host)
    #expect(call.output == "main {\n    work(1ms)\n}\n")
    #expect(call.status == .held)
    #expect(Invocation(["format", "-", "--check"], environment: host).status == .notHeld)
  }
}
