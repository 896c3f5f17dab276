import SpindleModel

/// Something that one thread has and others wait for: a lock, a serial queue, a `DispatchOnce`.
///
/// Waiters donate their priority to the owner, and so to the thread that the owner waits for in turn.
///
/// Source: xnu:osfmk/kern/turnstile.c. A resource without donation has no turnstile: its number is -1.
struct Turnstile: BitwiseCopyable {
  /// The thread that inherits, or none.
  var owner = ThreadID.none
  /// The turnstile that inherits instead, when it waits itself for a thread; -1 for none.
  var outer: Int32 = -1
  /// Who waits, the most urgent first, equals as they came.
  var waiters = IntrusiveList<UrgencyLinks>()
  /// The first of the turnstiles whose outer one it is; -1 for none.
  var inner = IntrusiveStack<TurnstileLinks>()
  /// Its neighbours among those of its owner or its outer one, while it has an urgency.
  var next: Int32 = -1
  var previous: Int32 = -1
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
enum TurnstileLinks: ListLinks {
  @inline(__always)
  static func next(_ record: UnsafeMutablePointer<Turnstile>) -> Int32 { record.pointee.next }
  @inline(__always)
  static func previous(_ record: UnsafeMutablePointer<Turnstile>) -> Int32 {
    record.pointee.previous
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<Turnstile>, next: Int32) {
    record.pointee.next = next
  }
  @inline(__always)
  static func set(_ record: UnsafeMutablePointer<Turnstile>, previous: Int32) {
    record.pointee.previous = previous
  }
}
