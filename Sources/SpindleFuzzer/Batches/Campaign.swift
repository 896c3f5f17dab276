import Foundation
import SpindleHost

/// Judges many inputs by several processes, and says what was found.
struct Campaign {
  private let options: FuzzOptions
  private let corpus: Corpus
  /// So many inputs are judged by one process, unless it fails.
  private static let batchSize = 50
  /// Of so many failures it is looked up where they are.
  private static let mostPlaces = 300

  /// Creates a campaign.
  init(_ options: FuzzOptions, _ corpus: Corpus) {
    (self.options, self.corpus) = (options, corpus)
  }

  /// What all processes have found so far.
  private struct Findings: Sendable {
    var next: Int
    var ran = 0
    var refused = 0
    var failures: [Failure] = []
    var isBroken = false
  }

  /// Judges all seeds; false when something was found.
  func run() throws -> Bool {
    try FileManager.default.createDirectory(
      atPath: options.kept, withIntermediateDirectories: true)
    let findings = Monitor(Findings(next: options.seeds.lowerBound))
    let options = options
    let workers = (0..<options.jobs).compactMap { _ in
      HostThread { Campaign.work(options, findings) }
    }
    if workers.isEmpty { Campaign.work(options, findings) }
    for worker in workers { worker.join() }
    let found = findings.look { $0 }
    say(
      "seeds \(options.seeds.lowerBound)..\(options.seeds.upperBound): "
        + "\(found.ran + found.refused) inputs judged to the end, \(found.ran) ran, "
        + "\(found.refused) refused; \(found.failures.count) failures")
    try show(found.failures.sorted { ($0.seed, $0.kind) < ($1.seed, $1.kind) })
    return found.failures.isEmpty && !found.isBroken
  }

  /// Takes batches until there are no more.
  private static func work(_ options: FuzzOptions, _ findings: Monitor<Findings>) {
    while true {
      let first = findings.look { findings in
        defer { findings.next += batchSize }
        return findings.next
      }
      guard first <= options.seeds.upperBound else { return }
      let last = min(first + batchSize - 1, options.seeds.upperBound)
      do {
        try judge(first...last, options, findings)
      } catch {
        findings.change { $0.isBroken = true }
        return
      }
    }
  }

  /// Judges a batch; after an input that ends the process, another goes on with the next.
  private static func judge(
    _ seeds: ClosedRange<Int>, _ options: FuzzOptions, _ findings: Monitor<Findings>
  ) throws {
    var first = seeds.lowerBound
    while first <= seeds.upperBound {
      let child = try Child(
        options.arguments(for: first...seeds.upperBound), seconds: options.patience)
      let failure = Failure(child)
      let isStopped = options.damagesPrograms && child.end.isCheck
      findings.change { findings in
        findings.ran += child.progress.ran
        findings.refused += child.progress.refused + (isStopped ? 1 : 0)
        findings.failures += child.progress.faults.map { Failure(seed: $0.seed, fault: $0.fault) }
        if let failure, !isStopped { findings.failures.append(failure) }
      }
      guard let failure else { return }
      if failure.seed < first { throw Child.NoProcess() }
      first = failure.seed + 1
    }
  }

  // MARK: What was found

  /// Sorts failures by what and where they are, and shows each kind with its smallest input.
  private func show(_ failures: [Failure]) throws {
    var kinds: [(name: String, failures: [Failure])] = []
    for (index, failure) in failures.enumerated() {
      var failure = failure
      if index < Campaign.mostPlaces { failure.place = try place(of: failure) }
      let name = failure.place.isEmpty ? failure.kind : "\(failure.kind) (\(failure.place))"
      if let known = kinds.firstIndex(where: { $0.name == name }) {
        kinds[known].failures.append(failure)
      } else {
        kinds.append((name, [failure]))
      }
    }
    for (index, kind) in kinds.enumerated() {
      say("\nfinding \(index + 1): \(kind.name)")
      let seeds = kind.failures.prefix(10).map { "\($0.seed)" }.joined(separator: ", ")
      say("  inputs: \(kind.failures.count); seeds \(seeds)")
      // The others' inputs are no traces.
      if !options.damagesPrograms && !options.damagesRecordings { try show(kind.failures[0]) }
    }
  }

  /// Where a failure happens; one that does not come alone is looked for in its batch.
  private func place(of failure: Failure) throws -> String {
    if failure.isSlow || !failure.kind.hasPrefix("signal") { return "" }
    let errors = "\(options.kept)/errors.txt"
    let child = try Child(
      options.arguments(for: failure.seed...failure.seed), seconds: 60,
      errors: errors, traces: true)
    // Under the address sanitizer the backtrace never comes.
    if child.end == .timeOut { return "" }
    if Failure(child)?.kind != failure.kind { return try companions(of: failure) }
    return Failure.place(in: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// The shortest run of seeds up to that of the failure that fails; it depends on what was before.
  private func companions(of failure: Failure) throws -> String {
    var (low, high) = (max(1, failure.seed - Campaign.batchSize), failure.seed)
    while low < high - 1 {
      let middle = (low + high) / 2
      let child = try Child(
        options.arguments(for: middle...failure.seed), seconds: options.patience)
      if Failure(child)?.seed == failure.seed { low = middle } else { high = middle }
    }
    return "not alone, but in --seeds \(low)..\(failure.seed)"
  }

  /// Keeps a failing input, whole and shrunk, and says how to see it fail.
  private func show(_ failure: Failure) throws {
    let text = options.text(of: failure.seed, corpus)
    let path = "\(options.kept)/\(failure.seed).trace"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let candidate = "\(options.kept)/candidate.trace"
    let kept = "\(options.kept)/\(failure.seed)-small.trace"
    var options = options
    // What took long is taken to take long sooner.
    if failure.isSlow { options.seconds = min(options.seconds, 3) }
    let eager = options
    var shrinker = Shrinker(tries: failure.isSlow ? 60 : 600) { text in
      try text.write(toFile: candidate, atomically: true, encoding: .utf8)
      let child = try Child(eager.arguments(for: candidate), seconds: eager.patience)
      let kinds =
        child.progress.faults.map { Failure(seed: 0, fault: $0.fault).kind }
        + [Failure(child)?.kind].compactMap { $0 }
      return kinds.contains(failure.kind)
    }
    let small = try shrinker.shrunk(text)
    try small.write(toFile: kept, atomically: true, encoding: .utf8)
    let mode = options.makesPrograms ? " --random" : ""
    say("  SpindleFuzzer\(mode) --seeds \(failure.seed)..\(failure.seed) --steps \(options.steps)")
    say("  spindle simulate \(kept) --check-invariants --steps \(options.steps)")
    say("  \(path), \(text.utf8.count) bytes, shrunk to \(small.utf8.count):")
    for line in small.split(separator: "\n").prefix(20) { say("    \(line)") }
  }
}
