import SpindleModel

/// The code of the trace that is left when nothing can happen any more, and which waits it would end.
struct RemainingWork {
  /// Where code is left, with the number of the object.
  enum Stand: Hashable {
    /// Behind the call in which a thread waits.
    case thread(ThreadID)
    /// In a dispatch queue.
    case queue(Int32)
    /// In an operation that has not begun.
    case operation(Int32)
    /// In a pool of threads.
    case pool(Int32)
    /// In a thread that was not started.
    case created
    /// In the run loop of a thread.
    case runLoop(ThreadID)
    /// In a task that waits.
    case task(Int32)
    /// Behind the last leave of a group.
    case group(Int32)
    /// Behind a work item.
    case workItem(Int32)
    /// In the handler of a source.
    case source(Int32)
    /// In a closure that a property or a variable has.
    case property
    /// In the completion block of an operation that runs.
    case completion(Int32)
    /// In the `deinit` of an instance that something still holds.
    case deinitializer
    /// In what is done when a task is cancelled.
    case cancellation

    /// Whether the code stands where it is called by itself, once what is in front of it is done.
    var isCalled: Bool {
      switch self {
      case .property, .deinitializer, .cancellation: false
      case .thread, .queue, .operation, .pool, .created, .runLoop, .task, .group, .workItem,
        .source, .completion:
        true
      }
    }
  }

  /// Code that is left.
  struct Piece {
    /// What it is called; nil for an item without a name.
    let name: String?
    let stand: Stand
    /// Where it was submitted or made; -1 where that says nothing.
    let place: Int32
    /// The work item that it is; -1 for none.
    var workItem: Int32 = -1
    /// Behind a group, the code that would leave that; nil where it is not known, or behind no group.
    var leavers: [Piece]?
  }

  private(set) var pieces: [Piece] = []
  /// The instructions that would have ended waits, in code that is past or was skipped.
  var past: [EndingSite] = []
  private var enders: [EndingCall: [Int]] = [:]

  /// How many pieces were looked at.
  private var looked = 0
  /// More are not looked at: it would take longer than the answer is worth.
  private static let mostLooked = 10_000

  /// Whether no more pieces are taken in.
  var isFull: Bool { looked >= Self.mostLooked }

  /// Whether some of the code was not looked at, or calls what is not known.
  private var isPartial = false

  /// Takes a piece in, with the calls that it would make; `isPartial` where it may make others.
  mutating func add(_ piece: Piece, _ calls: Set<EndingCall>, isPartial: Bool) {
    self.isPartial = self.isPartial || isPartial
    if isFull { return }
    looked += 1
    if calls.isEmpty { return }
    for call in calls { enders[call, default: []].append(pieces.count) }
    pieces.append(piece)
  }

  /// The instructions that would have made a call, each once, in the order of the text.
  func past(_ call: EndingCall) -> [Int32] {
    Set(past.filter { $0.call == call }.map(\.place)).sorted()
  }

  /// The pieces that would make a call, in the order in which they were taken in, without closures that nobody has to call
  /// where there are others; nil where it is not known whether there are any.
  func enders(of call: EndingCall) -> [Piece]? {
    guard let own = enders[call] else {
      return isPartial || isFull || enders[call.ofUnknown] != nil ? nil : []
    }
    let all = own.map { pieces[$0] }
    let called = all.filter(\.stand.isCalled)
    return called.isEmpty ? all : called
  }
}
