import SpindleModel

extension TimelineStore {
  /// The parts of a path from a moment on, those of one unit of one thread joined, and those of one sort in a row.
  func links(of path: CriticalPath, from start: Instant = .start) -> [PathLink] {
    var links: [PathLink] = []
    for step in path.steps where step.piece.end > start {
      var step = step
      step.piece.start = max(step.piece.start, start)
      let unit = step.piece.unit
      let kind = PathLink.Kind(step.piece)
      let sort = kind == .answer ? answerPhrase : sort(of: unit, on: step.called)
      let isSame = unit.map { $0.item == links.last?.unit?.item && !$0.item.isNone } ?? false
      let isMain =
        unit == nil && links.last.map { $0.unit == nil && $0.called == step.called } ?? false
      if let last = links.last, last.thread == step.thread || isSame || isMain, last.kind == kind,
        last.sort == sort, kind != .answer
      {
        links[links.count - 1].add(step, unit)
      } else {
        var link = PathLink(
          thread: step.thread, called: step.called, sort: sort, unit: unit, start: step.piece.start,
          end: step.piece.start, kind: kind)
        link.add(step, unit)
        links.append(link)
      }
    }
    return links
  }

  /// Several units of a sort: their names when they are few, else how many.
  private func many(_ link: PathLink) -> String {
    let names = link.named.map { words($0, on: link.called) }
    return names.count <= 3 ? TimelineStore.list(names) : "\(names.count) \(link.sort)"
  }

  /// The waits that are not listed one by one, so that the parts add up.
  private func more(_ waits: [Int64]) -> [String] {
    if waits.isEmpty { return [] }
    let length = TimelineStore.short(waits.reduce(0, +))
    return ["\(length) in \(waits.count == 1 ? "another wait" : "\(waits.count) more waits")"]
  }

  /// What an idle thread was woken for, where nothing in the run caused it; nil where something did, or the
  /// cause is unknown.
  private func first(on thread: ThreadIndex, after time: Instant) -> String? {
    let spans = spans[Int(thread.raw)]
    let next = spans.partition { $0.start < time }
    guard next < spans.count else { return nil }
    let span = spans[next]
    let idles = states(of: thread, from: time, to: span.start).contains {
      $0.state == .waiting && $0.start > time
    }
    if idles { return nil }
    let what = words(span, on: thread) + (position(span.place).map { " (\($0))" } ?? "")
    if span.kind == .timer { return "\(what) was due" }
    guard span.kind == .item, let item = item(span.item), item.submitter.isNone,
      item.submitted == time
    else { return nil }
    return item.isPlanned ? "\(what) was due" : "\(what) came"
  }

  /// Why the unit of a link had no core for the longest time, as a clause.
  private func noCore(_ link: PathLink) -> String {
    guard let piece = link.longestNoCore, let slice = piece.slice else { return "" }
    return withoutCore(slice, from: piece.start, to: piece.end)
  }

  /// A link in words: what it was, how long, and of what that consisted.
  func words(_ link: PathLink) -> String {
    let length = TimelineStore.short(link.length)
    switch link.kind {
    case .idle:
      let came = first(on: link.thread, after: link.end) ?? "there was something to do"
      return "'\(name(of: link.thread))' idle for \(length), until \(came)"
    case .answer: return "\(length) for \(answerPhrase), asked at \(link.start)"
    case .before:
      let came = first(on: link.thread, after: link.end)
      return came.map { "\(length) until \($0)" } ?? "\(length) until its first cause"
    case .after: return "\(length) in which no thread ran"
    case .unknown: return "\(length) without a known cause"
    case .unit: break
    }
    var texts: [String] = []
    if link.work > 0 && link.work < link.length {
      texts.append("\(TimelineStore.short(link.work)) work")
    }
    if link.noCore > 0 {
      texts.append("\(TimelineStore.short(link.noCore)) without a core\(noCore(link))")
    }
    let waits = link.waits.sorted { ($1.length, $0.start) < ($0.length, $1.start) }
    texts += waits.prefix(3).sorted { $0.start < $1.start }
      .map { wait($0, from: $0.start, to: $0.end) }
    texts += more(waits.dropFirst(3).map(\.length.rawValue))
    let taskWaits = link.taskWaits.sorted { ($1.length, $0.start) < ($0.length, $1.start) }
    texts += taskWaits.prefix(3).sorted { $0.start < $1.start }.map { taskWait($0) }
    texts += more(taskWaits.dropFirst(3).map(\.length))
    let what = texts.isEmpty ? "" : " (\(texts.joined(separator: ", ")))"
    let place = link.unit.flatMap { position($0.place) }.map { " (\($0))" } ?? ""
    let who = link.units > 1 ? many(link) : "\(words(link.unit, on: link.called))\(place)"
    let core = machineCauses(of: link.thread, from: link.start, to: link.end)
    return "\(who) \(length)\(what)\(core)"
  }
}
