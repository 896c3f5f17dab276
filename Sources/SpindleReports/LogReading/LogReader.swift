package import SpindleModel

/// A log cannot be read.
package struct LogReadingError: Error, Hashable, Sendable {
  /// The number of the line, from 1.
  package let line: Int
  /// The mistake, in a sentence without a full stop.
  package let message: String

  /// Creates an error.
  package init(line: Int, message: String) { (self.line, self.message) = (line, message) }
}

/// Reads a log's text back: the run that it describes, for the same reports as the run itself.
///
/// All metrics, timelines, causes, pictures, exports and the text itself are as before, except for what the
/// text leaves out: places in the trace, the number of steps, the speed of cores, whether the trace named a
/// kind of work, the urgency of a task that enters an actor, which task of a name is waited for, the analysis
/// of jobs ahead, and that a renamed operation or queue is the same object. The digest is the one in the
/// text. Memory and time are linear in the length of the log.
package struct LogReader {
  /// The run, as far as the log describes it: the program has no instructions.
  package let run: RunDescription
  /// How it ended.
  package let record: RunRecord
  /// The digest at the end.
  package let digest: String
  /// The steps, in order.
  private let entries: [LogEntry]

  /// Whether a file that begins like this is a log.
  package static func isLog(_ utf8: some Collection<UInt8>) -> Bool {
    utf8.starts(with: "# spindle log ".utf8)
  }

  /// Reads the text of a log.
  ///
  /// Throws where a line violates the format, where lines were left out, or where the log has no end.
  package init(_ utf8: [UInt8]) throws(LogReadingError) {
    var assembly = LogAssembly()
    var frame = LogFrame()
    var (number, place) = (0, 0)
    while place < utf8.count {
      let end = utf8[place...].firstIndex(of: 0x0A) ?? utf8.count
      let line = utf8[place..<end]
      number += 1
      place = end + 1
      if line.isEmpty { continue }
      do throws(LogFault) {
        if line.first == 0x23 {
          try frame.read(line, number, assembly.names)
        } else {
          try assembly.read(try LogLineParser.line(line, assembly.names))
        }
      } catch {
        throw LogReadingError(line: number, message: error.message)
      }
    }
    do throws(LogFault) {
      try frame.checkEnd(entries: Int64(assembly.entries.count))
    } catch {
      throw LogReadingError(line: max(1, number), message: error.message)
    }
    run = assembly.description(frame)
    record = assembly.record(frame)
    digest = frame.digest
    entries = assembly.entries
  }

  /// Passes the run to `consumers`, as the simulator would.
  package func replay(to consumers: [any LogConsumer]) {
    for consumer in consumers { consumer.begin(run) }
    entries.withUnsafeBufferPointer { all in
      // In chunks, as the simulator passes them on.
      var start = 0
      while start < all.count {
        let end = min(all.count, start + 4_096)
        let chunk = UnsafeBufferPointer(rebasing: all[start..<end])
        for consumer in consumers { consumer.receive(chunk) }
        start = end
      }
    }
    for consumer in consumers { consumer.end(record) }
  }
}

/// The header and footer of a log.
struct LogFrame {
  private(set) var title = ""
  private(set) var platform = Platform.ideal
  private(set) var coreCount = 0
  private(set) var memory = ByteCount.zero
  private(set) var costs = ""
  private(set) var policy = ""
  private(set) var seed: UInt64 = 0
  private(set) var parameters: [Parameter] = []
  private(set) var findings: [Finding] = []
  private(set) var outcome: Outcome?
  private(set) var end = Instant.start
  private(set) var makespan = Instant.start
  private(set) var digest = ""
  private var entries: Int64 = -1

  init() {}

  /// Reads the next line that begins with `#`.
  mutating func read(
    _ line: ArraySlice<UInt8>, _ number: Int, _ names: NameTable
  ) throws(LogFault) {
    let text = String(decoding: line.dropFirst(2), as: UTF8.self)
    switch number {
    case 1:
      guard text == "spindle log 2" else {
        throw LogFault("it is not a log of format 2, which begins '# spindle log 2'")
      }
    case 2: title = LogFrame.unescaped(text, names)
    case 3: try readMachine(text)
    case 4 where text.hasPrefix("layers "):
      throw LogFault("digests are kept of this log, not its lines; '--log' writes a whole one")
    default:
      if try readEnd(text, names) { return }
      let parts = LogFrame.split(text, at: " = ")
      guard let value = parts.rest, outcome == nil else {
        throw LogFault("unexpected line in the log's header or footer")
      }
      parameters.append(Parameter(name: parts.first, value: value, allowed: []))
    }
  }

  /// Whether the footer is complete.
  func checkEnd(entries read: Int64) throws(LogFault) {
    guard outcome != nil && entries >= 0 else {
      throw LogFault(
        coreCount == 0
          ? "the log has no top" : "the log has no end")
    }
    if read != entries {
      throw LogFault("the log states \(entries) entries, and its lines have \(read)")
    }
  }

