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

extension RecordingBytes {
  /// How many bytes are read at a time.
  private static var step: Int { 1 << 18 }
  /// Longer lines are passed over: no dialect has them, but pages with scripts do.
  private static var longestLine: Int { 1 << 16 }

  /// Calls `body` with each line without its end, its number from 1, and whether the recording ends
  /// within it.
  func forEachLine(
    _ body: (_ line: UnsafeBufferPointer<UInt8>, _ number: Int, _ isCut: Bool) throws -> Void
  ) throws {
    var (offset, number, isTooLong) = (0, 0, false)
    var rest: [UInt8] = []
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
          if !isTooLong && end - start <= Self.longestLine {
            try body(UnsafeBufferPointer(rebasing: bytes[start..<end]), number, false)
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
    if rest.isEmpty || isTooLong { return }
    try rest.withUnsafeBufferPointer { try body($0, number + 1, true) }
  }
}
