import SpindleModel

/// What a column of a lane shows: a letter that can be read without colour.
enum LaneState: Hashable {
  case absent, idle, running, cost, ready
  /// It waits, and not idly.
  case waiting(WaitReason)

  /// Every state, in the order of the legend.
  static let all: [LaneState] =
    [.absent, .idle, .running, .cost, .ready]
    + WaitReason.allCases.filter { $0.facts.family != .idle }.map(LaneState.waiting)

  /// What a part of a thread's time shows as.
  init(_ piece: TimePiece) {
    switch piece.kind {
    case .work: self = .running
    case .noCore: self = .ready
    case .noThread, .taskWait, .answer, .unknown: self = .absent
    case .wait: self = piece.slice?.reason.map { LaneState($0) } ?? .idle
    }
  }

  /// What a wait shows as.
  init(_ reason: WaitReason) {
    self = reason.facts.family == .idle ? .idle : .waiting(reason)
  }

  /// What a column shows that it has all of.
  var cell: LaneCell { LaneCell(letter: letter, ink: ink) }

  /// The letter.
  var letter: Character {
    switch self {
    case .absent: " "
    case .idle: "."
    case .running: "#"
    case .cost: "+"
    case .ready: "r"
    case .waiting(let reason): Character(reason.facts.letter)
    }
  }

  /// What it means, for the legend.
  var meaning: String {
    switch self {
    case .absent: "not there"
    case .idle: "idle"
    case .running: "runs"
    case .cost: "costs"
    case .ready: "ready, no core"
    case .waiting(let reason): "\(reason.facts.meaning)"
    }
  }

  /// The colour.
  var ink: TextStyle.Ink? {
    switch self {
    case .absent: nil
    case .idle: .dim
    case .running: .green
    case .cost: .magenta
    case .ready: .yellow
    case .waiting(let reason): reason.facts.family == .device ? .cyan : .red
    }
  }
}
