import SpindleModel
import SpindleReports
import TestSupport
import Testing

@testable import SpindleSimulator

/// Work in parts with nothing between them is one work: wherever it is split, the run is the same.
@Suite struct SplitWorkTests {
  static let machines = [
    "platform: .ideal; cores: 2; policy: .roundRobin(quantum: 700us)",
    "platform: .ideal; cores: 3; policy: .fifo",
    "platform: .ideal; cores: 2; policy: .fixedPriority(quantum: 1ms)",
    "platform: .macOS; cores: 1; policy: .timeshare(quantum: 1ms)",
    "platform: .linux; cores: 2; costs: .zero",
    "platform: .iOS; cores: [.performance(1), .efficiency(2, speed: 0.4)]; "
      + "policy: .roundRobin(quantum: 1ms)",
    "platform: .iOS; cores: [.performance(1, speed: 1.7), .efficiency(1, speed: 0.3)]; costs: .zero",
  ]

  @Test("a run is the same wherever its work is split", arguments: 0..<70)
  func everyProgram(seed: Int) {
    let machine = Self.machines[seed % Self.machines.count]
    let whole = TestRun(RandomWork(seed: seed, split: 0).trace(machine))
    #expect(whole.messages == [])
    #expect(whole.record?.outcome.kind == .finished, "seed \(seed)")
    for split in 1...3 {
      let text = RandomWork(seed: seed, split: split).trace(machine)
      var limits = RunLimits()
      limits.checksInvariants = true
      let run = TestRun(text, limits: limits)
      #expect(run.messages == [])
      #expect(parting(of: run, from: whole) == nil, "seed \(seed), split \(split):\n\(text)")
    }
  }

  /// Where two runs part; nil when the same happens in both.
  private func parting(of run: TestRun, from other: TestRun) -> String? {
    let (seen, expected) = (entries(run), entries(other))
    for (one, two) in zip(seen, expected) where one != two { return "\(one), not \(two)" }
    return seen.count == expected.count ? nil : "\(seen.count) entries, not \(expected.count)"
  }

  /// What happened, without the frame of the log.
  private func entries(_ run: TestRun) -> [Substring] {
    run.log.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }
}

/// Random programs without chance in them, whose work can be written in parts.
private struct RandomWork {
  private var state: UInt64
  private var splits: UInt64
  private let isSplit: Bool

  /// The program of a seed; its work is split by another one, and not at all by 0.
  init(seed: Int, split: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    splits = UInt64(seed * 8 + split) &* 0x9E37_79B9_7F4A_7C15 | 1
    isSplit = split > 0
  }

  private static func draw(_ below: Int, from state: inout UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  private mutating func draw(_ below: Int) -> Int { Self.draw(below, from: &state) }

  func trace(_ machine: String) -> String {
    var copy = self
    return copy.text(machine)
  }

  private mutating func text(_ machine: String) -> String {
    var text = """
      machine { \(machine) }
      let lock = NSLock()
      let gate = DispatchSemaphore(value: 1)
      let pool = ThreadPool(width: 2)
      var n = 0
      func part(_ time: Duration) { if time > 0s { work(time) } }
      main {

      """
    for thread in 0..<(2 + draw(5)) {
      text += "Thread.detachNewThread(name: \"t\(thread)\") {\n"
      for _ in 0..<(1 + draw(5)) { text += statement(depth: 0) }
      text += "}\n"
    }
    return text + "}\n"
  }

  private mutating func statement(depth: Int) -> String {
    switch draw(depth == 0 ? 9 : 6) {
    case 0, 1, 2: work() + "\n"
    case 3: "sleep(\(draw(4) * 500)us)\n"
    case 4: "mark(\"here\")\n"
    case 5: "n += 1\n"
    case 6: "lock.withLock {\n\(work())\n}\n"
    case 7: "gate.wait()\n\(work())\ngate.signal()\n"
    default: "pool.async(name: \"item\") {\n\(statement(depth: 1))\(statement(depth: 1))}\n"
    }
  }

  /// Work, whole or in parts; often such that several threads' ends at one instant.
  private mutating func work() -> String {
    let time = draw(3) == 0 ? 1 + draw(3_000_000) : (1 + draw(8)) * 250_000
    if !isSplit { return "work(\(time)ns)" }
    let first = Self.draw(time + 1, from: &splits)
    let rest = time - first
    switch Self.draw(6, from: &splits) {
    case 0: return "work(\(time)ns)"
    case 1: return "work(\(first)ns)\nwork(\(rest)ns)"
    case 2: return "work(\(first)ns)\nif now < 1h {\nwork(\(rest)ns)\n}"
    case 3: return "part(\(first)ns)\npart(\(rest)ns)"
    case 4: return "for _ in 0 ..< 3 {\nwork(\(time / 3)ns)\n}\nwork(\(time % 3)ns)"
    default: return "work(\(first / 2)ns)\nwork(0ns)\npart(\(first - first / 2)ns)\nwork(\(rest)ns)"
    }
  }
}
