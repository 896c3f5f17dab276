import Testing

@testable import SpindleCommand
@testable import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a file is written, and what is left alone.
@Suite struct OutputFileTests {
  private func linkCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
  }

  private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  @Test func danglingLinkStaysAndItsTargetIsMade() throws {
    let folder = TemporaryFolder()
    folder.write("below/other", "")
    symlink("below/second", folder["first"])
    symlink("../target", folder["below/second"])
    try WholeFile.write("new", to: folder["first"])
    #expect(folder.read("target") == "new")
    #expect(isLink(folder["first"]) && isLink(folder["below/second"]))
    #expect(folder.names == ["below", "first", "target"])
  }

  @Test func linksInACircleAreNamed() {
    let folder = TemporaryFolder()
    symlink("b", folder["a"])
    symlink("a", folder["b"])
    #expect(throws: FileFailure.writing(folder["a"], ELOOP)) {
      try WholeFile.write("new", to: folder["a"])
    }
    #expect(folder.names == ["a", "b"])
    #expect(isLink(folder["a"]) && isLink(folder["b"]))
  }

  @Test func failureNamesThePathThatWasGiven() {
    let folder = TemporaryFolder()
    symlink("no/log", folder["link"])
    #expect(throws: FileFailure.writing(folder["link"], ENOENT)) {
      try WholeFile.write("new", to: folder["link"])
    }
  }

  /// 255 bytes is the longest name of the common file systems.
  @Test func longestNameCanBeWritten() throws {
    let folder = TemporaryFolder()
    let longest = String(repeating: "x", count: 251) + ".log"
    try WholeFile.write("one", to: folder[longest])
    try WholeFile.write("two", to: folder[longest])
    #expect(folder.read(longest) == "two")
    #expect(folder.names == [longest])
    #expect(throws: FileFailure.writing(folder["x" + longest], ENAMETOOLONG)) {
      _ = try WholeFile(folder["x" + longest])
    }
  }

  @Test func otherNamesOfAFileStay() throws {
    let folder = TemporaryFolder()
    folder.write("one", "what is longer than the new text")
    chmod(folder["one"], 0o640)
    link(folder["one"], folder["two"])
    do {
      let file = try WholeFile(folder["two"])
      file.write(Array("new".utf8)[...])
      #expect(folder.read("one") == "what is longer than the new text")
      #expect(folder.names == ["one", "two"])
      try file.commit()
    }
    #expect(folder.read("one") == "new")
    #expect(linkCount(folder["one"]) == 2)
    #expect(folder.names == ["one", "two"])
  }

  @Test func formattingKeepsAllNames() {
    let folder = TemporaryFolder()
    let path = folder.write("f.trace", "main {\nwork( 1ms )\n}\n")
    link(path, folder["g.trace"])
    #expect(Invocation("format", path).status == .held)
    #expect(folder.read("g.trace") == "main {\n    work(1ms)\n}\n")
    #expect(linkCount(path) == 2)
  }

  @Test func anotherProcessKeepsItsPartialFile() throws {
    let folder = TemporaryFolder()
    let target = try #require(LinkedPath(folder["log"]))
    let other = try PartialFile(beside: target) { 7 }
    var draws: [UInt64] = [8, 7, 7]
    do {
      let own = try PartialFile(beside: target) { draws.removeLast() }
      #expect(folder.names == [".spindle-7.partial", ".spindle-8.partial"])
      close(own.descriptor)
    }
    #expect(folder.names == [".spindle-7.partial"])
    close(other.descriptor)
  }

  @Test func pipeAndDeviceAreNotFormatted() {
    let folder = TemporaryFolder()
    mkfifo(folder["pipe"], 0o600)
    for path in [folder["pipe"], "/dev/null"] {
      let call = Invocation("format", path)
      #expect(call.status == .noOutput)
      #expect(
        call.error == "spindle: error: cannot rewrite '\(path)': it is not a regular file\n")
    }
  }
}

/// What is written is never what is read.
@Suite struct FileRolesTests {
  static let same = "it is the same file as"