  /// Reads `iOS, 2 cores, 1GB, zero, clutch, seed 0`; costs and policy may have arguments.
  private mutating func readMachine(_ text: String) throws(LogFault) {
    let words = LogFrame.words(text)
    guard words.count == 6, let platform = Platform(rawValue: words[0]),
      let count = Int(words[1].prefix { $0 != " " }), (1...1_024).contains(count),
      let memory = LogQuantity.value(Array(words[2].utf8)[...]),
      words[5].hasPrefix("seed "), let seed = UInt64(words[5].dropFirst(5))
    else { throw LogFault("the machine can't be read") }
    (self.platform, coreCount, self.memory) = (platform, count, ByteCount(memory))
    (costs, policy, self.seed) = (words[3], words[4], seed)
  }

  /// Reads a line of the end; whether it is one.
  private mutating func readEnd(
    _ text: String, _ names: NameTable
  ) throws(LogFault) -> Bool {
    if text.hasSuffix(" more line") || text.hasSuffix(" more lines"), !text.contains("=") {
      throw LogFault("\(text) were left out; '--log' writes a whole log")
    }
    if text.hasPrefix("finding ") {
      try readFinding(text, names)
      return true
    }
    if text.hasPrefix("entries ") && outcome != nil {
      let words = LogFrame.words(text)
      guard words.count == 3, let entries = Int64(words[0].dropFirst("entries ".count)),
        words[2].hasPrefix("digest ")
      else { throw LogFault("the number of entries can't be read") }
      self.entries = entries
      digest = String(words[2].dropFirst("digest ".count))
      return true
    }
    return try readOutcome(text, names)
  }

  /// Reads `finding 1: warning priorityInversion: …`; its time is in its own line.
  private mutating func readFinding(
    _ text: String, _ names: NameTable
  ) throws(LogFault) {
    let head = LogFrame.split(text, at: ": ")
    let kind = LogFrame.split(head.rest ?? "", at: ": ")
    let words = kind.first.split(separator: " ")
    guard words.count == 2, let sort = Finding.Kind(rawValue: String(words[1])) else {
      throw LogFault("unknown finding")
    }
    findings.append(
      Finding(
        kind: sort, time: .start, places: [],
        statement: FindingStatement(words: LogFrame.unescaped(kind.rest ?? "", names))))
  }

  /// Reads `crashed "…", exit 1 at 5ms, makespan 4ms`; whether it is that.
  private mutating func readOutcome(
    _ text: String, _ names: NameTable
  ) throws(LogFault) -> Bool {
    let word = String(text.prefix { $0 != " " && $0 != "," })
    guard let kind = Outcome.Kind.allCases.first(where: { $0.name == word }),
      let times = LogFrame.splitLast(text, at: " at "),
      let makespan = LogFrame.splitLast(times.rest, at: ", makespan "),
      let ended = LogQuantity.value(Array(makespan.first.utf8)[...]),
      let worked = LogQuantity.value(Array(makespan.rest.utf8)[...])
    else { return false }
    var result = Outcome(kind)
    var rest = Substring(times.first).dropFirst(word.count)
    if let code = LogFrame.splitLast(String(rest), at: ", exit "), let number = Int64(code.rest) {
      result.exitCode = number
      rest = Substring(code.first)
    }
    if let message = LogLineParser.quoted(Array(rest.dropFirst().utf8)[...], names) {
      result.message = names.text(message.text)
    }
    (outcome, end, self.makespan) = (result, Instant(ended), Instant(worked))
    return true
  }

  // MARK: Texts

  /// A text that was escaped and has no quotes around it.
  private static func unescaped(_ text: String, _ names: NameTable) -> String {
    if !text.contains("\\") { return text }
    let closed = text.replacing("\"", with: "\\\"")
    let name = LogLineParser.quoted([0x22] + Array(closed.utf8) + [0x22], names)
    return name.map { names.text($0.text) } ?? text
  }

  /// The parts between commas outside of brackets.
  private static func words(_ text: String) -> [String] {
    var (words, depth) = ([""], 0)
    for character in text {
      if character == "(" || character == "[" { depth += 1 }
      if character == ")" || character == "]" { depth -= 1 }
      if character == "," && depth == 0 {
        words.append("")
      } else if character != " " || !words[words.count - 1].isEmpty {
        words[words.count - 1].append(character)
      }
    }
    return words
  }

  /// The text before and after the first `separator`.
  private static func split(_ text: String, at separator: String) -> (first: String, rest: String?)
  {
    guard let range = text.firstRange(of: separator) else { return (text, nil) }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }

  /// The text before and after the last `separator`; nil without one.
  private static func splitLast(
    _ text: String, at separator: String
  ) -> (first: String, rest: String)? {
    guard let range = text.ranges(of: separator).last else { return nil }
    return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
  }
}

extension LogFrame {
  /// The machine of the run, as far as its log describes it.
  var machine: ResolvedMachine {
    ResolvedMachine(
      platform: platform, cores: Array(repeating: CoreDescription(), count: coreCount),
      memory: memory, costs: costs, policy: policy)
  }
}
