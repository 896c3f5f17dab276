import TestSupport

/// The rooms of a module: its folders, lowest first.
///
/// A room uses the ones before it. Imports keep modules apart; inside of one, nothing but this does. A
/// folder below a room belongs to it, and a file in no folder uses all of them and is used by none.
struct Layers: Sendable {
  let module: String
  let order: [String]
  /// For rooms that do not use all the rooms before them: which of those in `apart` they use.
  var known: [String: Set<String>] = [:]
  /// Where the rooms are that use each other only as `known` says; empty for none.
  var apart = ""
  /// How much of the module one room may be.
  var percent = 30
  /// Members that are called as one of another type, each with whose it is there.
  var sharedNames: [String: String] = [:]

  static let all = [simulator, reports, explore, recordings, command, fuzzer, generator]

  static let simulator = Layers(
    module: "SpindleSimulator",
    order: [
      "Core", "Findings", "Races", "Schedules", "Machine", "Records", "Policies", "Kernel",
      "Process", "Runtimes/Threads", "Runtimes/Locks", "Runtimes/Dispatch",
      "Runtimes/DispatchSources", "Runtimes/Operations",
      "Runtimes/RunLoops", "Runtimes/Application", "Runtimes/Concurrency", "Runtimes/Executors",
      "Runtimes/Accelerators", "Execution",
    ],
    known: [
      "Runtimes/Threads": [],
      "Runtimes/Locks": ["Runtimes/Threads"],
      "Runtimes/Dispatch": ["Runtimes/Threads"],
      "Runtimes/DispatchSources": ["Runtimes/Dispatch"],
      "Runtimes/Operations": ["Runtimes/Threads", "Runtimes/Locks", "Runtimes/Dispatch"],
      "Runtimes/RunLoops": ["Runtimes/Threads", "Runtimes/Dispatch"],
      "Runtimes/Application": ["Runtimes/Dispatch", "Runtimes/RunLoops"],
      "Runtimes/Executors": [
        "Runtimes/Threads", "Runtimes/Locks", "Runtimes/Dispatch", "Runtimes/Operations",
        "Runtimes/Concurrency",
      ],
      "Runtimes/Concurrency": ["Runtimes/Dispatch"],
      "Runtimes/Accelerators": [],
    ],
    apart: "Runtimes/", percent: 20)

  static let reports = Layers(
    module: "SpindleReports",
    order: [
      "Words", "Numbers", "Timeline", "Metrics", "LogText", "LogReading", "FindingPages", "Causes",
      "Layers", "Verdicts", "SteadyState", "Comparison", "Sweeps", "Pictures", "Differences",
      "Remedies", "Summaries", "Exports",
    ],
    sharedNames: ["partition": "it is of collections"])

  static let explore = Layers(
    module: "SpindleExplore", order: ["Runs", "Strategies", "Results", "Minimizing"], percent: 60)

  static let recordings = Layers(
    module: "SpindleRecordings",
    order: [
      "Reading", "KernelText", "Babeltrace", "Perfetto", "Threads", "Operations", "Writing",
      "RTApp", "Instruments", "Formats", "Programs",
    ])

  static let command = Layers(
    module: "SpindleCommand",
    order: [
      "Words", "Host", "Console", "Children", "Options", "Running", "Comparing",
      "Testing", "Explaining", "Recordings", "Measuring", "Commands",
    ], percent: 35)

  static let fuzzer = Layers(
    module: "SpindleFuzzer",
    order: ["Inputs", "RandomPrograms", "Judging", "Children", "Batches"], percent: 40)

  /// The room of values is one type, whose expressions and statements are made of each other.
  static let generator = Layers(
    module: "SpindleGenerator", order: ["Draws", "Values", "Tasks"], percent: 85)

  /// Something declared where a whole module sees it.
  struct Declared: Sendable {
    let name: String
    /// The place of its room in the order; the order's length for a file in no room.
    let room: Int
  }

  /// A use of something that is not for the room that uses it.
  struct Breach: Hashable, Sendable {
    let path: String
    let line: Int
    let room: String
    let name: String
    let home: String
  }

  var files: [String] { Repository.files(below: "Sources/\(module)", suffix: ".swift") }

  /// The room of a file: its place in the order; nil where it stands in none.
  func room(of path: String) -> Int? {
    let inside = path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
    if inside.isEmpty { return order.count }
    return order.firstIndex { inside == $0 || inside.hasPrefix($0 + "/") }
  }

  private func name(_ room: Int) -> String {
    room < order.count ? order[room] : "the module's top"
  }

  /// Whether a room is not for another one to use.
  func isStrange(_ room: Int, to user: Int) -> Bool {
    if room > user { return true }
    guard room < user, user < order.count, !apart.isEmpty, order[room].hasPrefix(apart),
      let known = known[order[user]]
    else { return false }
    return !known.contains(order[room])
  }