  @Test("a log is no trace", arguments: ["t.trace", "./t.trace", "soft", "hard", "chain"])
  func logIsNoTrace(name: String) {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    symlink("t.trace", folder["soft"])
    symlink("soft", folder["chain"])
    link(path, folder["hard"])
    let call = Invocation("simulate", path, "--log", folder[name])
    #expect(call.status == .noOutput)
    #expect(
      call.error == "spindle: error: cannot write '\(folder[name])': \(Self.same) '\(path)', "
        + "which is read\n")
    #expect(call.output.isEmpty)
    #expect(folder.read("t.trace") == SimulateTests.holds)
    #expect(Invocation("simulate", path, "--log", folder["other"]).status == .held)
  }

  @Test("results are neither trace nor log", arguments: ["t.trace", "t.log"])
  func resultsAreNeither(name: String) {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    // The log is not there yet, and nothing is to be written in its place either.
    for update in [["--update"], []] {
      let call = Invocation(["test", path, "--junit", folder[name]] + update)
      #expect(call.status == .noOutput)
      #expect(call.error.contains("cannot write '\(folder[name])': \(Self.same) "))
      #expect(call.output.isEmpty)
    }
    #expect(folder.read("t.trace") == SimulateTests.holds)
    #expect(folder.names == ["t.trace"])
  }

  @Test func whatATraceIsRunWithIsNotWritten() {
    let folder = TemporaryFolder()
    let costs = folder.write("my.costs", ".zero")
    let named = folder.write("a.trace", "machine { costs: \"my.costs\" }\nmain { work(1ms) }\n")
    let plain = folder.write("b.trace", "main { work(1ms) }\n")
    for call in [
      ["simulate", named, "--log", costs], ["simulate", plain, "--costs", costs, "--log", costs],
      ["test", folder.path, "--junit", costs], ["compare", named, "--html", costs],
      ["compare", plain, "--costs", "linux, \(costs)", "--html", costs],
      ["sweep", named, "--over", "cores=1,2", "--output", costs],
      ["sweep", plain, "--costs", costs, "--over", "cores=1,2", "--output", costs],
    ] {
      let call = Invocation(call)
      #expect(call.status == .noOutput, "\(call.error)")
      #expect(
        call.error.contains("cannot write '\(costs)': \(Self.same) '\(costs)', which is read"))
    }
    #expect(folder.read("my.costs") == ".zero")
  }

  @Test func logOfOneTraceIsNotThatOfAnother() {
    let folder = TemporaryFolder()
    let (one, two) = (
      folder.write("t", SimulateTests.holds), folder.write("t.trace", SimulateTests.holds)
    )
    let call = Invocation("test", one, two, "--update")
    #expect(call.status == .noOutput)
    let log = folder["t.log"]
    #expect(
      call.error == "spindle: error: cannot write '\(log)': \(Self.same) '\(log)', "
        + "which is written too\n")
    #expect(folder.names == ["t", "t.trace"])
  }

  @Test func oneTraceInTwoSpellingsIsOneTest() {
    let folder = TemporaryFolder()
    let path = folder.write("a/t.trace", SimulateTests.holds)
    let call = Invocation("test", path, folder["./a/../a"], "--update")
    #expect(call.output.hasSuffix("1 recorded, 0 updated, 0 unchanged\n1 passed, 0 failed\n"))
  }

  @Test(
    "standard output is no trace", arguments: ["check", "format", "simulate", "test", "compare"])
  func standardOutputIsNoTrace(command: String) {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    let descriptor = open(path, O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    let error = OutputSink()
    let status = Tool.run(
      arguments: [command, path], environment: HostEnvironment(),
      standardOutput: OutputSink(descriptor: descriptor, name: "standard output"),
      standardError: error)
    #expect(status == .noOutput)
    #expect(
      error.text == "spindle: error: cannot write standard output: \(Self.same) '\(path)', "
        + "which is read\n")
    #expect(folder.read("t.trace") == SimulateTests.holds)
  }

  @Test func logIsNotStandardOutput() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", SimulateTests.holds)
    let descriptor = open(folder.write("out", ""), O_WRONLY)
    defer { close(descriptor) }
    let (output, error) = (
      OutputSink(descriptor: descriptor, name: "standard output"), OutputSink()
    )
    let status = Tool.run(
      arguments: ["simulate", path, "--log", folder["out"]], environment: HostEnvironment(),
      standardOutput: output, standardError: error)
    #expect(status == .noOutput)
    #expect(error.text.contains("\(Self.same) standard output, which is written too"))
  }
}

