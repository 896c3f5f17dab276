import SpindleModel

/// Neighbours on a critical path that one unit of work, or several of a sort, are.
struct PathLink {
  /// What sort of link.
  enum Kind {
    /// Something that a thread was about.
    case unit
    /// A thread that had nothing to do.
    case idle
    /// A worker that the pool was to add.
    case answer
    /// The time before the path's first cause.
    case before
    /// The time behind the last work.
    case after
    /// The log does not show it.
    case unknown

    /// The sort of link that a part of a path belongs to.
    init(_ piece: TimePiece) {
      switch piece.kind {
      case .answer: self = .answer
      case .unknown: self = .unknown
      case .work, .noCore, .wait, .noThread, .taskWait: self = piece.isIdle ? .idle : .unit
      }
    }
  }

  var thread: ThreadIndex
  /// Whose name it has where it was about nothing else.
  var called: ThreadIndex
  var sort: String
  /// The first unit.
  var unit: SpanSlice?
  var start: Instant
  var end: Instant
  var kind: Kind
  /// The units, each once.
  var named: [SpanSlice] = []
  /// How long it ran.
  var work: Int64 = 0
  /// How long it had no core, and the longest of these times.
  var noCore: Int64 = 0
  var longestNoCore: TimePiece?
  /// What it waited for.
  var waits: [ThreadSlice] = []
  /// What it waited for without a thread, as a task.
  var taskWaits: [TimePiece] = []

  var length: Int64 { end.nanoseconds - start.nanoseconds }

  /// How many units.
  var units: Int { named.count }

  /// Adds what comes next.
  mutating func add(_ step: CriticalPath.Step, _ unit: SpanSlice?) {
    if let unit, !isLast(unit) { named.append(unit) }
    end = step.piece.end
    switch step.piece.kind {
    case .work: work += step.piece.length
    case .noCore:
      noCore += step.piece.length
      if step.piece.length > longestNoCore?.length ?? 0 { longestNoCore = step.piece }
    case .wait:
      if var slice = step.piece.slice, kind == .unit {
        (slice.start, slice.end) = (step.piece.start, step.piece.end)
        waits.append(slice)
      }
    case .taskWait: taskWaits.append(step.piece)
    case .noThread, .answer, .unknown: break
    }
  }

  /// Whether a unit is the one that was added last; the pieces of a task are one unit.
  private func isLast(_ unit: SpanSlice) -> Bool {
    guard let last = named.last else { return false }
    return last == unit || !unit.item.isNone && last.item == unit.item
  }
}
