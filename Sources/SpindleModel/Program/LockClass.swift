/// The classes of locks.
package enum LockClass: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// `NSLock`: owned, not recursive.
  case mutex
  /// `NSRecursiveLock`.
  case recursive
  /// `NSCondition`: a mutex with a wait queue.
  case condition
  /// `NSConditionLock`: a lock with a number.
  case conditionLock
  /// `OSAllocatedUnfairLock`: traps on what the others let pass.
  case unfair
  /// `ReadWriteLock`, for `pthread_rwlock_t`.
  case readWrite

  /// The class's name in the trace language.
  package var name: String {
    switch self {
    case .mutex: "NSLock"
    case .recursive: "NSRecursiveLock"
    case .condition: "NSCondition"
    case .conditionLock: "NSConditionLock"
    case .unfair: "OSAllocatedUnfairLock"
    case .readWrite: "ReadWriteLock"
    }
  }
}
