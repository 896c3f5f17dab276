import Foundation

/// Looks for a token, waits for the next one, and takes it without looking again.
actor OptimisticRateLimiter {
    private let clock = ContinuousClock()
    private var bucket: TokenBucket
    private(set) var admitted = 0

    init(capacity: Int, perSecond refillRate: Double) {
        bucket = TokenBucket(capacity: capacity, refillRate: refillRate, now: clock.now)
    }

    func acquire() async throws {
        if !bucket.take(now: clock.now) {
            try await clock.sleep(for: bucket.timeUntilNextToken())
            _ = bucket.take(now: clock.now)
        }
        admitted += 1
    }
}
