import Foundation

/// A token bucket: it holds up to `capacity` tokens and gains `refillRate` of them each second.
struct TokenBucket: Sendable {
    let capacity: Double
    let refillRate: Double
    private(set) var tokens: Double
    private var lastRefill: ContinuousClock.Instant

    init(capacity: Int, refillRate: Double, now: ContinuousClock.Instant) {
        precondition(capacity > 0 && refillRate > 0)
        self.capacity = Double(capacity)
        self.refillRate = refillRate
        tokens = Double(capacity)
        lastRefill = now
    }

    /// Takes a token when there is one.
    mutating func take(now: ContinuousClock.Instant) -> Bool {
        refill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// How long it takes until the next token is there.
    func timeUntilNextToken() -> Duration {
        let missing = max(0, 1 - tokens)
        return .milliseconds(Int((missing / refillRate * 1000).rounded(.up)))
    }

    private mutating func refill(now: ContinuousClock.Instant) {
        let elapsed = lastRefill.duration(to: now)
        let seconds = elapsed / .seconds(1)
        tokens = min(capacity, tokens + seconds * refillRate)
        lastRefill = now
    }
}

enum RateLimiterError: Error, Equatable {
    case queueIsFull
    case limited(retryAfter: Duration)
}

/// Lets calls through at the pace of a server's limit, in the order in which they came.
actor RateLimiter {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, Error>
    }

    private let clock = ContinuousClock()
    private let maximumWaiting: Int
    private var bucket: TokenBucket
    private var waiters: [Waiter] = []
    private var lastID = 0
    private var pump: Task<Void, Never>?

    private(set) var admitted = 0
    private(set) var rejected = 0

    init(capacity: Int, perSecond refillRate: Double, maximumWaiting: Int = 100) {
        bucket = TokenBucket(capacity: capacity, refillRate: refillRate, now: clock.now)
        self.maximumWaiting = maximumWaiting
    }

    var waitingCount: Int { waiters.count }

    /// Throws at once when no token is there.
    func tryAcquire() throws {
        guard waiters.isEmpty, bucket.take(now: clock.now) else {
            rejected += 1
            throw RateLimiterError.limited(retryAfter: bucket.timeUntilNextToken())
        }
        admitted += 1
    }

    /// Waits for a token; a cancelled task gives up its place.
    func acquire() async throws {
        try Task.checkCancellation()
        if waiters.isEmpty, bucket.take(now: clock.now) {
            admitted += 1
            return
        }
        guard waiters.count < maximumWaiting else {
            rejected += 1
            throw RateLimiterError.queueIsFull
        }
        lastID += 1
        let id = lastID
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Waiter(id: id, continuation: continuation))
            }
        } onCancel: {
            Task { await self.cancelWaiter(id) }
        }
    }

    /// Runs `operation` when a token is there.
    func run<T: Sendable>(_ operation: @Sendable () async throws -> T) async throws -> T {
        try await acquire()
        return try await operation()
    }

    private func enqueue(_ waiter: Waiter) {
        waiters.append(waiter)
        startPumpIfNeeded()
    }

    private func cancelWaiter(_ id: Int) {
        // A waiter that is not there any more has its token.
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        let waiter = waiters.remove(at: index)
        waiter.continuation.resume(throwing: CancellationError())
    }

    private func startPumpIfNeeded() {
        guard pump == nil else { return }
        pump = Task {
            while !waiters.isEmpty {
                try? await clock.sleep(for: bucket.timeUntilNextToken())
                admitWaiters()
            }
            pump = nil
        }
    }

    private func admitWaiters() {
        while !waiters.isEmpty, bucket.take(now: clock.now) {
            admitted += 1
            waiters.removeFirst().continuation.resume()
        }
    }
}
