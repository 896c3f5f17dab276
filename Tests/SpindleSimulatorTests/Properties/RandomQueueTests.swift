import SpindleLanguage
import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

/// What holds for every program of queues: exclusion, completeness, invariants and replay.
@Suite struct RandomQueueTests {
  @Test("items exclude each other as they must, all run, and runs repeat", arguments: 0..<60)
  func everyProgram(seed: Int) {
    let platforms = ["ideal", "linux", "iOS", "macOS"]
    let machine =
      "machine { platform: .\(platforms[seed % 4]); cores: \(1 + seed / 4 % 4)"
      + (seed % 3 == 0 ? "; costs: .zero }" : " }")
    var generator = RandomQueueTraces(seed: UInt64(seed))
    let text = generator.trace(machine: machine)
    var limits = RunLimits()
    limits.checksInvariants = true
    let first = TestRun(text, limits: limits)
    #expect(first.messages == [], "seed \(seed):\n\(text)")
    let outcome = first.record?.outcome
    #expect(outcome?.kind == .finished, "seed \(seed): \(outcome?.message ?? "")\n\(text)")
    #expect(first.log.contains("main done"), "seed \(seed)")
    #expect(
      first.log.contains("record \"ran\" = \(generator.itemCount)\n"), "seed \(seed):\n\(text)")
    let second = TestRun(text, sizes: StructureSizes(smallBy: UInt64(seed)))
    #expect(first.digest == second.digest, "seed \(seed)")
  }
}
