/// What a summary, its JSON or a user calls what `expect` can ask, and what it can't.
extension Vocabulary {
  /// What a word for a measure is called in `expect`, however it is capitalized.
  static func summaryWord(_ name: String) -> String? {
    name.first?.isLowercase == true ? summaryWords[name.lowercased()] : nil
  }

  /// What to say of a word of the summary that no measure answers to.
  static func unaskedWord(_ name: String) -> String? {
    name.first?.isLowercase == true ? unaskedWords[name.lowercased()] : nil
  }

  private static let summaryWords = words([
    ("main.longestStall", ["mainStall", "stall", "longestStall", "mainLongestStall", "hang"]),
    ("utilization", ["used", "cores", "usage", "cpuUsage", "load"]),
    ("latency(\"name*\").p95", ["total", "p95", "p99", "percentile"]),
    ("latency(\"name*\").mean", ["turnaround", "turnaroundTime"]),
    (
      "wait(\"name*\").mean",
      ["response", "responseTime", "queueingDelay", "queuingDelay", "waited", "waits"]
    ),
    ("waiting(\"name*\").mean", ["waitingTime", "waitTime", "readyTime"]),
    ("rate(of: \"name*\")", ["throughput", "throughputPerSecond", "rps", "perSecond"]),
    ("makespan", ["duration", "end", "elapsed", "runTime", "makespanNanoseconds"]),
    (
      "threads.peak",
      ["peakThreads", "threadsPeak", "threadPeak", "maxThreads", "peak", "threadCount"]
    ),
    ("threads.created", ["created", "threadsCreated", "createdThreads"]),
    ("threads.live", ["alive", "live", "threadsLive", "liveThreads", "aliveThreads"]),
    (
      "memory.peak",
      ["peakMemory", "memoryPeak", "memoryPeakBytes", "memoryUsed", "maxMemory", "footprint"]
    ),
    ("outcome", ["result"]),
    ("outcome == .finished", ["finished", "completed", "succeeded"]),
    ("outcome == .deadlock", ["deadlock", "deadlocks", "deadlocked"]),
    ("outcome == .crashed", ["crashed", "crashes"]),
    ("outcome == .killed", ["killed"]),
    ("crash.message", ["message", "crashMessage"]),
    ("output", ["prints", "printed", "lines", "stdout"]),
    ("timeline", ["marks"]),
    ("timeline == [1s: \"name\"]", ["time", "mark", "at"]),
    ("findings", ["errors", "warnings", "finding"]),
    (
      "values == [\"exit\": 3], with record(\"exit\", 3) in front of exit(3)",
      ["exitCode", "exit", "exitStatus"]
    ),
    ("value(name)", ["value"]),
    ("values == [\"name\": 3]", ["record", "records", "recorded"]),
    ("migrations", ["migration"]),
    ("cache.refills", ["coldCaches", "refills"]),
    ("switches", ["contextSwitches"]),
    ("cpu(of: thread)", ["cpuTime"]),
    ("energy.picojoules", ["picojoules", "millijoules"]),
    ("findings == [.deadlineMissed]", ["deadlines", "missed"]),
  ])

  private static let unaskedWords = words([
    (
      "all switches together are 'switches'",
      ["voluntary", "forced", "switchesVoluntary", "switchesForced", "preemptions"]
    ),
    (
      "memory in use is 'memory.peak'",
      ["reserved", "reservedPeak", "reservedPeakBytes"]
    ),
    (
      "keep what you measure yourself in a 'var' and ask 'value(name)'",
      ["locks", "actors", "accelerators", "fairness"]
    ),
    (
      "all that cores did is 'utilization'",
      ["overhead", "overheadShare"]
    ),
    (
      "ask for what was done: 'timeline', 'output', 'values'",
      ["digest", "steps", "schedulingEvents", "logEntries"]
    ),
  ])

  /// The answers by their words in small letters.
  private static func words(_ rows: [(answer: String, words: [String])]) -> [String: String] {
    var answers: [String: String] = [:]
    for (answer, words) in rows {
      for word in words { answers[word.lowercased()] = answer }
    }
    return answers
  }
}
