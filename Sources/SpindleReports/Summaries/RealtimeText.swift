import SpindleModel

/// What could be known ahead of threads that do jobs, in words and beside what was seen.
enum RealtimeText {
  /// One sentence for each core, or for the line of all cores.
  static func sentences(_ report: RealtimeReport) -> [String] {
    report.tests.map { test in
      let count = Int64(report.threads.count { $0.core == test.core })
      let place = test.core.map { "core \($0): " } ?? ""
      var text = "\(place)\(count.counted("thread")) \(count == 1 ? "asks" : "ask") for "
      text += percent(test.utilization)
      if let enough = test.enough {
        text += ", up to \(percent(enough)) is always in time (\(test.source))"
      }
      if test.isIsolated && test.isInTime != false {
        return text
          + (test.isInTime == true
            ? "; each server gives its budget in each period, and who computes as it says is in time"
            : "; not known whether all jobs are in time")
      }
      switch test.isInTime {
      case true?: return text + "; all jobs are in time"
      case false?: return text + "; jobs can be late"
      case nil: return text + "; not known whether all jobs are in time"
      }
    }
  }

  /// A table of the threads: what they ask for, what was found ahead and what was seen.
  static func table(_ report: RealtimeReport, width: Int) -> [String] {
    let isPlaced = report.threads.contains { $0.core != nil }
    var columns: [TextTable.Column] = [.init("thread", .left)]
    if isPlaced { columns.append(.init("core")) }
    columns += ["period", "computes", "deadline", "at most", "seen", "jobs", "late"].map {
      .init($0)
    }
    var table = TextTable(columns: columns)
    for thread in report.threads {
      var cells = [thread.name]
      if isPlaced { cells.append(thread.core.map { "\($0)" } ?? "-") }
      cells += [thread.period, thread.computation, thread.deadline].map(\.approximate)
      cells += [thread.bound?.approximate ?? "-", thread.jobs > 0 ? thread.seen.approximate : "-"]
      cells += [thread.jobs.grouped, thread.missed.grouped]
      table.add(cells)
    }
    return table.rendered(width: width).split(separator: "\n").map(String.init)
  }

  /// Millionths as hundredths of a percent.
  private static func percent(_ millionths: Int64) -> String {
    Percentage(millionths, of: 1_000_000).description
  }
}
