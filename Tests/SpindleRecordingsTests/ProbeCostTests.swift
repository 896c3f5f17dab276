import SpindleModel
import Testing

@testable import SpindleRecordings

/// What probes took is known by the least time between two, and is no part of the program.
@Suite struct ProbeCostTests {
  /// Main hands twelve items of 2 ms to a serial queue.
  ///
  /// A probe takes 10 us behind the beginning of a function and
  /// 1 us behind its end, and so a worker goes from item to item in 11 us, and before the last one in `more`.
  private static func twelveItems(more: Int = 0) -> ProbedRecording {
    var all = ProbedRecording()
    all.runs(0, 0, 100)
    for item in 1...12 { all.at(10 * item, 0, "q_push: (0x7f) dq=0x10 func=0x7 ctxt=0x\(item)") }
    all.makes(200, 0, 101)
    all.at(300, 0, "group_wait: (0x7f) group=0x50")
    all.runs(310, 0, 0)
    all.runs(310, 1, 101)
    var time = 310
    for item in 1...12 {
      all.item(item, 1, time, time + 2_010)
      all.at(time + 2_011, 1, "group_leave: (0x7f) group=0x50")
      time += 2_021 + (item == 11 ? more : 0)
    }
    all.wakes(time, 1, 100)
    all.runs(time, 1, 0)
    all.runs(time, 0, 100)
    all.at(time, 0, "group_waited: (0x7f <- 0x7f)")
    all.at(time + 500, 0, "sched_process_exit: comm=app pid=100 prio=120")
    all.runs(time + 500, 0, 0, left: "Z")
    return all
  }

  /// The lengths of the items, each told once, in microseconds.
  private func lengths(
    _ recording: ProbedRecording, keepsProbes: Bool = false
  ) throws -> Set<Int64> {
    var choice = RecordingChoice()
    choice.keepsProbes = keepsProbes
    let items = try recording.program(choice).queues.items
    return Set(items.map { $0.operations.reduce(0) { $0 + $1.length } / 1_000 })
  }

  @Test func itemIsAsLongAsWithoutProbes() throws {
    #expect(try lengths(Self.twelveItems()) == [2_000])
    // By hand: 2,010 us in the first, and in each other one the 11 us in front of it; behind the last one 11 more.
    #expect(try lengths(Self.twelveItems(), keepsProbes: true) == [2_010, 2_021, 2_032])
    // What the program does between items is left.
    #expect(try lengths(Self.twelveItems(more: 5)) == [2_000, 2_005])
  }

  /// Of 10 us there are 12 submissions, 12 calls, 12 ends with the group, and main's wait, behind which it computes no
  /// longer than that; of 1 us 12 returns, and the end of the wait: 383 us.
  @Test func whatTheyTookIsTold() throws {
    let program = try Self.twelveItems().program()
    #expect(program.probes == Nanoseconds.microseconds(383))
    let notes = TraceNotes.lines(program, recording: "sample")
    #expect(notes.contains { $0.hasPrefix("// probes     383us that probes in libdispatch took") })
    var kept = RecordingChoice()
    kept.keepsProbes = true
    #expect(try Self.twelveItems().program(kept).probes == .zero)
    // What is recorded of threads is as it was.
    let rows = try [RecordingChoice(), kept].map { try Self.twelveItems().program($0).rows }
    #expect(rows[0] == rows[1])
  }

  /// The least of seven is not known to be a probe's, nor is the time in which a thread lost its core.
  @Test func littleIsNotTaken() throws {
    func costs(_ pairs: Int, losesCore: Bool = false) -> ProbeCosts {
      var meter = ProbeCosts.Meter()
      for pair in 0..<pairs {
        meter.probed(1, .calls(context: 1), at: Int64(pair * 1_000))
        if losesCore { meter.moved(1) }
        meter.probed(1, .calls(context: 1), at: Int64(pair * 1_000 + 40))
        meter.moved(1)
      }
      return meter.costs
    }
    #expect(costs(8).cost(of: .calls(context: 1)) == 40)
    #expect(costs(8).cost(of: .worker) == 40)
    #expect(costs(8).cost(of: .returns) == 0)
    #expect(costs(7).cost(of: .calls(context: 1)) == 0)
    #expect(costs(8, losesCore: true).cost(of: .calls(context: 1)) == 0)
  }
}
