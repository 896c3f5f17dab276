/// Reads the rows of a table that `xctrace export` printed, one after the other, so that no more than the
/// names in it and one row are in memory.
///
/// Source of the form: exports of Xcode 27 in sforteln/xctrace-query-mcp-server:tests/fixtures.
struct ExportReader {
  /// A row of the table.
  struct Row {
    /// On which line it ends, and which of the table's rows it is, from 1.
    var line: Int
    var number: Int
    /// The values of its cells, by the requested columns; nil of an empty one.
    fileprivate(set) var cells: [ExportValue?]
    /// Its mistake; nil for none.
    fileprivate(set) var fault: String?
  }

  /// A part of a table for its reader.
  enum Part {
    case row(Row)
    /// Something that can't be read, and is passed over.
    case mistake(RecordingMistake)
  }

  /// An element that has begun and not ended.
  private struct Open {
    var kind = ExportKind.other
    var role = Role.value
    var value = ExportValue()
    var id: Int64?
    var isKept = false
    /// Whether a thread in it is what it is about.
    var takesThread = true
  }

  /// What the elements that hold others are.
  private enum Role { case value, outer, row, schema, column, mnemonic }

  private(set) var values = ExportValues()
  /// Which columns of the table there are, of those that are asked for.
  private(set) var has: [Bool]
  private let table: String
  private let columns: [String]
  /// By place of a cell in a row: the requested column, -1 for others.
  private var slots: [Int] = []
  private var stack: [Open] = []
  private var row: Row
  private var cell = 0
  private var rows = 0
  private var isInTable = false
  private var tables = 0
  private var isInRow = false
  private var documentHasEnded = false

  /// Reads the rows of `table` in `bytes`, and gives of each the cells of `columns` to `body`.
  static func read(
    _ bytes: any RecordingBytes, table: String, columns: [String],
    _ body: (_ part: Part, _ reader: ExportReader) throws -> Void
  ) throws {
    var reader = ExportReader(table, columns)
    var line = 1
    let isCut = try bytes.forEachMark { mark, now in
      line = now
      try reader.take(mark, line: now, body)
      return true
    }
    if isCut || !reader.stack.isEmpty || !reader.documentHasEnded {
      let what = reader.isInRow ? "within row \(reader.rows + 1)" : "before the table does"
      try body(.mistake(RecordingMistake(.line(line), "the recording ends \(what)")), reader)
    }
  }

  private init(_ table: String, _ columns: [String]) {
    (self.table, self.columns) = (table, columns)
    has = columns.map { _ in false }
    row = Row(line: 0, number: 0, cells: columns.map { _ in nil })
  }

  private mutating func take(
    _ mark: ExportMark, line: Int, _ body: (Part, ExportReader) throws -> Void
  ) throws {
    switch mark {
    case .text(let text): say(text)
    case .damaged:
      if isInRow { row.fault = row.fault ?? "a tag in it can't be read" }
    case .tag(let tag):
      if tag.opens { try open(tag, line, body) }
      if tag.closes { try close(tag, line, body) }
    }
  }

  // MARK: Elements

  private mutating func open(
    _ tag: ExportTag, _ line: Int, _ body: (Part, ExportReader) throws -> Void
  ) throws {
    var element = Open()
    if tag.isCalled("row") {
      if isInRow { try end(line, fault: "the next begins within it", body) }
      begin()
      element.role = .row
    } else if !isInRow {
      try openOutside(tag, line, &element, body)
    } else if stack.count < 64 {
      openValue(tag, &element)
    } else {
      row.fault = row.fault ?? "its elements are nested too deeply"
      return
    }
    stack.append(element)
  }

  private mutating func openOutside(
    _ tag: ExportTag, _ line: Int, _ element: inout Open,
    _ body: (Part, ExportReader) throws -> Void
  ) throws {
    element.role = .outer
    if stack.count > 64 { stack = [] }
    if tag.isCalled("schema") {
      element.role = .schema
      let name = tag.attribute("name").map { MarkupText.plain($0) } ?? ""
      isInTable = name == table
      if isInTable { tables += 1 }
      if isInTable && tables > 1 {
        isInTable = false
        let what = "another table '\(table)' begins, and is skipped: export one table only"
        try body(.mistake(RecordingMistake(.line(line), what)), self)
      }
      if isInTable { slots = [] }
    } else if tag.isCalled("col") {
      element.role = .column
      if isInTable && slots.count < 256 { slots.append(-1) }
    } else if tag.isCalled("mnemonic") {
      element.role = .mnemonic
    } else if tag.isCalled("node") {
      isInTable = false
    }
  }

