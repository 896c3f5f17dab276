import SpindleModel

extension LanePicture {
  /// A letter for each of the threads that ran most in the window, in the order in which they were made.
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  /// A lane for each core: the letter of the thread that has at least half of a column, else how much of it the core
  /// is busy.
  mutating func coreLines(_ only: [String]) -> [String] {
    let chosen = Set(shown(only))
    let count = store.run?.machine.cores.count ?? 0
    var byCore: [[ThreadSlice]] = Array(repeating: [], count: count)
    var lengths: [ThreadIndex: Int64] = [:]
    for thread in store.threads.map(\.thread) where chosen.contains(thread) {
      for slice in store.states(of: thread, from: from, to: to) where slice.state == .running {
        let core = Int(slice.core.index)
        guard core >= 0 && core < count else { continue }
        byCore[core].append(slice)
        lengths[thread, default: 0] +=
          min(slice.end, to).nanoseconds - max(slice.start, from).nanoseconds
      }
    }
    let order = store.threads.map(\.thread).filter { lengths[$0] != nil }.sorted {
      let (left, right) = (lengths[$0] ?? 0, lengths[$1] ?? 0)
      return left == right ? $0 < $1 : left > right
    }
    let named = order.prefix(LanePicture.letters.count).sorted()
    var letters: [ThreadIndex: Character] = [:]
    for (index, thread) in named.enumerated() { letters[thread] = LanePicture.letters[index] }
    let busy = byCore.indices.filter { !byCore[$0].isEmpty }.prefix(laneLimit)
    let labels = CoreKind.labels(store.run?.machine.cores ?? [])
    share(busy.map { labels[$0] })
    var lines = [axis]
    var hasShares = false
    for core in busy {
      let slices = byCore[core].sorted { $0.start < $1.start }
      let cells = coreCells(slices, letters)
      hasShares = hasShares || cells.contains(where: \.isShare)
      lines.append(lane(labels[core], painted(cells)))
    }
    let hidden = count - busy.count
    if hidden > 0 {
      lines.append(style.paint("and \(Int64(hidden).counted("core")) idle or not shown", .dim))
    }
    var texts = named.map { "\(letters[$0].map(String.init) ?? "*") \(store.name(of: $0))" }
    if order.count > named.count { texts.append("* \(order.count - named.count) more threads") }
    if hasShares {
      texts.append(
        "\(LaneCell.shares) the core is busy for that share of it, with no thread for half of it")
    }
    return lines + style.wrapped(texts.joined(separator: ", "), indent: "")
  }

  private func coreCells(
    _ slices: [ThreadSlice], _ letters: [ThreadIndex: Character]
  ) -> [LaneCell] {
    var next = 0
    return (0..<columns).map { column in
      let (start, end) = bounds(of: column)
      while next < slices.count && slices[next].end <= start { next += 1 }
      var lengths: [ThreadIndex: Int64] = [:]
      var most = (thread: ThreadIndex.none, length: Int64(0))
      var busy: Int64 = 0
      var index = next
      while index < slices.count && slices[index].start < end {
        let slice = slices[index]
        let length = min(slice.end, end).nanoseconds - max(slice.start, start).nanoseconds
        lengths[slice.thread, default: 0] += length
        busy += length
        if let sum = lengths[slice.thread], sum > most.length { most = (slice.thread, sum) }
        index += 1
      }
      let whole = end.nanoseconds - start.nanoseconds
      if busy == 0 { return LaneCell(letter: ".", ink: .dim) }
      if most.length * 2 >= whole { return LaneCell(letter: letters[most.thread] ?? "*") }
      return LaneCell.share(busy, of: whole, .green)
    }
  }
}
