/// What can become due, in the order in which it is taken at one instant.
///
/// First the work that completes, then the world outside, then timers; the kernel's scheduling
/// decisions come last, so that one decision sees every wake-up of the instant.
enum DueKind: UInt8, CaseIterable {
  /// The burst that a core was given ends: work is done, a cost paid.
  case core
  /// An input or output that a thread waits for has ended.
  case device
  /// `at`, `every`, `arrivals`.
  case arrival
  /// A sleep ends, or a wait reaches its limit.
  case threadTimer
  /// The policy asked to be called again.
  case policyTick
  /// A quantum is used up and work is left: a decision of the kernel.
  case quantum
  /// A runtime has planned something for this moment.
  case plan
  /// The world outside does something that a runtime waits for.
  case worldPlan

  /// Which class it belongs to: work, world, timers, decisions.
  @inline(__always)
  var phase: UInt8 {
    switch self {
    case .core: 0
    case .device, .arrival, .worldPlan: 1
    case .threadTimer, .policyTick, .plan: 2
    case .quantum: 3
    }
  }
}

/// Something that becomes due: 16 bytes, ordered by time, class and the order of scheduling.
///
/// `low` holds, from the top: the class (2 bits), the sequence number (36 bits), the kind (3 bits)
/// and the index of the owner (23 bits). Two events of different owners never have the same sequence number,
/// so the order is total, and kind and index never decide.
struct ScheduledEvent: BitwiseCopyable {
  /// When, in nanoseconds since the start; never negative.
  var time: Int64
  /// Class, sequence number, kind, index.
  var low: UInt64

  static let indexBits: UInt64 = 23
  static let kindBits: UInt64 = 3
  static let sequenceBits: UInt64 = 36
  /// The sequence numbers that a run may give out: so many that it needs hours for them, and fewer than there
  /// are by what one moment may need before it is noticed.
  static let sequenceEnd = (UInt64(1) << sequenceBits) - (1 << 33)
  /// The sequence number from which on a run ends, as one does whose steps are over: before the last one, by what
  /// comes up between two looks.
  static let lastLook = sequenceEnd - (1 << 32)
  /// How many things of one kind may own events: 4,194,304, half of what an index can say, so that
  /// the run can still come to the end of the instruction that made one too many.
  static let maximumIndex = Int32(1) << 22

  /// Stops unless every kind and class has its place in the bits that are there for them.
  static func checkLayout() {
    demand(
      2 + sequenceBits + kindBits + indexBits == 64 && 2 * maximumIndex == 1 << indexBits,
      "the parts of an event's key do not fill its 64 bits")
    for kind in DueKind.allCases {
      demand(
        kind.rawValue < 1 << kindBits && kind.phase < 4,
        "the kind '\(kind)' of events has number \(kind.rawValue) and class \(kind.phase): there are "
          + "\(1 << kindBits) numbers and 4 classes")
    }
  }

  @inline(__always)
  init(time: Int64, kind: DueKind, index: Int32, sequence: UInt64) {
    assert(time >= 0, "an event of kind '\(kind)' is due at \(time)")
    assert(
      index >= 0 && index < 1 << Self.indexBits, "the owner of a '\(kind)' has number \(index)")
    assert(sequence >> Self.sequenceBits == 0, "a '\(kind)' has sequence number \(sequence)")
    self.time = time
    low =
      UInt64(kind.phase) << 62 | sequence << (Self.indexBits + Self.kindBits)
      | UInt64(kind.rawValue) << Self.indexBits | UInt64(UInt32(bitPattern: index))
  }

  /// The kind's raw value.
  @inline(__always) var rawKind: UInt8 { UInt8(truncatingIfNeeded: low >> Self.indexBits) & 7 }
  /// The index of the owner.
  @inline(__always) var index: Int32 {
    Int32(truncatingIfNeeded: low & ((1 << Self.indexBits) - 1))
  }
  /// The sequence number, by which the owner knows whether it still wants the event.
  @inline(__always) var sequence: UInt64 {
    (low >> (Self.indexBits + Self.kindBits)) & ((1 << Self.sequenceBits) - 1)
  }
  /// The class's number.
  @inline(__always) var phase: UInt8 { UInt8(truncatingIfNeeded: low >> 62) }

  /// Whether it comes before `other`; compared without a branch.
  @inline(__always)
  func precedes(_ other: ScheduledEvent) -> Bool {
    let mine = UInt128(UInt64(bitPattern: time)) << 64 | UInt128(low)
    let its = UInt128(UInt64(bitPattern: other.time)) << 64 | UInt128(other.low)
    return mine < its
  }
}
