import SpindleModel

extension TimelineStore {
  /// The parts of a path, those of one unit of one thread joined, and those of one sort in a row.
  func links(of path: CriticalPath) -> [PathLink] {
    var links: [PathLink] = []
    for step in path.steps {
      let unit = step.piece.unit
      let sort = sort(of: unit, on: step.thread)
      let isIdle = step.piece.isIdle
      let isSame = unit.map { $0.item == links.last?.unit?.item && !$0.item.isNone } ?? false
      if let last = links.last, last.thread == step.thread || isSame, last.isIdle == isIdle,
        last.sort == sort
      {
        links[links.count - 1].add(step, unit)
      } else {
        var link = PathLink(
          thread: step.thread, sort: sort, unit: unit, start: step.piece.start,
          end: step.piece.start, isIdle: isIdle)
        link.add(step, unit)
        links.append(link)
      }
    }
    return links
  }

  /// Several units of a sort: their names when they are few, else how many.
  private func many(_ link: PathLink) -> String {
    let names = link.named.map { words($0, on: link.thread) }
    return names.count <= 3 ? TimelineStore.list(names) : "\(names.count) \(link.sort)"
  }

  /// A link in words: what it was, how long, and of what that consisted.
  func words(_ link: PathLink) -> String {
    let length = TimelineStore.short(link.length)
    if link.isIdle {
      return "'\(name(of: link.thread))' idle for \(length), until there was something to do"
    }
    var texts: [String] = []
    if link.work > 0 && link.work < link.length {
      texts.append("\(TimelineStore.short(link.work)) work")
    }
    if link.noCore > 0 { texts.append("\(TimelineStore.short(link.noCore)) without a core") }
    for slice in link.waits.prefix(3) {
      texts.append(wait(slice, from: slice.start, to: slice.end))
    }
    texts += link.taskWaits.prefix(3).map { taskWait($0) }
    if link.taskWaits.count > 3 {
      let length = TimelineStore.short(link.taskWaits.dropFirst(3).reduce(0) { $0 + $1.length })
      texts.append("\(length) in \(link.taskWaits.count - 3) more waits")
    }
    if link.waits.count > 3 { texts.append("\(link.waits.count - 3) more waits") }
    let what = texts.isEmpty ? "" : " (\(texts.joined(separator: ", ")))"
    let place = link.unit.flatMap { position($0.place) }.map { " (\($0))" } ?? ""
    let who = link.units > 1 ? many(link) : "\(words(link.unit, on: link.thread))\(place)"
    return "\(who) \(length)\(what)"
  }
}

/// Neighbours on a critical path that one unit of work, or several of a sort, are.
struct PathLink {
  var thread: ThreadIndex
  var sort: String
  /// The first unit.
  var unit: SpanSlice?
  var start: Instant
  var end: Instant
  var isIdle: Bool
  /// The units, each once.
  var named: [SpanSlice] = []
  /// How long it ran.
  var work: Int64 = 0
  /// How long it had no core.
  var noCore: Int64 = 0
  /// What it waited for.
  var waits: [ThreadSlice] = []
  /// What it waited for without a thread, as a task.
  var taskWaits: [TimePiece] = []

  var length: Int64 { end.nanoseconds - start.nanoseconds }

  /// How many units.
  var units: Int { named.count }

  /// Adds what comes next.
  mutating func add(_ step: CriticalPath.Step, _ unit: SpanSlice?) {
    if let unit, named.last != unit { named.append(unit) }
    end = step.piece.end
    switch step.piece.kind {
    case .work: work += step.piece.length
    case .noCore: noCore += step.piece.length
    case .wait:
      if var slice = step.piece.slice, !isIdle {
        (slice.start, slice.end) = (step.piece.start, step.piece.end)
        waits.append(slice)
      }
    case .taskWait: taskWaits.append(step.piece)
    case .noThread: break
    }
  }
}
