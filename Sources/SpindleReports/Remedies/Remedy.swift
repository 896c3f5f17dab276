import SpindleModel

/// A change of something on a critical path, to measure a run with it.
package struct Remedy: Hashable, Sendable {
  /// The change.
  package enum Change: Hashable, Sendable {
    /// The code that is submitted at one of these instructions does its work in four fifths of the time.
    case faster(places: [Int32])
    /// The lock at these instructions is not acquired.
    case withoutLock(places: [Int32])
  }

  /// What it is, in words: `'decode*' (12:9) a fifth faster`.
  package var label: String
  /// The change.
  package var change: Change
}

extension TimelineStore {
  /// What on the critical path could be otherwise, what takes most time first: at most three sorts of work and
  /// two locks.
  package func remedies() -> [Remedy] {
    guard let path = lastPath?.path else { return [] }
    return Array(fasterWork(path).prefix(3)) + missingLocks(path).prefix(2)
  }

  /// What the critical path waited for that no change of the program's text is sure to take away: the workers that
  /// the pool added late; nil where it did not.
  package func lateWorkers() -> String? {
    let answers = lastPath?.path.steps.filter { $0.piece.kind == .answer } ?? []
    let length = answers.reduce(0) { $0 + $1.piece.length }
    guard length > 0 else { return nil }
    return "without waiting for \(answerPhrase), where fewer workers wait: "
      + "at most \(TimelineStore.short(length)) less"
  }

  /// The work of the path by the place of its submission.
  private func fasterWork(_ path: CriticalPath) -> [Remedy] {
    var sorts: [(unit: SpanSlice, places: [Int32], work: Int64)] = []
    var known: [Int32: Int] = [:]
    for step in path.steps {
      guard step.piece.kind == .work, let unit = step.piece.unit, unit.kind == .item,
        unit.place >= 0
      else { continue }
      if let number = known[unit.place] {
        sorts[number].work += step.piece.length
      } else {
        known[unit.place] = sorts.count
        let places = [unit.place, threads[Int(step.thread.raw)].place]
        sorts.append((unit, places.filter { $0 >= 0 }, step.piece.length))
      }
    }
    let order = sorts.sorted { ($1.work, $0.unit.place) < ($0.work, $1.unit.place) }
    return order.map { sort in
      Remedy(
        label: "\(called(sort.unit))\(place(sort.unit.place)) a fifth faster",
        change: .faster(places: sort.places))
    }
  }

  /// An item, or all that are submitted at its place.
  private func called(_ unit: SpanSlice) -> String {
    let alike = items.filter { $0.place == unit.place }
    guard alike.count > 1, let run, let kind = alike.first?.kind, kind >= 0,
      Int(kind) < run.program.kinds.count
    else { return "'\(name(of: unit.item) ?? "")'" }
    return "all \(alike.count) '\(run.program.kinds[Int(kind)].pattern)'"
  }

  private func place(_ place: Int32) -> String { position(place).map { " (\($0))" } ?? "" }

  /// The locks that threads of the path waited for while the path was made.
  private func missingLocks(_ path: CriticalPath) -> [Remedy] {
    guard let first = path.steps.first, let last = path.steps.last else { return [] }
    var waits: [(lane: LaneIndex, length: Int64)] = []
    var isOnPath = [Bool](repeating: false, count: threads.count)
    for step in path.steps { isOnPath[Int(step.thread.raw)] = true }
    for thread in threads.map(\.thread) where isOnPath[Int(thread.raw)] {
      for slice in states(of: thread, from: first.piece.start, to: last.piece.end)
      where slice.state == .waiting && slice.reason == .lock && !slice.lane.isNone {
        if let number = waits.firstIndex(where: { $0.lane == slice.lane }) {
          waits[number].length += slice.length.rawValue
        } else {
          waits.append((slice.lane, slice.length.rawValue))
        }
      }
    }
    return waits.sorted { ($1.length, $0.lane) < ($0.length, $1.lane) }.map { wait in
      let taken = holds.filter { $0.lane == wait.lane && $0.place >= 0 }.map(\.place)
      return Remedy(
        label: "without lock '\(name(of: wait.lane))'",
        change: .withoutLock(places: Set(taken).sorted()))
    }
  }
}
