import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// What a simulated program may hold on the host: past it the program crashes, where it made too much.
@Suite struct StorageTests {
  /// A run that may hold 1 MB.
  private func run(_ trace: String, storage: ByteCount = .megabytes(1)) -> TestRun {
    var limits = RunLimits()
    limits.storage = storage
    limits.steps = 3_000_000
    return TestRun(trace, limits: limits, writesLog: false)
  }

  @Test(
    "what has no end crashes its program",
    arguments: StorageRow.values + StorageRow.threads + StorageRow.queues + StorageRow.operations
      + StorageRow.runLoops)
  func endsAsACrash(row: StorageRow) throws {
    let run = run(row.trace)
    let outcome = try #require(run.record, "\(run.messages)").outcome
    #expect(outcome.kind == .crashed)
    #expect(outcome.message.contains("holds at most 1MB, and this one wants more: "))
    #expect(outcome.message.contains("% \(row.kind)"), "\(outcome.message)")
    let place = try #require(outcome.place)
    #expect(line(at: Int(place.lowerBound), in: row.trace).hasSuffix("// here"))
  }

  @Test func whatIsGivenBackDoesNotCount() {
    // The least that a round takes and gives back are the 32 bytes of a timer in its mode: 640 KB in all.
    let run = run(
      """
      machine { platform: .ideal; cores: 1 }
      let pool = ThreadPool(width: 1)
      let port = Port { m in }
      main {
          RunLoop.main.add(port, forMode: .default)
          for i in 0 ..< 20000 {
              port.send("x")
              RunLoop.main.perform { }
              perform(on: Thread.main) { }
              perform(afterDelay: 0s) { }
              pool.async { }
              Thread.current.threadDictionary["k"] = i
              Thread.current.threadDictionary["k"] = nil
              RunLoop.main.run(until: now + 1us)
          }
          exit()
      }
      """, storage: .kilobytes(512))
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .finished, "\(String(describing: run.record?.outcome))")
  }

  @Test func loopsOfEndedThreadsAreGivenBack() {
    let run = run(
      """
      machine { platform: .ideal; cores: 1 }
      let each = ThreadPerTask()
      main {
          for i in 0 ..< 20000 {
              each.async {
                  let t = Timer.scheduledTimer(withTimeInterval: 1h, repeats: true) { t in }
                  RunLoop.current.perform { }
                  t.invalidate()
              }
              sleep(1us)
          }
          exit()
      }
      """, storage: .megabytes(16))
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .finished, "\(String(describing: run.record?.outcome))")
  }

  @Test func greatestNumberOfPlansIsNamed() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    storage.exceed(.plans)
    #expect(storage.isExceeded)
    #expect(
      storage.complaint
        == "a simulated program has at most 4194304 delayed items and sources that are due later")
  }

  @Test func everyKindIsBounded() {
    let all = StorageRow.values + StorageRow.threads + StorageRow.queues + StorageRow.operations
    let shown = Set((all + StorageRow.runLoops).map(\.kind))
    // What stands with each of these takes more than they do; a program's text says how many arrivals
    // there are.
    let outweighed: [StorageKind] = [.plans, .syncs, .applies, .arrivals]
    for kind in StorageKind.allCases where !outweighed.contains(kind) {
      #expect(shown.contains(kind.plural), "no row makes \(kind.plural) without end")
    }
  }

  /// The line of `text` in which the byte at `offset` stands.
  private func line(at offset: Int, in text: String) -> Substring {
    let before = Array(text.utf8).prefix(offset).count { $0 == 0x0A }
    return text.split(separator: "\n", omittingEmptySubsequences: false)[before]
  }
}
