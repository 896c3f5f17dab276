import SpindleModel

/// What a column of a lane shows: a letter that can be read without colour.
enum LaneState: Int, CaseIterable {
  case absent, idle, running, cost, ready
  case io, sleep, lock, sync, condition, semaphore, group, join, workItem, apply, once, perform
  case operation

  /// What a part of a thread's time shows as.
  init(_ piece: TimePiece) {
    switch piece.kind {
    case .work: self = .running
    case .noCore: self = .ready
    case .noThread: self = .absent
    case .wait: self = piece.slice?.reason.map { LaneState($0) } ?? .idle
    }
  }

  /// What a wait shows as.
  init(_ reason: WaitReason) {
    switch reason {
    case .io: self = .io
    case .sleep: self = .sleep
    case .lock: self = .lock
    case .condition: self = .condition
    case .semaphore: self = .semaphore
    case .group: self = .group
    case .join: self = .join
    case .runLoop, .idleWorker: self = .idle
    case .sync: self = .sync
    case .workItem: self = .workItem
    case .apply: self = .apply
    case .once: self = .once
    case .perform: self = .perform
    case .operation, .operations: self = .operation
    }
  }

  /// The letter.
  var letter: Character {
    switch self {
    case .absent: " "
    case .idle: "."
    case .running: "#"
    case .cost: "+"
    case .ready: "r"
    case .io: "i"
    case .sleep: "z"
    case .lock: "L"
    case .sync: "S"
    case .condition: "c"
    case .semaphore: "s"
    case .group: "g"
    case .join: "j"
    case .workItem: "w"
    case .apply: "a"
    case .once: "1"
    case .perform: "p"
    case .operation: "o"
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
    case .io: "io"
    case .sleep: "sleeps"
    case .lock: "waits for a lock"
    case .sync: "in sync for a queue"
    case .condition: "condition"
    case .semaphore: "semaphore"
    case .group: "group"
    case .join: "joins a thread"
    case .workItem: "work item"
    case .apply: "other iterations"
    case .once: "once"
    case .perform: "a perform"
    case .operation: "operations"
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
    case .io, .sleep: .cyan
    case .lock, .sync, .condition, .semaphore, .group, .join, .workItem, .apply, .once, .perform,
      .operation:
      .red
    }
  }
}