/// Names of files that are not what one expects.
@Suite struct FileNameTests {
  static let rows: [(bytes: [UInt8], shown: String)] = [
    (Array("a b/é👩‍👩‍👧.trace".utf8), "a b/é👩‍👩‍👧.trace"), (Array("a\\b".utf8), "a\\b"),
    (Array("\u{1B}[31m".utf8), "\\u{1B}[31m"), (Array("a\nb\t\r".utf8), "a\\nb\\t\\r"),
    ([0x7F], "\\u{7F}"), (Array("\u{9B}\u{2028}\u{202E}".utf8), "\\u{9B}\\u{2028}\\u{202E}"),
    ([0x61, 0xFF, 0x62], "a\\xFFb"), ([0xC3], "\\xC3"), ([0xE2, 0x82, 0x0A], "\\xE2\\x82\\n"),
  ]

  @Test("what would upset a terminal is written out", arguments: rows)
  func shown(row: (bytes: [UInt8], shown: String)) {
    let shown = FileName.shown(bytes: row.bytes)
    #expect(shown == row.shown)
    #expect(FileName.shown(shown) == shown, "once is as good as twice")
  }

  /// Every command says such a name, and none does as it says.
  @Test func noNameReachesATerminalAsItIs() {
    let folder = TemporaryFolder()
    let name = "e\u{1B}[2J\nspindle: all is well"
    let mistaken = folder.write(name + ".trace", SimulateTests.mistaken)
    let fails = folder.write("f" + name + ".trace", SimulateTests.fails)
    let wide = folder.write("w" + name + ".trace", "main {  }\n")
    let calls = [
      Invocation("check", mistaken), Invocation("check", folder[name]),
      Invocation("simulate", mistaken, fails),
      Invocation("simulate", fails, "--log", folder["no/" + name]),
      Invocation("format", wide, "--check"), Invocation("format", wide),
      Invocation("test", folder.path), Invocation("test", fails, "--update"),
      Invocation("compare", fails, "--expect"), Invocation("help", name),
      Invocation("simulate", "--\(name)"), Invocation(name),
    ]
    for call in calls {
      let text = call.output + call.error
      let words = call.flat + call.error
      #expect(words.contains("e\\u{1B}[2J\\nspindle: all is well"))
      #expect(
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("spindle: all") })
    }
  }

  #if os(Linux)
    /// Other systems' file systems refuse such names.
    @Test("what can't be read is told, and fails the test", arguments: [true, false])
    func unreadableNamesAreTold(isFolder: Bool) {
      let folder = TemporaryFolder()
      folder.write("t.trace", SimulateTests.holds)
      _ = Invocation("test", folder.path, "--update")
      let raw = Array("\(folder.path)/x".utf8) + [0xFF] + Array(".trace".utf8) + [0]
      let path = raw.map { CChar(bitPattern: $0) }
      if isFolder { mkdir(path, 0o755) } else { close(open(path, O_WRONLY | O_CREAT, 0o644)) }
      let call = Invocation("test", folder.path, "--junit", folder["r.xml"])
      let name = "\(folder.path)/x\\xFF.trace"
      #expect(call.status == .noInput)
      #expect(
        call.output == """
          failed \(name)
            cannot read '\(name)': its name is not valid UTF-8
          1 passed, 1 failed

          """)
      #expect(folder.read("r.xml")?.contains("failures=\"1\"") == true)
      _ = isFolder ? rmdir(path) : unlink(path)
    }
  #endif

  @Test func pipesAreNotWaitedFor() {
    let folder = TemporaryFolder()
    folder.write("t.trace", SimulateTests.holds)
    mkfifo(folder["p.trace"], 0o600)
    mkfifo(folder["t.log"], 0o600)
    for arguments in [["test", folder.path], ["test", folder.path, "--update"]] {
      let call = Invocation(arguments)
      #expect(call.status == .noInput)
      #expect(
        call.output.contains("cannot read '\(folder["p.trace"])': it is not a regular file\n"))
      #expect(
        call.output.contains("cannot read '\(folder["t.log"])': it is not a regular file\n"))
      #expect(call.output.hasSuffix("0 passed, 2 failed\n"))
    }
  }
}
