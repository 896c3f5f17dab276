import SpindleModel

/// What `expect` can ask of a run.
extension Vocabulary {
  /// What a measure's value is.
  enum MeasureType: Equatable {
    case plain(ValueType)
    /// A list of lines.
    case output
    /// A set of kinds.
    case findings
    /// Keys with values.
    case values
    /// Marks with their times.
    case timeline

    /// What may stand behind a measure of this type: one or two comparisons, as examples.
    var comparisons: [String] {
      switch self {
      case .output: ["== []", "== [\"done\"]"]
      case .findings: ["== []", "== [.deadlock]"]
      case .values: ["== [:]", "== [\"n\": 3]"]
      case .timeline: ["== []", "== [0s: \"begin\"]"]
      case .plain(.string): ["== \"x\"", ".contains(\"x\")"]
      case .plain(let type): [Self.comparison(type.unwrapped)]
      }
    }

    private static func comparison(_ type: ValueType) -> String {
      switch type {
      case .boolean: "== true"
      case .duration, .instant: "< 1s"
      case .size: "< 1MB"
      case .decimal: "> 0.5"
      case .string: "== \"x\""
      case .symbol(let family): "== .\(family.members.first ?? "none")"
      case .arrayOf(let element) where element.type == .integer: "== [1, 2]"
      case .arrayOf(let element) where element.type == .string: "== [\"a\"]"
      case .arrayOf: "== […]"
      default: "== 1"
      }
    }
  }

  /// A measure that is named without arguments.
  struct MeasureRow {
    /// The name, or two names with a point between.
    var path: String
    var measure: Measure
    var type: MeasureType
  }

  static let measures: [MeasureRow] = [
    MeasureRow(path: "outcome", measure: .outcome, type: .plain(.symbol(.outcome))),
    MeasureRow(path: "makespan", measure: .makespan, type: .plain(.duration)),
    MeasureRow(path: "output", measure: .output, type: .output),
    MeasureRow(path: "values", measure: .values, type: .values),
    MeasureRow(path: "findings", measure: .findings, type: .findings),
    MeasureRow(path: "timeline", measure: .timeline(of: nil, within: .zero), type: .timeline),
    MeasureRow(path: "crash.message", measure: .crashMessage, type: .plain(.string)),
    MeasureRow(path: "crash.place", measure: .crashPlace, type: .plain(.string)),
    MeasureRow(path: "threads.peak", measure: .threadsPeak, type: .plain(.integer)),
    MeasureRow(path: "threads.created", measure: .threadsCreated, type: .plain(.integer)),
    MeasureRow(path: "threads.live", measure: .threadsLive, type: .plain(.integer)),
    MeasureRow(path: "memory.peak", measure: .memoryPeak, type: .plain(.size)),
    MeasureRow(path: "switches", measure: .switches, type: .plain(.integer)),
    MeasureRow(path: "migrations", measure: .migrations, type: .plain(.integer)),
    MeasureRow(
      path: "clusterMigrations", measure: .clusterMigrations, type: .plain(.integer)),
    MeasureRow(path: "cache.refills", measure: .cacheRefills, type: .plain(.integer)),
    MeasureRow(path: "cache.refillTime", measure: .cacheRefillTime, type: .plain(.duration)),
    MeasureRow(path: "utilization", measure: .utilization, type: .plain(.decimal)),
    MeasureRow(path: "main.longestStall", measure: .mainLongestStall, type: .plain(.duration)),
    MeasureRow(path: "energy.picojoules", measure: .energy, type: .plain(.integer)),
  ]

  /// The measures that are asked for with arguments.
  static let measureCalls = [
    "value", "timeline", "started", "ended", "thread", "threads", "cpu", "state", "order",
    "latency", "wait", "waiting",
    "span", "samples", "count", "rate", "running",
  ]

  /// The word of a ratchet.
  static let best = "best"

  /// The measures as a list of them shows them, those with arguments behind the others.
  static var measureSpellings: [String] {
    measures.map(\.path) + measureCalls.filter { $0 != "timeline" }.map { "\($0)(…)" }
  }

  /// The row with this path.
  static func measure(_ path: String) -> MeasureRow? {
    measures.first { $0.path == path }
  }

  /// All words that a measure may begin with.
  static let measureWords: [String] = {
    var words: [String] = []
    for row in measures {
      let word = String(row.path.prefix { $0 != "." })
      if !words.contains(word) { words.append(word) }
    }
    return words + measureCalls.filter { !words.contains($0) } + [best]
  }()
}
