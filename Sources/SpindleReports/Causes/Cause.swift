package import SpindleModel

/// Why a time in a run was what it was.
package struct Cause: Hashable, Sendable {
  /// The stretch of time that it is about.
  package var from: Instant
  /// Its end.
  package var to: Instant
  /// The threads that it is about, the one that matters most first.
  package var threads: [ThreadIndex]
  /// The subject, when the expectation does not name it: `'frame12', the slowest of 62`.
  package var subject: String
  /// What the time consisted of, in order.
  package var parts: [String]
  /// Whether the parts followed one another; otherwise each part covers several times.
  package var isInOrder = true

  /// How long the time is.
  package var length: Nanoseconds { Nanoseconds(to.nanoseconds - from.nanoseconds) }

  /// When it was, and what it is about.
  package var heading: String {
    TimelineStore.window(from, to) + (subject.isEmpty ? "" : ", \(subject)") + ":"
  }

  /// The cause in one paragraph: `192..254.2ms: 42.2ms for lock 'lock', held by 'prune' (15:9); then …`.
  package var text: String {
    var text = TimelineStore.window(from, to)
    if !subject.isEmpty { text += ", \(subject)" }
    for (index, part) in parts.enumerated() {
      let follows = isInOrder && !part.hasPrefix("and ")
      text += (index == 0 ? ": " : follows ? "; then " : "; ") + part
    }
    return text
  }
}

extension TimelineStore {
  /// The longest time in which the main thread could not respond; nil if it always could.
  ///
  /// It lasts from when the thread is started or woken until it sleeps in a common mode of its run loop, or
  /// ends, as `RunMetrics.mainLongestStall`.
  package var longestStall: (from: Instant, to: Instant)? {
    guard let main = mainThread else { return nil }
    var (longest, start): ((from: Instant, to: Instant)?, Instant?) = (nil, nil)
    func end(_ time: Instant) {
      guard let begun = start, time > begun else { return }
      let length = time.nanoseconds - begun.nanoseconds
      if length > (longest.map { $0.to.nanoseconds - $0.from.nanoseconds } ?? 0) {
        longest = (begun, time)
      }
    }
    for slice in states[Int(main.raw)] {
      if slice.reason == .runLoop && slice.name.index < 0 {
        end(slice.start)
        start = nil
      } else if start == nil {
        start = slice.start
      }
    }
    if let last = states[Int(main.raw)].last { end(last.end) }
    return longest
  }

  /// Why the main thread could not respond for its longest stall.
  package func causeOfStall() -> Cause? {
    guard let main = mainThread, let stall = longestStall else { return nil }
    return Cause(
      from: stall.from, to: stall.to, threads: [main], subject: "",
      parts: parts(of: main, from: stall.from, to: stall.to))
  }

  /// Why the main thread never answers again; nil where it does, or might.
  ///
  /// That it waited when the run ended in a deadlock: nothing was left that could wake it.
  package func causeOfEndlessStall() -> Cause? {
    guard let main = mainThread, record?.outcome.kind == .deadlock,
      let last = states[Int(main.raw)].last, last.state == .waiting, last.ended == .runEnded,
      !(last.reason == .runLoop && last.name.index < 0)
    else { return nil }
    let slices = states[Int(main.raw)]
    let answered = slices.lastIndex { $0.reason == .runLoop && $0.name.index < 0 }
    let from = answered.map { slices[$0].end } ?? slices[0].start
    let wait = wait(last, from: last.start, to: last.end).drop { $0 != " " }
    return Cause(
      from: from, to: last.end, threads: [main], subject: "",
      parts: parts(of: main, from: from, to: last.start) + ["waits without an end\(wait)"])
  }

  /// Why the run took as long as it did: its critical path.
  package func causeOfMakespan() -> Cause? {
    lastPath.map { path($0.path, to: $0.thread, at: $0.time, isWhole: true) }
  }

  /// The critical path of the run, with the place and time of its end; nil when no thread ever worked.
  var lastPath: (path: CriticalPath, thread: ThreadIndex, time: Instant)? {
    let last = lastAtWork
    // A task that slept or waited to its end was at work later than any thread worked.
    if let makespan = record?.makespan, let place = tasks.lastEnded(by: makespan),
      tasks[place].end > self.last(takingTime: true)?.time ?? .start,
      tasks[place].end >= last?.time ?? .start
    {
      return (CriticalPath(self, to: place), tasks[place].thread, tasks[place].end)
    }
    return last.map { (CriticalPath(self, to: $0.thread, at: $0.time), $0.thread, $0.time) }
  }

  /// Why something happened on a thread when it did: the critical path to it, from a moment on where one is given.
  func path(
    to thread: ThreadIndex, at time: Instant, subject: String, from start: Instant? = nil
  ) -> Cause {
    path(
      CriticalPath(self, to: thread, at: time), to: thread, at: time, subject: subject, from: start)
  }

