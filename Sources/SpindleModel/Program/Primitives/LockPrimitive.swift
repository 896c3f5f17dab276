/// Locks, conditions, condition locks and read-write locks.
@usableFromInline
package enum LockPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// class (the raw value of a `LockClass`), name, condition (integer or `noValue`), protocol (the name of
  /// a `ResourceProtocol` or `noValue`), ceiling (a priority from 0.0 to 1.0 or `noValue`) → lock.
  case make
  /// lock.
  case lock
  /// lock, deadline → boolean.
  case lockBefore
  /// lock → boolean.
  case tryLock
  /// lock.
  case unlock
  /// condition.
  case wait
  /// condition, deadline → boolean.
  case waitUntil
  /// condition.
  case signal
  /// condition.
  case broadcast
  /// condition lock → integer; lock around a value → value.
  case condition
  /// lock, value: what `condition` gives from now on.
  case setValue
  /// value that threads access at once, effect: an operation on it begins, in whose midst no other one comes.
  ///
  /// The effect is the sum of 1 where it acquires, 2 where it releases, and 4 where it changes the value.
  case access
  /// condition lock, integer.
  case lockWhen
  /// condition lock, integer, deadline → boolean.
  case lockWhenBefore
  /// condition lock, integer → boolean.
  case tryLockWhen
  /// condition lock, integer.
  case unlockWith
  /// read-write lock.
  case readLock
  /// read-write lock.
  case writeLock
  /// read-write lock → boolean.
  case tryReadLock
  /// read-write lock → boolean.
  case tryWriteLock

  /// Whether who calls it has a lock afterwards.
  package var takes: Bool {
    switch self {
    case .lock, .lockBefore, .tryLock, .lockWhen, .lockWhenBefore, .tryLockWhen, .readLock,
      .writeLock, .tryReadLock, .tryWriteLock:
      true
    case .make, .unlock, .wait, .waitUntil, .signal, .broadcast, .condition, .setValue, .access,
      .unlockWith:
      false
    }
  }

  /// Whether who calls it does not wait for ever.
  package var givesUp: Bool {
    switch self {
    case .lockBefore, .tryLock, .lockWhenBefore, .tryLockWhen, .tryReadLock, .tryWriteLock: true
    case .make, .lock, .unlock, .wait, .waitUntil, .signal, .broadcast, .condition, .setValue,
      .access, .lockWhen, .unlockWith, .readLock, .writeLock:
      false
    }
  }
}
