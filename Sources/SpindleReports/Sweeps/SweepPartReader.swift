import SpindleModel

/// Reads a part of a sweep, line by line.
package struct SweepPartReader {
  /// What the part is of; nil while its header is being read.
  package private(set) var header: SweepHeader?
  /// Which part it is.
  package private(set) var shard = SweepShard(number: 0, of: 0)
  private var lineCount = 0
  private var cellCount = 0
  private var isOver = false
  private var partial = SweepHeader(
    version: "", trace: "", options: "", axes: [], columns: [], seedCount: 0)

  /// Creates a reader that has read nothing.
  package init() {}

  /// Takes in the next line; the cell that it holds, nil for a line of another kind.
  package mutating func read(_ line: String) throws(SweepPart.Mistake) -> SweepCell? {
    let fields = SweepPart.fields(line)
    lineCount += 1
    if lineCount == 1 {
      guard fields == [SweepPart.title] else {
        throw SweepPart.Mistake("it is not a part of a sweep")
      }
      return nil
    }
    if isOver { throw SweepPart.Mistake("there is more behind its end") }
    guard let header else {
      try readHeader(fields)
      return nil
    }
    if fields.first == SweepPart.endKey {
      guard fields.count == 2, fields[1] == "\(cellCount)",
        cellCount == shard.cellCount(of: header.cellCount)
      else { throw SweepPart.Mistake("it has \(cellCount) cells, and not all of its own") }
      isOver = true
      return nil
    }
    guard fields.first == SweepPart.cellKey else {
      throw SweepPart.Mistake("line \(lineCount) can't be understood")
    }
    let cell = try SweepPart.cell(fields, header)
    guard cell.index == shard.cell(cellCount), cell.index < header.cellCount else {
      throw SweepPart.Mistake("cell \(cell.index) is not where it belongs")
    }
    cellCount += 1
    return cell
  }

  /// Throws when the part ended too early.
  package func checkEnd() throws(SweepPart.Mistake) {
    if isOver { return }
    throw SweepPart.Mistake("it is cut off behind \(cellCount) cells")
  }

  private mutating func readHeader(_ fields: [String]) throws(SweepPart.Mistake) {
    let mistake = SweepPart.Mistake("line \(lineCount) can't be understood")
    switch (fields.first, fields.count) {
    case ("version", 2): partial.version = fields[1]
    case ("trace", 2): partial.trace = fields[1]
    case ("options", 2): partial.options = fields[1]
    case ("seeds", 2):
      guard let count = Int(fields[1]), (1...100_000).contains(count) else { throw mistake }
      partial.seedCount = count
    case ("axis", 4...):
      partial.axes.append(
        .init(name: fields[1], values: Array(fields[3...]), isQuantity: fields[2] == "quantity"))
    case ("measure", 4):
      guard let unit = MeasureUnit(rawValue: fields[2]) else { throw mistake }
      partial.columns.append(
        ComparedColumn(
          fields[1], measure: fields[1], unit: unit,
          preference: MeasurePreference(rawValue: fields[3])))
    case ("shard", 3):
      guard let number = Int(fields[1]), let count = Int(fields[2]), count <= 1_000_000,
        number >= 1, number <= count, partial.seedCount > 0
      else { throw mistake }
      shard = SweepShard(number: number, of: count)
      header = partial
    default: throw mistake
    }
  }
}

extension SweepHeader {
  /// In what a part of another sweep differs from this one, in words: `of another trace`; nil when it
  /// is of this one.
  package func difference(_ other: SweepHeader) -> String? {
    if version != other.version { return "of version \(other.version), and not \(version)" }
    if trace != other.trace { return "of another trace, \(other.trace), and not \(trace)" }
    if axes != other.axes { return "of another grid, \(other.grid), and not \(grid)" }
    if columns != other.columns {
      return "of other measures, '\(other.measures)', and not '\(measures)'"
    }
    if seedCount != other.seedCount {
      return "of \(other.seedCount) seeds, and not \(seedCount)"
    }
    if options != other.options {
      func words(_ options: String) -> String { options.isEmpty ? "none" : "'\(options)'" }
      return "of other options, \(words(other.options)), and not of \(words(options))"
    }
    return nil
  }

  private var grid: String {
    axes.map { axis in
      let values =
        axis.values.count > 4
        ? "\(axis.values[0]),…,\(axis.values[axis.values.count - 1])"
        : axis.values.joined(separator: ",")
      return "\(axis.name)=\(values) (\(axis.values.count))"
    }.joined(separator: " x ")
  }

  private var measures: String { columns.map(\.measure).joined(separator: ", ") }
}
