import TestSupport
import Testing

/// The order of the simulator's rooms, which imports can't fence inside one module.
@Suite struct FolderTests {
  /// Lowest first; a room uses the ones before it.
  static let order = [
    "Core", "Findings", "Races", "Machine", "Policies", "Kernel", "Calls", "Runtimes/Threads",
    "Runtimes/Locks", "Runtimes/Dispatch", "Runtimes/DispatchSources", "Runtimes/Operations",
    "Runtimes/RunLoops", "Runtimes/Application", "Runtimes/Concurrency",
    "Runtimes/Executors", "Runtimes/Accelerators", "Execution",
  ]

  /// The rooms that a room does not use although they stand before it: runtimes that know nothing of
  /// each other, each with the runtimes that it knows.
  static let known: [String: Set<String>] = [
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
  ]

  struct Declared: Sendable {
    let name: String
    let room: Int
  }

  @Test func everyFolderIsARoom() {
    let files = Repository.files(below: "Sources/SpindleSimulator", suffix: ".swift")
    for path in files where path.contains("/SpindleSimulator/") {
      let inside = path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
      #expect(
        inside.isEmpty
          || FolderTests.order.contains { inside == $0 || inside.hasPrefix("\($0)/") },
        "\(path) stands in no room of the order")
    }
    #expect(FolderTests.order.allSatisfy { !FolderTests.files(in: $0).isEmpty })
  }

  @Test func lowerRoomsDoNotKnowHigherOnes() throws {
    let declared = try FolderTests.declaredTypes()
    #expect(declared.count > 120)
    for (index, room) in FolderTests.order.enumerated() {
      let strange = declared.filter { FolderTests.isStrange($0.room, to: index) }
      for path in FolderTests.files(in: room) {
        for (number, line) in try Repository.lines(path).enumerated() {
          let words = Set(
            SourceTests.withoutTexts(line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
              .map(String.init))
          for type in strange where words.contains(type.name) {
            Issue.record(
              "\(path):\(number + 1): \(room) uses \(type.name) of \(FolderTests.order[type.room])")
          }
        }
      }
    }
  }

  /// Whether a room is not for another one to use.
  private static func isStrange(_ room: Int, to user: Int) -> Bool {
    if room > user { return true }
    guard room < user, order[room].hasPrefix("Runtimes/"), let known = known[order[user]] else {
      return false
    }
    return !known.contains(order[room])
  }

  /// The execution has all runtimes; who extends it has them too.
  @Test func onlyTheExecutionExtendsTheInterpreter() throws {
    for path in Repository.files(below: "Sources/SpindleSimulator", suffix: ".swift")
    where !path.contains("/Execution/") {
      for (number, line) in try Repository.lines(path).enumerated()
      where line.hasPrefix("extension Interpreter") {
        Issue.record("\(path):\(number + 1) extends the interpreter outside the execution")
      }
    }
  }

  /// No room is so large that it can't be seen as one.
  @Test func noRoomIsAboveAFifth() throws {
    var (largest, all) = ((room: "", lines: 0), 0)
    for room in FolderTests.order {
      var lines = 0
      for path in FolderTests.files(in: room) { lines += try Repository.lines(path).count }
      if lines > largest.lines { largest = (room, lines) }
      all += lines
    }
    #expect(largest.lines * 5 <= all, "\(largest.room) has \(largest.lines) of \(all) lines")
  }

  private static func files(in room: String) -> [String] {
    Repository.files(below: "Sources/SpindleSimulator/\(room)", suffix: ".swift")
  }

  private static func declaredTypes() throws -> [Declared] {
    var declared: [Declared] = []
    for (index, room) in order.enumerated() {
      for path in files(in: room) {
        for line in try Repository.lines(path) where !line.hasPrefix(" ") {
          let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
          let kinds: Set<Substring> = ["struct", "class", "enum", "protocol"]
          guard let at = words.firstIndex(where: { kinds.contains($0) }), at + 1 < words.count,
            words[..<at].allSatisfy({
              ["public", "package", "final", "private", "fileprivate"].contains($0)
            }),
            !words[..<at].contains("private")
          else { continue }
          declared.append(Declared(name: String(words[at + 1]), room: index))
        }
      }
    }
    return declared
  }
}
