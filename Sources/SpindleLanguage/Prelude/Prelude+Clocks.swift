extension Prelude {
  /// What code for any clock asks of one.
  static let clocks = """
    protocol InstantProtocol: Comparable, Hashable, Sendable {
      func advanced(by length: Duration) -> Self
      func duration(to other: Self) -> Duration
    }
    extension DispatchTime: InstantProtocol {}
    protocol Clock<Duration>: Sendable {
      typealias Duration = Swift.Duration
      associatedtype Instant: InstantProtocol
      var now: Instant { get }
      var minimumResolution: Duration { get }
      func sleep(until end: Instant, tolerance: Duration?) async throws
      func sleep(for length: Duration, tolerance: Duration?) async throws
    }
    extension Clock {
      func sleep(for length: Duration) async throws {
        try await self.sleep(for: length, tolerance: nil)
      }
      func sleep(for length: Duration, tolerance: Duration?) async throws {
        try await self.sleep(until: self.now.advanced(by: length), tolerance: tolerance)
      }
      func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = self.now
        try work()
        return start.duration(to: self.now)
      }
      func measure(_ work: () async throws -> Void) async rethrows -> Duration {
        let start = self.now
        try await work()
        return start.duration(to: self.now)
      }
    }
    extension ContinuousClock: Clock {}
    extension Clock where Self == ContinuousClock { static var continuous: ContinuousClock { ContinuousClock() } }
    extension SuspendingClock: Clock {}
    extension Clock where Self == SuspendingClock { static var suspending: SuspendingClock { SuspendingClock() } }
    """
}
