/// Wordings about what is asked of a run.
extension Messages {
  static let notSampled =
    "a sample is a number, a duration or a size, or its measures have no meaning: keep other values with 'record'"

  static func unknownSamples(_ pattern: String, nearest: String?) -> String {
    "nothing is sampled under '\(pattern)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }

  static func mixedSamples(_ pattern: String) -> String {
    "what is sampled under '\(pattern)' is not all of one type: ask for one key at a time"
  }

  /// That latency is counted from one place only, beside the submission.
  static func latencyOrigin(_ text: String) -> String {
    "'from' is '.arrival', and not '\(text)': latency(\"name*\", from: .arrival).p95; between other "
      + "points, span(\"tap*\", \"shown*\").p95"
  }

  /// How a measure is asked for whose arguments or member are missing.
  static func incompleteMeasure(_ name: String) -> String {
    switch name {
    case "latency", "wait", "waiting": "'\(name)' is asked for as in \(name)(\"name*\").p95"
    case "span": "'span' is asked for as in span(\"tap*\", \"shown*\").p95"
    case "samples": "'samples' is asked for as in samples(\"name\").p95"
    case "running": "'running' is asked for as in running(\"name*\").peak"
    case "threads": "'threads' is asked for as threads.peak, .created, .live or (of: …).count"
    case "crash": "'crash' is asked for as crash.message or crash.place"
    case "best": "'best' is asked for as in best(makespan)"
    case "memory": "'memory' is asked for as memory.peak"
    case "main": "'main' is asked for as main.longestStall"
    case "energy": "'energy' is asked for as energy.picojoules"
    case "cpu": "'cpu' is asked for as cpu(of: Thread.main)"
    default: "'\(name)' is asked for with arguments, as in \(name)(\"name\")"
    }
  }
}
