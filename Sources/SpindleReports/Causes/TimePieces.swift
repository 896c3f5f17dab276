import SpindleModel

/// What a thread did in a stretch of time, cut where its state or what it was about changed.
struct TimePiece {
  /// What sort.
  enum Kind {
    /// It ran.
    case work
    /// It could have run and had no core.
    case noCore
    /// It could not continue.
    case wait
    /// There was no such thread yet.
    case noThread
    /// A task waited and had no thread.
    case taskWait
    /// The pool was to add a worker, and did so only then.
    case answer
    /// The log does not show it.
    case unknown
  }

  var kind: Kind
  var start: Instant
  var end: Instant
  /// The state that it is a part of; nil before the thread was made.
  var slice: ThreadSlice?
  /// What the thread was about, the outermost; nil for code of its own.
  var unit: SpanSlice?
  /// Of a task that waited: the piece of it behind which it did.
  var task: TaskPiece?

  var length: Int64 { end.nanoseconds - start.nanoseconds }

  /// Whether the thread had nothing to do.
  var isIdle: Bool {
    guard kind == .wait else { return kind == .noThread }
    return slice?.reason == .runLoop || slice?.reason == .idleWorker
  }
}

extension TimelineStore {
  /// What a thread did between two moments; the pieces fill the time, and none is empty.
  func pieces(of thread: ThreadIndex, from: Instant, to: Instant) -> [TimePiece] {
    var pieces: [TimePiece] = []
    let units = units(of: thread, from: from, to: to)
    var next = 0
    var time = from
    for slice in states(of: thread, from: from, to: to) {
      if slice.start > time {
        pieces.append(TimePiece(kind: .noThread, start: time, end: slice.start))
        time = slice.start
      }
      let end = min(slice.end, to)
      while time < end {
        while next < units.count && units[next].end <= time { next += 1 }
        var unit: SpanSlice?
        var cut = end
        if next < units.count {
          if units[next].start <= time {
            unit = units[next]
            cut = min(end, units[next].end)
          } else {
            cut = min(end, units[next].start)
          }
        }
        pieces.append(
          TimePiece(
            kind: slice.state.pieceKind, start: time, end: cut, slice: slice, unit: unit))
        time = cut
      }
    }
    return pieces
  }
}

extension ThreadState {
  /// What a piece of it is.
  var pieceKind: TimePiece.Kind {
    switch self {
    case .ready: .noCore
    case .running: .work
    case .waiting: .wait
    }
  }
}
