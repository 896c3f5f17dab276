import SpindleModel

/// Pieces of a thread's time with the same meaning, joined, so that a few of them cover the whole.
struct TimePart {
  var pieces: [TimePiece]
  /// What they have in common: the kind of work, or what was waited for.
  var key: String
  /// The time of all of them.
  var length: Int64

  var start: Instant { pieces[0].start }
  var end: Instant { pieces[pieces.count - 1].end }

  /// Whether it is listed however short it is: time that was lost among parts that are short.
  var isTold = false

  /// How much of its time the thread ran.
  var worked: Int64 { pieces.reduce(0) { $0 + ($1.kind == .work ? $1.length : 0) } }

  /// How much of its time the thread could have run and had no core.
  var withoutCore: Int64 { pieces.reduce(0) { $0 + ($1.kind == .noCore ? $1.length : 0) } }

  /// The items that were at work in it, each once, in order.
  var items: [ItemIndex] {
    var found: [ItemIndex] = []
    for piece in pieces {
      if let unit = piece.unit, unit.kind == .item, found.last != unit.item {
        found.append(unit.item)
      }
    }
    return found
  }
}

extension TimelineStore {
  /// A part that is shorter than this share of the whole is summed with others.
  private static let smallestShare: Int64 = 40
  /// The number of parts that are listed.
  private static let partLimit = 6

  /// What a thread's time between two moments consisted of, in order, in words.
  func parts(of thread: ThreadIndex, from: Instant, to: Instant) -> [String] {
    let pieces = pieces(of: thread, from: from, to: to)
    let whole = max(1, to.nanoseconds - from.nanoseconds)
    let smallest = max(1, whole / TimelineStore.smallestShare)
    var parts = joined(joined(pieces.map { part([$0], on: thread) }), under: smallest, on: thread)
    func isTold(_ part: TimePart) -> Bool { part.length >= smallest || part.isTold }
    var left = parts.filter { !isTold($0) }.map(\.length)
    parts = joined(parts.filter(isTold))
    if parts.count > TimelineStore.partLimit {
      // The longest are listed, in their order.
      let order = parts.indices.sorted {
        parts[$0].length == parts[$1].length ? $0 < $1 : parts[$0].length > parts[$1].length
      }
      let told = Set(order.prefix(TimelineStore.partLimit))
      left += parts.indices.filter { !told.contains($0) }.map { parts[$0].length }
      parts = parts.indices.filter { told.contains($0) }.map { parts[$0] }
    }
    if left.reduce(0, +) * 4 >= whole { return summed(pieces, on: thread, of: whole) }
    var texts = parts.enumerated().map { words($1, on: thread, from: from, isFirst: $0 == 0) }
    let least = parts.map(\.length).min() ?? whole
    if let rest = TimelineStore.rest(left, told: least, of: whole) { texts.append("and \(rest)") }
    return texts
  }

  /// What is left out of a list of parts, of which the shortest listed one has length `least`; nil where that
  /// is less than a hundredth of the whole.
  static func rest(_ left: [Int64], told least: Int64, of whole: Int64) -> String? {
    let sum = left.reduce(0, +)
    guard sum > 0 && sum * 100 >= whole else { return nil }
    // Of equal parts some are listed and some are not: these are no smaller.
    if left.allSatisfy({ $0 < least }) { return "\(short(sum)) of smaller parts" }
    if left.count == 1 { return "another part of \(short(sum))" }
    return "\(left.count) more parts, \(short(sum)) in all"
  }

  private func part(_ pieces: [TimePiece], on thread: ThreadIndex) -> TimePart {
    let piece = pieces[0]
    var key: String
    switch piece.kind {
    case .work: key = "work \(sort(of: piece.unit, on: thread))"
    case .noCore: key = "no core"
    case .noThread, .taskWait, .answer, .unknown: key = "no thread"
    case .wait:
      key = "wait \(piece.slice?.reason?.rawValue ?? 0) \(piece.slice?.lane.raw ?? -1)"
      key += " \(piece.slice?.name.index ?? -1) \(piece.unit?.start.nanoseconds ?? -1)"
    }
    return TimePart(pieces: pieces, key: key, length: pieces.reduce(0) { $0 + $1.length })
  }

