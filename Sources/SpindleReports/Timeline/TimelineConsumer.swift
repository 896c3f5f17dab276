public import SpindleModel

/// Something that reads a run's timeline while the run is made: an export, a store, a sum.
///
/// Every call comes in the order of the log. A slice comes twice: when it begins, with an end that is
/// not known yet, and when it has ended; who needs whole slices only takes the second. Every call has
/// an implementation that does nothing. A class, since the caller hands it in and reads it out again.
public protocol TimelineConsumer: AnyObject {
  /// The run is about to begin.
  func begin(_ run: RunDescription)
  /// A thread was started.
  func threadBegan(_ thread: ThreadFacts)
  /// Something has a lane from now on.
  func laneBegan(_ lane: LaneFacts)
  /// A thread is in another state from now on.
  func stateBegan(_ slice: ThreadSlice)
  /// It is no longer.
  func stateEnded(_ slice: ThreadSlice)
  /// An item was handed over.
  func itemSubmitted(_ item: ItemSlice)
  /// It begins.
  func itemStarted(_ item: ItemSlice)
  /// It has ended, or never will.
  func itemEnded(_ item: ItemSlice)
  /// A thread is about something from now on.
  func spanBegan(_ span: SpanSlice)
  /// It no longer is.
  func spanEnded(_ span: SpanSlice)
  /// A task leaves its thread, to wait: its piece there has ended.
  func taskLeft(_ piece: TaskPiece)
  /// A task goes on.
  func taskResumed(_ piece: TaskPiece)
  /// Something is held from now on.
  func holdBegan(_ hold: HoldSlice)
  /// It no longer is.
  func holdEnded(_ hold: HoldSlice)
  /// Something happened at one moment.
  func noted(_ note: TimelineNote)
  /// The run has ended, and all slices have.
  func end(_ record: RunRecord)
}

extension TimelineConsumer {
  public func begin(_ run: RunDescription) {}
  public func threadBegan(_ thread: ThreadFacts) {}
  public func laneBegan(_ lane: LaneFacts) {}
  public func stateBegan(_ slice: ThreadSlice) {}
  public func stateEnded(_ slice: ThreadSlice) {}
  public func itemSubmitted(_ item: ItemSlice) {}
  public func itemStarted(_ item: ItemSlice) {}
  public func itemEnded(_ item: ItemSlice) {}
  public func spanBegan(_ span: SpanSlice) {}
  public func spanEnded(_ span: SpanSlice) {}
  public func taskLeft(_ piece: TaskPiece) {}
  public func taskResumed(_ piece: TaskPiece) {}
  public func holdBegan(_ hold: HoldSlice) {}
  public func holdEnded(_ hold: HoldSlice) {}
  public func noted(_ note: TimelineNote) {}
  public func end(_ record: RunRecord) {}
}
