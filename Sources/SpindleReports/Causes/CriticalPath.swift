import SpindleModel

/// The chain of work, waits and wakes that ends at a moment, back to its first cause: no part of it
/// could be later without the end being later too.
///
/// It is walked back from the thread that was at work last. Whoever ran is followed back on its thread; whoever
/// was woken is followed to who woke it; what a device, a timer or the world outside did has no
/// earlier cause in the run. The idea is that of the critical path of a program's activity graph
/// (Yang and Miller, ICDCS 1988) and of wait-for analysis (wPerf, OSDI 2018).
struct CriticalPath {
  /// The parts in the order of time; each begins when the one before it ends.
  private(set) var steps: [Step] = []

  /// A part of the path.
  struct Step {
    var thread: ThreadIndex
    var piece: TimePiece
  }

  /// How many steps back are gone at most.
  private static let limit = 1_000_000

  /// The path that ends on `thread` at `time`.
  init(_ store: TimelineStore, to thread: ThreadIndex, at time: Instant) {
    var (thread, time) = (thread, time)
    var reversed: [Step] = []
    var stepsLeft = CriticalPath.limit
    // Where the path has been at this moment.
    var (seen, seenAt): (Set<Int64>, Instant) = ([], time)
    walk: while time > .start && stepsLeft > 0 {
      guard thread.raw >= 0 else { break }
      let states = store.states[Int(thread.raw)]
      // The last state that began before, or the running one that began just now; where threads wake each
      // other in a cycle without any time between, one that began before.
      var index = states.partition { $0.start <= time } - 1
      while index >= 0 && states[index].start == time && states[index].state != .running {
        index -= 1
      }
      if time < seenAt { (seen, seenAt) = ([], time) }
      if !seen.insert(Int64(thread.raw) << 32 | Int64(max(0, index))).inserted {
        index = states.partition { $0.start < time } - 1
      }
      while index >= 0 {
        stepsLeft -= 1
        let slice = states[index]
        let end = min(slice.end, time)
        if end > slice.start {
          for piece in store.pieces(of: thread, from: slice.start, to: end).reversed() {
            reversed.append(Step(thread: thread, piece: piece))
          }
        }
        time = min(time, slice.start)
        // Who woke it knows the cause; nobody did when a device, a timer or the world outside did.
        if slice.state == .ready && (slice.began == .woken || slice.began == .started),
          !slice.agent.isNone && slice.agent != thread
        {
          thread = slice.agent
          continue walk
        }
        if slice.state == .ready && slice.began == .started { break walk }
        // A run loop is woken by a port: who handed over what it then does first is the cause.
        if slice.state == .ready && slice.began == .woken,
          let item = store.cause(ofWake: slice)
        {
          (thread, time) = (item.submitter, item.submitted)
          continue walk
        }
        index -= 1
        if stepsLeft <= 0 { break }
        guard index < 0 else { continue }
      }
      break
    }
    steps = reversed.reversed()
  }
}

extension TimelineStore {
  /// The item whose handing over woke a thread that was idle, by the world's or a port's hand; nil when
  /// there is none, or nobody in the run handed it over.
  fileprivate func cause(ofWake slice: ThreadSlice) -> ItemSlice? {
    let index = Int(slice.thread.raw)
    let waited = states[index].partition { $0.end <= slice.start && $0.start < slice.start } - 1
    guard waited >= 0, states[index][waited].state == .waiting,
      let span = spans[index][spans[index].partition { $0.start < slice.start }...]
        .first(where: { $0.kind == .item }),
      let item = item(span.item), !item.submitter.isNone,
      item.submitted > states[index][waited].start, item.submitted <= slice.start
    else { return nil }
    return item
  }

  /// Where the makespan ends: who was at work last; nil when nobody ever was.
  var lastAtWork: (thread: ThreadIndex, time: Instant)? {
    guard let makespan = record?.makespan else { return nil }
    var last: (thread: ThreadIndex, time: Instant)?
    for states in states {
      let index = states.partition { $0.start <= makespan } - 1
      let slice = states[...index].last { $0.state == .running && $0.end > $0.start }
      guard let slice, slice.start < makespan else { continue }
      let end = min(slice.end, makespan)
      if end > last?.time ?? .start { last = (slice.thread, end) }
    }
    return last
  }

  /// The parts of a path, those of one unit of one thread joined, and those of one sort in a row.
  func links(of path: CriticalPath) -> [PathLink] {
    var links: [PathLink] = []
    for step in path.steps {
      let unit = step.piece.unit
      let sort = sort(of: unit, on: step.thread)
      let isIdle = step.piece.isIdle
      if let last = links.last, last.thread == step.thread, last.isIdle == isIdle,
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
    case .noThread: break
    }
  }
}
