/// The value of a cell of an export, as far as it is of use.
///
/// In an export a value with `id=` is given once, and referenced by `ref=` from then on.
struct ExportValue: Hashable, Sendable {
  /// Its number: its own where it is one, else that of the thread, the process, the task or the actor that
  /// it is; the least of all where it has none.
  var number: Int64 = .min
  /// The process that it belongs to; the least number where it is unknown.
  ///
  /// Of a note it is 1 where it names an interrupt, and else 0.
  var process: Int64 = .min
  /// Its text, as a place in the list of all texts; -1 where that is not kept.
  var text: Int32 = -1

  /// Whether it has a number.
  var hasNumber: Bool { number > .min }
}

/// Which elements are of use.
enum ExportKind: Hashable, Sendable {
  /// A time: each is referred to by values near it only.
  case time
  /// A plain number.
  case number
  /// The number of the thread, process, task or actor around it.
  case identity
  case thread, process
  /// A name from a short list, as that of a state.
  case name
  /// One of many names, or numbers, which is kept in columns that are asked for only.
  case detail
  /// A sentence: which thread made a thread runnable.
  case note
  /// An empty cell.
  case empty
  case other

  /// What an element is.
  init(_ tag: ExportTag) {
    for (kind, names) in Self.known {
      for name in names where tag.isCalled(name) {
        self = kind
        return
      }
    }
    self = .other
  }

  private static let known: [(ExportKind, [StaticString])] = [
    (.empty, ["sentinel"]), (.time, ["start-time", "event-time", "sample-time"]),
    (.number, ["duration", "sched-priority"]), (.thread, ["thread"]), (.process, ["process"]),
    (
      .identity, ["tid", "pid", "swift-task-id", "swift-actor-id", "uint32"]
    ),
    (
      .name,
      [
        "thread-state", "core", "swift-task-state", "swift-task-priority", "swift-actor",
        "analysis-core-swift-task", "swift-task", "kdebug-func", "medium-length-string",
      ]
    ),
    (.detail, ["short-string", "boolean", "uint64", "text-symbol"]), (.note, ["narrative"]),
  ]

  /// Whether its text is kept.
  var hasText: Bool { self == .thread || self == .process || self == .name || self == .detail }
}

/// All values that were given an id, and all texts.
struct ExportValues {
  /// Times are referenced only by what happens at the same time: this many ids are remembered.
  private static let window = 1 << 20

  private(set) var texts: [String] = []
  private var places: [String: Int32] = [:]
  private var values: [Int64: ExportValue] = [:]
  private var times: [(id: Int64, time: Int64)] = []

  /// Keeps a value under its id.
  mutating func keep(_ value: ExportValue, _ id: Int64, _ kind: ExportKind) {
    guard kind == .time, id >= 0 else {
      values[id] = value
      return
    }
    let slot = Int(id % Int64(Self.window))
    while times.count <= slot { times.append((-1, 0)) }
    times[slot] = (id, value.number)
  }

  /// The value with an id; nil where none was given.
  func value(_ id: Int64, _ kind: ExportKind) -> ExportValue? {
    guard kind == .time, id >= 0 else { return values[id] }
    let slot = Int(id % Int64(Self.window))
    guard slot < times.count, times[slot].id == id else { return nil }
    return ExportValue(number: times[slot].time)
  }

  /// The place of a text in the list.
  mutating func place(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    let text = MarkupText.plain(bytes.prefix(1_024))
    if let place = places[text] { return place }
    let place = Int32(clamping: texts.count)
    places[text] = place
    texts.append(text)
    return place
  }

  /// The text of a value; empty where it has none.
  func text(_ value: ExportValue?) -> String {
    guard let value, value.text >= 0 else { return "" }
    return texts[Int(value.text)]
  }
}

/// The name of a thread: `Main Thread (0x2732bb) (App, pid: 12345)`, and before Xcode 15 `Main Thread
/// 0x2732bb (App, pid: 12345)`.
struct ExportedThread: Hashable, Sendable {
  /// What the thread is called.
  var name = ""
  /// Its number, and that of its process; nil where they are not in it.
  var number: Int64?
  var process: Int64?
  /// What its process is called.
  var processName = ""

  /// Whether it is the first of its process.
  var isMain: Bool { name == "Main Thread" }

  /// Takes it apart.
  init(_ text: some StringProtocol) {
    let text = Substring(text)
    var (head, tail) = (text, text)
    for mark in [" (0x", " 0x"] {
      guard let start = Self.last(mark, in: text) else { continue }
      let digits = text[start.upperBound...].prefix(while: \.isHexDigit)
      guard let value = Int64(digits, radix: 16) else { continue }
      (number, head, tail) = (value, text[..<start.lowerBound], text[digits.endIndex...])
      break
    }
    if let comma = Self.last(", pid: ", in: tail) {
      process = Int64(tail[comma.upperBound...].prefix { $0.isASCII && $0.isNumber })
      // The process follows the number of the thread, or without one its name.
      let open = number == nil ? Self.last(" (", in: tail[..<comma.lowerBound]) : nil
      let before = tail[..<comma.lowerBound]
      let process = open.map { before[$0.upperBound...] } ?? before
      processName = String(process.drop { ") (".contains($0) })
      if let open { head = text[..<open.lowerBound] }
    }
    while head.first == " " { head = head.dropFirst() }
    while head.last == " " { head = head.dropLast() }
    name = String(head)
  }

  /// The last position of a mark.
  private static func last(_ mark: String, in text: Substring) -> Range<String.Index>? {
    var place = text.endIndex
    while place > text.startIndex {
      place = text.index(before: place)
      if text[place...].hasPrefix(mark) {
        return place..<text.index(place, offsetBy: mark.count)
      }
    }
    return nil
  }
}
