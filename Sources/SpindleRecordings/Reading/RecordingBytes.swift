/// The bytes of a recording, read piece by piece, so that a large one is never whole in memory.
package protocol RecordingBytes: AnyObject {
  /// How many there are.
  var count: Int { get }
  /// The bytes from `offset` on: `count` of them, fewer at the end only, none behind it.
  func read(at offset: Int, count: Int) throws -> [UInt8]
}

/// A recording in memory.
package final class RecordingInMemory: RecordingBytes {
  private let bytes: [UInt8]

  /// Takes the bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var count: Int { bytes.count }

  package func read(at offset: Int, count: Int) -> [UInt8] {
    let start = min(max(0, offset), bytes.count)
    return Array(bytes[start..<min(bytes.count, start + max(0, count))])
  }
}

/// A line of a recording.
struct RecordingLine {
  /// What there is of it.
  enum Extent { case whole, cut, tooLong }

  /// Without its end; empty where it is too long.
  var bytes: UnsafeBufferPointer<UInt8>
  /// From 1.
  var number: Int
  /// Whether it is whole, the recording ends within it, or it is longer than the limit.
  var extent: Extent

  /// Why nothing could be read in it, where the line itself is the cause.
  func mistake(otherwise reason: @autoclosure () -> String) -> RecordingMistake {
    let what =
      switch extent {
      case .whole: reason()
      case .cut: "the recording ends within the line"
      case .tooLong: "the line is longer than 64 KB"
      }
    return RecordingMistake(.line(number), what)
  }
}

extension RecordingBytes {
  /// How many bytes are read at a time.
  private static var step: Int { 1 << 18 }
  /// Longer lines are not read: no dialect has them, but pages with scripts do.
  private static var longestLine: Int { 1 << 16 }

  /// Calls `body` with each line.
  func forEachLine(_ body: (RecordingLine) throws -> Void) throws {
    var (offset, number, isTooLong) = (0, 0, false)
    var rest: [UInt8] = []
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    while true {
      let piece = try read(at: offset, count: Self.step)
      if piece.isEmpty { break }
      offset += piece.count
      let buffer = rest + piece
      var start = 0
      try buffer.withUnsafeBufferPointer { bytes in
        var scan = rest.count
        while let end = bytes[scan...].firstIndex(of: 0x0A) {
          number += 1
          if isTooLong || end - start > Self.longestLine {
            try body(RecordingLine(bytes: none, number: number, extent: .tooLong))
          } else {
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            try body(RecordingLine(bytes: line, number: number, extent: .whole))
          }
          (start, scan, isTooLong) = (end + 1, end + 1, false)
        }
      }
      rest = Array(buffer[start...])
      if rest.count > Self.longestLine {
        isTooLong = true
        rest = []
      }
    }
    if isTooLong {
      try body(RecordingLine(bytes: none, number: number + 1, extent: .tooLong))
    } else if !rest.isEmpty {
      try rest.withUnsafeBufferPointer {
        try body(RecordingLine(bytes: $0, number: number + 1, extent: .cut))
      }
    }
  }
}
