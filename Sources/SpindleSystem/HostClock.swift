#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The host's clock, for how long the tool takes; nothing of a run depends on it.
package enum HostClock {
  /// Nanoseconds since some moment that does not move.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
