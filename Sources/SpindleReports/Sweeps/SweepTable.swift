import SpindleModel

/// Writes a sweep as rows for people, as soon as they come, so that a grid of any size needs no memory.
package final class SweepTable: SweepWriter {
  private let header: SweepHeader
  private let style: TextStyle
  private let widths: [Int]
  private var best: SweepBest

  /// Creates a writer.
  package init(_ header: SweepHeader, style: TextStyle) {
    (self.header, self.style) = (header, style)
    best = SweepBest(header)
    // The known widths: titles and values of axes; nine columns for measures, which longer values exceed.
    widths =
      header.axes.map { axis in axis.values.reduce(axis.name.count) { max($0, $1.count) } }
      + header.columns.map { max(header.seedCount > 1 ? 16 : 9, $0.measure.count) }
  }

  package func begin() -> String {
    let titles = header.axes.map(\.name) + header.columns.map(\.measure)
    return style.paint(line(titles), .bold) + "\n"
  }

  package func add(_ cell: SweepCell) -> String {
    best.add(cell)
    let values = header.columns.indices.map { cell.text($0, header.columns[$0]) }
    let mark = cell.mark.map { "  (\($0))" } ?? ""
    return line(header.settings(of: cell.index) + values) + mark + "\n"
  }

  package func end() -> String { best.text(style) }

  private func line(_ cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
      let isLeft = index < header.axes.count
      line += (index == 0 ? "" : "  ") + (isLeft ? cell + padding : padding + cell)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// Remembers the best cell of each measure, and looks for anomalies.
struct SweepBest {
  private let header: SweepHeader
  /// By column: the first cell with the best value.
  private var found: [(value: Double, cell: Int)?]
  private var hasUnfinished = false
  private var anomalies: AnomalyFinder

  init(_ header: SweepHeader) {
    self.header = header
    anomalies = AnomalyFinder(header.axes, seedCount: header.seedCount)
    found = header.columns.map { _ in nil }
  }

  mutating func add(_ cell: SweepCell) {
    if anomalies.isNeeded { anomalies.add(cell.facts) }
    guard cell.mark == nil else {
      hasUnfinished = true
      return
    }
    for index in header.columns.indices
    where header.columns[index].preference != nil && header.columns[index].unit != .truth {
      guard let mean = cell.mean(index) else { continue }
      if let known = found[index], !header.columns[index].prefers(mean, to: known.value) {
        continue
      }
      found[index] = (mean, cell.index)
    }
  }

  /// An empty line, and which cell is the best of each measure: the first of several that are equal.
  func text(_ style: TextStyle) -> String {
    var notes: [String] = []
    for (column, best) in zip(header.columns, found) {
      guard let best else { continue }
      let place = zip(header.axes, header.settings(of: best.cell))
        .map { "\($0.name)=\($1)" }.joined(separator: ", ")
      notes.append("Best \(column.measure): \(column.unit.approximate(best.value)) at \(place).")
    }
    if header.seedCount > 1 {
      notes.append(
        "Means over \(header.seedCount) seeds; ± is half of their 95% confidence interval.")
    }
    if hasUnfinished { notes.append("Runs that did not finish or were cut off are not ranked.") }
    notes += anomalies.sentences
    if notes.isEmpty { return "" }
    let lines = notes.flatMap { style.wrapped($0, indent: "", hanging: "  ") }
    return "\n" + lines.joined(separator: "\n") + "\n"
  }
}
