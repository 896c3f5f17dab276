import SpindleExplore
import SpindleModel
import SpindleSimulator
import Testing

/// Orders that hang on something else than the object that a call names.
///
/// That is what a call leaves for a queue, what ends without a call, and whom a signal wakes. Each program fails under another
/// order; what a contract orders does not.
@Suite struct HiddenOrderTests {
  @Test(arguments: HiddenOrders.all)
  func hiddenOrdersAreTried(program: ChoicePointTests.Case) throws {
    let text = "trace \"\(program.name)\"\nmachine { platform: .macOS; cores: 8 }\n\(program.text)"
    let found = try SmallPrograms.explored(text, runs: 300)
    #expect(found.normal.failure == nil, "the normal run fails\n\(text)")
    #expect(found.unwritten == 0, "\(text)")
    let schedules = found.failures.map(\.trial.schedule)
    guard let line = program.line else {
      #expect(schedules.isEmpty, "\(schedules.map(\.text))\n\(text)")
      #expect(found.isExhausted, "\(text)")
      return
    }
    let printed = schedules.map { $0.lines.map { "\($0)" } }
    #expect(printed.contains([line]), "\(printed)\n\(text)")
  }

  /// What no schedule varies is said, and then not everything was run.
  @Test(arguments: zip(Self.unvaried, Self.words))
  func whatIsNotVariedIsSaid(text: String, words: String) throws {
    let found = try SmallPrograms.explored("trace \"t\"\n\(text)", runs: 50)
    #expect(found.textsOfUnvaried.contains(words), "\(found.textsOfUnvaried)")
    #expect(!found.isComplete)
  }

  private static let unvaried = [
    """
    var fired = 0
    main { Timer.scheduledTimer(withTimeInterval: 1ms, repeats: false) { _ in fired += 1 } }
    """,
    """
    class Box { var n = 1 }
    var strong: Box? = Box()
    weak var seen: Box? = strong
    var found = 0
    main(.tool) {
        let a = Thread(name: "a") { strong = nil }
        a.start()
        if seen != nil { found = 1 }
        a.join()
    }
    """,
    """
    var done = 0
    main(.tool) {
        let t = Task.detached { try? await Task.sleep(for: 1ms); done = 1 }
        t.cancel()
        await t.value
    }
    """,
    """
    var x = 0
    main(.tool) {
        let t = Thread(name: "t") { x = 1 }
        t.start()
        sleep(5ms)
    }
    """,
  ]

  private static let words = [
    "when timers fire", "when objects are freed",
    "whether a cancellation comes before a wait of its task ends",
    "how far other threads come before the process ends",
  ]

  /// Where nothing is left out, all was run.
  @Test func aJoinedThreadLeavesNothingOut() throws {
    let text = """
      trace "t"
      var x = 0
      main(.tool) {
          let t = Thread(name: "t") { x = 1 }
          t.start()
          t.join()
      }
      """
    let found = try SmallPrograms.explored(text, runs: 50)
    #expect(found.isComplete, "\(found.textsOfUnvaried)")
  }

  /// On one core, no thread that could wait for a lock with an immediate ceiling preempts its owner.
  @Test(arguments: ["inheritance", "immediateCeiling"]) func aCeilingIsNoChoice(rule: String) throws
  {
    let text = """
      trace "t"
      machine { platform: .ideal; cores: 1; policy: .fixedPriority; resourceProtocol: .\(rule) }
      let a = NSLock(priorityCeiling: 0.9)
      let b = NSLock(priorityCeiling: 0.9)
      let high = Thread(name: "high", threadPriority: 0.9) { a.withLock { b.withLock { work(1ms) } } }
      let low = Thread(name: "low", threadPriority: 0.1) { b.withLock { work(1ms); a.withLock { } } }
      main { low.start() }
      at(5ms) { high.start() }
      """
    let found = try SmallPrograms.explored(text, runs: 100)
    let deadlocks = found.failures.filter { $0.trial.outcome.kind == .deadlock }
    #expect(
      deadlocks.isEmpty == (rule == "immediateCeiling"), "\(deadlocks.map(\.trial.schedule.text))")
  }

  /// The order in which items enter and leave a group does not matter while the group has no waiter.
  @Test func roundsOfAGroupAreNoChoice() throws {
    let text = """
      trace "t"
      machine { platform: .macOS; cores: 4 }
      main(.tool) {
          let g = DispatchGroup()
          for _ in 0 ..< 3 {
              for _ in 0 ..< 3 { DispatchQueue.global().async(group: g) { work(1us) } }
              g.wait()
          }
      }
      """
    let found = try SmallPrograms.explored(text, runs: 200)
    #expect(found.isExhausted && found.orders == 1, "\(found.orders) orders in \(found.runs) runs")
  }
}
