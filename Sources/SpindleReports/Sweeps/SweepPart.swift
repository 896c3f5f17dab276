import SpindleModel

/// A part of a sweep that one process computes: the cells whose number is `number - 1` more than a multiple
/// of `count`.
package struct SweepShard: Hashable, Sendable {
  /// From 1.
  package var number: Int
  /// How many parts there are.
  package var count: Int

  /// Creates a shard.
  package init(number: Int, of count: Int) { (self.number, self.count) = (number, count) }

  /// How many cells of a grid it has.
  package func cellCount(of cells: Int) -> Int {
    cells < number ? 0 : (cells - number) / count + 1
  }

  /// The number in the grid of its cell at this place.
  package func cell(_ place: Int) -> Int { number - 1 + place * count }

  /// `3/16`.
  package var text: String { "\(number)/\(count)" }
}

/// The file that holds a part of a sweep: lines of fields with tabs between them.
///
/// First the header, a field's name in front; then a line for each cell; then how many there are, so
/// that a file that was cut is known.
package enum SweepPart {
  /// The first line.
  static let title = "spindle sweep part 3"
  static let cellKey = "cell"
  static let endKey = "end"

  /// Why a line can't be read.
  package struct Mistake: Error, Hashable, Sendable {
    /// The mistake, without a full stop.
    package let message: String

    /// Creates a mistake.
    package init(_ message: String) { self.message = message }
  }

  /// The lines of a header.
  static func lines(_ header: SweepHeader, _ shard: SweepShard) -> [[String]] {
    var lines = [
      [title], ["version", header.version], ["trace", header.trace], ["options", header.options],
      ["seeds", "\(header.seedCount)"],
    ]
    lines += header.axes.map {
      ["axis", $0.name, $0.isQuantity ? "quantity" : "other"] + $0.values
    }
    lines += header.columns.map {
      ["measure", $0.measure, $0.unit.rawValue, $0.preference?.rawValue ?? "none"]
    }
    return lines + [["shard", "\(shard.number)", "\(shard.count)"]]
  }

  /// The line of a cell: its number, its machine, and for each run the seed, how and when it ended, its
  /// work, its input and output, and the values.
  static func line(_ cell: SweepCell) -> [String] {
    var fields = [cellKey, "\(cell.index)", cell.machine.text]
    for run in cell.runs {
      fields += ["\(run.seed)", run.outcome.name, run.isCut ? "cut" : "whole"]
      fields += ["\(run.makespan)", "\(run.work)", "\(run.input)"]
      for value in run.values {
        switch value {
        case .number(let number): fields.append("\(number)")
        case .text(let text): fields.append("=" + text)
        case .missing(let reason): fields.append("- " + reason)
        }
      }
    }
    return fields
  }

  /// The cell of a line.
  static func cell(_ fields: [String], _ header: SweepHeader) throws(Mistake) -> SweepCell {
    let width = 6 + header.columns.count
    guard fields.count == 3 + width * header.seedCount, let index = Int(fields[1]), index >= 0,
      let machine = CoreSpeeds(fields[2])
    else { throw Mistake("a line of a cell is not whole") }
    var runs: [SweepCell.Run] = []
    for start in stride(from: 3, to: fields.count, by: width) {
      guard let seed = UInt64(fields[start]),
        let outcome = Outcome.Kind.allCases.first(where: { $0.name == fields[start + 1] }),
        let makespan = Int64(fields[start + 3]), let work = Int64(fields[start + 4]),
        let input = Int64(fields[start + 5])
      else { throw Mistake("a line of a cell can't be understood") }
      var values: [MeasuredValue] = []
      for field in fields[(start + 6)..<(start + width)] { values.append(try value(field)) }
      runs.append(
        .init(
          seed: seed, outcome: outcome, isCut: fields[start + 2] == "cut", makespan: makespan,
          work: work, input: input, values: values))
    }
    return SweepCell(index: index, machine: machine, runs: runs)
  }

  private static func value(_ field: String) throws(Mistake) -> MeasuredValue {
    if field.hasPrefix("=") { return .text(String(field.dropFirst())) }
    if field.hasPrefix("- ") { return .missing(String(field.dropFirst(2))) }
    guard let number = Int64(field) else { throw Mistake("'\(field)' is not a value of a measure") }
    return .number(number)
  }

  /// The text of a line, whose fields may hold any characters.
  static func text(_ fields: [String]) -> String {
    fields.map(escaped).joined(separator: "\t") + "\n"
  }

  /// The fields of a line without its end.
  static func fields(_ line: String) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(plain)
  }

  private static func escaped(_ field: String) -> String {
    guard field.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C })
    else { return field }
    var text = ""
    for scalar in field.unicodeScalars {
      switch scalar {
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\\": text += "\\\\"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func plain(_ field: Substring) -> String {
    guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
    var (text, isEscaped) = ("", false)
    for scalar in field.unicodeScalars {
      if isEscaped {
        switch scalar {
        case "t": text += "\t"
        case "n": text += "\n"
        case "r": text += "\r"
        default: text.unicodeScalars.append(scalar)
        }
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Writes a part of a sweep.
package final class SweepPartWriter: SweepWriter {
  private let header: SweepHeader
  private let shard: SweepShard
  private var count = 0

  /// Creates a writer of a part.
  package init(_ header: SweepHeader, _ shard: SweepShard) {
    (self.header, self.shard) = (header, shard)
  }

  package func begin() -> String {
    SweepPart.lines(header, shard).map(SweepPart.text).joined()
  }

  package func add(_ cell: SweepCell) -> String {
    count += 1
    return SweepPart.text(SweepPart.line(cell))
  }

  package func end() -> String { SweepPart.text([SweepPart.endKey, "\(count)"]) }
}
