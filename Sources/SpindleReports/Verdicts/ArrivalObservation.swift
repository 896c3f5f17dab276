import SpindleModel

/// Collects how long after the arrivals that led to them the items of some patterns ended.
///
/// Work keeps its origin when it is handed on: what an item submits has the origin of that item. Values that are handed
/// over in variables, streams or continuations have no origin; `span` measures those between marks.
///
/// A class, since its histograms can't be copied.
final class ArrivalObservation {
  /// By the number of an item that has not ended: when the work came from outside; absent where the program made it.
  private var origins: [Int32: Int64] = [:]
  /// By the slot of a thread: the items that are under way on it, the innermost last.
  private var running: [[Int32]] = []
  private var selections: [ItemSelection]
  private var distributions: [Times]

  /// The times of one pattern.
  private final class Times {
    var histogram = Histogram()
  }

  init(_ inquiry: Inquiry) {
    selections = inquiry.arrivalPatterns.map { ItemSelection($0, inquiry) }
    distributions = inquiry.arrivalPatterns.map { _ in Times() }
  }

  /// Processes the next entry; returns how long ago the work of the item that ends with it arrived.
  func receive(_ entry: LogEntry, _ names: NameTable) -> Int64? {
    switch entry.event {
    case .itemSubmitted: submitted(entry)
    case .itemStarted:
      if !ItemFlags(rawValue: entry.detail).contains(.needsNoThread)
        || ItemFlags(rawValue: entry.detail).contains(.isTask)
      {
        begin(entry.other, on: entry.thread)
      }
    case .taskResumed: begin(entry.other, on: entry.thread)
    case .taskSuspended: end(entry.other, on: entry.thread)
    case .itemSkipped: origins[entry.other] = nil
    case .itemEnded:
      end(entry.other, on: entry.thread)
      guard let origin = origins.removeValue(forKey: entry.other) else { return nil }
      let time = entry.time - origin
      for index in selections.indices where selections[index].contains(entry, names) {
        distributions[index].histogram.add(time)
      }
      return time
    default: break
    }
    return nil
  }

  /// The times of a pattern that is asked for, of the items that have ended.
  func distribution(of pattern: String) -> LatencyDistribution {
    guard let index = selections.firstIndex(where: { $0.pattern == pattern }) else {
      return LatencyDistribution()
    }
    return distributions[index].histogram.distribution
  }

  /// Forgets the items that have ended.
  func forget() { for times in distributions { times.histogram = Histogram() } }

  private func submitted(_ entry: LogEntry) {
    let item = Submission(entry.value).item
    guard item > 0 else { return }
    let slot = Int(entry.thread)
    if slot < 0 {
      origins[item] = entry.time
    } else if slot < running.count, let parent = running[slot].last {
      origins[item] = origins[parent]
    }
  }

  private func begin(_ item: Int32, on thread: Int32) {
    let slot = Int(thread)
    guard slot >= 0, item > 0 else { return }
    while slot >= running.count { running.append([]) }
    running[slot].append(item)
  }

  private func end(_ item: Int32, on thread: Int32) {
    let slot = Int(thread)
    guard running.indices.contains(slot),
      let place = running[slot].lastIndex(of: item)
    else { return }
    running[slot].remove(at: place)
  }
}