  /// Joins neighbours with the same meaning.
  private func joined(_ parts: [TimePart]) -> [TimePart] {
    var result: [TimePart] = []
    for part in parts {
      if let last = result.last, last.key == part.key {
        result[result.count - 1].pieces += part.pieces
        result[result.count - 1].length += part.length
      } else {
        result.append(part)
      }
    }
    return result
  }

  /// Joins runs of neighbours that are all short: together they are what one kind of work did.
  ///
  /// Time without a core that is a good part of such a run stays separate: to count it as work would be
  /// wrong.
  private func joined(
    _ parts: [TimePart], under least: Int64, on thread: ThreadIndex
  ) -> [TimePart] {
    var result: [TimePart] = []
    var small: [TimePart] = []
    func flush() {
      result += small.count > 1 ? mixed(small, under: least, on: thread) : small
      small = []
    }
    for part in parts {
      if part.length < least {
        small.append(part)
      } else {
        flush()
        result.append(part)
      }
    }
    flush()
    return result
  }

  /// Several short parts as one, or as two where much of their time had no core.
  private func mixed(
    _ small: [TimePart], under least: Int64, on thread: ThreadIndex
  ) -> [TimePart] {
    let length = small.reduce(0) { $0 + $1.length }
    let lost = small.filter { $0.key == "no core" }
    let without = lost.reduce(0) { $0 + $1.length }
    let separates = length >= least && without * 4 >= length && lost.count < small.count
    let pieces = (separates ? small.filter { $0.key != "no core" } : small).flatMap(\.pieces)
    assert(!pieces.isEmpty, "parts without pieces are joined")
    let sort = sort(of: pieces.first { $0.unit != nil }?.unit, on: thread)
    var part = TimePart(
      pieces: pieces, key: "mixed \(sort)", length: pieces.reduce(0) { $0 + $1.length })
    guard separates else { return [part] }
    var other = TimePart(pieces: lost.flatMap(\.pieces), key: "no core", length: without)
    (part.isTold, other.isTold) = (true, true)
    return [part, other]
  }

  private func words(
    _ part: TimePart, on thread: ThreadIndex, from: Instant, isFirst: Bool
  ) -> String {
    let piece = part.pieces[0]
    let length = TimelineStore.short(part.length)
    if part.key.hasPrefix("mixed") || piece.kind == .work { return work(part, on: thread, isFirst) }
    let unit = piece.unit == nil ? "" : "\(words(piece.unit, on: thread)) "
    switch piece.kind {
    case .noThread, .taskWait, .answer, .unknown: return "\(length) until a thread was made for it"
    case .noCore:
      let who = piece.slice.map { withoutCore($0, from: part.start, to: part.end) } ?? ""
      return unit.isEmpty
        ? "\(length) without a core\(who)" : "\(unit)had no core for \(length)\(who)"
    case .wait:
      guard let slice = piece.slice else { return length }
      // Woken and waiting for the same again: reported as one.
      let text = wait(slice, from: part.start, to: part.end)
      return unit.isEmpty ? text : "\(unit)waited \(text)"
    case .work: return work(part, on: thread, isFirst)
    }
  }

  /// Work, by one item or by several of a sort.
  private func work(_ part: TimePart, on thread: ThreadIndex, _ isFirst: Bool) -> String {
    let length = TimelineStore.short(part.length)
    let items = part.items
    if items.count > 1 {
      // Those that had to wait for what came before.
      let late = items.count { item($0).map { $0.started > $0.submitted } ?? false }
      let queued =
        isFirst || late == 0
        ? "" : late == items.count ? " that had queued up" : " of which \(late) had queued up"
      let unit = part.pieces.first { $0.unit != nil }?.unit
      return "\(items.count) \(sort(of: unit, on: thread))\(queued), \(length)"
    }
    let unit = part.pieces.first { $0.unit != nil }?.unit ?? part.pieces[0].unit
    let place = unit.flatMap { position($0.place) }.map { " (\($0))" } ?? ""
    // What it waited in between is not work, unless there is hardly any.
    let rest = part.length - part.worked
    let isMuch = rest * 20 >= part.length && part.worked > 0
    let worked = TimelineStore.short(isMuch ? part.worked : part.length)
    let core = machineCauses(of: thread, from: part.start, to: part.end)
    let head = "\(words(unit, on: thread))\(place) worked \(worked)\(core)"
    if !isMuch { return head }
    let without = part.withoutCore * 2 >= rest ? "had no core for" : "waited"
    return "\(head) and \(without) \(TimelineStore.short(rest)) in between"
  }
}
