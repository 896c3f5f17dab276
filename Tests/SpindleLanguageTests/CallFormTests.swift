import SpindleModel
import Testing

@testable import SpindleLanguage

/// A call means the same the second time, when its form is known.
@Suite struct CallFormTests {
  /// Pairs of calls that differ in one thing that decides about the member or its arguments.
  static let rows: [(String, String)] = [
    ("q.async { work(1ms) }", "q.async(execute: item)"),
    ("q.async(name: \"a\") { work(1ms) }", "q.async(group: g) { work(1ms) }"),
    ("q.async(execute: { work(1ms) })", "q.async(execute: item)"),
    ("q.async(execute: item)", "q.async(execute: body)"),
    ("q.sync { work(1ms) }", "q.sync(execute: item)"),
    ("sleep(1ms)", "sleep(until: .now() + 1ms)"),
    ("io(1ms)", "io(1ms, queue: q) { work(1ms) }"),
    ("lock.lock()", "item.cancel()"),
    ("g.enter()", "g.leave()"),
  ]

  @Test("two calls, together as each alone", arguments: rows)
  func together(one: String, other: String) {
    let alone = [one, other].map { listing([$0]) }
    #expect(alone[0] != alone[1], "the rows differ")
    #expect(!alone[0].isEmpty && !alone[1].isEmpty)
    // A third one finds both forms known.
    let both = listing([one, other, one, other, one])
    #expect(both == alone[0] + alone[1] + alone[0] + alone[1] + alone[0])
  }

  /// What a function does that makes these calls: which registers are filled, and with what.
  private func listing(_ calls: [String]) -> [String] {
    let text = """
      let q = DispatchQueue(label: "q")
      let g = DispatchGroup()
      let lock = NSLock()
      let item = DispatchWorkItem { work(1ms) }
      func body() { work(3ms) }
      func calls() {
        \(calls.joined(separator: "\n  "))
      }
      main { calls() }
      """
    let (program, diagnostics) = CompilerSupport.compile(text, frontEnds: .untyped)
    guard let program,
      let block = program.blocks.first(where: { program.names[Int($0.name.index)] == "calls" })
    else {
      Issue.record("\(diagnostics.map(\.message))")
      return []
    }
    return program.instructions[Int(block.entry)..<Int(block.end)].compactMap { instruction in
      switch instruction {
      case .perform(let primitive, let base, _): "\(primitive) \(base.index)"
      case .constant(let value, let register):
        "\(register.index) is \(value == noValue ? "nothing" : "a constant")"
      case .loadGlobal(let register, let global): "\(register.index) is global \(global.index)"
      case .closure(let register, _, _): "\(register.index) is a closure"
      case .finish: nil
      default: "\(instruction)"
      }
    }
  }
}