  /// Every use of a type, or of a member that an extension adds to one, which stands in a room that the user
  /// does not know.
  func breaches() throws -> [Breach] {
    var sources: [(path: String, room: Int, source: SourceWords)] = []
    for path in files {
      guard let room = room(of: path) else { continue }
      sources.append((path, room, SourceWords(try Repository.text(path))))
    }
    var homes: [String: Int] = [:]
    for source in sources {
      for type in source.source.types { homes[type] = homes[type] ?? source.room }
    }
    // A member is known by its name where the name is nobody else's in the module.
    var members: [String: (count: Int, room: Int, isAdded: Bool)] = [:]
    for source in sources {
      for member in source.source.members {
        let isAdded = member.extended.map { homes[$0] != source.room } ?? false
        let count = members[member.name]?.count ?? 0
        members[member.name] = (count + 1, source.room, isAdded)
      }
    }
    var breaches: [Breach] = []
    for (path, room, source) in sources {
      for (word, line) in source.words {
        guard let home = homes[word], isStrange(home, to: room) else { continue }
        breaches.append(
          Breach(path: path, line: line, room: name(room), name: word, home: name(home)))
      }
      for (word, line) in source.called where sharedNames[word] == nil {
        guard let member = members[word], member.count == 1, member.isAdded,
          isStrange(member.room, to: room)
        else { continue }
        breaches.append(
          Breach(path: path, line: line, room: name(room), name: word, home: name(member.room)))
      }
    }
    return breaches
  }
}

/// The words of a Swift file, without its comments and texts.
struct SourceWords {
  /// The types that the file declares at its top, private ones apart.
  private(set) var types: [String] = []
  /// The members that stand directly in an extension, with what that extends, and all others with nil.
  private(set) var members: [(name: String, extended: String?)] = []
  /// Each word, with the first line that has it.
  private(set) var words: [String: Int] = [:]
  /// Each word behind a point, with the first line that has it.
  private(set) var called: [String: Int] = [:]

  private static let modifiers: Set<String> = [
    "public", "package", "final", "indirect", "private", "fileprivate", "static", "mutating",
    "nonisolated", "borrowing", "consuming", "override", "lazy", "weak", "unowned", "class",
  ]
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  init(_ text: String) {
    var (isInText, extended): (Bool, String?) = (false, nil)
    var number = 0
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if SourceWords.hasTripleQuote(line) {
        isInText.toggle()
        if !isInText { continue }
      } else if isInText {
        continue
      }
      let indent = line.prefix { $0 == 0x20 }.count
      let words = add(line, number)
      if indent == 0, let first = words.first, first != "}" {
        extended = nil
        note(words, &extended)
      } else if indent > 0 {
        note(member: words, indent == 2 ? extended : nil)
      }
    }
  }

  /// Takes in a declaration at the top of the file.
  private mutating func note(_ words: [String], _ extended: inout String?) {
    let rest = words.drop { SourceWords.modifiers.contains($0) && $0 != "class" }
    let isPrivate = words.prefix(words.count - rest.count).contains { $0.hasSuffix("private") }
    guard let kind = rest.first, rest.count > 1 else { return }
    let name = rest[rest.startIndex + 1]
    if kind == "extension" { extended = name }
    if SourceWords.kinds.contains(kind), !isPrivate { types.append(name) }
  }

  private mutating func note(member words: [String], _ extended: String?) {
    let rest = words.drop { SourceWords.modifiers.contains($0) }
    guard let kind = rest.first, rest.count > 1, ["func", "var", "let", "case"].contains(kind)
    else {
      return
    }
    members.append((rest[rest.startIndex + 1], extended))
  }

  /// Takes in the words of a line, and gives them.
  private mutating func add(_ line: Substring.UTF8View, _ number: Int) -> [String] {
    var found: [String] = []
    var word: [UInt8] = []
    var (isInText, isEscaped, isCalled, last): (Bool, Bool, Bool, UInt8) = (false, false, false, 0)
    func isWord(_ byte: UInt8) -> Bool {
      byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    func end() -> String? {
      word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }
    for byte in Array(line) + [0x20] {
      if isInText {
        if !isEscaped && byte == 0x22 { isInText = false }
        isEscaped = !isEscaped && byte == 0x5C
        continue
      }
      if isWord(byte) {
        if word.isEmpty { isCalled = last == 0x2E }
        word.append(byte)
      } else {
        if let text = end() {
          found.append(text)
          words[text] = words[text] ?? number
          if isCalled { called[text] = called[text] ?? number }
          word = []
        }
        if byte == 0x22 { isInText = true }
        if byte == 0x2F && last == 0x2F { break }
      }
      last = byte
    }
    return found
  }

  private static func hasTripleQuote(_ line: Substring.UTF8View) -> Bool {
    var run = 0
    for byte in line {
      run = byte == 0x22 ? run + 1 : 0
      if run == 3 { return true }
    }
    return false
  }
}
