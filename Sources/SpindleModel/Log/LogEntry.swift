/// One observable step of a run; 40 bytes.
///
/// What the fields hold depends on the event: `LogEvent`.
@usableFromInline package struct LogEntry: Hashable, Sendable, BitwiseCopyable {
  /// When, in nanoseconds since the start.
  @usableFromInline package var time: Int64
  /// A quantity.
  @usableFromInline package var value: Int64
  /// The thread that does it or that it is about; -1 for the world outside.
  @usableFromInline package var thread: Int32
  /// Mostly the number of a name.
  @usableFromInline package var object: Int32
  /// A second thread or name.
  @usableFromInline package var other: Int32
  /// Mostly a kind of work.
  @usableFromInline package var subject: Int32
  /// The index of the instruction that caused it; -1 for none.
  ///
  /// Not part of a run's digest.
  @usableFromInline package var place: Int32
  /// What happened.
  @usableFromInline package var event: LogEvent
  /// More on what happened.
  @usableFromInline package var detail: UInt8
  /// The core; -1 for none.
  @usableFromInline package var core: Int16

  /// Creates an entry.
  @inlinable
  package init(
    time: Int64, event: LogEvent, detail: UInt8 = 0, core: Int16 = -1, thread: Int32 = -1,
    object: Int32 = -1, other: Int32 = -1, subject: Int32 = -1, place: Int32 = -1,
    value: Int64 = 0
  ) {
    self.time = time
    self.value = value
    self.thread = thread
    self.object = object
    self.other = other
    self.subject = subject
    self.place = place
    self.event = event
    self.detail = detail
    self.core = core
  }
}
