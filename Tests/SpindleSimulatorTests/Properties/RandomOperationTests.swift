import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

/// What holds for every program of operations: all finish, after what they depend on, and never more
/// at once than a queue's limit.
@Suite struct RandomOperationTests {
  /// Random traces of operations with dependencies on earlier ones, in a few queues.
  struct Generator {
    private var state: UInt64
    private(set) var dependencies: [(Int, Int)] = []
    private(set) var cancelled: Set<Int> = []
    private(set) var limits: [Int] = []
    private(set) var queues: [Int] = []

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    private mutating func draw(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }

    /// A trace of `count` operations.
    mutating func trace(platform: String, count: Int) -> String {
      var text = "machine { platform: .\(platform); cores: \(1 + draw(4)) }\n"
      for queue in 0...draw(3) {
        limits.append(draw(4) == 0 ? -1 : 1 + draw(3))
        text += "let q\(queue) = OperationQueue(maxConcurrentOperationCount: \(limits[queue]))\n"
      }
      for operation in 0..<count { text += declaration(operation) }
      text += "main {\n"
      for operation in 0..<count {
        for _ in 0..<draw(3) where operation > 0 {
          dependencies.append((operation, draw(operation)))
          text += "    o\(operation).addDependency(o\(dependencies.last?.1 ?? 0))\n"
        }
      }
      // Added backwards, a barrier between an operation and what it waits for would close a circle.
      let isBackward = draw(2) == 0
      let order = isBackward ? Array((0..<count).reversed()) : Array(0..<count)
      for operation in order { text += addition(operation, hasBarriers: !isBackward) }
      text += "    work(\(draw(4))ms)\n"
      for _ in 0..<draw(4) {
        let victim = draw(count)
        cancelled.insert(victim)
        text += "    o\(victim).cancel()\n"
      }
      for queue in limits.indices { text += "    q\(queue).isSuspended = false\n" }
      return text + "    o0.waitUntilFinished()\n}\n"
    }

    private mutating func declaration(_ operation: Int) -> String {
      let name = "o\(operation)"
      let priority = ["veryLow", "low", "normal", "high", "veryHigh"][draw(5)]
      let body = "mark(\"+\(name)\"); io(\(draw(3))ms); work(\(1 + draw(3))ms); mark(\"-\(name)\")"
      switch draw(4) {
      case 0:
        return "let \(name) = Operation(name: \"\(name)\", isAsynchronous: true) {\n"
          + "    if isCancelled { finish(); return }\n    mark(\"+\(name)\")\n"
          + "    io(\(1 + draw(4))ms, queue: .global()) { mark(\"-\(name)\"); finish() }\n}\n"
      case 1:
        return "let \(name) = BlockOperation(queuePriority: .\(priority)) { \(body) }"
          + " teardown: { work(\(draw(3))ms) }\n"
      default:
        return "let \(name) = Operation(queuePriority: .\(priority)) { \(body) }\n"
      }
    }

    private mutating func addition(_ operation: Int, hasBarriers: Bool) -> String {
      let queue = draw(limits.count)
      queues.append(queue)
      var text = draw(5) == 0 ? "    q\(queue).isSuspended = true\n" : ""
      if hasBarriers && draw(5) == 0 { text += "    q\(queue).addBarrierBlock { work(1ms) }\n" }
      if draw(3) == 0 { text += "    o\(operation).completionBlock = { work(1ms) }\n" }
      return text + "    q\(queue).addOperation(o\(operation))\n"
    }
  }

  @Test("operations finish after what they depend on", arguments: 0..<60)
  func everyProgram(seed: Int) {
    var generator = Generator(seed: UInt64(seed))
    let platform = ["iOS", "linux", "macOS"][seed % 3]
    let text = generator.trace(platform: platform, count: 4 + seed % 9)
    var limits = RunLimits()
    limits.checksInvariants = true
    let run = TestRun(text, limits: limits)
    #expect(run.messages == [], "seed \(seed):\n\(text)")
    #expect(run.record?.outcome.kind == .finished, "seed \(seed):\n\(text)")
    #expect(run.record?.findings == [], "seed \(seed):\n\(text)")
    // Named ones are the first: their numbers are never used again.
    let states = run.record?.operationStates.prefix(4 + seed % 9) ?? []
    #expect(!states.contains { $0 != .finished }, "seed \(seed):\n\(text)")
    let places = marks(run.log)
    for (dependent, dependency) in generator.dependencies
    where !generator.cancelled.contains(dependent) && !generator.cancelled.contains(dependency) {
      let (start, end) = (places["+o\(dependent)"] ?? -1, places["-o\(dependency)"] ?? .max)
      #expect(start > end, "seed \(seed): o\(dependent) after o\(dependency)\n\(text)")
    }
    let second = TestRun(text, sizes: StructureSizes(smallBy: UInt64(seed)))
    #expect(second.digest == run.digest, "seed \(seed)")
  }

  /// The line of the log at which each mark stands.
  private func marks(_ log: String) -> [String: Int] {
    var places: [String: Int] = [:]
    for (number, line) in log.split(separator: "\n").enumerated() {
      guard let place = line.firstRange(of: "mark \"") else { continue }
      places[String(line[place.upperBound...].prefix { $0 != "\"" })] = number
    }
    return places
  }
}
