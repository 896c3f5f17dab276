import SpindleModel

/// A thread's time by kind, where a few parts of it in a row would not cover the whole.
extension TimelineStore {
  /// Pieces with the same meaning, wherever they are.
  private struct Sum {
    /// What the pieces have in common, printed after the length.
    var first: TimePiece
    /// The sort of work.
    var sort: String
    /// The time of all of them.
    var length: Int64 = 0
    /// How many there are; those that follow one another count as one.
    var count = 0
    /// The items, each once.
    var items: Set<Int32> = []
    /// Of work: what getting cores for it cost.
    var costs = CoreCosts()
    /// When the last of them ended.
    var end = Instant.start
  }

  /// The number of sums that are listed.
  private static let sumLimit = 6

  /// The sums of pieces of a thread's time, by kind; those with most time first.
  func summed(_ pieces: [TimePiece], on thread: ThreadIndex, of whole: Int64) -> [String] {
    var (sums, places): ([Sum], [String: Int]) = ([], [:])
    for piece in pieces {
      let sort = sort(of: piece.unit, on: thread)
      var key = "\(piece.kind)"
      switch piece.kind {
      case .work, .noCore: key += " \(sort)"
      case .wait:
        key += " \(piece.slice?.reason?.rawValue ?? 0) \(piece.slice?.lane.raw ?? -1) \(sort)"
      case .noThread, .taskWait, .answer, .unknown: break
      }
      let place = places[key] ?? sums.count
      if place == sums.count {
        places[key] = place
        sums.append(Sum(first: piece, sort: sort))
      }
      if sums[place].count == 0 || sums[place].end < piece.start { sums[place].count += 1 }
      sums[place].length += piece.length
      sums[place].end = piece.end
      if piece.kind == .work, let slice = piece.slice {
        let cores = run?.machine.cores ?? []
        sums[place].costs.add(slice, from: piece.start, to: piece.end, on: cores)
      }
      if let unit = piece.unit, !unit.item.isNone { sums[place].items.insert(unit.item.raw) }
    }
    let order = sums.indices.sorted {
      sums[$0].length == sums[$1].length ? $0 < $1 : sums[$0].length > sums[$1].length
    }
    var texts = order.prefix(TimelineStore.sumLimit).map { words(sums[$0], on: thread) }
    let left = order.dropFirst(TimelineStore.sumLimit).map { sums[$0].length }
    let least = order.prefix(TimelineStore.sumLimit).last.map { sums[$0].length } ?? whole
    if let rest = TimelineStore.rest(left, told: least, of: whole) { texts.append(rest) }
    // They did not follow one another: one text.
    return ["in all, " + TimelineStore.list(texts, atMost: texts.count)]
  }

  private func words(_ sum: Sum, on thread: ThreadIndex) -> String {
    let length = TimelineStore.short(sum.length)
    let piece = sum.first
    let who = sum.items.count > 1 ? "\(sum.items.count) \(sum.sort)" : words(piece.unit, on: thread)
    let often = sum.count > 1 ? ", \(sum.count) times" : ""
    switch piece.kind {
    case .work: return "\(who) worked \(length)\(sum.costs.clause)"
    case .noCore: return "\(who) had no core for \(length)"
    case .wait:
      guard let slice = piece.slice, slice.reason != nil else { return "\(who) waited \(length)" }
      let text = "\(length) \(waitedFor(slice))"
      return piece.isIdle ? text : "\(who) waited \(text)\(often)"
    case .noThread, .taskWait, .answer, .unknown: return "\(length) until a thread was made for it"
    }
  }
}
