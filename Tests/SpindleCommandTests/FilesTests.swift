import SpindleModel
import SpindleSystem
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files are read whole, and written whole or not at all.
@Suite struct FilesTests {
  @Test func fileIsReadToItsEnd() throws {
    let folder = TemporaryFolder()
    for count in [0, 1, 65_535, 65_536, 300_000] {
      let text = String(repeating: "x", count: count)
      #expect(try Files.read(folder.write("f", text)).count == count)
    }
  }

  @Test func whatCanNotBeReadIsNamed() {
    let folder = TemporaryFolder()
    #expect(throws: FileFailure.reading("\(folder.path)/no", ENOENT)) {
      try Files.read(folder["no"])
    }
    #expect(throws: FileFailure.folder(folder.path)) { try Files.read(folder.path) }
    folder.write("file", "")
    let below = folder["file/below"]
    #expect(throws: FileFailure.reading(below, ENOTDIR)) { try Files.read(below) }
  }

  @Test(
    "a trace of a gigabyte is refused",
    arguments: ["check", "simulate", "format", "test", "verify"])
  func aVeryLargeTraceIsRefused(command: String) {
    let folder = TemporaryFolder()
    let path = folder.write("large.trace", "main { }\n")
    // It takes no room: what was never written is a hole.
    #expect(truncate(path, 1 << 30) == 0)
    // Not even to see whether it has changed since it passed.
    let host = HostEnvironment(variables: ["XDG_CACHE_HOME": folder["cache"]])
    let call = Invocation([command, path], environment: host)
    #expect(call.status == .noInput)
    let text = command == "test" ? call.output : call.error
    #expect(text.contains("'\(path)' is larger than 256MB, the most that is read\n"), "\(text)")
  }

  @Test func foldersAreWalkedInTheOrderOfBytes() throws {
    let folder = TemporaryFolder()
    for name in [
      "b.trace", "a/z.trace", "B.trace", "a/a.trace", "c.txt", ".hidden/x.trace", "é.trace",
    ] {
      folder.write(name, "")
    }
    let found = try Files.files(below: folder.path, suffix: ".trace")
    #expect(
      found.paths.map { String($0.dropFirst(folder.path.count + 1)) }
        == ["B.trace", "a/a.trace", "a/z.trace", "b.trace", "é.trace"])
    #expect(found.unreadable.isEmpty)
  }

  @Test func wholeFileReplacesTheOldOneAndLeavesNothingBeside() throws {
    let folder = TemporaryFolder()
    folder.write("log", "old")
    chmod(folder["log"], 0o640)
    try WholeFile.write("new", to: folder["log"])
    #expect(folder.read("log") == "new")
    #expect(folder.names == ["log"])
    var status = stat()
    stat(folder["log"], &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func nothingChangesBeforeTheCommit() throws {
    let folder = TemporaryFolder()
    folder.write("log", "old")
    do {
      let file = try WholeFile(folder["log"])
      file.write(Array("half".utf8)[...])
      #expect(folder.read("log") == "old")
    }
    #expect(folder.read("log") == "old")
    #expect(folder.names == ["log"])
  }

  @Test func linkStaysALink() throws {
    let folder = TemporaryFolder()
    folder.write("target", "old")
    symlink(folder["target"], folder["link"])
    try WholeFile.write("new", to: folder["link"])
    #expect(folder.read("target") == "new")
    #expect(folder.names == ["link", "target"])
    var status = stat()
    lstat(folder["link"], &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func deviceIsWrittenToAndNotReplaced() throws {
    try WholeFile.write("gone", to: "/dev/null")
    #expect(Files.kind(of: "/dev/null") == .other)
  }

  /// What stands in the way at the very end can't be replaced by a file.
  @Test func failedWriteLeavesWhatIsThere() throws {
    let folder = TemporaryFolder()
    let file = try WholeFile(folder["log"])
    file.write(Array("new".utf8)[...])
    folder.write("log/inner", "old")
    #expect(throws: FileFailure.self) { try file.commit() }
    #expect(folder.names == ["log"])
    #expect(folder.read("log/inner") == "old")
  }

  #if os(Linux)
    @Test func fullDeviceIsAFailure() {
      #expect(throws: FileFailure.writing("/dev/full", ENOSPC)) {
        try WholeFile.write("x", to: "/dev/full")
      }
    }
  #endif

  @Test func fileThatCanNotBeWrittenIsNamed() {
    let folder = TemporaryFolder()
    #expect(throws: FileFailure.writing(folder["no/log"], ENOENT)) {
      try WholeFile.write("x", to: folder["no/log"])
    }
    #expect(throws: FileFailure.self) { try WholeFile.write("x", to: folder.path) }
    folder.write("file", "")
    #expect(throws: FileFailure.writing(folder["file/log"], ENOTDIR)) {
      try WholeFile.write("x", to: folder["file/log"])
    }
  }
}

/// Independent jobs on several threads.
@Suite struct ParallelRunsTests {
  @Test("results come in order, whatever the number of threads", arguments: [1, 2, 5, 64])
  func resultsComeInOrder(threads: Int) {
    var indices: [Int] = []
    ParallelRuns.run(50, threads: threads) { index in
      // The first jobs take longest, so that later ones end before them.
      var sum = 0
      for value in 0..<((50 - index) * 2_000) { sum &+= value }
      return index * 2 + (sum & 0)
    } deliver: { index, result in
      #expect(result == index * 2)
      indices.append(index)
    }
    #expect(indices == Array(0..<50))
  }

  @Test func noJobsNoResults() {
    #expect(ParallelRuns.map(0, threads: 4) { $0 }.isEmpty)
  }

  @Test func deepRecursionFitsOnAWorker() {
    let depths = ParallelRuns.map(2, threads: 2) { _ in depth(20_000) }
    #expect(depths == [20_000, 20_000])

    @Sendable func depth(_ rest: Int) -> Int { rest == 0 ? 0 : 1 + depth(rest - 1) }
  }
}

/// What the tool makes of its host.
@Suite struct HostEnvironmentTests {
  static let widths: [(columns: String?, terminal: Int?, width: Int)] = [
    (nil, nil, 80), (nil, 120, 120), ("100", 120, 100), ("x", 120, 120), ("10", nil, 40),
    ("9999", nil, 400),
  ]

  @Test("COLUMNS, then the terminal, then 80", arguments: widths)
  func width(row: (columns: String?, terminal: Int?, width: Int)) {
    let variables = row.columns.map { ["COLUMNS": $0] } ?? [:]
    let host = HostEnvironment(variables: variables, terminalColumns: row.terminal)
    #expect(host.width == row.width)
  }

  static let colors:
    [(variables: [String: String], isTerminal: Bool, choice: ColorChoice, color: Bool)] = [
      ([:], true, .auto, true), ([:], false, .auto, false), (["NO_COLOR": "1"], true, .auto, false),
      (["NO_COLOR": ""], true, .auto, true), (["TERM": "dumb"], true, .auto, false),
      ([:], false, .always, true), ([:], true, .never, false),
    ]

  @Test("colour on a terminal only, and never with NO_COLOR", arguments: colors)
  func color(
    row: (variables: [String: String], isTerminal: Bool, choice: ColorChoice, color: Bool)
  ) {
    let host = HostEnvironment(variables: row.variables, outputIsTerminal: row.isTerminal)
    let console = Console(environment: host, output: OutputSink(), error: OutputSink())
    #expect(console.usesColor(row.choice) == row.color)
  }
}
