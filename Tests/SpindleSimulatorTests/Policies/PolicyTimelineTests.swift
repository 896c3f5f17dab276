import SpindleModel
import TestSupport
import Testing

@testable import SpindleSimulator

/// Who has the core when: one letter is one millisecond of the thread of that name on one core.
@Suite struct PolicyTimelineTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let policy: String
    /// What each thread does: `A 3 @1 p0.8 r1/5`.
    ///
    /// Thread A needs 3 ms, starts at 1 ms, has thread priority 0.8, and is real-time with a
    /// computation of 1 ms and a constraint of 5 ms.
    let threads: [String]
    let core: String
    let location: SourceLocation

    init(
      _ claim: String, _ policy: String, _ threads: [String], core: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.policy, self.threads) = (claim, policy, threads)
      (self.core, self.location) = (core, location)
    }
  }

  static let rows = [
    Row("first come, first served", "fifo", ["A 3", "B 2", "C 1"], core: "AAABBC"),
    Row("a later thread waits however short", "fifo", ["A 4", "B 1 @1"], core: "AAAAB"),
    Row("turns alternate", "roundRobin(quantum: 1ms)", ["A 3", "B 2"], core: "ABABA"),
    Row("a lone thread keeps its core", "roundRobin(quantum: 1ms)", ["A 4"], core: "AAAA"),
    Row(
      "an unused quantum is not owed", "roundRobin(quantum: 3ms)", ["A 2", "B 4", "C 1"],
      core: "AABBBCB"),
    Row(
      "one that arrives goes before one whose quantum ends just then", "roundRobin(quantum: 2ms)",
      ["A 4", "B 1 @2"], core: "AABAA"),
    Row(
      "one that arrives within a later quantum of a lone thread waits for its end",
      "roundRobin(quantum: 3ms)", ["A 9", "B 1 @4"], core: "AAAAAABAAA"),
    Row(
      "one that arrives as a later quantum of a lone thread ends goes on at once",
      "roundRobin(quantum: 2ms)", ["A 8", "B 1 @4"], core: "AAAABAAAA"),
    Row(
      "who was alone has a whole quantum after its turn", "roundRobin(quantum: 3ms)",
      ["A 12", "B 2 @7", "C 1 @10"], core: "AAAAAAAAABBAAAC"),
    Row(
      "five processes of a textbook", "roundRobin(quantum: 1ms)",
      ["A 3", "B 6 @2", "C 4 @4", "D 5 @6", "E 2 @8"], core: "AABABCBDCBEDCBEDCBDD"),
    Row(
      "the highest priority first", "fixedPriority", ["A 2 p0.2", "B 2 p0.9", "C 2 p0.5"],
      core: "BBCCAA"),
    Row(
      "a more urgent thread takes the core at once", "fixedPriority", ["A 4 p0.2", "B 2 @1 p0.9"],
      core: "ABBAAA"),
    Row(
      "without preemption it waits", "fixedPriority(preemptive: false)",
      ["A 4 p0.2", "B 2 @1 p0.9"], core: "AAAABB"),
    Row(
      "without preemption no quantum takes the core",
      "fixedPriority(quantum: 1ms, preemptive: false)",
      ["A 3 p0.5", "B 2 p0.5", "C 1 @1 p0.9"], core: "AAACBB"),
    Row(
      "nor does one of a thread that has grown",
      "priorityAging(interval: 1ms, quantum: 1ms, preemptive: false)",
      ["A 3 p0.2", "B 2 @1 p0.9"], core: "AAABB"),
    Row(
      "equals take turns", "fixedPriority(quantum: 1ms)", ["A 2 p0.5", "B 2 p0.5", "C 2 p0.1"],
      core: "ABABCC"),
    Row(
      "one that had to give way goes on before its equals, with the rest of its quantum",
      "fixedPriority(quantum: 3ms)", ["A 4 p0.5", "B 4 p0.5", "C 1 @2 p0.9"], core: "AACABBBAB"),
    Row(
      "equals share evenly", "fairShare(slice: 1ms)", ["A 3", "B 3", "C 2"], core: "ABCABCAB"),
    Row(
      "one that comes late is owed no more than a slice", "fairShare(slice: 1ms)",
      ["A 4", "B 2 @2"], core: "AABABA"),
    Row(
      "a heavier thread runs more often", "fairShare(slice: 1ms)", ["A 3", "B 3 p1.0"],
      core: "ABBBAA"),
    Row("the shortest first", "shortestJobFirst", ["A 3", "B 1", "C 2"], core: "BCCAAA"),
    Row(
      "a shorter one does not take the core", "shortestJobFirst", ["A 4", "B 1 @2"], core: "AAAAB"),
    Row(
      "one with less left takes it", "shortestRemainingTime", ["A 4", "B 1 @2", "C 1 @3"],
      core: "AABCAA"),
    Row(
      "one with as much left does not", "shortestRemainingTime", ["A 4", "B 2 @2"], core: "AAAABB"),
    Row(
      "a guess of 2 ms is used up before the other comes",
      "shortestRemainingTime(predicted: true, guess: 2ms)", ["A 4", "B 1 @2"], core: "AAAAB"),
    Row(
      "who has waited long comes first", "highestResponseRatioNext",
      ["A 6", "B 4 @1", "C 1 @5", "D 5 @1"], core: "AAAAAABBBBCDDDDD"),
    Row(
      "threads sink, and a new one is above them",
      "multilevelFeedback(levels: 2, quantum: 2ms, boost: 0s)", ["A 5", "B 3", "C 2 @5"],
      core: "AABBACCABA"),
    Row(
      "shares of 3, 2 and 1", "stride(quantum: 1ms)", ["A 3 p0.3", "B 2 p0.2", "C 1 p0.1"],
      core: "ABACBA"),
    Row(
      "a queue above comes first", "multilevelQueue(quantum: 1ms)",
      ["A 3 p0.0", "B 2 @1 p0.5", "C 2 @1 p0.5"], core: "ABCBCAA"),
    Row(
      "who waits grows", "priorityAging(interval: 2ms, quantum: 1h)", ["A 6 p0.5", "B 2 p0.47"],
      core: "AAAABBAA"),
    Row("the newest of its own line first", "workStealing", ["A 2", "B 1", "C 1"], core: "CBAA"),
    Row("or the oldest", "workStealing(lifo: false)", ["A 2", "B 1", "C 1"], core: "AABC"),
    Row(
      "equals share under timesharing", "timeshare(quantum: 1ms)", ["A 3", "B 3"], core: "ABABAB"),
    Row(
      "a more urgent thread comes first under timesharing too", "timeshare(quantum: 1ms)",
      ["A 3 p0.2", "B 2 @1 p0.9"], core: "ABBAA"),
  ]

  @Test("threads get the core as the policy says", arguments: rows)
  func timeline(row: Row) {
    let run = TestRun(Self.trace(row))
    #expect(run.messages == [], sourceLocation: row.location)
    #expect(Self.drawn(run) == row.core, sourceLocation: row.location)
  }

  /// Each thread marks the end of every millisecond of its own work.
  static func trace(_ row: Row) -> String {
    var (starts, arrivals) = ("", "")
    for thread in row.threads {
      let words = thread.split(separator: " ")
      let (name, work) = (words[0], words[1])
      let start = words.first { $0.hasPrefix("@") }?.dropFirst()
      let priority = words.first { $0.hasPrefix("p") }?.dropFirst()
      let claim = priority.map { ", threadPriority: \($0)" } ?? ""
      let realtime = words.first { $0.hasPrefix("r") }?.dropFirst().split(separator: "/")
      let prelude = realtime.map {
        "thread\(name).realtime(period: 1s, computation: \($0[0])ms, constraint: \($0[1])ms); "
      }
      let begin = (prelude ?? "") + "thread\(name).start()"
      let made = """
        let thread\(name) = Thread(name: "\(name)"\(claim)) {
            for _ in 0 ..< \(work) { work(1ms); mark("\(name)") }
        }
        """
      arrivals += made + "\n"
      if let start {
        arrivals += "at(\(start)ms) { \(begin) }\n"
      } else {
        starts += "    \(begin)\n"
      }
    }
    return """
      machine { platform: .ideal; cores: 1; policy: .\(row.policy) }
      \(arrivals)
      main {
          Thread.current.threadPriority = 1.0
      \(starts)}
      """
  }

  /// The marks in order, which is the order of the milliseconds on one core.
  static func drawn(_ run: TestRun) -> String {
    run.log.split(separator: "\n").compactMap { line -> Substring? in
      guard let mark = line.range(of: "mark \"") else { return nil }
      return line[mark.upperBound...].prefix(1)
    }.joined()
  }
}

extension Substring {
  /// The range of the first occurrence of `text`.
  fileprivate func range(of text: String) -> Range<Index>? {
    let pattern = Array(text.utf8)
    var start = startIndex
    while start < endIndex {
      if self[start...].utf8.starts(with: pattern) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
