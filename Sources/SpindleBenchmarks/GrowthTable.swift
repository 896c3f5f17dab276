import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How the cost of a run grows with how much there is of one thing.
///
/// Each run is a process of its own, so that it has a peak of memory of its own, and its processor time is
/// nobody else's.
enum GrowthTable {
  /// What one run took.
  struct Cost {
    var seconds: Double
    var kibibytes: Int
  }

  /// The exponent from which on a row counts as a mistake: n log n comes to about 1.1 at these sizes,
  /// and less room in caches to a little more.
  static let limit = 1.5
  /// How often each size is run; the least time counts.
  private static let repeats = 3

  /// Runs a row once in this process: reads the trace, simulates it and asks what it expects.
  static func run(_ row: GrowthRows.Row, size: Int) {
    let source = SourceText(name: row.name, row.trace(size))
    let (program, diagnostics) = Compiler.standard.compile(source)
    guard let program else {
      if row.isRefused { return }
      fatalError(diagnostics.prefix(5).map(\.message).joined(separator: "\n"))
    }
    let verdicts = TraceRun(program, .judged(limits: RunLimits())).verdicts
    guard verdicts.allSatisfy(\.holds) else {
      fatalError("\(row.name): \(verdicts.filter { !$0.holds }.prefix(5).map(\.seen))")
    }
  }

  /// Measures rows and prints a line for each; whether none of them grows too fast.
  static func measure(_ rows: [GrowthRows.Row]) -> Bool {
    var isFine = true
    print(
      "each size twice the one before: seconds of the processor, peak KiB, exponents of both")
    for row in rows {
      let sizes = [row.size, 2 * row.size, 4 * row.size]
      let costs = sizes.map { cost(row, size: $0) }
      let time = exponent(costs.map(\.seconds))
      let memory = exponent(costs.map { Double($0.kibibytes) })
      let name = row.name + String(repeating: " ", count: max(0, 26 - row.name.utf8.count))
      let columns = zip(sizes, costs).map { size, cost in
        "\(size): \(thousandths(cost.seconds)) s \(cost.kibibytes)"
      }
      let isTooFast = max(time, memory) > limit
      print(
        "\(name)\(columns.joined(separator: "  "))  time \(hundredths(time)) memory "
          + hundredths(memory) + (isTooFast ? "  TOO FAST" : ""))
      if isTooFast { isFine = false }
    }
    return isFine
  }

  /// By which power of the size a cost grows, from the first of some doublings to the last.
  private static func exponent(_ costs: [Double]) -> Double {
    guard let first = costs.first, let last = costs.last, first > 0, costs.count > 1 else {
      return 0
    }
    return log2(last / first) / Double(costs.count - 1)
  }

  private static func thousandths(_ value: Double) -> String {
    let scaled = Int((value * 1_000).rounded())
    let rest = String(scaled % 1_000)
    return "\(scaled / 1_000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }

  private static func hundredths(_ value: Double) -> String {
    let scaled = Int((max(0, value) * 100).rounded())
    return "\(scaled / 100).\(scaled % 100 < 10 ? "0" : "")\(scaled % 100)"
  }

  /// The least that some runs in processes of their own took.
  private static func cost(_ row: GrowthRows.Row, size: Int) -> Cost {
    var least = Cost(seconds: .infinity, kibibytes: .max)
    for _ in 0..<repeats {
      let cost = spawn([CommandLine.arguments[0], "growth", row.name, "--size=\(size)"])
      least.seconds = min(least.seconds, cost.seconds)
      least.kibibytes = min(least.kibibytes, cost.kibibytes)
    }
    return least
  }

  /// Runs this program again and waits for its end.
  private static func spawn(_ words: [String]) -> Cost {
    var strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    strings.append(nil)
    defer { for string in strings { free(string) } }
    var child = pid_t()
    guard posix_spawn(&child, words[0], nil, nil, strings, environ) == 0 else {
      fatalError("'\(words[0])' can't be run again")
    }
    var (status, usage) = (Int32(0), rusage())
    while wait4(child, &status, 0, &usage) < 0 {}
    guard status == 0 else { fatalError("a run of \(words[2]) failed") }
    let seconds =
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    // Linux counts kibibytes, Darwin bytes.
    #if canImport(Darwin)
      return Cost(seconds: seconds, kibibytes: Int(usage.ru_maxrss) / 1_024)
    #else
      return Cost(seconds: seconds, kibibytes: Int(usage.ru_maxrss))
    #endif
  }
}
