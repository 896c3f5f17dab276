import SpindleModel

/// The texts of slices that a file of Perfetto has numbered so far.
///
/// A number combines a name's number and its use, so that no text is created or compared for one that was
/// written before.
struct PerfettoNames {
  private var names = NameTable([])
  private var kinds: [WorkKind] = []
  private var source = SourceText(name: "", "")
  private var places: CodeTable<SourceRange> = []
  /// By name's or kind's number and 1: a bit for each use that has been written.
  private var said: ContiguousArray<UInt32> = []
  private var saidPlaces: ContiguousArray<Bool> = []

  init() {}

  init(_ run: RunDescription) {
    (names, kinds) = (run.names, run.program.kinds)
    (source, places) = (run.program.source, run.program.places)
  }

  // Uses 2 to 17 are the reasons to wait, 18 to 29 the kinds of spans.
  private static let plain = 0
  private static let submit = 1
  private static let firstReason = 2
  private static let firstSpan = 18
  private static let submitKind = 30
  private static let kind = 31

  /// The number of an item's name.
  func number(_ item: ItemSlice) -> UInt64 {
    item.name.index >= 0
      ? PerfettoNames.number(item.name.index, PerfettoNames.plain)
      : PerfettoNames.number(item.kind, PerfettoNames.kind)
  }

  /// The number of the text for a submitted item.
  func submitNumber(_ item: ItemSlice) -> UInt64 {
    item.name.index >= 0
      ? PerfettoNames.number(item.name.index, PerfettoNames.submit)
      : PerfettoNames.number(item.kind, PerfettoNames.submitKind)
  }

  /// The number of the text for what a thread waits for.
  func number(_ reason: WaitReason, _ name: NameID) -> UInt64 {
    PerfettoNames.number(name.index, PerfettoNames.firstReason + Int(reason.rawValue))
  }

  /// The number of a span's text, when it is not an item.
  func number(_ span: SpanSlice) -> UInt64 {
    PerfettoNames.number(span.name.index, PerfettoNames.firstSpan + Int(span.kind.rawValue))
  }

  /// The number of a name alone.
  func number(_ name: NameID) -> UInt64 { PerfettoNames.number(name.index, PerfettoNames.plain) }

  private static func number(_ index: Int32, _ use: Int) -> UInt64 {
    UInt64(UInt32(index + 1)) << 5 | UInt64(use)
  }

  /// Whether a number is used for the first time.
  mutating func isNew(_ number: UInt64) -> Bool {
    let (index, bit) = (Int(number >> 5), UInt32(1) << UInt32(number & 31))
    if index >= said.count {
      said.append(contentsOf: repeatElement(0, count: max(index + 1 - said.count, said.count)))
    }
    if said[index] & bit != 0 { return false }
    said[index] |= bit
    return true
  }

  /// The text of a number.
  func text(_ number: UInt64) -> String {
    let (index, use) = (Int(number >> 5) - 1, Int(number & 31))
    switch use {
    case PerfettoNames.plain: return index >= 0 ? names.text(NameID(index)) : "item"
    case PerfettoNames.submit: return "submit " + names.text(NameID(index))
    case PerfettoNames.submitKind, PerfettoNames.kind:
      let pattern = index >= 0 && index < kinds.count ? kinds[index].pattern : "item"
      return use == PerfettoNames.kind ? pattern : "submit " + pattern
    default: break
    }
    let what = index >= 0 ? " '" + names.text(NameID(index)) + "'" : ""
    if use >= PerfettoNames.firstSpan {
      let kind = SpanKind(rawValue: UInt8(use - PerfettoNames.firstSpan))
      return (kind?.word ?? "") + what
    }
    let reason = WaitReason(rawValue: UInt8(use - PerfettoNames.firstReason))
    return (reason.map { "\($0.facts.word)" } ?? "waits") + what
  }

  /// Whether a place of the trace is used for the first time.
  mutating func isNew(place: Int32) -> Bool {
    let index = Int(place)
    if index >= saidPlaces.count {
      let missing = max(index + 1 - saidPlaces.count, saidPlaces.count)
      saidPlaces.append(contentsOf: repeatElement(false, count: missing))
    }
    defer { saidPlaces[index] = true }
    return !saidPlaces[index]
  }

  /// Line and column of a place.
  func position(_ place: Int32) -> String {
    place >= 0 && Int(place) < places.count ? source.position(of: places[Int(place)]) : "?"
  }

  /// Line and column of a range, for findings.
  func position(of range: SourceRange) -> String { source.position(of: range) }
}

extension SpanKind {
  /// What it is called in exports.
  var word: String {
    switch self {
    case .item: "item"
    case .sync: "sync"
    case .apply: "concurrentPerform"
    case .iteration: "iteration"
    case .dispatchSource: "source handler"
    case .timer: "timer"
    case .source: "run loop source"
    case .observer: "observer"
    case .block: "run loop block"
    case .perform: "perform"
    case .message: "message"
    case .answer: "answer"
    }
  }
}
