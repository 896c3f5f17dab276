import SpindleModel

/// Lays out a comparison: a row for each variant, with its differences in the same cells.
///
/// Where the table is wider than the text may be, titles are broken, then labels lose their arguments, and at last the
/// columns are distributed over several tables.
struct ComparisonLayout {
  /// What a variant came to in a column; parts that it does not have are empty.
  struct Cell {
    var value = ""
    var isBest = false
    var spread = ""
    var difference = ""
  }

  /// A column with a cell for each variant.
  struct Column {
    var title: String
    var cells: [Cell]
  }

  /// A column as it is printed: all cells are equally wide.
  private struct Printed {
    var title: [String]
    var cells: [String]
    var width: Int

    /// A column of texts at the left edge.
    init(_ title: [String], _ cells: [String]) {
      (self.title, self.cells) = (title, cells)
      width = (title + cells).map(DisplayWidth.columns).max() ?? 0
    }
  }

  let labels: [String]
  let shortLabels: [String]
  /// How each variant ended; empty where all finished.
  var endings: [String] = []
  var columns: [Column] = []

  /// How many columns of space are between two columns of text.
  private static let gap = 2
  /// How wide a column of labels is at most, where there are several tables.
  private static let labelWidth = 32

  init(labels: [String], shortLabels: [String]) {
    (self.labels, self.shortLabels) = (labels, shortLabels)
  }

  /// Labels without the arguments of calls, `ThreadPool(…)`, where they still differ; else as they are.
  static func shortened(_ labels: [String]) -> [String] {
    let short = labels.map { label in
      guard label.last == ")", let open = label.firstIndex(of: "("),
        label[open...].count > "(…)".count
      else { return label }
      return label[..<open] + "(…)"
    }
    return Set(short).count == labels.count ? short : labels
  }

  /// The table, or the tables, each line ended by a line break.
  func rendered(_ style: TextStyle) -> String {
    let whole = columns.map { Printed([$0.title], texts(of: $0.cells)) }
    let (broken, narrow) = (broken(to: 16), broken(to: 11))
    let attempts = [
      (whole, labels), (broken, labels), (broken, shortLabels), (narrow, labels),
      (narrow, shortLabels),
    ]
    for (columns, labels) in attempts {
      let table = front(labels) + columns
      if width(table) <= style.width { return text(table, style) }
    }
    return tables(broken, style)
  }

  /// The columns with titles in lines of some width, or as wide as the cells are.
  private func broken(to width: Int) -> [Printed] {
    columns.map { column in
      let cells = texts(of: column.cells)
      let room = max(width, cells.map(DisplayWidth.columns).max() ?? 0)
      return Printed(Self.broken(column.title, to: room), cells)
    }
  }

  /// What precedes the columns: the labels, and how the variants ended.
  private func front(_ labels: [String]) -> [Printed] {
    let first = Printed(["variant"], labels)
    return endings.isEmpty ? [first] : [first, Printed(["outcome"], endings)]
  }

  /// As many columns side by side as there is room for, at least one, and the others below.
  private func tables(_ columns: [Printed], _ style: TextStyle) -> String {
    let labels = shortLabels.map { DisplayWidth.columns($0) > Self.labelWidth ? fitted($0) : $0 }
    let front = front(labels)
    var tables: [[Printed]] = []
    for column in columns {
      if let last = tables.last, width(last + [column]) <= style.width {
        tables[tables.count - 1].append(column)
      } else {
        tables.append(front + [column])
      }
    }
    return tables.map { text($0, style) }.joined(separator: "\n")
  }

  /// A label that is cut in the middle: its end often distinguishes it.
  private func fitted(_ label: String) -> String {
    let end = label.suffix(Self.labelWidth / 2)
    return label.prefix(Self.labelWidth - end.count - 1) + "…" + end
  }

  private func width(_ columns: [Printed]) -> Int {
    columns.reduce(0) { $0 + $1.width } + Self.gap * (columns.count - 1)
  }

  private func text(_ columns: [Printed], _ style: TextStyle) -> String {
    let height = columns.map(\.title.count).max() ?? 1
    var lines: [String] = []
    for row in 0..<height {
      // Short titles are right above their values.
      let titles = columns.map { column -> String in
        let place = row - (height - column.title.count)
        return place < 0 ? "" : column.title[place]
      }
      lines.append(style.paint(line(titles, columns), .bold))
    }
    for row in labels.indices { lines.append(line(columns.map { $0.cells[row] }, columns)) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ cells: [String], _ columns: [Printed]) -> String {
    var line = ""
    for (cell, column) in zip(cells, columns) {
      if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
      line += DisplayWidth.fitted(cell, to: column.width)
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Cells of one column, whose parts are aligned.
  private func texts(of cells: [Cell]) -> [String] {
    func width(_ part: KeyPath<Cell, String>) -> Int {
      cells.map { DisplayWidth.columns($0[keyPath: part]) }.max() ?? 0
    }
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - DisplayWidth.columns(text))) + text
    }
    let (value, spread, difference) = (width(\.value), width(\.spread), width(\.difference))
    let hasBest = cells.contains(where: \.isBest)
    return cells.map { cell in
      var text = right(cell.value, value) + (cell.isBest ? "*" : hasBest ? " " : "")
      if spread > 0 { text += " " + DisplayWidth.fitted(cell.spread, to: spread) }
      if difference > 0 { text += " " + right(cell.difference, difference) }
      return text
    }
  }

  /// A title in lines of at most `width` columns, broken in front of a point and behind a space, a comma or a bracket.
  private static func broken(_ title: String, to width: Int) -> [String] {
    var words: [String] = [""]
    var previous: Character?
    for character in title {
      if character == "." || previous.map({ " ,(".contains($0) }) ?? false { words.append("") }
      words[words.count - 1].append(character)
      previous = character
    }
    var lines: [String] = []
    for word in words where !word.isEmpty {
      if let last = lines.last, (last + word).count <= width {
        lines[lines.count - 1] += word
      } else {
        lines.append(word)
      }
    }
    return lines.map { $0.last == " " ? String($0.dropLast()) : $0 }
  }
}
