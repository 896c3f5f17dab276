import SpindleModel

/// What a wait was for, its owner, and what the owner did meanwhile, in words.
extension TimelineStore {
  /// How many owners of owners are followed.
  private static let greatestDepth = 2

  /// A wait in words, from the length on: `42.2ms for lock 'lock', held by 'prune' (15:9)`.
  func wait(_ slice: ThreadSlice, from: Instant, to: Instant, depth: Int = 0) -> String {
    let length = TimelineStore.short(to.nanoseconds - from.nanoseconds)
    guard let reason = slice.reason else { return length }
    let facts = reason.facts
    var text = "\(length) \(phrase(of: slice, facts))"
    if depth == 0 && facts.family != .idle {
      text += position(slice.place).map { " at \($0)" } ?? ""
    }
    switch facts.culprit {
    case .none: return text
    case .holders: return text + holders(of: slice, from: from, to: to, depth: depth)
    case .occupants: return text + occupants(of: slice, from: from, to: to, depth: depth)
    case .thread: return text + doing(slice.agent, from: from, to: to, depth: depth)
    case .waker(let did):
      guard let (agent, item) = waker(of: slice) else { return text }
      let who = item.flatMap { name(of: $0.item) } ?? name(of: agent)
      return text + ", until '\(who)' \(did)" + late(item, from: from, to: to, depth: depth)
    }
  }

  /// What a wait is for, without the owner.
  func waitedFor(_ slice: ThreadSlice) -> String {
    slice.reason.map { phrase(of: slice, $0.facts) } ?? "for something"
  }

  /// What a wait is for: the phrase of its reason with the name in its place.
  private func phrase(of slice: ThreadSlice, _ facts: WaitFacts) -> String {
    let object: String
    switch facts.culprit {
    case .thread: object = name(of: slice.agent)
    case .none, .holders, .occupants, .waker:
      object = slice.lane.isNone ? text(slice.name) ?? "" : name(of: slice.lane)
    }
    let phrase = "\(facts.phrase)"
    // A run loop that idles in no mode of a name.
    if object.isEmpty, let comma = phrase.firstIndex(of: ",") { return String(phrase[..<comma]) }
    return phrase.replacing("%", with: object)
  }

  /// The waker that ended a wait, and its item then; nil for none.
  private func waker(of slice: ThreadSlice) -> (thread: ThreadIndex, item: SpanSlice?)? {
    guard slice.ended == .woken else { return nil }
    let next = states[Int(slice.thread.raw)].first { $0.start >= slice.end && $0.state == .ready }
    guard let agent = next?.agent, !agent.isNone else { return nil }
    let item = spans[Int(agent.raw)].last {
      $0.kind == .item && $0.start <= slice.end && $0.end >= slice.end
    }
    return (agent, item)
  }

  /// Why an item that a thread waited for did not end sooner, as a clause behind it: it began late, or its
  /// thread did something else than its work.
  private func late(_ span: SpanSlice?, from: Instant, to: Instant, depth: Int) -> String {
    guard let span, !span.item.isNone, depth < TimelineStore.greatestDepth else { return "" }
    let whole = to.nanoseconds - from.nanoseconds
    if let item = items.first(where: { $0.item == span.item }), item.hasStarted,
      (item.started.nanoseconds - from.nanoseconds) * 4 >= whole,
      let delay = delay(of: item).first
    {
      return ", which began late: \(delay)"
    }
    return doing(span.thread, from: max(from, span.start), to: to, depth: depth)
  }

  /// The owners of a lock while a thread waited for it, and what the longest one did.
  private func holders(of slice: ThreadSlice, from: Instant, to: Instant, depth: Int) -> String {
    let all = holds.filter {
      $0.lane == slice.lane && $0.thread != slice.thread && $0.start < to && $0.end > from
    }
    func length(_ hold: HoldSlice) -> Int64 {
      min(hold.end, to).nanoseconds - max(hold.start, from).nanoseconds
    }
    let order = all.indices.sorted {
      let (left, right) = (length(all[$0]), length(all[$1]))
      return left == right ? $0 < $1 : left > right
    }
    guard let first = order.first.map({ all[$0] }) else {
      return slice.agent.isNone ? "" : ", held by '\(name(of: slice.agent))'"
    }
    var text = ", held by \(holder(first))"
    if order.count > 1 { text += " for \(TimelineStore.short(length(first)))" }
    text += doing(
      first.thread, from: max(first.start, from), to: min(first.end, to), depth: depth)
    if order.count > 1 {
      let others = order.dropFirst().map { "\(holder(all[$0]))" }
      text += ", and by \(TimelineStore.list(Array(others)))"
    }
    return text
  }

