package import SpindleModel

/// What threads do at one moment, in words.
extension TimelineStore {
  /// The names of all threads.
  package var threadNames: [String] { threads.map { name(of: $0.thread) } }

  /// The names of all items, each once, in the order in which they ended.
  package var itemNames: [String] {
    var known: Set<String> = []
    return items.compactMap { name(of: $0.item) }.filter { known.insert($0).inserted }
  }

  /// What each thread does at a moment, or only the named one; nil when no thread has the name.
  ///
  /// Idle ones are counted together, and so are those that differ in names and times only: of these the first
  /// two are listed.
  package func statesInWords(at time: Instant, thread wanted: String?) -> [String]? {
    let chosen = threads.map(\.thread).filter { wanted == nil || name(of: $0) == wanted }
    if chosen.isEmpty && wanted != nil { return nil }
    var (lines, idle) = ([String](), 0)
    var alike: [(key: String, count: Int, second: Int)] = []
    for thread in chosen {
      let end = Instant(time.nanoseconds + 1)
      let piece = pieces(of: thread, from: time, to: end).first ?? last(of: thread, at: time)
      guard let piece else {
        if wanted != nil { lines.append("'\(name(of: thread))' has ended or not started") }
        continue
      }
      if piece.isIdle && wanted == nil {
        idle += 1
        continue
      }
      if wanted == nil, let key = likeness(of: thread, piece) {
        let index = alike.firstIndex { $0.key == key } ?? alike.count
        if index == alike.count { alike.append((key, 0, 0)) }
        alike[index].count += 1
        if alike[index].count > 2 { continue }
        alike[index].second = lines.count
      }
      lines.append(state(of: thread, piece))
    }
    for (_, count, second) in alike.sorted(by: { $0.second > $1.second }) where count > 2 {
      lines.insert("and \(Int64(count - 2).grouped) more like them", at: second + 1)
    }
    if idle > 0 { lines.append("\(Int64(idle).counted("thread")) idle") }
    return lines.isEmpty ? ["there are no threads"] : lines
  }

  /// What threads have in common that wait for the same at the same place, in work of one sort; nil for one that
  /// doesn't wait.
  private func likeness(of thread: ThreadIndex, _ piece: TimePiece) -> String? {
    guard piece.kind == .wait, let slice = piece.slice else { return nil }
    let about = piece.unit.map { "\(sort(of: $0, on: thread)) \($0.place)" } ?? ""
    let target = "\(slice.reason?.rawValue ?? 0) \(slice.lane.raw) \(slice.name.index)"
    return "\(target) \(slice.place) \(about)"
  }

  /// In which state a thread was when the run ended, asked about that moment: the end of the process, by a crash too,
  /// ends all threads that are there.
  private func last(of thread: ThreadIndex, at time: Instant) -> TimePiece? {
    guard let end = record?.end, time >= end, let slice = states[Int(thread.raw)].last,
      slice.ended == .runEnded || slice.ended == .killed && slice.end == end
    else { return nil }
    let unit = spans[Int(thread.raw)].last { $0.depth == 0 && !$0.isComplete }
    return TimePiece(
      kind: slice.state.pieceKind, start: slice.start, end: slice.end, slice: slice, unit: unit)
  }

  private func state(of thread: ThreadIndex, _ piece: TimePiece) -> String {
    guard let slice = piece.slice else { return "'\(name(of: thread))' has not started" }
    let unit = piece.unit.map { unit in
      ", in \(words(unit, on: thread))" + (position(unit.place).map { " (\($0))" } ?? "")
    }
    let head = "'\(name(of: thread))'\(unit ?? "")"
    let since =
      slice.ended == .runEnded
      ? "from \(slice.start) to the end" : TimelineStore.window(slice.start, slice.end)
    switch slice.state {
    case .running: return "\(head): ran on core \(slice.core.index), \(since), \(ended(slice))"
    case .ready:
      let began = "\(began(slice))\(next(slice, piece))"
      let lost = lostCore(slice) == nil && !began.isEmpty ? ", \(began)" : ""
      let why = withoutCore(slice, from: slice.start, to: slice.end)
      return "\(head): runnable without a core, \(since)\(lost)\(why)"
    case .waiting:
      // What began when the run ended has no length, and lasts.
      let lasts = slice.start == slice.end && slice.ended == .runEnded
      let wait = wait(slice, from: slice.start, to: slice.end)
      if lasts { return "\(head): waits\(wait.drop { $0 != " " }), \(since)" }
      return "\(head): waited \(wait), \(since)"
    }
  }

  /// What a thread that waits for a core is about to run, as a clause; empty where it continues something.
  private func next(_ slice: ThreadSlice, _ piece: TimePiece) -> String {
    let units = units[Int(slice.thread.raw)]
    let place = units.partition { $0.start < slice.start }
    guard piece.unit == nil, place < units.count,
      let run = states(of: slice.thread, from: slice.end, to: Instant(slice.end.nanoseconds + 1))
        .first,
      run.state == .running, units[place].start <= run.end
    else { return "" }
    let unit = units[place]
    let hold = tasks.piece(of: unit.item, at: unit.start).flatMap { actorHold(at: tasks[$0]) }
    let actor = hold.map { name(of: $0.lane) }
    let on = actor.map { $0 == "main actor" ? " on the main actor" : " on actor '\($0)'" } ?? ""
    let began = began(slice)
    return "\(began.isEmpty ? "" : " ")to run \(words(unit, on: slice.thread))\(on)"
  }

  /// Why a thread became ready.
  private func began(_ slice: ThreadSlice) -> String {
    let who = slice.agent.isNone ? nil : name(of: slice.agent)
    switch slice.began {
    case .started: return "started" + (who.map { " by '\($0)'" } ?? "")
    case .woken: return "woken" + (who.map { " by '\($0)'" } ?? "")
    case .timedOut: return "since its wait timed out"
    case .quantumEnded, .preempted: return lostCore(slice) ?? ""
    case .yielded: return "since it yielded"
    case .gotCore, .blocked, .ended, .killed, .runEnded: return ""
    }
  }

  /// Why a thread that ran lost its core and is ready from then on; nil where it did not.
  func lostCore(_ slice: ThreadSlice) -> String? {
    let who = slice.agent.isNone ? nil : name(of: slice.agent)
    let measure = policyMeasure(slice.agent, over: slice.thread, at: slice.start)
    switch slice.began {
    case .quantumEnded:
      return "after its quantum under policy \(policyName)"
        + (who.map { ", which gave the core to '\($0)'\(measure)" } ?? "")
    case .preempted:
      return who.map { "preempted by '\($0)', which policy \(policyName) prefers\(measure)" }
        ?? "preempted"
    case .started, .woken, .timedOut, .yielded, .gotCore, .blocked, .ended, .killed, .runEnded:
      return nil
    }
  }

  /// Why a thread ran no longer.
  private func ended(_ slice: ThreadSlice) -> String {
    switch slice.ended {
    case .quantumEnded: "until its quantum was over"
    case .preempted: "until it was preempted"
    case .yielded: "until it yielded"
    case .blocked: "until it waited"
    case .ended: "until it ended"
    case .killed: "until the process ended"
    case .runEnded: "until the run ended"
    case .started, .woken, .timedOut, .gotCore: ""
    }
  }
}
