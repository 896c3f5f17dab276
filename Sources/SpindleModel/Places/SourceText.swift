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
  /// What places are called that are not in the file; empty where nothing was added.
  @usableFromInline package let addition: String

  /// Creates a text from a string.
  public init(name: String, _ text: String) {
    self.init(name: name, utf8: Array(text.utf8))
  }

  /// Creates a text from bytes, which should be valid UTF-8; linear in their number.
  package init(name: String, utf8: [UInt8]) {
    self.init(name: name, utf8: utf8, ownCount: utf8.count, addition: "")
  }

  /// The text with another one behind it, from a line of its own on: places in that are called `name`.
  @usableFromInline package func adding(_ text: String, named name: String) -> SourceText {
    precondition(addition.isEmpty, "a text is added once")
    return SourceText(
      name: self.name, utf8: utf8 + [0x0A] + text.utf8, ownCount: utf8.count, addition: name)
  }

  private init(name: String, utf8: [UInt8], ownCount: Int, addition: String) {
    precondition(utf8.count < Int32.max, "a trace is smaller than 2 GB")
    (self.name, self.utf8) = (name, utf8)
    (self.ownCount, self.addition) = (ownCount, addition)
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

  /// `LINE:COLUMN` of the start of `range`; what it is in, where that is not the file.
  public func position(of range: SourceRange) -> String {
    if Int(range.lowerBound) > ownCount { return addition }
    return "\(lineNumber(at: range.lowerBound)):\(column(at: range.lowerBound))"
  }
}
