import SpindleModel

extension LanePicture {
  /// A letter for each thread that ran in the window: those that ran most first.
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

  /// A lane for each core: the letter of the thread that has most of a column.
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
    var letters: [ThreadIndex: Character] = [:]
    for (index, thread) in order.enumerated() {
      letters[thread] = index < LanePicture.letters.count ? LanePicture.letters[index] : "*"
    }
    let busy = byCore.indices.filter { !byCore[$0].isEmpty }.prefix(laneLimit)
    share(busy.map { "core \($0)" })
    var lines = [axis]
    for core in busy {
      let slices = byCore[core].sorted { $0.start < $1.start }
      lines.append(lane("core \(core)", coreCells(slices, letters)))
    }
    let hidden = count - busy.count
    if hidden > 0 {
      lines.append(style.paint("and \(Int64(hidden).counted("core")) idle or not shown", .dim))
    }
    let named = order.prefix(LanePicture.letters.count).map {
      "\(letters[$0].map(String.init) ?? "*") \(store.name(of: $0))"
    }
    let more =
      order.count > named.count ? ["* \(order.count - named.count) more threads"] : []
    return lines + style.wrapped((named + more).joined(separator: ", "), indent: "")
  }

  private func coreCells(
    _ slices: [ThreadSlice], _ letters: [ThreadIndex: Character]
  ) -> String {
    var text = ""
    var next = 0
    for column in 0..<columns {
      let start = time(of: column)
      let end = max(time(of: column + 1), Instant(start.nanoseconds + 1))
      while next < slices.count && slices[next].end <= start { next += 1 }
      var most: (thread: ThreadIndex, length: Int64)?
      var index = next
      while index < slices.count && slices[index].start < end {
        let slice = slices[index]
        let length = min(slice.end, end).nanoseconds - max(slice.start, start).nanoseconds
        if length > most?.length ?? 0 { most = (slice.thread, length) }
        index += 1
      }
      text.append(most.flatMap { letters[$0.thread] } ?? ".")
    }
    return text
  }
}
