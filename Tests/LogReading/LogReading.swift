/// Reads a whole log: counts what its lines come to, and notes what can't be.
///
/// It knows what LogFormat.md says, and nothing else.
struct LogReading {
  private(set) var frame: LogFrame
  var numbers = LogNumbers()
  /// What can't be, with the line; at most fifty.
  var violations: [String] { complaints.texts }

  var threads: [LogName: LogThread] = [:]
  var ended: Set<LogName> = []
  var cores: [LogName?]
  var lastOnCore: [LogName?]
  var coreWasPreempted: [Bool]
  var items: [LogName: LogItem] = [:]
  var nameless: [LogName: LogItem] = [:]
  var objects: [ObjectKey: LogObject] = [:]
  var dependencies: [LogName: [LogName]] = [:]
  var finishedOperations: Set<LogName> = []
  var operationItems: [LogName: LogName] = [:]
  var reserved: Int64 = 0
  var stallSince: Int64?
  var readyCount = 0
  var readyOrder = 0
  var itemOrder = 0
  var slept: Int64 = 0
  var sleepSince: Int64?
  var isSuspended = false
  var arrivals = 0
  /// The last lines, which may come again in rounds.
  var lastSteps: ArraySlice<LogLine> = []
  var lastTime: Int64 = 0
  var hasEnded = false
  /// By policy fifo: the orders of the threads that are ready, and how many of them have got a core.
  var fifo: [Int] = []
  var fifoTaken = 0
  private let complaints = Complaints()

  /// A class, since what complains is about to be changed.
  private final class Complaints {
    var texts: [String] = []
    var line = ""
  }

  /// What names an object: names are unique among objects of one family.
  struct ObjectKey: Hashable {
    var family: String
    var name: LogName
  }

  /// Reads a log.
  init(_ text: String) throws(LogSyntaxError) {
    let lines = text.split(separator: "\n")
    frame = try LogFrame(lines.filter { $0.hasPrefix("#") })
    cores = Array(repeating: nil, count: frame.coreCount)
    lastOnCore = cores
    coreWasPreempted = Array(repeating: false, count: frame.coreCount)
    numbers.cores = Array(repeating: LogCoreNumbers(), count: frame.coreCount)
    for text in lines where !text.hasPrefix("#") {
      do throws(LogSyntaxError) {
        try read(LogLineReader.read(String(text)))
      } catch {
        complaints.line = String(text)
        violate("syntax: \(error.description)")
      }
    }
    finish()
  }

  func violate(_ message: String) {
    if complaints.texts.count < 50 { complaints.texts.append("\(message)\n    \(complaints.line)") }
  }

