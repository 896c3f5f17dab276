import SpindleModel
import Testing

@testable import SpindleReports

/// That no piece of a log's text is written where there is no room.
@Suite struct LogLinesTests {
  struct Piece: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What it looks like.
    var text: String
    /// Writes it.
    var write: @Sendable (inout LogLines) -> Void
  }

  static let pieces: [Piece] = [
    Piece(testDescription: "words of ours", text: "waits for lock") { $0.write("waits for lock") },
    Piece(testDescription: "any text", text: "é, 2 cores") { $0.write(text: "é, 2 cores") },
    Piece(testDescription: "a number", text: "-9223372036854775808") { $0.write(Int64.min) },
    Piece(testDescription: "a digit", text: "7") { $0.write(Int64(7)) },
    Piece(testDescription: "a wide number", text: "       7") { $0.write(7, width: 8) },
    Piece(testDescription: "a time", text: "1.000000001s") { $0.write(Nanoseconds(1_000_000_001)) },
    Piece(testDescription: "a name", text: "\"journal\"") {
      _ = $0.write(name: Array("journal".utf8)[...], quoted: true)
    },
    Piece(testDescription: "an escaped name", text: "\\u{1b}\\n") {
      _ = $0.write(name: [0x1B, 0x0A], quoted: false)
    },
    Piece(testDescription: "a column", text: "ABCDEFGHABCDEFGH") {
      $0.write((0x4847_4645_4443_4241, 0x4847_4645_4443_4241))
    },
    Piece(testDescription: "spaces", text: "     ") { $0.pad(5) },
    Piece(testDescription: "a line break", text: "\n") { $0.endLine() },
  ]

  /// A line of 10,000 pieces, none of which asks for room on behalf of the next.
  @Test(arguments: pieces)
  func eachPieceMakesItsRoom(piece: Piece) {
    var lines = LogLines(chunk: 1)
    var smallest = lines.capacity
    for _ in 0..<10_000 {
      piece.write(&lines)
      if lines.count > lines.capacity {
        Issue.record("written behind the memory")
        return
      }
      smallest = min(smallest, lines.capacity)
    }
    #expect(smallest < lines.capacity, "the first memory was too large to test anything")
    let text = String(decoding: lines.take(), as: UTF8.self)
    #expect(text == String(repeating: piece.text, count: 10_000))
  }

  /// A single piece that is longer than all the memory there was.
  @Test func aLongPieceMakesItsRoom() {
    var lines = LogLines(chunk: 1)
    lines.pad(100_000)
    lines.write(1, width: 300_000)
    #expect(lines.count == 400_000)
    #expect(lines.capacity >= 400_000)
  }
}