  private mutating func openValue(_ tag: ExportTag, _ element: inout Open) {
    let kind = ExportKind(tag)
    element.kind = kind
    guard kind != .other, kind != .empty else { return }
    let isCell = stack.last?.role == .row
    let isAskedFor = isInTable && isCell && cell < slots.count && slots[cell] >= 0
    element.isKept = isAskedFor || (kind != .detail && kind != .note)
    guard element.isKept else { return }
    if let id = tag.number("ref") {
      guard let value = values.value(id, kind) else {
        if isAskedFor { row.fault = row.fault ?? "its value \(id) was never given" }
        element.isKept = false
        return
      }
      element.value = value
      return
    }
    element.id = tag.number("id")
    guard let text = tag.attribute("fmt") else { return }
    if kind.hasText { element.value.text = values.place(text) }
    if kind == .note { (element.value, element.takesThread) = Self.note(text) }
  }

  /// Adds text within an element.
  private mutating func say(_ text: UnsafeBufferPointer<UInt8>) {
    guard let last = stack.indices.last else { return }
    if stack[last].role == .mnemonic, isInTable, !slots.isEmpty {
      let name = MarkupText.plain(text)
      if let column = columns.firstIndex(of: name), !has[column] {
        slots[slots.count - 1] = column
        has[column] = true
      }
      return
    }
    guard stack[last].isKept, stack[last].kind != .note else { return }
    let isNumber = stack[last].value.hasNumber
    if !isNumber, let number = MarkupText.number(text) { stack[last].value.number = number }
    let isBlank = text.allSatisfy { $0 == 0x20 || (9...13).contains($0) }
    if stack[last].value.text < 0, stack[last].kind.hasText, !isBlank {
      stack[last].value.text = values.place(text)
    }
  }

  private mutating func close(
    _ tag: ExportTag, _ line: Int, _ body: (Part, ExportReader) throws -> Void
  ) throws {
    if tag.isCalled("row") {
      if isInRow { try end(line, fault: nil, body) }
      return
    }
    if tag.isCalled("trace-query-result") {
      documentHasEnded = true
      if isInRow { try end(line, fault: "the table ends within it", body) }
      stack = []
      return
    }
    guard let element = stack.popLast() else { return }
    guard isInRow else { return }
    guard element.role == .value else {
      stack.append(element)
      row.fault = row.fault ?? "an element ends that has not begun"
      return
    }
    finish(element)
  }

  /// An element of a row has ended: it is a cell, or a part of the element around it.
  private mutating func finish(_ element: Open) {
    if let id = element.id, element.isKept { values.keep(element.value, id, element.kind) }
    guard let outer = stack.indices.last else { return }
    if stack[outer].role == .row {
      if isInTable, cell < slots.count, slots[cell] >= 0, element.isKept, element.kind != .empty {
        row.cells[slots[cell]] = element.value
      }
      cell += 1
      return
    }
    guard element.isKept else { return }
    switch element.kind {
    case .process: stack[outer].value.process = element.value.number
    case .identity, .thread:
      if !stack[outer].value.hasNumber && stack[outer].takesThread {
        stack[outer].value.number = element.value.number
      }
    default: break
    }
  }

  // MARK: Rows

  private mutating func begin() {
    isInRow = true
    cell = 0
    for index in row.cells.indices { row.cells[index] = nil }
    row.fault = nil
    if stack.count > 16 { stack = [] }
  }

  private mutating func end(
    _ line: Int, fault: String?, _ body: (Part, ExportReader) throws -> Void
  ) throws {
    isInRow = false
    while let element = stack.popLast(), element.role != .row {}
    guard isInTable else { return }
    rows += 1
    (row.line, row.number) = (line, rows)
    row.fault = row.fault ?? fault
    if row.fault == nil && cell != slots.count {
      row.fault = "it has \(cell) cells, and the table \(slots.count) columns"
    }
    try body(.row(row), self)
  }

  /// The thread that made another runnable, from a note, or nothing.
  ///
  /// `made runnable by  Main Thread (0x10e8) (App, pid: 5408)  running on  CPU 7 (P Core)`; a word states
  /// that an interrupt did so.
  private static func note(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> (value: ExportValue, takesThread: Bool) {
    let cursor = TextCursor(text)
    var value = ExportValue()
    value.process = cursor.first("interrupt", from: 0) == nil ? 0 : 1
    guard let start = cursor.first("made runnable by", from: 0) else { return (value, false) }
    guard let mark = cursor.first("0x", from: start) else { return (value, true) }
    var number: Int64 = 0
    for byte in text[(mark + 2)...].prefix(15) {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { break }
      number = number << 4 | Int64(digit)
    }
    value.number = number
    return (value, true)
  }
}
