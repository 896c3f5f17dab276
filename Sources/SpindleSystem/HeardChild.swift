import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The child that this process listens to, which is of no use without it: a signal that ends this one ends both.
package enum HeardChild {
  private static let id = Atomic<Int32>(0)

  /// Notes a child.
  package static func begin(_ child: Int32) { id.store(child, ordering: .sequentiallyConsistent) }

  /// Forgets it, before its number may become another's.
  package static func forget() { id.store(0, ordering: .sequentiallyConsistent) }

  /// Ends it; calls nothing that a signal's handler may not call.
  package static func end() {
    let child = id.exchange(0, ordering: .sequentiallyConsistent)
    if child > 0 { kill(child, SIGKILL) }
  }
}
