import SpindleModel

/// Something that one thread has and others wait for: a lock, a serial queue, a `DispatchOnce`.
///
/// Waiters donate their priority to the owner, and so to the thread that the owner waits for in turn.
///
/// Source: xnu:osfmk/kern/turnstile.c. A resource without donation has no turnstile.
struct Turnstile: BitwiseCopyable {
  typealias Index = TableIndex<Turnstile>

  /// The thread that inherits, or none.
  var owner = ThreadID.none
  /// The turnstile that inherits instead, when it waits itself for a thread.
  var outer = Index.none
  /// Who waits, the most urgent first, equals as they came.
  var waiters = IntrusiveList<UrgencyLinks>()
  /// The turnstiles whose outer one it is.
  var inner = IntrusiveStack<TurnstileLinks>()
  /// Its neighbours among those of its owner or its outer one, while it has an urgency.
  var neighbours = Neighbours<Turnstile>()
  /// The priority at which it is wanted whoever waits; -1 for none.
  var floor: Int16 = -1
  /// The priority at which it is wanted in all; -1 for none.
  var urgency: Int16 = -1
}

/// A waiting thread's neighbours at its turnstile.
enum UrgencyLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<ThreadRecord>) -> Int32 {
    record.pointee.lessUrgent.index
  }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<ThreadRecord>) -> Int32 {
    record.pointee.moreUrgent.index
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<ThreadRecord>, next: Int32) {
    record.pointee.lessUrgent = ThreadID(next)
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<ThreadRecord>, previous: Int32) {
    record.pointee.moreUrgent = ThreadID(previous)
  }
}

/// A turnstile's neighbours among those of its owner, or of its outer one.
enum TurnstileLinks: NeighbourLinks {
  typealias Record = Turnstile

  static subscript(record: UnsafeMutablePointer<Turnstile>) -> Neighbours<Turnstile> {
    @inline(__always) _read { yield record.pointee.neighbours }
    @inline(__always) _modify { yield &record.pointee.neighbours }
  }
}
