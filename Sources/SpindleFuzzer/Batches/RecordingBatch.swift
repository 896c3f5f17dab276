import Foundation
import SpindleGenerator
import SpindleLanguage
import SpindleModel
import SpindleRecordings
import SpindleReports
import SpindleRun
import SpindleSimulator

/// Judges damaged recordings one after the other in this process, as `Batch` does with damaged traces.
///
/// A recording is refused with a sentence; or its trace has no error, is the same twice, and its run ends.
struct RecordingBatch {
  private let options: FuzzOptions
  private let samples: [[UInt8]]

  /// Creates a batch of recordings that are made of those in a folder.
  init(_ options: FuzzOptions, folder: String) throws {
    self.options = options
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    samples = try names.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
    options.limitMemory()
  }

  /// Judges all seeds.
  func run() {
    for seed in options.seeds {
      say("seed \(seed)")
      options.limitTime()
      var random = Randomness(seed: seed)
      let bytes = RecordingDamage.damaged(random.pick(samples), &random)
      do {
        say("part read")
        let trace = try trace(bytes)
        if try self.trace(bytes) != trace { say("fault another trace the second time") }
        say("part run")
        if let fault = fault(of: trace) { say("fault \(fault)") }
        say("ran")
      } catch let mistake as RecordingMistake {
        if mistake.reason.isEmpty { say("fault no reason") }
        say("refused")
      } catch {
        say("fault \(error)")
      }
    }
  }

  private func trace(_ bytes: [UInt8]) throws -> String {
    let recording = RecordingInMemory(bytes)
    if let trace = try ExportedTrace.text(recording, recording: "damaged") { return trace }
    var choice = RecordingChoice()
    choice.takesOthers = true
    let program = try RecordedProgram(RecordingSurvey(recording), of: recording, choice)
    return TraceText.text(program, recording: "damaged")
  }

  /// What is wrong with a trace; nil where it runs.
  private func fault(of trace: String) -> String? {
    let source = SourceText(name: "damaged", trace)
    let (text, _) = formatted(source)
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (program, diagnostics) = compiler.compile(SourceText(name: "damaged", text))
    guard let program else {
      return "a trace with an error: \(diagnostics.first?.message ?? "none is told")"
    }
    var limits = RunLimits()
    limits.steps = options.steps
    _ = RunRequest(limits: limits).run(program, consumers: [LogDigest()])
    return nil
  }
}

/// What is done to a recording: bytes, numbers and lines are changed, moved, left out and repeated.
enum RecordingDamage {
  /// A damaged recording; one in sixteen is as it was.
  static func damaged(_ sample: [UInt8], _ random: inout Randomness) -> [UInt8] {
    var bytes = sample
    for _ in 0..<random.below(16) { damage(&bytes, &random) }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout Randomness) {
    guard bytes.count > 4 else { return }
    let start = random.below(bytes.count)
    let end = min(bytes.count, start + 1 + random.below(40))
    switch random.below(8) {
    case 0: bytes[start] = UInt8(random.below(256))
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: random.below(bytes.count))
    case 3: if random.isOne(in: 4) { bytes.removeSubrange(start...) }
    case 4: changeDigit(&bytes, from: start, &random)
    default: moveLine(&bytes, &random)
    }
  }

  /// Makes a number another one, or a very large one.
  private static func changeDigit(
    _ bytes: inout [UInt8], from start: Int, _ random: inout Randomness
  ) {
    guard let place = bytes[start...].firstIndex(where: { $0 >= 0x30 && $0 <= 0x39 }) else {
      return
    }
    if random.isOne(in: 3) {
      bytes.insert(contentsOf: Array(repeating: 0x39, count: 1 + random.below(20)), at: place)
    } else {
      bytes[place] = UInt8(0x30 + random.below(10))
    }
  }

  /// Leaves a line out, repeats it, or puts it elsewhere.
  private static func moveLine(_ bytes: inout [UInt8], _ random: inout Randomness) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let (one, other) = (random.below(lines.count), random.below(lines.count))
    switch random.below(3) {
    case 0: lines.remove(at: one)
    case 1: lines.insert(lines[one], at: other)
    default: lines.swapAt(one, other)
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }
}
