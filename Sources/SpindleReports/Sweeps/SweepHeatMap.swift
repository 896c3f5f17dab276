import SpindleModel

/// Draws a sweep over two axes as a map for each measure: a row for each value of the first, a column
/// for each of the second.
///
/// The darker a cell, the worse it is among all; of a measure of which nothing is better, the greater.
package final class SweepHeatMap: SweepWriter {
  private let header: SweepHeader
  private let style: TextStyle
  private var best: SweepBest
  /// By column and cell.
  private var values: [[Double?]]
  /// By column and cell: the mean, with half of its confidence interval where there are several seeds.
  private var texts: [[String]]
  /// By cell: whether it did not end by itself.
  private var marks: [Bool]

  private static let shades: [Character] = [" ", "░", "▒", "▓", "█"]
  /// The most cells that a map has.
  private static let mostCells = 4_096

  /// Creates a writer; nil when the sweep is not a plane of numbers, or is wider than the style allows.
  package init?(_ header: SweepHeader, style: TextStyle) {
    guard header.axes.count == 2, header.axes.allSatisfy({ $0.values.count > 1 }),
      header.cellCount <= SweepHeatMap.mostCells, header.columns.contains(where: { !$0.isText }),
      SweepHeatMap.width(header) <= style.width
    else { return nil }
    (self.header, self.style) = (header, style)
    best = SweepBest(header)
    values = header.columns.map { _ in Array(repeating: nil, count: header.cellCount) }
    texts = header.columns.map { _ in Array(repeating: "", count: header.cellCount) }
    marks = Array(repeating: false, count: header.cellCount)
  }

  /// How wide a map is whose values have six characters, and as many behind '±'.
  private static func width(_ header: SweepHeader) -> Int {
    let side = header.axes[0].values.reduce(header.axes[0].name.count) { max($0, $1.count) }
    let cell = header.seedCount > 1 ? 14 : 6
    return side + header.axes[1].values.reduce(0) { $0 + max($1.count, cell) + 4 }
  }

  package func begin() -> String { "" }

  package func add(_ cell: SweepCell) -> String {
    best.add(cell)
    for (column, kind) in header.columns.enumerated() {
      values[column][cell.index] = cell.mean(column)
      texts[column][cell.index] = cell.text(column, kind)
    }
    marks[cell.index] = cell.mark != nil
    return ""
  }

  package func end() -> String {
    let maps = header.columns.indices.filter { !header.columns[$0].isText }.map { map($0) }
    let legend = "The darker, the worse" + (marks.contains(true) ? "; !: did not finish." : ".")
    return maps.joined(separator: "\n") + best.text(style) + legend + "\n"
  }

  private func map(_ column: Int) -> String {
    let (rows, columns) = (header.axes[0], header.axes[1])
    let ranks = ranks(column)
    var table = TextTable(
      columns: [.init(rows.name, .left)] + columns.values.map { TextTable.Column("\($0)  ") })
    for (row, value) in rows.values.enumerated() {
      let cells = columns.values.indices.map { place -> String in
        let index = row * columns.values.count + place
        if values[column][index] == nil { return marks[index] ? "- !" : "-  " }
        let shade = marks[index] ? "!" : SweepHeatMap.shades[ranks[index]]
        return "\(texts[column][index]) \(shade)"
      }
      table.add([value] + cells)
    }
    let title = "\(header.columns[column].measure), by \(rows.name) and \(columns.name)"
    return style.paint(title, .bold) + "\n" + table.rendered(width: style.width)
  }

  /// The shade of each cell: which fifth of the different values its own belongs to.
  private func ranks(_ column: Int) -> [Int] {
    let prefersMore = header.columns[column].preference == .more
    let sorted = values[column].compactMap { $0 }.sorted { prefersMore ? $0 > $1 : $0 < $1 }
    var different: [Double] = []
    for value in sorted where different.last != value { different.append(value) }
    return values[column].map { value in
      guard let value, different.count > 1 else { return 0 }
      let rank = different.firstIndex { prefersMore ? $0 <= value : $0 >= value } ?? 0
      return rank * 4 / (different.count - 1)
    }
  }
}