  /// A path in words; with `isWhole` from the beginning of the run to its makespan.
  private func path(
    _ path: CriticalPath, to thread: ThreadIndex, at time: Instant, subject: String = "",
    isWhole: Bool = false, from start: Instant? = nil
  ) -> Cause {
    var links = links(of: path, from: start ?? .start)
    if let start { links = before(path, from: start, on: thread) + links }
    if isWhole { links = whole(links, path, to: time, on: thread) }
    let (from, end) = (links.first?.start ?? start ?? .start, links.last?.end ?? time)
    // The links add up: a path with a gap would name the wrong cause.
    let sum = links.reduce(0) { $0 + $1.length }
    precondition(
      links.isEmpty
        || sum == end.nanoseconds - from.nanoseconds
          && (!isWhole || end == record?.makespan ?? time),
      "the parts of the critical path to \(end) come to \(Nanoseconds(sum))")
    let told = links.count > TimelineStore.linkLimit ? mostTime(links) : links
    let parts =
      links.count > TimelineStore.linkLimit ? summed(links) : links.map { words($0) }
    var threads: [ThreadIndex] = [thread]
    for link in told.reversed() where !threads.contains(link.thread) { threads.append(link.thread) }
    var cause = Cause(from: from, to: end, threads: threads, subject: subject, parts: parts)
    cause.isInOrder = links.count <= TimelineStore.linkLimit
    return cause
  }

  /// The time between a moment and the first cause of a path, as a link.
  private func before(
    _ path: CriticalPath, from start: Instant, on thread: ThreadIndex
  ) -> [PathLink] {
    guard start < path.start else { return [] }
    return [
      PathLink(
        thread: thread, called: thread, sort: "before", start: start, end: path.start, kind: .before
      )
    ]
  }

  /// The links of a path with what lies before and behind it, up to the makespan.
  private func whole(
    _ links: [PathLink], _ path: CriticalPath, to time: Instant, on thread: ThreadIndex
  ) -> [PathLink] {
    let end = record?.makespan ?? time
    let after = PathLink(
      thread: thread, called: thread, sort: "after", start: time, end: end, kind: .after)
    return before(path, from: .start, on: thread) + links + (time < end ? [after] : [])
  }

  /// Paths with more links than these are summed by kind.
  private static var linkLimit: Int { 8 }

  /// The links with most time, in their order.
  private func mostTime(_ links: [PathLink]) -> [PathLink] {
    let order = links.indices.sorted {
      links[$0].length == links[$1].length ? $0 < $1 : links[$0].length > links[$1].length
    }
    let chosen = Set(order.prefix(TimelineStore.linkLimit))
    return links.indices.filter { chosen.contains($0) }.map { links[$0] }
  }

  /// A long path by kind: the number and total time of its links, the most time first, with the longest link.
  private func summed(_ links: [PathLink]) -> [String] {
    var sorts: [(total: Int64, count: Int, longest: PathLink)] = []
    var places: [String: Int] = [:]
    for link in links {
      let key = "\(link.kind) \(link.sort)"
      if let place = places[key] {
        sorts[place].total += link.length
        sorts[place].count += max(1, link.units)
        if link.length > sorts[place].longest.length { sorts[place].longest = link }
      } else {
        places[key] = sorts.count
        sorts.append((link.length, max(1, link.units), link))
      }
    }
    let order = sorts.indices.sorted {
      sorts[$0].total == sorts[$1].total ? $0 < $1 : sorts[$0].total > sorts[$1].total
    }
    var texts = order.prefix(TimelineStore.linkLimit - 2).map { place in
      let sort = sorts[place]
      if sort.count == max(1, sort.longest.units) { return words(sort.longest) }
      let total = TimelineStore.short(sort.total)
      switch sort.longest.kind {
      case .idle: return "\(sort.longest.sort) idle \(sort.count) times, \(total)"
      case .answer:
        let longest = sort.longest
        return "\(total) \(sort.count) times for \(answerPhrase), the longest: "
          + "\(TimelineStore.short(longest.length)), asked at \(longest.start)"
      case .before, .after, .unknown: return words(sort.longest)
      case .unit:
        // A thread by itself is one, however often it had to do with itself.
        let who =
          sort.longest.unit == nil
          ? "\(sort.longest.sort) \(sort.count) times" : "\(sort.count) \(sort.longest.sort)"
        return "\(who), \(total), the longest: \(words(sort.longest))"
      }
    }
    let rest = order.dropFirst(TimelineStore.linkLimit - 2).map { sorts[$0] }
    if !rest.isEmpty {
      let total = rest.reduce(0) { $0 + $1.total }
      texts.append(
        "and \(TimelineStore.short(total)) of \(Int64(rest.count).counted("other sort"))")
    }
    return texts
  }
}
