import SpindleModel

/// The arguments of the calls that have more than two, each read once, where its place is said.
///
/// A closure is not read but made, and in its turn, so of it the place is kept.

/// `run(mode:before:)`.
struct RunModeArguments {
  let loop: Int64
  let mode: NameID
  let deadline: Int64

  init(_ call: Call, _ process: borrowing Process) {
    loop = process.argument(0, call)
    mode = process.modeName(at: 1, call)
    deadline = process.argument(2, call)
  }
}

/// `CFRunLoopRunInMode`.
struct RunInModeArguments {
  let mode: NameID
  let duration: Int64
  let returnsAfterSource: Bool

  init(_ call: Call, _ process: borrowing Process) {
    mode = process.modeName(at: 0, call)
    duration = process.argument(1, call)
    returnsAfterSource = process.argument(2, call) != 0
  }
}

/// `add(_:forMode:)` and `remove(_:forMode:)`.
struct RunLoopItemArguments {
  let loop: Int64
  let item: RunLoopItem
  let mode: NameID

  init(_ call: Call, _ process: borrowing Process) {
    loop = process.argument(0, call)
    let object = process.object(1, call)
    switch HandleClass(rawValue: UInt8(truncatingIfNeeded: process.argument(2, call))) {
    case .timer: item = .timer(RunLoopTimer.Index(object))
    case .source: item = .source(RunLoopSource.Index(object))
    case .port: item = .port(RunLoopPort.Index(object))
    case let other: fatalError("\(other.map { "\($0)" } ?? "nothing") is no item of a run loop")
    }
    mode = process.modeName(at: 3, call)
  }
}

/// `perform(inModes:) { }`.
struct PerformBlockArguments {
  let loop, modes: Int64
  static let closure = 2

  init(_ call: Call, _ process: borrowing Process) {
    loop = process.argument(0, call)
    modes = process.argument(1, call)
  }
}

/// `observe(_:repeats:order:forMode:) { }`.
struct ObserveArguments {
  let loop, activities: Int64
  let repeats: Bool
  let order: Int64
  let mode: NameID
  static let closure = 5

  init(_ call: Call, _ process: borrowing Process) {
    loop = process.argument(0, call)
    activities = process.argument(1, call)
    repeats = process.argument(2, call) != 0
    order = process.argument(3, call)
    mode = process.modeName(at: 4, call)
  }
}

/// `perform(on:waitUntilDone:modes:) { }`.
struct PerformOnThreadArguments {
  let thread: Int64
  let waits: Bool
  let modes: Int64
  static let closure = 3

  init(_ call: Call, _ process: borrowing Process) {
    thread = process.argument(0, call)
    waits = process.argument(1, call) != 0
    modes = process.argument(2, call)
  }
}

/// `perform(afterDelay:) { }`.
struct PerformAfterDelayArguments {
  let delay, modes: Int64
  static let closure = 2

  init(_ call: Call, _ process: borrowing Process) {
    delay = process.argument(0, call)
    modes = process.argument(1, call)
  }
}

/// `io(_:runLoop:mode:) { }`.
struct RunLoopInputArguments {
  let duration, loop: Int64
  let mode: NameID
  static let closure = 3

  init(_ call: Call, _ process: borrowing Process) {
    duration = process.argument(0, call)
    loop = process.argument(1, call)
    mode = process.modeName(at: 2, call)
  }
}

/// `Timer(…) { }` and `Timer.scheduledTimer(…) { }`.
struct MakeTimerArguments {
  let name: Int64
  /// When it fires first; nil when that is for the interval to say.
  let date: Int64?
  let interval: Int64
  let repeats: Bool
  /// How much later it may fire; nil when nothing was said.
  let tolerance: Int64?
  let isScheduled: Bool
  static let closure = 6

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    let date = process.argument(1, call)
    self.date = date == noValue ? nil : date
    interval = process.argument(2, call)
    repeats = process.argument(3, call) != 0
    let tolerance = process.argument(4, call)
    self.tolerance = tolerance == noValue ? nil : tolerance
    isScheduled = process.argument(5, call) != 0
  }
}

/// `RunLoopSource(…) { }`.
struct MakeRunLoopSourceArguments {
  let name, order: Int64
  static let closure = 2

  init(_ call: Call, _ process: borrowing Process) {
    name = process.argument(0, call)
    order = process.argument(1, call)
  }
}

extension Process {
  /// The name of a mode that the argument at `index` is.
  func modeName(at index: Int, _ call: Call) -> NameID { NameID(Int(object(index, call))) }
}