  /// What ran on a queue while a thread waited in `sync` for it.
  private func occupants(of slice: ThreadSlice, from: Instant, to: Instant, depth: Int)
    -> String
  {
    var found: [(name: String, length: Int64, span: SpanSlice)] = []
    for spans in spans {
      for span in spans
      where span.lane == slice.lane && span.start < to && span.end > from
        && span.thread != slice.thread && (span.kind == .item || span.kind == .sync)
      {
        let place = position(span.place).map { " (\($0))" } ?? ""
        let who =
          span.kind == .item
          ? words(span, on: span.thread) : "a sync of \(caller(of: span))"
        found.append(
          (
            who + place, min(span.end, to).nanoseconds - max(span.start, from).nanoseconds, span
          ))
      }
    }
    let order = found.indices.sorted {
      found[$0].length == found[$1].length ? $0 < $1 : found[$0].length > found[$1].length
    }
    guard let first = order.first else {
      let late = lateInFront(of: slice, from: from, to: to)
      if !late.isEmpty { return late }
      return slice.agent.isNone ? "" : ", which '\(name(of: slice.agent))' has"
    }
    let ran = ", which ran \(TimelineStore.list(order.map { found[$0].name }))"
    if order.count > 1 { return ran }
    let span = found[first].span
    if span.kind == .sync {
      let (start, end) = (max(from, span.start), min(to, span.end))
      return ran + doing(span.thread, from: start, to: end, depth: depth)
    }
    // "ran" implies that it worked there.
    let why = late(span, from: from, to: to, depth: depth)
    return why.hasPrefix(", which worked") ? ran : ran + why
  }

  /// The item of a queue that a sync waited behind, where it took no time and waited for a worker, as a clause.
  private func lateInFront(of slice: ThreadSlice, from: Instant, to: Instant) -> String {
    let first = items.first {
      $0.lane == slice.lane && $0.thread != slice.thread && $0.hasStarted && $0.submitted <= from
        && $0.started > from && $0.ended <= to
    }
    guard let first, let (answer, end) = answer(to: first) else { return "" }
    let length = TimelineStore.short(end.nanoseconds - max(answer.asked, from).nanoseconds)
    let who =
      "'\(name(of: first.item) ?? "item")'" + (position(first.place).map { " (\($0))" } ?? "")
    return ", behind \(who), which waited \(length) for \(answerPhrase)"
  }

  /// The caller of a sync: the item of its thread, else the thread.
  func caller(of sync: SpanSlice) -> String {
    let item = units(of: sync.thread, from: sync.start, to: Instant(sync.start.nanoseconds + 1))
      .first
    guard let item, item.kind == .item, item.start < sync.start || item.depth < sync.depth else {
      return "'\(name(of: sync.thread))'"
    }
    return words(item, on: sync.thread)
  }

  /// What a thread mostly did between two moments, as a clause behind its name.
  func doing(_ thread: ThreadIndex, from: Instant, to: Instant, depth: Int) -> String {
    let whole = to.nanoseconds - from.nanoseconds
    guard depth < TimelineStore.greatestDepth && whole > 0 && !thread.isNone else { return "" }
    var (work, noCore) = (Int64(0), Int64(0))
    var longest: TimePiece?
    for piece in pieces(of: thread, from: from, to: to) {
      switch piece.kind {
      case .work: work += piece.length
      case .noCore: noCore += piece.length
      case .wait: if piece.length > (longest?.length ?? 0) { longest = piece }
      case .noThread, .taskWait, .answer, .unknown: break
      }
    }
    var clauses: [String] = []
    if let longest, let slice = longest.slice, longest.length * 4 >= whole {
      clauses.append(
        "waited \(wait(slice, from: longest.start, to: longest.end, depth: depth + 1))")
    }
    if noCore * 4 >= whole {
      let others = competitors(of: thread, from: from, to: to)
      let policy = policyClause(against: thread, from: from, to: to).dropFirst(2)
      let why = policy.isEmpty ? "" : " (\(policy))"
      let who = (others.isEmpty ? "" : " while \(TimelineStore.list(others)) ran") + why
      clauses.append("had no core for \(TimelineStore.short(noCore))\(who)")
    }
    if work * 4 >= whole { clauses.append("worked for \(TimelineStore.short(work))") }
    return clauses.isEmpty ? "" : ", which \(clauses.joined(separator: " and "))"
  }
}
