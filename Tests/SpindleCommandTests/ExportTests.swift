import SpindleSystem
import Testing

@testable import SpindleCommand

/// `simulate --export`: which format, which file, and what is left alone.
@Suite struct ExportTests {
  private static let trace = """
    trace "Two"

    let queue = DispatchQueue(label: "files, \\"all\\"")

    main {
        queue.async(name: "one") { work(1ms) }
    }

    """

  @Test func endingTellsTheFormat() {
    let folder = TemporaryFolder()
    let path = folder.write("a.trace", ExportTests.trace)
    let beginnings = [
      ("a.pftrace", "\n"), ("a.json", "{\"displayTimeUnit\""),
      ("a.csv", "sort,name,thread,"), ("a.jsonl", "{\"sort\": \""),
    ]
    for (name, beginning) in beginnings {
      #expect(Invocation("simulate", path, "--export", folder[name]).status == .held)
      #expect(folder.read(name)?.hasPrefix(beginning) ?? false, "\(name)")
    }
    // The same under another name, and all of them at a time.
    let both = Invocation(
      "simulate", path, "--export", "csv=\(folder["b"])", "--export=jsonl=\(folder["c"])")
    #expect(both.status == .held)
    #expect(folder.read("b") == folder.read("a.csv"))
    #expect(folder.read("c") == folder.read("a.jsonl"))
    let shown = Invocation("simulate", path, "--export", "csv=-")
    #expect(shown.output == folder.read("a.csv"))
    #expect(shown.error.contains("makespan"))
  }

  @Test func unknownFormatIsRefused() {
    let folder = TemporaryFolder()
    let path = folder.write("a.trace", ExportTests.trace)
    let unknown = Invocation("simulate", path, "--export", folder["a.png"])
    #expect(unknown.status == .usage)
    #expect(
      unknown.error.contains("the format of '\(folder["a.png"])' is unknown; write FORMAT=FILE"))
    let misspelt = Invocation("simulate", path, "--export", "perfeto=a")
    #expect(misspelt.error.contains("did you mean 'perfetto'?"))
    #expect(Invocation("simulate", path, "--export", "csv=").status == .usage)
    let twice = Invocation("simulate", path, "--export", "csv=-", "--json")
    #expect(twice.error.contains("'--json' and '--export csv=-' both write to standard output"))
    #expect(Invocation("simulate", path, path, "--export", folder["a.csv"]).status == .usage)
    #expect(folder.names == ["a.trace"])
  }

  @Test func inputsAndOtherOutputsAreNotWrittenOver() {
    let folder = TemporaryFolder()
    let path = folder.write("a.trace", ExportTests.trace)
    let over = Invocation("simulate", path, "--export", "csv=\(path)")
    #expect(over.status == .noOutput)
    #expect(over.error.contains("it is the same file as"))
    #expect(folder.read("a.trace") == ExportTests.trace)
    let same = Invocation(
      "simulate", path, "--log", folder["x"], "--export", "csv=\(folder["x"])")
    #expect(same.status == .noOutput)
    let missing = Invocation("simulate", path, "--export", folder["no/a.csv"])
    #expect(missing.status == .noOutput)
    #expect(folder.names == ["a.trace"])
  }

  /// A semaphore that is signalled at 12 ms by who has had a lock for 2 ms: by hand.
  @Test func chromeHasWakesAndHolds() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "a.trace",
      """
      machine { platform: .iOS; cores: 2; costs: .zero; policy: .fifo }
      let s = DispatchSemaphore(value: 0)
      let lock = NSLock()
      let q = DispatchQueue(label: "q")
      main {
          q.async(name: "signaller") { work(10ms); lock.lock(); work(2ms); s.signal(); lock.unlock() }
          s.wait()
      }

      """)
    let lines = Invocation("simulate", path, "--export", "chrome=-").output.split(separator: "\n")
    func events(_ category: String) -> [String] {
      lines.filter { $0.contains("\"cat\": \"\(category)\"") }.map { line in
        String(line.dropLast(line.hasSuffix(",") ? 1 : 0))
      }
    }
    let arrow = "\"name\": \"woken\", \"cat\": \"wake\", \"bp\": \"e\", \"id\": 0}"
    let worker = "\"pid\": 1000, \"tid\": 1001, \"ts\": "
    #expect(
      events("wake") == [
        "{\"ph\": \"B\", \(worker)12000.000, \"name\": \"wakes\", \"cat\": \"wake\", "
          + "\"args\": {\"thread\": \"main\"}}",
        "{\"ph\": \"s\", \(worker)12000.000, \(arrow)",
        "{\"ph\": \"f\", \"pid\": 1000, \"tid\": 1000, \"ts\": 12000.000, \(arrow)",
      ])
    let held =
      "\"name\": \"lock\", \"cat\": \"held\", \"id\": 1, \"args\": "
      + "{\"by\": \"worker-1\", \"place\": \"6:46\"}}"
    #expect(
      events("held") == [
        "{\"ph\": \"b\", \(worker)10000.000, \(held)",
        "{\"ph\": \"e\", \(worker)12000.000, \(held)",
      ])
  }
}
