import SpindleModel

/// What a thread was about, in words.
extension TimelineStore {
  /// A name for what a thread was about, which all of one sort share: `'frame*'`.
  func sort(of unit: SpanSlice?, on thread: ThreadIndex) -> String {
    guard let unit else { return "'\(name(of: thread))'" }
    if unit.kind == .item, let item = item(unit.item), let run {
      let kind = Int(item.kind)
      if kind >= 0 && kind < run.program.kinds.count {
        return "'\(run.program.kinds[kind].pattern)'"
      }
    }
    return words(unit, on: thread)
  }

  /// The kind of work, or its own name where the kind is named after its place.
  private func ownSort(of unit: SpanSlice?, on thread: ThreadIndex) -> String {
    let sort = sort(of: unit, on: thread)
    guard let unit, unit.kind == .item, let name = name(of: unit.item) else { return sort }
    let pattern = sort.utf8.dropFirst().dropLast()
    return NamePattern.matches(Array(name.utf8)[...], Array(pattern)) ? sort : "'\(name)'"
  }

  /// What a thread was about: the name of an item, or what sort of handler.
  func words(_ unit: SpanSlice?, on thread: ThreadIndex) -> String {
    guard let unit else { return "'\(name(of: thread))'" }
    let own = text(unit.name).map { " '\($0)'" } ?? ""
    switch unit.kind {
    case .item: return "'\(name(of: unit.item) ?? "item")'"
    case .sync: return "the sync of queue '\(name(of: unit.lane))'"
    case .apply: return "concurrentPerform"
    case .iteration: return "iteration \(unit.value)"
    case .dispatchSource: return "source\(own)"
    case .timer: return unit.name.index < 0 ? "a delayed perform" : "timer\(own)"
    case .source: return "source\(own)"
    case .observer: return "an observer"
    case .block: return "a block of the run loop"
    case .perform: return "a perform"
    case .message: return "a message to port\(own)"
    case .answer: return "an answer"
    }
  }

  /// The owner of something: the item that acquired it, or the thread; and where.
  func holder(_ hold: HoldSlice) -> String {
    let who = name(of: hold.item) ?? name(of: hold.thread)
    return "'\(who)'" + (position(hold.place).map { " (\($0))" } ?? "")
  }

  /// What ran on the cores between two moments, without a thread: kinds of work, those with most time first.
  func competitors(of thread: ThreadIndex, from: Instant, to: Instant) -> [String] {
    var sorts: [(name: String, length: Int64)] = []
    for other in threads where other.thread != thread {
      for piece in pieces(of: other.thread, from: from, to: to) where piece.kind == .work {
        let name = ownSort(of: piece.unit, on: other.thread)
        if let known = sorts.firstIndex(where: { $0.name == name }) {
          sorts[known].length += piece.length
        } else {
          sorts.append((name, piece.length))
        }
      }
    }
    let order = sorts.indices.sorted {
      sorts[$0].length == sorts[$1].length ? $0 < $1 : sorts[$0].length > sorts[$1].length
    }
    return order.map { sorts[$0].name }
  }

  /// A moment or a length with three digits.
  static func short(_ nanoseconds: Int64) -> String { Nanoseconds(nanoseconds).approximate }

  /// `a`, `a and b`, or `a, b and 3 more`.
  static func list(_ texts: [String], atMost limit: Int = 3) -> String {
    if texts.count > limit {
      let left = texts.count - limit + 1
      return texts.prefix(limit - 1).joined(separator: ", ") + " and \(left) more"
    }
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// What followed one another, as one clause: `a, then b, and 3ms of smaller parts`.
  static func sequence(_ parts: [String]) -> String {
    parts.reduce("") { text, part in
      text.isEmpty ? part : text + (part.hasPrefix("and ") ? ", " : ", then ") + part
    }
  }

  /// Two moments, as exact as their distance needs: `192..254.2ms`.
  static func window(_ from: Instant, _ to: Instant) -> String {
    var grain: Int64 = 1
    while grain * 1_000 <= to.nanoseconds - from.nanoseconds { grain *= 10 }
    func rounded(_ time: Instant) -> Int64 { (time.nanoseconds + grain / 2) / grain * grain }
    let (first, last) = (Instant(rounded(from)).description, Instant(rounded(to)).description)
    func unit(_ text: String) -> Substring { text.drop { $0.isNumber || $0 == "." } }
    guard unit(first) == unit(last) else {
      return rounded(from) == 0 ? "0..\(last)" : "\(first)..\(last)"
    }
    return "\(first.dropLast(unit(first).count))..\(last)"
  }
}
