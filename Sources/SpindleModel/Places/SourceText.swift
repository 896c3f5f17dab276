/// A file's text, with its lines found once.
///
/// The text is kept as UTF-8 bytes; it is at most 2 GB, since offsets are 32 bits wide.
public struct SourceText: Hashable, Sendable {
  /// The name to show in front of line and column: a path, or `<stdin>`.
  @usableFromInline package let name: String
  /// The text in UTF-8.
  @usableFromInline package let utf8: [UInt8]
  /// The offset at which each line begins; never empty.
  @usableFromInline package let lineStarts: [Int32]
  /// How many bytes are the file's; what is behind them was added by the tool.
  @usableFromInline package let ownCount: Int
  /// The texts behind the file's own, in order.
  @usableFromInline package let parts: [Part]

  /// A text that was added behind the file's own.
  @usableFromInline package struct Part: Hashable, Sendable {
    /// The name to show for its places: a path, or what the library calls it.
    package let name: String
    /// The offset of its first byte.
    package let start: Int32
    /// The number of the line that it begins in, from 1.
    package let firstLine: Int
    /// Whether its places have a line and a column: those of the library's own text do not.
    package let isFile: Bool
    /// Whether it is a Swift file: an option of the command line is none.
    package var isSwift: Bool { isFile && !name.hasPrefix("--") }
  }

  /// Creates a text from a string.
  public init(name: String, _ text: String) {
    self.init(name: name, utf8: Array(text.utf8))
  }

  /// Creates a text from bytes, which should be valid UTF-8; linear in their number.
  package init(name: String, utf8: [UInt8]) {
    self.init(name: name, utf8: utf8, ownCount: utf8.count, parts: [])
  }

  /// The text with another one behind it, from a line of its own on: places in that are called `name`.
  @usableFromInline package func adding(_ text: String, named name: String) -> SourceText {
    adding(utf8: Array(text.utf8), named: name, isFile: false)
  }

  /// The text with a file behind it, whose places have its name, their line and their column.
  package func including(_ file: SourceText) -> SourceText {
    adding(utf8: file.utf8, named: file.name, isFile: true)
  }

  private func adding(utf8 text: [UInt8], named name: String, isFile: Bool) -> SourceText {
    let part = Part(
      name: name, start: Int32(utf8.count + 1), firstLine: lineStarts.count + 1, isFile: isFile)
    return SourceText(
      name: self.name, utf8: utf8 + [0x0A] + text, ownCount: ownCount, parts: parts + [part])
  }

  /// The added text that an offset is in; nil for one in the file's own.
  @usableFromInline package func part(at offset: Int32) -> Part? {
    guard Int(offset) > ownCount else { return nil }
    return parts.last { $0.start <= offset }
  }

  /// The file that an offset is in, and the line in that, from 1.
  package func fileLine(at offset: Int32) -> (file: String, line: Int) {
    let line = lineNumber(at: offset)
    guard let part = part(at: offset) else { return (name, line) }
    return (part.name, line - part.firstLine + 1)
  }

  private init(name: String, utf8: [UInt8], ownCount: Int, parts: [Part]) {
    precondition(utf8.count < Int32.max, "a trace is smaller than 2 GB")
    (self.name, self.utf8) = (name, utf8)
    (self.ownCount, self.parts) = (ownCount, parts)
    var starts: [Int32] = [0]
    for (offset, byte) in utf8.enumerated() where byte == 0x0A { starts.append(Int32(offset + 1)) }
    lineStarts = starts
  }

  /// The line, counted from 1, that holds `offset`; logarithmic in the number of lines.
  @usableFromInline package func lineNumber(at offset: Int32) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The text of line `number`, counted from 1, without its line break.
  @usableFromInline package func line(_ number: Int) -> String {
    let start = Int(lineStarts[number - 1])
    var end = number < lineStarts.count ? Int(lineStarts[number]) - 1 : utf8.count
    if end > start && utf8[end - 1] == 0x0D { end -= 1 }
    return String(decoding: utf8[start..<end], as: UTF8.self)
  }

  /// The column, counted from 1 in characters, of `offset` in its line.
  @usableFromInline package func column(at offset: Int32) -> Int {
    let start = Int(lineStarts[lineNumber(at: offset) - 1])
    return String(decoding: utf8[start..<max(start, min(Int(offset), utf8.count))], as: UTF8.self)
      .count + 1
  }

  /// The text in `range`.
  @usableFromInline package func text(in range: SourceRange) -> String {
    let lower = max(0, min(Int(range.lowerBound), utf8.count))
    let upper = max(lower, min(Int(range.upperBound), utf8.count))
    return String(decoding: utf8[lower..<upper], as: UTF8.self)
  }

  /// `LINE:COLUMN` of the start of `range`, with the name of the file in front where that is another one; only a
  /// name for a place in the library's own text.
  public func position(of range: SourceRange) -> String {
    guard let part = part(at: range.lowerBound) else { return lineAndColumn(of: range) }
    return part.isFile ? "\(part.name):\(lineAndColumn(of: range))" : part.name
  }

  /// `FILE:LINE:COLUMN` of the start of `range`.
  package func place(of range: SourceRange) -> String {
    part(at: range.lowerBound)?.isFile == true
      ? position(of: range) : "\(name):\(position(of: range))"
  }

  /// Whether an offset is in a Swift file, and not in a trace.
  package func isSwift(at offset: Int32) -> Bool {
    part(at: offset)?.isSwift ?? name.hasSuffix(".swift")
  }

  /// Whether it, or a part of it, is a Swift file.
  package var hasSwift: Bool { isSwift || parts.contains(where: \.isSwift) }

  /// Whether it is a Swift file itself.
  package var isSwift: Bool { name.hasSuffix(".swift") }

  private func lineAndColumn(of range: SourceRange) -> String {
    "\(fileLine(at: range.lowerBound).line):\(column(at: range.lowerBound))"
  }
}
