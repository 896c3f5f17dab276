import SpindleModel

/// How many jobs are there over time, between moments at which none is, held against how long each is there.
final class JobWindows: LogConsumer {
  /// How many jobs have come and not gone, and how many of them have begun.
  private(set) var present: Int64 = 0
  private(set) var begun: Int64 = 0
  /// How many windows have closed.
  private(set) var closed = 0
  private(set) var violations: [String] = []
  /// Jobs, and jobs that have not begun, over time; and what the log says of each, in sum.
  private var there = (area: Int64(0), told: Int64(0))
  private var waiting = (area: Int64(0), told: Int64(0))
  private var time: Int64 = 0

  func begin(_ run: RunDescription) {}

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    for entry in entries {
      there.area += present * (entry.time - time)
      waiting.area += (present - begun) * (entry.time - time)
      time = entry.time
      switch entry.event {
      case .itemSubmitted: present += 1
      case .itemStarted:
        begun += 1
        waiting.told += entry.value
      case .itemEnded:
        (present, begun) = (present - 1, begun - 1)
        there.told += entry.value
        if present == 0 { close() }
      default: break
      }
    }
  }

  func end(_ record: RunRecord) {}

  private func close() {
    closed += 1
    if there.area != there.told { violations.append("until \(time): \(there) of all") }
    if waiting.area != waiting.told { violations.append("until \(time): \(waiting) in line") }
    (there, waiting) = ((0, 0), (0, 0))
  }
}
