import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle explore --shard` and `spindle merge`.
@Suite struct ExploreShardTests {
  private let folder = TemporaryFolder()

  /// Three threads that read under a lock and write under it again: an update can be lost in more than one way.
  private static let trace = """
    trace "Updates"
    machine { platform: .ideal; cores: 4 }
    let a = NSLock()
    var sum = 0
    func add() {
        var n = 0
        a.withLock { n = sum }
        a.withLock { sum = n + 1 }
    }
    main(.tool) {
        let one = Thread(name: "one") { add() }
        let two = Thread(name: "two") { add() }
        let three = Thread(name: "three") { a.withLock { sum += 1 } }
        one.start()
        two.start()
        three.start()
        one.join()
        two.join()
        three.join()
    }
    expect { value(sum) == 3 }

    """

  private func parts(_ count: Int, _ path: String, _ options: String...) -> [String] {
    (1...count).map { number in
      let part = folder["part-\(number)-\(options.count)"]
      let call = Invocation(
        ["explore", path, "--shard", "\(number)/\(count)", "--output", part] + options)
      #expect(call.status == .held, "\(call.error)")
      #expect(call.output.isEmpty)
      return part
    }
  }

  private func text(_ path: String) -> String {
    folder.read(String(path.dropFirst(folder.path.count + 1))) ?? ""
  }

  /// What a call prints, as one line.
  private func line(_ call: Invocation) -> String {
    call.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The parts together have run every order, and found what the whole search finds, with as few lines.
  @Test func partsCoverTheWhole() {
    let path = folder.write("u.trace", Self.trace)
    let whole = line(Invocation(["explore", path, "--runs", "5000"]))
    #expect(whole.contains(": every order of dependent steps not counted"), "\(whole)")
    let orders = #/([0-9,]+) orders of dependent steps/#
    for count in [2, 3, 7] {
      let call = Invocation(["merge"] + parts(count, path, "--runs", "5000").reversed())
      #expect(call.status == .notHeld, "\(call.error)")
      let merged = line(call)
      #expect(merged.contains(": every order of dependent steps not counted"), "\(merged)")
      #expect(
        merged.firstMatch(of: orders)?.1 == whole.firstMatch(of: orders)?.1, "\(merged)\n\(whole)")
      #expect(merged.contains("not met: value(sum) == 3"), "\(merged)")
      #expect(merged.contains("1 line; without it this does not happen"), "\(merged)")
    }
  }

  /// What the parts are does not depend on how many runs are made side by side, nor the result on their order.
  @Test func partsAreTheSameWithAnyNumberOfJobs() {
    let path = folder.write("u.trace", Self.trace)
    let one = parts(2, path, "--jobs", "1").map(text)
    let four = parts(2, path, "--jobs=4").map(text)
    #expect(one == four)
    let files = parts(2, path)
    let merged = Invocation(["merge"] + files)
    #expect(merged.output == Invocation(["merge"] + files.reversed()).output)
    #expect(Invocation(["merge", "--json"] + files).output.contains("\"isComplete\": "))
  }

  @Test func partsThatDoNotBelongTogetherAreRefused() {
    let path = folder.write("u.trace", Self.trace)
    let files = parts(3, path)
    let missing = Invocation(["merge", files[0], files[2]])
    #expect(missing.status == .noInput)
    #expect(missing.error.contains("part 2/3 is missing"), "\(missing.error)")
    let twice = Invocation(["merge", files[0], files[1], files[2], files[1]])
    #expect(twice.error.contains("are both part 2/3"), "\(twice.error)")
    let others = parts(3, path, "--reversals", "2")
    let mixed = Invocation(["merge", files[0], others[1], files[2]])
    #expect(mixed.error.contains("is of another search"), "\(mixed.error)")
    let cut = folder.write("cut", String(text(files[1]).dropLast("end\t1\n".count)))
    #expect(Invocation(["merge", files[0], cut, files[2]]).error.contains("it is cut off"))
    _ = folder.write("u.trace", Self.trace.replacing("== 3", with: "== 2"))
    let changed = Invocation(["merge"] + files)
    #expect(changed.status == .usage)
    #expect(changed.error.contains("another text"), "\(changed.error)")
  }
}
