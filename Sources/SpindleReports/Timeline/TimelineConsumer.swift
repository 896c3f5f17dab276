public import SpindleModel

/// A reader of a run's timeline during the run: an export, a store, a sum.
///
/// Calls come in the order of the log. A slice comes twice: when it begins, with an unknown end, and when it
/// has ended; a reader of whole slices only takes the second. Every call has an implementation that does
/// nothing. A class, since the caller passes it in and reads it afterwards.
public protocol TimelineConsumer: AnyObject {
  /// The run is about to begin.
  func begin(_ run: RunDescription)
  /// A thread was started.
  func threadBegan(_ thread: ThreadFacts)
  /// Something has a lane from now on.
  func laneBegan(_ lane: LaneFacts)
  /// A thread is in another state from now on.
  func stateBegan(_ slice: ThreadSlice)
  /// The state has ended.
  func stateEnded(_ slice: ThreadSlice)
  /// An item was submitted.
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
  /// A task resumes.
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
