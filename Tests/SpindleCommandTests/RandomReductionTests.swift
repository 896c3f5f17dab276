import SpindleLanguage
import SpindleModel
import SpindleSystem
import Synchronization
import TestSupport
import Testing

@testable import SpindleCommand

/// Failing programs of 200 lines at random, made small.
@Suite struct RandomReductionTests {
  /// What goes wrong in each fifth of the programs, and what that needs at least.
  static let mistakes: [(lines: [String], least: Int)] = [
    (
      [
        "Thread.detachNewThread { lock0.lock(); work(2s); lock1.lock(); lock1.unlock() }",
        "Thread.detachNewThread { lock1.lock(); work(2s); lock0.lock(); lock0.unlock() }",
      ], 4
    ),
    (
      [
        "Thread.detachNewThread { lock3.lock(); work(1ms) }", "sleep(900ms)", "lock3.lock()",
      ], 4
    ),
    (["queue.sync { work(1ms); queue.sync { work(1ms) } }"], 4),
    (["if total >= 0 { fatalError(\"total\") }"], 3),
    (["group.enter()", "Thread.detachNewThread { sleep(3ms) }", "group.wait()"], 4),
  ]

  /// Draws statements.
  private struct Program {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    private mutating func draw(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }

    /// Locks are taken in the order of their numbers, so that nothing but the mistake goes wrong.
    mutating func statements(_ depth: Int, _ count: Int, from lock: Int = 0) -> [String] {
      var lines: [String] = []
      for _ in 0..<count {
        switch draw(depth < 4 ? 9 : 6) {
        case 0: lines.append("work(\(1 + draw(900))us)")
        case 1: lines.append("io(uniform(1ms, \(2 + draw(7))ms))")
        case 2: lines.append("total += \(draw(9))")
        case 3: lines += ["gate.wait()", "work(10us)", "gate.signal()"]
        case 4: lines.append("mark(\"m\(draw(99))\")")
        case 5: lines.append("sleep(\(1 + draw(4))ms)")
        case 6:
          lines.append("for i in 0 ..< \(2 + draw(4)) {")
          lines += statements(depth + 1, 1 + draw(3), from: lock) + ["}"]
        case 7:
          lines.append("if total % \(2 + draw(3)) == 0 {")
          lines += statements(depth + 1, 1 + draw(2), from: lock) + ["}"]
        default:
          let next = min(lock + draw(2), 4)
          lines.append("lock\(next).withLock {")
          lines += next == 4 ? ["work(1us)"] : statements(depth + 1, 1 + draw(2), from: next + 1)
          lines.append("}")
        }
      }
      return lines
    }

    mutating func text(_ mistake: [String]) -> String {
      var lines = [
        "machine { platform: .macOS; cores: 2 }", "let pool = ThreadPool(width: 3)",
        "let queue = DispatchQueue(label: \"queue\")", "let gate = DispatchSemaphore(value: 2)",
        "let group = DispatchGroup()", "var total = 0",
      ]
      for lock in 0..<5 { lines.append("let lock\(lock) = NSLock()") }
      lines.append("main {")
      while lines.count < 200 {
        switch draw(4) {
        case 0: lines += ["Thread.detachNewThread {"] + statements(2, 3 + draw(5)) + ["}"]
        case 1: lines += ["pool.async {"] + statements(2, 2 + draw(4)) + ["}"]
        case 2: lines += ["queue.async {"] + statements(2, 1 + draw(4)) + ["}"]
        default: lines += statements(1, 2)
        }
      }
      return (lines + mistake + ["}"]).joined(separator: "\n") + "\n"
    }
  }

  private static let count = Effort.count(20, whole: 100)
  /// How many lines each of those that are done has left.
  private static let sizes = Mutex<[Int]>([])

  @Test("random programs become small", arguments: 0..<count)
  func randomProgramsBecomeSmall(seed: Int) throws {
    var program = Program(seed + 1)
    let mistake = Self.mistakes[seed % Self.mistakes.count]
    let folder = TemporaryFolder()
    let text = program.text(mistake.lines)
    #expect(text.utf8.count { $0 == 0x0A } >= 200)
    let path = folder.write("p.trace", text)
    let call = Invocation("reduce", path, "--output", folder["small.trace"])
    #expect(call.status == .held, "\(call.error)")
    let small = folder.read("small.trace") ?? ""
    // Without the comment at the top and what is expected.
    let lines = small.split(separator: "\n").dropFirst().prefix { $0 != "expect {" }
    #expect((mistake.least...6).contains(lines.count), "\(small)")
    #expect(Invocation("test", folder["small.trace"]).status == .held, "\(small)")
    let sizes = Self.sizes.withLock { sizes in
      sizes.append(lines.count)
      return sizes.sorted()
    }
    guard sizes.count == Self.count else { return }
    let median = sizes[sizes.count / 2]
    print(
      "of \(sizes.count) programs of 200 lines \(median) are left in the median, \(sizes.last ?? 0) at most"
    )
    #expect(median <= 15)
  }
}
