import TestSupport
import Testing

/// The order of the rooms, which imports can't fence inside one module.
@Suite struct FolderTests {
  @Test(arguments: Layers.all) func everyFolderIsARoom(layers: Layers) {
    for path in layers.files {
      #expect(layers.room(of: path) != nil, "\(path) stands in no room of the order")
    }
    for (index, room) in layers.order.enumerated() {
      #expect(
        layers.files.contains { layers.room(of: $0) == index }, "\(layers.module) has no \(room)")
    }
  }

  @Test(arguments: Layers.all) func lowerRoomsDoNotKnowHigherOnes(layers: Layers) throws {
    for breach in try layers.breaches() {
      Issue.record(
        "\(breach.path):\(breach.line): \(breach.room) uses \(breach.name) of \(breach.home)")
    }
  }

  /// The page of a module's rooms, without the rooms inside of `apart`, which the simulator's page has in a
  /// table with what each is built on.
  @Test(arguments: [
    "SpindleSimulator": "SpindleSimulator.docc/Rooms.md",
    "SpindleReports": "SpindleReports.docc/ReportRooms.md",
    "SpindleRecordings": "SpindleRecordings.docc/RecordingRooms.md",
    "SpindleCommand": "SpindleCommand.docc/CommandRooms.md",
  ]) func pagesHaveTheRooms(module: String, page: String) throws {
    let layers = try #require(Layers.all.first { $0.module == module })
    let rows = try Repository.lines("Sources/\(module)/\(page)").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { FolderTests.names(in: $0) } }
    let folders = layers.order.filter { layers.apart.isEmpty || !$0.hasPrefix(layers.apart) }
    let apart = layers.order.filter { !layers.apart.isEmpty && $0.hasPrefix(layers.apart) }
    let floors = rows.prefix(rows.count - apart.count).flatMap { $0[0] }
    #expect(floors.filter { $0 + "/" != layers.apart } == folders)
    for (room, row) in zip(apart, rows.suffix(apart.count)) {
      #expect(layers.apart + row[0].joined() == room)
      let known = (layers.known[room] ?? []).map { String($0.dropFirst(layers.apart.count)) }
      #expect(Set(row[1]) == Set(known), "\(room)")
    }
  }

  /// The names between backticks.
  private static func names(in cell: Substring) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  /// A name means one thing; the programs that are measured are texts of their own.
  @Test func typeNamesAreUnique() throws {
    var homes: [String: String] = [:]
    for path in Repository.files(below: "Sources", suffix: ".swift")
    where !path.contains("SpindleValidator/Programs/") {
      let module = String(path.split(separator: "/")[1])
      for name in SourceWords(try Repository.text(path)).types {
        if let other = homes.updateValue(module, forKey: name), other != module {
          Issue.record("\(path): \(name) is a type of \(other), too")
        }
      }
    }
  }

  /// What the folder tests see, on sources of its own.
  @Test func wordsOfASource() {
    let source = SourceWords(
      #"""
      public final class First {
        var one: Kind // Comment
      }
      private struct Hidden {}
      typealias Second = Array<First>
      extension Third.Inner {
        static func added() -> String { "Text of \(1)" }
      }
      let text = """
        struct NotCode {}
        """
      """#)
    #expect(source.types == ["First", "Second"])
    #expect(source.members.map(\.name) == ["one", "added"])
    #expect(source.members.map(\.extended) == [nil, "Third"])
    #expect(source.words["Kind"] == 2 && source.words["Inner"] == 6)
    #expect(source.words["Comment"] == nil && source.words["Text"] == nil)
    #expect(source.words["NotCode"] == nil && source.called["Inner"] == 6)
  }

  /// The execution has all runtimes; who extends it has them too.
  @Test func onlyTheExecutionExtendsTheInterpreter() throws {
    for path in Layers.simulator.files where !path.contains("/Execution/") {
      for (number, line) in try Repository.lines(path).enumerated()
      where line.hasPrefix("extension Interpreter") {
        Issue.record("\(path):\(number + 1) extends the interpreter outside the execution")
      }
    }
  }

  /// No room is so large that it can't be seen as one.
  @Test(arguments: Layers.all) func noRoomIsTooLarge(layers: Layers) throws {
    var lines = Array(repeating: 0, count: layers.order.count + 1)
    for path in layers.files {
      lines[layers.room(of: path) ?? 0] += try Repository.lines(path).count
    }
    let all = lines.reduce(0, +)
    for (room, count) in zip(layers.order, lines) {
      #expect(count * 100 <= all * layers.percent, "\(room) has \(count) of \(all) lines")
    }
  }
}
