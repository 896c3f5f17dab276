import SpindleModel

/// One picture of whole runs without a script: of each thread what it mostly did in each part of its time, as high
/// as its share.
struct OverviewPicture {
  private let runs: [HTMLReport.Run]

  /// The most marks of a picture.
  private static let mostMarks = 2_000
  /// How many threads of a run have a lane.
  private static let laneLimit = 24
  private static let nameWidth = 150
  private static let width = 1_000
  private static let laneHeight = 16

  /// The overview of some runs, of which the first two are shown.
  init(_ runs: [HTMLReport.Run]) { self.runs = Array(runs.prefix(2)) }

  /// A lane's marks: neighbours that are alike are one.
  private struct Mark {
    var state: StateClass
    /// How much of its time it has, in quarters of the row's height from 1.
    var quarters: Int
    var first: Int
    var count: Int
  }

  /// The section.
  var markup: String {
    var html = HTMLText()
    html.add("<section id=\"overview\"><h2>Overview</h2>\n")
    for run in runs {
      if runs.count > 1 { html.add("p", run.label) }
      html.add(picture(run))
    }
    html.add("<p class=\"legend\">")
    let words = [
      "runs", "costs", "ready, no core", "io or sleep", "waits for a lock", "waits for another",
      "idle",
    ]
    for (state, word) in words.enumerated() {
      html.add("<span><i class=\"s\(state)\"></i>\(word)</span>")
    }
    html.add("</p></section>\n")
    return html.text
  }

  private func picture(_ run: HTMLReport.Run) -> String {
    let threads = chosen(run)
    var columns = 250
    var lanes = threads.map { marks(run, $0, columns) }
    while lanes.reduce(0, { $0 + $1.count }) > OverviewPicture.mostMarks / runs.count
      && columns > 10
    {
      columns /= 2
      lanes = threads.map { marks(run, $0, columns) }
    }
    let height = OverviewPicture.laneHeight * (lanes.count + 1) + 4
    let whole = OverviewPicture.nameWidth + OverviewPicture.width
    var text = "<svg viewBox=\"0 0 \(whole) \(height)\" width=\"100%\" role=\"img\" "
    text += "aria-label=\"states of threads over time\">\n"
    for part in 0...4 {
      let x = OverviewPicture.nameWidth + part * OverviewPicture.width / 4
      let time = Nanoseconds(Int64(Int128(run.metrics.end.nanoseconds) * Int128(part) / 4))
      text += "<line class=\"rule\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(height - 14)\"/>"
      let anchor = part == 4 ? "end" : part == 0 ? "start" : "middle"
      text += "<text class=\"dim\" x=\"\(x)\" y=\"\(height - 2)\" text-anchor=\"\(anchor)\">"
      text += "\(time.approximate)</text>\n"
    }
    for (lane, (thread, marks)) in zip(threads, lanes).enumerated() {
      let top = lane * OverviewPicture.laneHeight + 2
      let name = HTMLText.escaped(String(run.store.name(of: thread).prefix(22)))
      text += "<text x=\"0\" y=\"\(top + 11)\">\(name)</text>"
      for state in StateClass.allCases {
        let shapes = marks.filter { $0.state == state }
        if shapes.isEmpty { continue }
        text += "<path class=\"s\(state.rawValue)\" d=\""
        for mark in shapes { text += shape(mark, top: top, columns: columns) }
        text += "\"/>"
      }
      text += "\n"
    }
    text += "</svg>\n"
    let left = Int64(run.store.threads.count - threads.count)
    if left > 0 { text += "<p class=\"dim\">and \(left.counted("thread")) less busy</p>\n" }
    return text
  }

  /// The main thread, and those that did most.
  private func chosen(_ run: HTMLReport.Run) -> [ThreadIndex] {
    let busy = run.shares.threads.map { shares in
      shares.enumerated().reduce(Int64(0)) {
        $0 + ($1.offset % StateClass.count == StateClass.idle.rawValue ? 0 : $1.element)
      }
    }
    let main = run.store.mainThread
    let order = busy.indices.sorted { left, right in
      let (a, b) = (ThreadIndex(Int32(left)), ThreadIndex(Int32(right)))
      if a == main || b == main { return a == main }
      return busy[left] == busy[right] ? left < right : busy[left] > busy[right]
    }
    let told = order.prefix(OverviewPicture.laneLimit).filter {
      busy[$0] > 0 || ThreadIndex(Int32($0)) == main
    }
    return told.map { ThreadIndex(Int32($0)) }.sorted { left, right in
      left == main ? right != main : right == main ? false : left < right
    }
  }

  private func marks(_ run: HTMLReport.Run, _ thread: ThreadIndex, _ columns: Int) -> [Mark] {
    let shares = run.shares.threads[Int(thread.raw)]
    let parts = run.shares.count
    var marks: [Mark] = []
    for column in 0..<columns {
      var sums = [Int64](repeating: 0, count: StateClass.count)
      let first = column * parts / columns
      for part in first..<max(first + 1, (column + 1) * parts / columns) {
        for state in sums.indices { sums[state] += shares[part * StateClass.count + state] }
      }
      // What idles is shown where nothing else is.
      let idle = StateClass.idle
      let telling = StateClass.allCases.filter { $0 != idle && sums[$0.rawValue] > 0 }
      let most = telling.max { sums[$0.rawValue] < sums[$1.rawValue] }
      guard let state = most ?? (sums[idle.rawValue] > 0 ? idle : nil) else { continue }
      let (length, whole) = (Int128(sums[state.rawValue]), Int128(max(1, sums.reduce(0, +))))
      let quarters = state == idle ? 4 : max(1, Int((8 * length + whole) / (2 * whole)))
      if let last = marks.last, last.state == state, last.quarters == quarters,
        last.first + last.count == column
      {
        marks[marks.count - 1].count += 1
      } else {
        marks.append(Mark(state: state, quarters: quarters, first: column, count: 1))
      }
    }
    return marks
  }

  /// A mark as a box; waiting is lower than running, so that they differ without colour too.
  private func shape(_ mark: Mark, top: Int, columns: Int) -> String {
    let left = OverviewPicture.nameWidth + mark.first * OverviewPicture.width / columns
    let end = mark.first + mark.count
    let right = OverviewPicture.nameWidth + end * OverviewPicture.width / columns
    let height =
      switch mark.state {
      case .running, .cost, .lock: 12
      case .ready: 9
      case .device, .other: 6
      case .idle: 2
      }
    // The least share is seen: of four steps the first has a quarter of the height.
    let part = max(2, height * mark.quarters / 4)
    return "M\(left) \(top + 12)v-\(part)h\(right - left)v\(part)z"
  }
}
