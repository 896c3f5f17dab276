import SpindleModel

/// Threads that may go round loops that wait for something.
struct BusyWaitWatch {
  /// Whether loops are looked for.
  let isOn: Bool
  /// Whether each instruction is looked at.
  var isWatching: Bool { !marks.isEmpty }
  /// How many steps pass until the next look.
  private(set) var patience: Int64
  /// What there was each time that the thread came to the place where the look began.
  var marks: [RoundMark] = []
  /// What was done since then, in order.
  var steps: [RoundStep] = []
  /// What was recorded meanwhile.
  var entries: [LogEntry] = []
  /// The variables that were written since then, in the order of their first writes.
  private(set) var cells: [SharedVariable] = []
  /// When something came next, when the look began, that no thread with a core does.
  var occasion: Int64 = 0

  /// How many instructions are looked at.
  static let mostSteps = 8_192
  /// How often the thread comes to the place meanwhile.
  static let mostMarks = 256
  /// The most frames that a loop is looked at in.
  static let mostFrames = 16
  /// How many steps pass behind rounds that were passed over, and by how many times more behind a look in vain.
  private static let shortPatience: Int64 = 1 << 7
  private static let firstPatience: Int64 = 1 << 16
  private static let growth: Int64 = 4
  /// How few rounds are not worth it.
  static let fewest: Int64 = 8

  init(isOn: Bool) {
    self.isOn = isOn
    patience = isOn ? Self.firstPatience : Int64.max
  }

  /// Ends the look; the next one comes soon where rounds were passed over, else ever later.
  mutating func end(found: Bool) {
    if found {
      patience = Self.shortPatience
    } else if patience < Int64.max / Self.growth {
      patience *= Self.growth
    }
    (marks, steps, entries, cells) = ([], [], [], [])
  }

  /// A variable is about to be written.
  mutating func writes(_ cell: SharedVariable) {
    if !cells.contains(cell) { cells.append(cell) }
  }

  /// The threads that did something between two marks, in ascending order.
  func threads(from first: RoundMark, to last: RoundMark) -> [ThreadID] {
    var found: [ThreadID] = []
    for step in steps[first.stepCount..<last.stepCount] where !found.contains(step.thread) {
      found.append(step.thread)
    }
    return found.sorted { $0.index < $1.index }
  }
}

/// What there is where a round may begin.
struct RoundMark {
  var time: Int64 = 0
  /// How many steps and entries of the log there were until now.
  var stepCount = 0
  var entryCount = 0
  /// How many writes had been kept with their calls.
  var tracedCount = 0
  /// What changes when something else is recorded.
  var others: Int64 = 0
  /// What goes up with all that is made, and with each turn of a thread or a task.
  var made: [Int64] = []
  /// The threads that have cores, by the number of these.
  var threads: [ThreadMark] = []
  /// The variables that were written since the look began, in the order of their first writes.
  var cells: [CellMark] = []

  /// What there is of a thread.
  func thread(_ number: ThreadID) -> ThreadMark? { threads.first { $0.thread == number } }
}

/// What there is of a thread that has a core where a round may begin.
struct ThreadMark {
  var thread = ThreadID.none
  /// What is the same at the beginning of each round: the frames and where they go on, what is left to do and for how
  /// long from now.
  var state: [Int64] = []
  /// What the registers of the frames hold, one behind the other.
  var registers: [Int64] = []
  var use = CoreChange()
}

/// What there is of a variable where a round may begin.
struct CellMark {
  var value: Int64
  /// Its last write, at a time before now.
  var write: SharedWrite

  /// Whether it is written the same in each round, where `middle` is one round later and `end` two.
  func growsEvenly(_ middle: CellMark, _ end: CellMark) -> Bool {
    write.time == middle.write.time && middle.write.time == end.write.time
      && write.writer == middle.write.writer && middle.write.writer == end.write.writer
      && middle.value &- value == end.value &- middle.value
      && middle.write.before &- write.before == end.write.before &- middle.write.before
  }
}

/// What an instruction of a round did, as far as other rounds may differ.
struct RoundStep {
  /// What of it is the same in each round.
  enum Rule {
    /// Both values.
    case values
    /// The first value, a sum, is one that a register can have.
    case sum
    /// How the first value compares with the second.
    case less, lessOrEqual, equal
  }

  var thread: ThreadID
  var place: Int32
  var rule: Rule
  var first: Int64
  var second: Int64
  /// The owner of the lock that the instruction uses.
  var owner: Int64 = 0

  /// In how many more rounds it comes to the same, when it did `earlier` a round before, and all values go on to grow as
  /// they did from that to this.
  func rounds(after earlier: RoundStep) -> Int64 {
    guard thread == earlier.thread, place == earlier.place, rule == earlier.rule,
      owner == earlier.owner
    else { return 0 }
    if first == earlier.first && second == earlier.second { return Int64.max }
    let (growth, other) = (
      Int128(first) - Int128(earlier.first), Int128(second) - Int128(earlier.second)
    )
    let (apart, change) = (Int128(first) - Int128(second), growth - other)
    switch rule {
    case .values: return 0
    case .sum:
      return Self.rounds(below: Int128(1) << 62, from: Int128(first.magnitude), by: growth)
    case .equal:
      if change == 0 { return Int64.max }
      if apart == 0 { return 0 }
      return (apart < 0) == (change < 0)
        ? Int64.max : Self.rounds(below: abs(apart), from: 0, by: abs(change))
    case .less:
      if change == 0 || (apart < 0) == (change < 0) { return Int64.max }
      return apart < 0
        ? Self.rounds(below: -apart, from: 0, by: change)
        : Self.rounds(below: apart + 1, from: 0, by: -change)
    case .lessOrEqual:
      if change == 0 || (apart <= 0) == (change < 0) { return Int64.max }
      return apart <= 0
        ? Self.rounds(below: -apart + 1, from: 0, by: change)
        : Self.rounds(below: apart, from: 0, by: -change)
    }
  }

  /// How often a number may grow and stays below a limit.
  private static func rounds(below limit: Int128, from start: Int128, by growth: Int128) -> Int64 {
    if start >= limit || growth == 0 { return growth == 0 ? Int64.max : 0 }
    return Int64(clamping: (limit - 1 - start) / abs(growth))
  }
}
