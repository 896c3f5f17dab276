/// Columns of text, aligned, with a title each.
package struct TextTable: Sendable {
  /// The alignment of a column's text.
  package enum Alignment: Sendable {
    /// At the left edge.
    case left
    /// At the right edge, for numbers.
    case right
  }

  /// One column.
  package struct Column: Sendable {
    /// The title above it.
    package var title: String
    /// The alignment of its text.
    package var alignment: Alignment

    /// Creates a column.
    package init(_ title: String, _ alignment: Alignment = .right) {
      (self.title, self.alignment) = (title, alignment)
    }
  }

  /// How many columns of space are between two columns of text.
  private static let gap = 2
  /// To how many characters the first column may be shortened.
  private static let least = 12

  private let columns: [Column]
  private var rows: [[String]] = []

  /// Creates a table without rows.
  package init(columns: [Column]) {
    precondition(!columns.isEmpty, "a table has a column")
    self.columns = columns
  }

  /// Adds a row; cells that are missing at the end are empty.
  package mutating func add(_ row: [String]) {
    precondition(row.count <= columns.count, "a row has no more cells than there are columns")
    rows.append(row + Array(repeating: "", count: columns.count - row.count))
  }

  /// How many columns of the terminal the table would like to have.
  package var naturalWidth: Int {
    widths().reduce(0, +) + TextTable.gap * (columns.count - 1)
  }

  /// The lines: titles, then rows.
  ///
  /// Where they are wider than `width`, the first column is shortened and a cut is shown as `…`; no line ends
  /// in a space.
  package func rendered(width: Int = 80) -> String {
    var widths = widths()
    let excess = naturalWidth - width
    if excess > 0 { widths[0] = max(min(widths[0], TextTable.least), widths[0] - excess) }
    var text = ""
    for row in [columns.map(\.title)] + rows {
      text += line(row, widths)
      text += "\n"
    }
    return text
  }

  /// The lines, where columns that do not fit are below, behind the first column again.
  ///
  /// Groups stay together: a column whose title is one word stays with the last one in front of it whose
  /// title names the measure, as in 'wait p50', 'p95'.
  package func folded(width: Int) -> [String] {
    guard naturalWidth > width else {
      return rendered(width: width).split(separator: "\n").map(String.init)
    }
    let widths = widths()
    var (groups, sizes): ([[Int]], [Int]) = ([], [])
    for index in columns.indices.dropFirst() {
      let size = widths[index] + TextTable.gap
      if columns[index].title.contains(" ") || groups.isEmpty {
        groups.append([index])
        sizes.append(size)
      } else {
        groups[groups.count - 1].append(index)
        sizes[sizes.count - 1] += size
      }
    }
    var (parts, room): ([[Int]], Int) = ([], 0)
    for (group, size) in zip(groups, sizes) {
      if !parts.isEmpty, size <= room {
        parts[parts.count - 1] += group
        room -= size
      } else {
        parts.append(group)
        room = width - min(widths[0], max(TextTable.least, width - size)) - size
      }
    }
    return parts.flatMap { part -> [String] in
      var table = TextTable(columns: [columns[0]] + part.map { columns[$0] })
      for row in rows { table.add([row[0]] + part.map { row[$0] }) }
      return table.rendered(width: width).split(separator: "\n").map(String.init)
    }
  }

  private func widths() -> [Int] {
    columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    var line = ""
    for index in columns.indices {
      if index > 0 { line += String(repeating: " ", count: TextTable.gap) }
      let cell = shortened(row[index], to: widths[index])
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      line += columns[index].alignment == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func shortened(_ cell: String, to width: Int) -> String {
    guard cell.count > width else { return cell }
    let tail = TextTable.tails(of: cell).first { $0.count + 4 <= width } ?? ""
    return cell.prefix(max(0, width - 1 - tail.count)) + "…" + tail
  }

  /// Ends of a name that distinguish it from its like, the longest first: of `jobs.async:4#2` the call, its place and its
  /// number; of `picture 17` the number.
  private static func tails(of cell: String) -> [Substring] {
    let starts = cell.contains(":") ? [".", ":", "#"] : ["#"]
    let marked = starts.compactMap { cell.lastIndex(of: Character($0)) }.map { cell[$0...] }
    let digits = cell.reversed().prefix { $0.isNumber }.count
    return marked + (digits > 0 ? [cell.suffix(digits)] : [])
  }
}
