import Foundation
import SpindleGenerator
import SpindleModel
import TestSupport
import Testing

@testable import SpindleFuzzer

/// The fuzzer makes what it should, and finds what is there.
@Suite struct FuzzerTests {
  static let traces = Repository.files(below: "Traces", suffix: ".trace")

  @Test func tokensAreTheText() throws {
    for path in FuzzerTests.traces {
      let text = try Repository.text(path)
      #expect(TraceTokens(text).text == text, "\(path)")
    }
    let kinds = TraceTokens("let n = 4_0.5ms // x\n\"a\\\"b\"").tokens.map {
      "\($0.kind) \($0.text)"
    }
    #expect(
      kinds == [
        "word let", "space  ", "word n", "space  ", "sign =", "space  ", "number 4_0.5ms",
        "space  ", "comment // x", "lineEnd \n", "text \"a\\\"b\"",
      ])
  }

  /// A failure is told by its seed, which must give the same input again.
  @Test func seedGivesItsInputAgain() throws {
    let corpus = try Corpus(folder: Repository.root + "/Traces")
    let texts = (1...200).map { Mutant(seed: $0, corpus: corpus).text }
    #expect(texts == (1...200).map { Mutant(seed: $0, corpus: corpus).text })
    #expect(Set(texts).count > 190)
  }

  /// Inputs that are all refused, or all run, would try half of the tool.
  @Test func inputsAreOfBothKinds() throws {
    let corpus = try Corpus(folder: Repository.root + "/Traces")
    var limits = RunLimits()
    limits.steps = 1
    var runs: [Mutation: Int] = [:]
    for seed in 1...160 {
      let isTrace = TestRun(Mutant(seed: seed, corpus: corpus).text, limits: limits).program != nil
      if isTrace { runs[Mutation.allCases[seed & 3], default: 0] += 1 }
    }
    for mutation in Mutation.allCases {
      let count = runs[mutation] ?? 0
      #expect((6...39).contains(count), "\(mutation): \(count) of 40")
    }
  }

  @Test func machineReplacesTheOneThatIsThere() {
    let text = "trace \"t\" {\n    seed: 1\n}\nmachine {\n    cores: 1\n}\nmain { work(1ms) }\n"
    for seed in 1...50 {
      var random = Randomness(seed: seed)
      let changed = MachineMutation(&random).applied(to: text, &random)
      #expect(changed.components(separatedBy: "machine {").count == 2)
      #expect(changed.components(separatedBy: "trace \"").count == 2)
      // A load may follow.
      #expect(changed.contains("main { work(1ms) }\n"))
    }
  }

  /// Powers of two multiply what is there; bounds replace it, mostly in the least unit of its kind.
  @Test func numbersStayOfTheirKind() {
    var seen: Set<String> = []
    for seed in 1...400 {
      var (random, tokens) = (Randomness(seed: seed), TraceTokens("work(40ms)"))
      NumberMutation.apply(to: &tokens, &random)
      let isTime = tokens.text.hasSuffix("ms)") || tokens.text.hasSuffix("ns)")
      #expect(tokens.text.hasPrefix("work(") && isTime)
      seen.insert(tokens.text)
    }
    for text in ["work(80ms)", "work(655360ms)", "work(0ns)", "work(2147483648ns)"] {
      #expect(seen.contains(text), "\(text)")
    }
  }

  @Test func shrinkerLeavesWhatFails() throws {
    let text = (1...100).map { "line \($0) of many" }.joined(separator: "\n")
    var shrinker = Shrinker(tries: 2_000) { $0.contains("17") && $0.contains("71") }
    #expect(try shrinker.shrunk(text) == "1771")
    var tired = Shrinker(tries: 5) { $0.contains("17") }
    #expect(try tired.shrunk(text).contains("17"))
    #expect(tired.triesLeft == 0)
  }

  @Test func failureIsPlacedWhereTheBacktraceSays() {
    let errors = """
      Thread 0 "x" crashed:

      0 [inlined] Swift runtime failure: arithmetic overflow in f() at /a/Sources/M/A.swift
      1 [ra] f() in SpindleFuzzer at /a/Sources/M/Deep/A.swift:12:3
      2 [ra] g() in SpindleFuzzer at /a/Sources/M/B.swift:7:1
      3 [ra] h() in SpindleFuzzer at /a/Sources/M/C.swift:1:1
      """
    #expect(Failure.place(in: errors) == "A.swift:12, B.swift:7")
    #expect(Failure.place(in: "M/T.swift:8: Fatal error: no room") == " no room")
    #expect(Failure.place(in: "") == "")
    #expect(Failure(seed: 1, fault: "digests: 1, 2").kind == "digests")
  }
}

