import SpindleModel

/// What one column of a lane shows: a letter, and its colour where there is colour.
struct LaneCell: Hashable {
  var letter: Character
  var ink: TextStyle.Ink?

  /// The letters of a share, by eighths from 1.
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// What the letters of shares mean, in a legend.
  static let shares = "▁..▇"

  /// Nothing.
  static let absent = LaneCell(letter: " ")

  /// A share of a column as a block of its height; `full` where it is all of it, to a sixteenth.
  static func share(
    _ length: Int64, of whole: Int64, _ ink: TextStyle.Ink?, full: LaneCell? = nil
  ) -> LaneCell {
    let eighths = Int((16 * Int128(length) + Int128(whole)) / (2 * Int128(max(1, whole))))
    if eighths >= blocks.count, let full { return full }
    return LaneCell(letter: blocks[min(blocks.count, max(1, eighths)) - 1], ink: ink)
  }

  /// Whether it shows a share.
  var isShare: Bool { LaneCell.blocks.contains(letter) }
}

extension LanePicture {
  /// The letters of a lane, those of one colour painted at once.
  func painted(_ cells: [LaneCell]) -> String {
    var text = ""
    var rest = cells[...]
    while let first = rest.first {
      let run = rest.prefix { $0.ink == first.ink }
      let letters = String(run.map(\.letter))
      text += first.ink.map { style.paint(letters, $0) } ?? letters
      rest = rest.dropFirst(run.count)
    }
    return text
  }

  /// A column's beginning and end; where a column is shorter than a nanosecond, one nanosecond.
  func bounds(of column: Int) -> (start: Instant, end: Instant) {
    let start = time(of: column)
    return (start, max(time(of: column + 1), Instant(start.nanoseconds + 1)))
  }
}