  func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { violate(message()) }
  }

  // MARK: Lines

  private mutating func read(_ line: LogLine) throws(LogSyntaxError) {
    complaints.line = line.text
    demand(!hasEnded, "a line behind the end")
    demand(line.time >= lastTime, "time runs backwards")
    if line.time > lastTime { closeInstant() }
    lastTime = max(lastTime, line.time)
    numbers.entries += 1
    for form in ["memory N", "until N", "priority N"] {
      numbers.entries += Int64(line.attributes(form).count)
    }
    for memory in line.attributes("memory N") + (line.step.form == "memory N" ? [line.step] : []) {
      numbers.memoryPeak = max(numbers.memoryPeak, memory.quantities[0])
    }
    checkColumns(line)
    defer { lastSteps = lastSteps.suffix(63) + [line] }
    let isKnown =
      readThread(line) || readItem(line) || readLock(line) || readObject(line) || readRest(line)
    demand(isKnown, "an unknown step '\(line.step.form)'")
  }

  /// A thread is made before it does something, and a line has the core that it has.
  private mutating func checkColumns(_ line: LogLine) {
    guard let subject = line.subject else {
      return demand(line.core == nil, "the world has a core")
    }
    if line.step.form.hasPrefix("is created") { return }
    guard let thread = threads[subject] else {
      // A finding may be about the end of a thread.
      let isTold = line.step.form == "finding N" && ended.contains(subject)
      return demand(isTold && line.core == nil, "\(subject) is not there")
    }
    if line.step.form == "runs" { return }
    demand(line.core ?? -1 == thread.core, "\(subject) has core \(thread.core)")
  }

  /// Nothing more happens at this instant: no core is idle while a thread is ready.
  private mutating func closeInstant() {
    if readyCount == 0 || isSuspended || sleepSince != nil || frame.leavesCoresIdle { return }
    guard let idle = cores.firstIndex(where: { $0 == nil }) else { return }
    let count = readyCount - (frame.spread > 0 ? threads.values.count(where: standsInLine) : 0)
    demand(count == 0, "core \(idle) is idle and \(count) threads are ready")
  }

  /// Whether a thread stands in the line of a core that another thread has: of the one that it had, or,
  /// when it is new, of any; until idle cores look at the lines of others.
  private func standsInLine(_ thread: LogThread) -> Bool {
    guard thread.state == .ready, let since = thread.inLineSince else { return false }
    if lastTime >= (since / frame.spread + 1) * frame.spread { return false }
    return thread.lastCore < 0 || cores[thread.lastCore] != nil
  }

  private mutating func finish() {
    complaints.line = ""
    demand(hasEnded, "the log has no end")
    numbers.end = lastTime
    endStall(at: frame.end)
    for thread in threads.values where !thread.isMain { numbers.processor.append(thread.processor) }
    for thread in threads.values {
      guard let lock = thread.lock else { continue }
      numbers.locks[lock]?.add(frame.end - thread.lockSince)
    }
    demand(numbers.entries == frame.entries, "\(numbers.entries) entries, not \(frame.entries)")
    demand(numbers.memoryPeak == frame.memoryPeak, "the peak of memory is \(numbers.memoryPeak)")
    demand(numbers.findings == Int64(frame.findings), "\(numbers.findings) findings")
    demand(lastTime == frame.end, "the run ends at \(lastTime)")
    demand(frame.makespan <= frame.end, "the makespan is behind the end")
  }

  mutating func endStall(at time: Int64) {
    guard let since = stallSince else { return }
    numbers.mainLongestStall = max(numbers.mainLongestStall, time - since)
    stallSince = nil
  }

  // MARK: The rest

  /// Notes, memory, the world: what changes nothing that is counted.
  private mutating func readRest(_ line: LogLine) -> Bool {
    switch line.step.form {
    case "mark _", "print _": return line.value == nil
    case "record _", "sample _", "reads _", "writes _": return line.value != nil
    case "memory N", "allocates N", "frees N", "autoreleases N", "drains a pool of N": break
    case "repeats": repeatSteps(line)
    case "arrives": demand(line.quantity("number N") != nil, "an arrival has no number")
    case "finding N":
      numbers.findings += 1
      demand(line.step.quantities[0] == numbers.findings, "findings are numbered")
    case "the run ends":
      hasEnded = true
      demand(
        line.attributes.first?.form == frame.outcome, "the outcome is '\(frame.outcome)'")
    case "the machine sleeps for N": if sleepSince == nil { sleepSince = line.time }
    case "the machine wakes":
      if let since = sleepSince { slept += line.time - since }
      sleepSince = nil
    case "the app is suspended": isSuspended = true
    case "the app is resumed": isSuspended = false
    default: return readDelivery(line)
    }
    return true
  }

  /// Handlers begin and return, one inside another.
  private mutating func readDelivery(_ line: LogLine) -> Bool {
    switch line.step.form {
    case "handles _", "handles the end of _", "observes _", "fires _", "performs after its delay",
      "performs _", "performs a block", "performs what it was asked to", "receives at _",
      "takes the answer":
      if let subject = line.subject { threads[subject]?.handlers += 1 }
    case "returns":
      if let subject = line.subject {
        threads[subject]?.handlers -= 1
        demand(threads[subject]?.handlers ?? 0 >= 0, "no handler is open")
      }
    case "begins iteration N", "ends iteration N", "begins concurrentPerform",
      "ends concurrentPerform",
      "cancels source _", "raises _", "the app enters the background",
      "the app enters the foreground", "a background task begins", "a background task ends",
      "the time for background tasks is over", "runs its loop", "does not run its loop",
      "leaves its loop", "stops the loop of _", "wakes the loop of _", "adds _ to the loop of _",
      "removes _ from the loop of _", "makes mode _ a common one of the loop of _",
      "goes on in its loop", "signals source _", "asks _ to perform", "sends to _",
      "an answer comes", "a finger is down for N", "the finger is lifted":
      break
    default: return line.step.form.hasPrefix("announces _ ") && line.value != nil
    }
    return true
  }
}
