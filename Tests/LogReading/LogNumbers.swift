/// Lengths of time: how many, their sum, the least and the greatest.
struct LogLengths: Equatable {
  var count: Int64 = 0
  var total: Int64 = 0
  var least: Int64 = 0
  var greatest: Int64 = 0

  mutating func add(_ length: Int64) {
    least = count == 0 ? length : min(least, length)
    greatest = max(greatest, length)
    count += 1
    // A sum that does not fit is the greatest length, as in the numbers of a run.
    let (sum, overflow) = total.addingReportingOverflow(length)
    total = overflow ? Int64.max : sum
  }
}

/// What is counted of a kind of work, or of all items.
struct LogItemNumbers: Equatable {
  var submitted: Int64 = 0
  var started: Int64 = 0
  var running: Int64 = 0
  var waiting: Int64 = 0
  var runningPeak: Int64 = 0
  var waitingPeak: Int64 = 0
  var wait = LogLengths()
  var service = LogLengths()
  var latency = LogLengths()

  mutating func submit() {
    submitted += 1
    waiting += 1
    waitingPeak = max(waitingPeak, waiting)
  }

  mutating func start(waited: Int64) {
    waiting -= 1
    started += 1
    running += 1
    runningPeak = max(runningPeak, running)
    wait.add(waited)
  }
}

/// What is counted of a lock or semaphore.
struct LogLockNumbers: Equatable {
  var acquisitions: Int64 = 0
  var waits: Int64 = 0
  var total: Int64 = 0
  var longest: Int64 = 0

  mutating func add(_ wait: Int64) {
    total += wait
    longest = max(longest, wait)
  }
}

/// What is counted of a core.
struct LogCoreNumbers: Equatable {
  var busy: Int64 = 0
  var overhead: Int64 = 0
}

/// All numbers that a log's lines come to.
struct LogNumbers: Equatable {
  var end: Int64 = 0
  var entries: Int64 = 0
  var schedulingEvents: Int64 = 0
  var threadsCreated: Int64 = 0
  var threadsPeak: Int64 = 0
  /// Those that had not ended when the run did.
  var threadsLive: Int64 = 0
  var threadsReused: Int64 = 0
  var reservedPeak: Int64 = 0
  var memoryPeak: Int64 = 0
  var switchesVoluntary: Int64 = 0
  var switchesForced: Int64 = 0
  var migrations: Int64 = 0
  var clusterMigrations: Int64 = 0
  var cacheRefills: Int64 = 0
  var cacheRefillTime: Int64 = 0
  var mainLongestStall: Int64 = 0
  var findings: Int64 = 0
  var cores: [LogCoreNumbers] = []
  /// By the pattern of the kind.
  var kinds: [String: LogItemNumbers] = [:]
  var items = LogItemNumbers()
  /// By the name of the lock or semaphore.
  var locks: [String: LogLockNumbers] = [:]
  /// The own work of each thread but the main one, in the order of their making.
  var processor: [Int64] = []
  var realtimeThreads: Int64 = 0
  var deadlines: Int64 = 0
  var missedDeadlines: Int64 = 0
  var greatestLateness: Int64 = 0

  /// Jain's index of the threads' own work; nil when none did any.
  var fairness: Double? {
    let squares = processor.reduce(UInt128(0)) { $0 + UInt128($1) * UInt128($1) }
    if squares == 0 { return nil }
    let sum = Double(processor.reduce(Int128(0)) { $0 + Int128($1) })
    return sum * sum / (Double(processor.count) * Double(squares))
  }
}

/// What stands at the top and at the end of a log.
struct LogFrame {
  var platform = ""
  var policy = ""
  var coreCount = 0
  /// How often idle cores take threads from the lines of others; 0 where cores have no lines.
  var spread: Int64 = 0
  /// Whether a thread may wait for its budget, or its own core, while another core is idle.
  var leavesCoresIdle = false
  /// How much later than asked a sleep ends.
  var timerSlack: Int64 = 0
  var findings = 0
  var outcome = ""
  var end: Int64 = 0
  var makespan: Int64 = 0
  var entries: Int64 = 0
  var memoryPeak: Int64 = 0
  var digest = ""

  /// What the machine's line says that one thing costs; nil where it says nothing.
  private static func cost(_ label: String, _ line: Substring) -> Int64? {
    guard let place = line.firstRange(of: "\(label): ") else { return nil }
    let text = line[place.upperBound...].prefix { $0 != "," && $0 != ")" }
    return LogLineReader.quantity(String(text))
  }

  /// Reads the lines that begin with `#`.
  init(_ lines: [Substring]) throws(LogSyntaxError) {
    guard lines.count >= 5, lines[0] == "# spindle log 2" else {
      throw LogSyntaxError(description: "no log of this version")
    }
    let machine = LogFrame.words(lines[2])
    guard machine.count >= 6, let cores = Int(machine[1].prefix { $0 != " " }) else {
      throw LogSyntaxError(description: "no machine in '\(lines[2])'")
    }
    (platform, coreCount, policy) = (machine[0], cores, machine[4...].joined(separator: ", "))
    // The page on costs has the lengths of the profile 'linux'; the machine's line has what differs.
    let isLinux = lines[2].contains(", linux")
    spread = LogFrame.cost("spread", lines[2]) ?? (isLinux ? 1_000_000 : 0)
    timerSlack = LogFrame.cost("timerSlack", lines[2]) ?? (isLinux ? 50_000 : 0)
    leavesCoresIdle =
      lines[2].contains("(quota: ") || lines[2].contains("(hard: true")
      || lines[2].contains("placement: .")
    findings = lines.count { $0.hasPrefix("# finding ") }
    let counts = LogFrame.words(lines[lines.count - 1])
    guard counts.count == 3, let entries = Int64(counts[0].dropFirst("entries ".count)),
      let memory = LogLineReader.quantity(String(counts[1].dropFirst("memory peak ".count)))
    else { throw LogSyntaxError(description: "no counts in '\(lines[lines.count - 1])'") }
    (self.entries, memoryPeak) = (entries, memory)
    digest = String(counts[2].dropFirst("digest ".count))
    try readOutcome(lines[lines.count - 2])
  }

  private mutating func readOutcome(_ line: Substring) throws(LogSyntaxError) {
    let words = line.split(separator: " ")
    guard words.count >= 5, words[words.count - 2] == "makespan",
      let makespan = LogLineReader.quantity(String(words[words.count - 1])),
      let end = LogLineReader.quantity(String(words[words.count - 3].dropLast()))
    else { throw LogSyntaxError(description: "no outcome in '\(line)'") }
    (self.makespan, self.end) = (makespan, end)
    outcome = String(words[1].prefix { $0 != "," })
  }

  private static func words(_ line: Substring) -> [String] {
    line.dropFirst(2).split(separator: ",").map {
      String($0.drop { $0 == " " })
    }
  }
}
