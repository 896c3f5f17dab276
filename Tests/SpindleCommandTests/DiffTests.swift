import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle diff`: what was changed between two runs is what it names.
@Suite struct DiffTests {
  /// A trace of items for a pool, one a line, with one thing changed.
  struct Change: Sendable, CustomTestStringConvertible {
    enum Kind: CaseIterable { case duration, order, width }

    let kind: Kind
    let seed: UInt64
    var testDescription: String { "\(kind) \(seed)" }

    /// Before, after, what must stand in the difference, and the first line that was changed.
    func traces() -> (before: String, after: String, told: [String]) {
      // Numerical Recipes' generator: the same everywhere.
      var state = seed &* 3 &+ 1
      func draw(_ range: ClosedRange<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int((state >> 33) % UInt64(range.count))
      }
      let count = draw(4...12)
      let lengths = (0..<count).map { _ in draw(1...20) }
      let width = draw(1...3)
      let chosen = draw(0...count - 2)
      func text(_ order: [Int], _ lengths: [Int], _ width: Int) -> String {
        var lines = [
          "trace \"random\"", "machine { cores: 2; costs: .zero }",
          "let pool = ThreadPool(width: \(width))", "main {",
        ]
        for item in order {
          lines.append("  pool.async(name: \"i\(item)\") { work(\(lengths[item])ms) }")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
      }
      let order = Array(0..<count)
      let before = text(order, lengths, width)
      // The first item stands in line 5.
      let line = chosen + 5
      switch kind {
      case .duration:
        var changed = lengths
        changed[chosen] += draw(1...9)
        return (
          before, text(order, changed, width),
          [
            "before.trace:\(line): ", "work(\(lengths[chosen])ms)", "work(\(changed[chosen])ms)",
            "'i\(chosen)' ends",
          ]
        )
      case .order:
        var swapped = order
        swapped.swapAt(chosen, chosen + 1)
        return (
          before, text(swapped, lengths, width),
          [
            "before.trace: 0s: 'i\(chosen)' is submitted to 'pool' (\(line):3)",
            "after.trace: 0s: 'i\(chosen + 1)' is submitted to 'pool' (\(line):3)",
          ]
        )
      case .width:
        // One thread more is made when as many items are there as there were threads before.
        return (
          before, text(order, lengths, width + 1),
          [
            "before.trace:3: let pool = ThreadPool(width: \(width))",
            "after.trace: 0s: 'pool-\(width + 1)' is started",
          ]
        )
      }
    }
  }

  static let changes = Change.Kind.allCases.flatMap { kind in
    (0..<67).map { Change(kind: kind, seed: UInt64($0)) }
  }

  @Test func thereAreTwoHundred() { #expect(DiffTests.changes.count > 200) }

  @Test("a difference names what was changed", arguments: changes)
  func namesTheChange(_ change: Change) throws {
    let folder = TemporaryFolder()
    let (before, after, told) = change.traces()
    let paths = [folder.write("before.trace", before), folder.write("after.trace", after)]
    let call = Invocation(
      ["diff"] + paths, environment: HostEnvironment(variables: ["COLUMNS": "400"]))
    #expect(call.status == .notHeld, "\(call.error)")
    let output = call.output.replacing("\(folder.path)/", with: "")
    let parting = output.drop { $0 != "\n" }
    for part in told { #expect(parting.contains(part), "\(output)") }
    guard change.kind == .duration else { return }
    // The run in which the item is shorter parts with its end.
    let step = output.split(separator: "\n").first { $0.hasPrefix("  before.trace: ") }
    #expect(step?.contains("' ends") == true, "\(output)")
  }

  @Test func equalRunsAreEqual() {
    let folder = TemporaryFolder()
    let (before, _, _) = DiffTests.changes[0].traces()
    let call = Invocation(
      "diff", folder.write("a.trace", before), folder.write("b.trace", "// A comment.\n" + before))
    #expect(call.status == .held)
    #expect(call.output.contains("The runs are the same"))
  }

  /// One trace in two settings: the parameter is named, and the item that it makes longer.
  @Test func settingsAreCompared() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "set.trace",
      """
      trace "set"
      param n = 10ms
      machine { cores: 1; costs: .zero }
      let q = DispatchQueue(label: "q")
      main { q.async(name: "a") { work(n) }; q.async(name: "b") { work(5ms) } }
      """)
    let call = Invocation("diff", path, "--set", "n=10ms,30ms")
    #expect(call.output.contains("n = 10ms, and 30ms"))
    #expect(call.output.contains("in n=30ms 'a' ends at 30ms, 20ms later"))
    // 'a' takes 30 instead of 10 ms, and 'b' behind it 35 instead of 15.
    #expect(call.output.contains(/a +10ms +30ms +\+20ms/))
    #expect(call.output.contains(/b +15ms +35ms +\+20ms/))
    #expect(Invocation("diff", path).status == .usage)
    #expect(Invocation("diff", path, "--set", "n=1ms,2ms,3ms").error.contains("there are 3"))
  }

  /// Where a scheduler decides otherwise, the policies say by what; where the thread is the same, which core it gets.
  @Test func policiesAreCompared() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "bursts.trace",
      """
      machine { platform: .ideal; cores: 1; costs: .zero }
      main { Thread.detachNewThread(name: "long") { work(6s) } }
      at(4s) { Thread.detachNewThread(name: "short") { work(1s) } }
      """)
    let environment = HostEnvironment(variables: ["COLUMNS": "400"])
    let call = Invocation(
      "diff", path, "--policies", "fifo,shortestRemainingTime", environment: environment)
    // At 4 s two of the 6 s are left.
    #expect(
      call.output.contains(
        "shortestRemainingTime: 'long' has no core: policy shortestRemainingTime prefers 'short' "
          + "by burst, 1s against 2s\n"), "\(call.output)")
    #expect(
      call.output.contains("fifo: 'short' has no core: policy fifo does not preempt 'long'\n"),
      "\(call.output)")
    let pair = folder.write(
      "pair.trace",
      """
      machine { platform: .ideal; cores: 2; costs: .zero }
      main {
          for i in 0 ..< 4 { Thread.detachNewThread { for _ in 0 ..< 9 { work(3ms); sleep(1ms) } } }
      }
      """)
    let cores = Invocation(
      "diff", pair, "--policies", "fifo,workStealing", environment: environment)
    #expect(
      cores.output.contains(#/'(.+)' gets core \d in fifo, and '.+' gets core \d in workStealing/#),
      "\(cores.output)")
  }

  /// Two logs part where their runs do, and say the same but for the places.
  @Test func logsAreCompared() {
    let folder = TemporaryFolder()
    let (before, after, _) = DiffTests.changes[0].traces()
    let paths = [folder.write("a.trace", before), folder.write("b.trace", after)]
    for (path, log) in zip(paths, ["a.log", "b.log"]) {
      #expect(Invocation("simulate", path, "--log", folder[log]).status == .held)
    }
    func told(_ files: [String]) -> [String] {
      let call = Invocation(
        ["diff"] + files, environment: HostEnvironment(variables: ["COLUMNS": "400"]))
      #expect(call.status == .notHeld, "\(call.error)")
      let lines = call.output.replacing("\(folder.path)/", with: "").split(separator: "\n")
      // Behind what differs in the text, which a log does not have.
      return lines.drop { !$0.hasPrefix("They part") }.map {
        String(
          $0.replacing(/\ \([0-9:]+\)/, with: "").replacing(/\.(trace|log)/, with: "")
            .replacing(/\ +/, with: " "))
      }
    }
    let ofTraces = told(paths)
    #expect(ofTraces.count > 5)
    #expect(told([folder["a.log"], folder["b.log"]]) == ofTraces)
    #expect(told([paths[0], folder["b.log"]]) == ofTraces)
    #expect(Invocation("diff", paths[0], folder["a.log"]).status == .held)
    let settings = Invocation("diff", folder["a.log"], folder["b.log"], "--seed", "3")
    #expect(settings.error.contains("'--seed' needs a trace: a log can't be run again"))
    #expect(Invocation("diff", folder["a.log"], "--set", "n=1,2").status == .usage)
    let cut = folder.write("cut.log", "# spindle log 2\n")
    #expect(Invocation("diff", cut, paths[0]).error.contains("line 1: the log has no top"))
  }
}
