public import SpindleModel

/// In which way something is held, so that others can't have it.
public enum HoldKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// A lock by one thread.
  case exclusive
  /// A lock by a reader, maybe with others.
  case shared
  /// A queue or source is suspended.
  case suspended
  /// A queue or source was made inactive.
  case inactive
  /// A task is on an actor.
  case actor
}

/// A stretch of time in which something was held.
public struct HoldSlice: Hashable, Sendable, BitwiseCopyable {
  /// In which way.
  public var kind: HoldKind
  /// The lane of what is held.
  public var lane: LaneIndex
  /// The thread that acquired or suspended it.
  public var thread: ThreadIndex
  /// The item that this thread was about when it took it.
  public var item: ItemIndex = .none
  /// How long this task was queued for the actor.
  public var waited = Nanoseconds.zero
  /// When it began.
  public var start: Instant
  /// When it ended; of one that has just begun the start.
  public var end: Instant
  /// The index of the instruction that acquired it; -1 where the log has none.
  package var place: Int32 = -1
}

/// The properties of something with a lane of its own.
public struct LaneFacts: Hashable, Sendable {
  /// The lane.
  public var lane: LaneIndex
  /// What sort of thing it is.
  public var family: ObjectFamily
  /// Its number in its family; -1 for an operation queue, which the log names only.
  package var number: Int32
  /// Its name.
  public var name: NameID
  /// Which one of its name it is, from 1.
  package var ordinal: Int32
  /// When it was made, or met first.
  public var time: Instant
  /// The index of the instruction that made it; -1 for what the system made.
  package var place: Int32
  /// What it was made with: see `LogEvent.objectMade`; 0 for what the system made.
  package var value: Int64

  /// What it is called, as in the log: the second one of a name ends with `#2`.
  public func name(in names: NameTable) -> String {
    let nameless = family == .actor ? "main actor" : ""
    let text = name.index >= 0 ? names.text(name) : nameless
    return ordinal > 1 ? "\(text)#\(ordinal)" : text
  }
}

/// Something at one moment that a timeline shows.
public struct TimelineNote: Hashable, Sendable, BitwiseCopyable {
  /// What sorts there are.
  public enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// `mark("…")`; `name` is its text.
    case mark
    /// A finding; `value` is its index in `RunRecord.findings`.
    case finding
    /// The memory in use has changed; `value` is what it is now, in bytes.
    case memory
    /// The machine sleeps; `value` is for how many nanoseconds.
    case machineSlept
    /// The machine wakes.
    case machineWoke
  }

  /// What sort.
  public var kind: Kind
  /// When.
  public var time: Instant
  /// On which thread; none for the world outside.
  public var thread: ThreadIndex
  /// A text.
  public var name: NameID
  /// A quantity.
  package var value: Int64
}
