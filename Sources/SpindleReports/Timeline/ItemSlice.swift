public import SpindleModel

/// How an item of work came to its end.
public enum ItemOutcome: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// It has not.
  case open
  /// It ran.
  case ran
  /// It was cancelled before its turn came.
  case cancelled
  /// It is an operation that reported its end before its turn came.
  case reportedEarly
  /// The run ended before.
  case cut
}

/// An item of work from submission to end.
public struct ItemSlice: Hashable, Sendable, BitwiseCopyable {
  /// Its number.
  public var item: ItemIndex
  /// Its name; none for one without a name, which is called after its kind.
  public var name: NameID
  /// The index of its kind in `Program.kinds`; -1 for none.
  package var kind: Int32
  /// Which one of its name it is, from 1.
  package var ordinal: Int32 = 1
  /// When it was submitted.
  public var submitted: Instant
  /// When it began; `submitted` when it has not.
  public var started: Instant
  /// When it ended; `started` when it has not.
  public var ended: Instant
  /// How it ended.
  public var outcome = ItemOutcome.open
  /// Whether it has begun.
  public var hasStarted = false
  /// Whether it runs alone in its queue.
  public var isBarrier = false
  /// Whether it needs no thread until it reports its end.
  package var needsNoThread = false
  /// Whether it is a task, which has a span for each piece between two suspensions.
  public var isTask = false
  /// Whether it was submitted at a moment that was named before.
  package var isPlanned = false
  /// The thread that submitted it; none for the outside world.
  public var submitter: ThreadIndex = .none
  /// The item that submitted it.
  public var parent: ItemIndex = .none
  /// Where it began.
  public var thread: ThreadIndex = .none
  /// The queue or pool that took it; none for what a thread of its own does.
  public var lane: LaneIndex = .none
  /// The index of the instruction that submitted it; -1 for none.
  package var place: Int32 = -1

  /// What it is called, as in the log: the second one of a name ends with `#2`, and one without a name
  /// is called after its kind.
  public func name(in names: NameTable, _ program: Program) -> String {
    let number = Int(kind)
    let text =
      name.index >= 0
      ? names.text(name)
      : number >= 0 && number < program.kinds.count ? program.kinds[number].pattern : "item"
    return ordinal > 1 ? "\(text)#\(ordinal)" : text
  }
}

/// What a thread is about in a stretch of time, one inside the other.
public enum SpanKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// An item of work.
  case item
  /// The block of a `sync`.
  case sync
  /// A call of `concurrentPerform`.
  case apply
  /// One of its iterations.
  case iteration
  /// The handler of a dispatch source.
  case dispatchSource
  /// The handler of a timer, or a delayed perform.
  case timer
  /// The handler of a run loop's source.
  case source
  /// The call of a run loop's observer.
  case observer
  /// A block of a run loop.
  case block
  /// What another thread asked this one to perform.
  case perform
  /// The handler of a port's message.
  case message
  /// The block that gets the answer of an input or output.
  case answer
}

/// A stretch of time in which a thread was about something.
public struct SpanSlice: Hashable, Sendable, BitwiseCopyable {
  /// What sort.
  public var kind: SpanKind
  /// Whether it ended; not of one that the end of the run, or of its thread, cut off.
  public var isComplete = false
  /// The thread.
  public var thread: ThreadIndex
  /// When it began.
  public var start: Instant
  /// When it ended; of one that has just begun the start.
  public var end: Instant
  /// Of an item: its number.
  public var item: ItemIndex = .none
  /// The lane of a `sync`'s queue, of a dispatch source, or of an item's queue.
  public var lane: LaneIndex = .none
  /// The name of the item, queue, source, timer or port; none where it has none.
  public var name: NameID = .none
  /// Its nesting depth.
  package var depth: Int32 = 0
  /// The number of an iteration, how many a `concurrentPerform` has, by how many nanoseconds a timer is
  /// late, or for how many a task was ready before this piece of it.
  package var value: Int64 = 0
  /// Of a piece of a task: for what it left its thread; nil when it ended there.
  public var suspension: TaskWait?
  /// The index of the instruction that called it; -1 where the log has none.
  package var place: Int32 = -1
}