/// What becomes of inputs that fail, in processes as the fuzzer starts them.
@Suite struct CampaignTests {
  private static let good = "main { work(1ms) }\n"
  private static let bad = """
    // A claim.
    machine { platform: .ideal; cores: 1 }
    main {
        work(1ms)
        mark("planted")
        work(2ms)
    }

    """

  private struct Result {
    let status: Int32
    let output: String
    let kept: [String: String]
  }

  /// Runs the fuzzer on a corpus of its own.
  private func run(_ texts: [String], _ arguments: [String]) throws -> Result {
    let tool = try #require(BuiltTool.path)
    let folder = NSTemporaryDirectory() + "spindle-fuzzer-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/corpus", withIntermediateDirectories: true)
    for (index, text) in texts.enumerated() {
      try text.write(
        toFile: "\(folder)/corpus/\(index).trace", atomically: true, encoding: .utf8)
    }
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: (tool as NSString).deletingLastPathComponent + "/SpindleFuzzer")
    process.arguments =
      ["--corpus", folder + "/corpus", "--keep", folder + "/kept", "--steps", "1000"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    var kept: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/kept") {
      kept[name] = try String(contentsOfFile: "\(folder)/kept/\(name)", encoding: .utf8)
    }
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self), kept: kept)
  }

  @Test func nothingIsFoundWhereNothingIs() throws {
    let result = try run([Self.good], ["--seeds", "1..10"])
    #expect(result.status == 0)
    #expect(result.output.contains("seeds 1..10: 10 inputs judged to the end"))
    #expect(result.kept.isEmpty)
  }

  /// Every input of the batch is judged, whatever becomes of those before it.
  @Test func crashIsFoundAndShrunkToTheWordThatCausesIt() throws {
    let result = try run(
      [Self.good, Self.bad], ["--seeds", "1..30", "--plant-crash", "planted"])
    #expect(result.status == 1)
    #expect(result.output.contains("finding 1: signal 6 in check"))
    #expect(!result.output.contains("finding 2"))
    let small = try #require(result.kept.first { $0.key.hasSuffix("-small.trace") })
    #expect(small.value == "\"planted\"" || small.value == "\"planted\"\n")
    let seed = small.key.dropLast("-small.trace".count)
    #expect(result.output.contains("SpindleFuzzer --seeds \(seed)..\(seed)"))
    #expect(result.kept["\(seed).trace"]?.contains("planted") == true)
    let counts = result.output.split(separator: " ")
    let judged = counts.dropFirst(2).first.flatMap { Int($0) } ?? 0
    let failures = counts.dropFirst(12).first.flatMap { Int($0) } ?? 0
    #expect(judged + failures == 30, "\(result.output.prefix(200))")
  }

  /// A number of a compiled program that leads elsewhere is refused, or the run ends all the same.
  @Test func damagedProgramsNeverReachOutside() throws {
    let texts = try Repository.files(below: "Traces/queues", suffix: ".trace").prefix(40).map {
      try Repository.text($0)
    }
    let result = try run(texts, ["--programs", "--seeds", "1..400"])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("seeds 1..400: 400 inputs judged to the end"))
    #expect(result.output.contains("; 0 failures"))
    // Of both kinds, else this would try half of what there is.
    let words = result.output.split { !$0.isNumber && !$0.isLetter }
    let counts = words.compactMap { Int($0) }
    #expect(counts.count > 4 && counts[3] > 40 && counts[4] > 40, "\(result.output)")
  }

  @Test func timeOutIsFound() throws {
    let result = try run(
      [Self.bad], ["--seeds", "2..2", "--plant-hang", "planted", "--seconds", "1"])
    #expect(result.status == 1)
    #expect(result.output.contains("finding 1: time-out in check"))
  }
}
