package import SpindleModel

/// A window of a timeline as a drawing in SVG, for slides and papers: a Gantt chart of threads or cores.
package struct SVGPicture {
  private let store: TimelineStore
  private let from: Instant
  private let to: Instant
  private var canvas: SVGCanvas
  private var used: Set<LaneState> = []

  /// Creates a drawing of the time between two moments, which is not empty.
  package init(_ store: TimelineStore, from: Instant, to: Instant, width: Int) {
    precondition(from < to, "a drawing needs a stretch of time")
    (self.store, self.from, self.to) = (store, from, to)
    canvas = SVGCanvas(width: Double(width))
  }

  /// The drawing, with a lane for each thread in the order in which they were created, or for each core.
  ///
  /// `only` are patterns of names of threads; without any, the threads are shown that were not only idle.
  package mutating func text(byCore: Bool, only: [String]) -> String {
    let lanes = LanePicture(store, from: from, to: to, style: TextStyle())
    let (threads, marks) = (lanes.shown(only), lanes.markLanes(nil))
    if byCore {
      drawCores(threads, besides: marks.map(\.name))
    } else {
      drawThreads(threads, isChosen: !only.isEmpty, besides: marks.map(\.name))
    }
    canvas.endLanes()
    for time in LanePicture.ticks(from: from, to: to, most: canvas.tickCount) {
      canvas.addTick("\(time)", at: position(of: time))
    }
    for mark in marks { canvas.addMarks(mark.name, at: mark.times.map { position(of: $0) }) }
    let legend = LaneState.all.filter { used.contains($0) }
    canvas.addLegend(legend.map { ($0.meaning, $0.color) })
    return canvas.text
  }

  private mutating func drawThreads(
    _ threads: [ThreadIndex], isChosen: Bool, besides names: [String]
  ) {
    let rows = threads.map { ($0, store.pieces(of: $0, from: from, to: to)) }.filter { row in
      row.1.contains { isChosen ? $0.kind != .noThread : !$0.isIdle }
    }
    canvas.makeRoom(for: rows.map { store.name(of: $0.0) } + names)
    for (thread, pieces) in rows {
      canvas.beginLane(store.name(of: thread))
      for piece in pieces {
        let state = LaneState(piece)
        if state == .absent || state == .idle { continue }
        used.insert(state)
        draw(piece.start, piece.end, state.color, label(of: piece, state, thread))
      }
    }
  }

  /// The text of a bar: the item that runs, or what is waited for.
  private func label(of piece: TimePiece, _ state: LaneState, _ thread: ThreadIndex) -> String? {
    switch state {
    case .running:
      let name = piece.unit.flatMap { store.text($0.name) }
      return name == store.name(of: thread) ? nil : name
    case .waiting: return piece.slice.flatMap { store.text($0.name) }
    case .absent, .idle, .cost, .ready: return nil
    }
  }

  private mutating func drawCores(_ threads: [ThreadIndex], besides names: [String]) {
    let count = store.run?.machine.cores.count ?? 0
    var slices: [[ThreadSlice]] = Array(repeating: [], count: count)
    for thread in threads {
      for slice in store.states(of: thread, from: from, to: to) where slice.state == .running {
        let core = Int(slice.core.index)
        if core >= 0 && core < count { slices[core].append(slice) }
      }
    }
    canvas.makeRoom(for: slices.indices.map { "core \($0)" } + names)
    for core in slices.indices {
      canvas.beginLane("core \(core)")
      for slice in slices[core].sorted(by: { $0.start < $1.start }) {
        let color = SVGPicture.colors[Int(slice.thread.raw) % SVGPicture.colors.count]
        draw(slice.start, slice.end, color, store.name(of: slice.thread))
      }
    }
  }

  /// The colours of threads on cores, which differ also for those who can't tell all colours apart.
  ///
  /// Source: Okabe and Ito, *Color Universal Design*, 2008.
  private static let colors = [
    "#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#0072b2", "#bbbbbb",
  ]

  private mutating func draw(_ start: Instant, _ end: Instant, _ color: String, _ label: String?) {
    canvas.addBar(from: position(of: start), to: position(of: end), color, label: label)
  }

  /// Where a moment lies, from 0 at the beginning to 1 at the end.
  private func position(of time: Instant) -> Double {
    let passed = min(max(time, from), to).nanoseconds - from.nanoseconds
    return Double(passed) / Double(to.nanoseconds - from.nanoseconds)
  }
}

extension LaneState {
  /// The colour in a drawing.
  fileprivate var color: String {
    switch self {
    case .absent, .idle: "#ffffff"
    case .running: "#7cc36e"
    case .cost: "#c39bd3"
    case .ready: "#f5d76e"
    case .waiting(.sleep): "#dfe6e9"
    case .waiting(let reason): reason.facts.family == .device ? "#9fd8ef" : "#f1948a"
    }
  }
}
