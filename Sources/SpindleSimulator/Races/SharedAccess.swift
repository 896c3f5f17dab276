import SpindleModel

/// A variable that several strands can use: one of the top level, or of an instance.
struct SharedVariable: Hashable {
  /// The instance whose it is; -1 for the top level.
  let owner: Int64
  /// Its number there.
  let number: Int32

  func hash(into hasher: inout Hasher) {
    hasher.combine(owner &* 0x1_0001 ^ Int64(number))
  }
}

/// A read or a write of a shared variable.
struct SharedAccess: BitwiseCopyable {
  /// What a statement does with a variable.
  enum Kind: UInt8 {
    case read
    /// It writes without having read.
    case write
    /// It reads and then writes: the one half, and the other.
    case readToChange, changed

    /// Whether the variable is another one behind it.
    var writes: Bool { self == .write || self == .changed }

    /// What a finding says that was done.
    var word: StaticString {
      switch self {
      case .read: "read"
      case .write: "written"
      case .readToChange, .changed: "changed"
      }
    }

    /// What an instruction does by which an event of the log came.
    init(_ event: LogEvent, _ instruction: Instruction) {
      if event == .sharedWritten {
        self = .write
        return
      }
      self = .read
      if case .readToChange = instruction { self = .readToChange }
      if case .fieldReadToChange = instruction { self = .readToChange }
    }
  }

  var kind: Kind
  /// The instruction.
  var place: Int32
  /// When, and who.
  var moment: Moment
  /// What the thread was called; its number may be another one's later.
  var threadName: ThreadName
  /// The concurrent queue on which it was; -1 for none.
  var queue: Int32 = -1
}

/// Two accesses to a shared variable, one of them a write, that nothing orders.
struct DataRace {
  let earlier: SharedAccess
  let later: SharedAccess
}
