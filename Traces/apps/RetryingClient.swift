import Foundation
import os

/// How often, and after which pauses, a failed call is made again.
struct RetryPolicy: Sendable {
    var maximumAttempts = 4
    var firstDelay: TimeInterval = 0.2
    var multiplier = 2.0
    var longestDelay: TimeInterval = 5
    /// The share of a pause that chance decides.
    var jitter = 0.5
    var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// The pause behind the failed attempt of this number, from 1.
    func delay(after attempt: Int) -> TimeInterval {
        var delay = firstDelay
        for _ in 1..<attempt {
            delay *= multiplier
        }
        delay = min(delay, longestDelay)
        return delay * (1 - jitter) + delay * jitter * random(0...1)
    }
}

enum ClientError: Error, Equatable {
    case status(Int)
    case timedOut
    case exhausted(attempts: Int)

    var isTransient: Bool {
        switch self {
        case .status(let code): code == 429 || code >= 500
        case .timedOut: true
        case .exhausted: false
        }
    }
}

/// Calls `operation` until it succeeds, fails for good, or has failed too often.
func withRetries<T: Sendable>(
    _ policy: RetryPolicy = RetryPolicy(),
    operation: @Sendable (_ attempt: Int) async throws -> T
) async throws -> T {
    for attempt in 1...policy.maximumAttempts {
        do {
            return try await operation(attempt)
        } catch let error as ClientError where error.isTransient {
            if attempt == policy.maximumAttempts {
                break
            }
            let delay = policy.delay(after: attempt)
            try await Task.sleep(nanoseconds: UInt64(delay * 1_000_000_000))
        }
    }
    throw ClientError.exhausted(attempts: policy.maximumAttempts)
}

/// An older client, which calls back on a queue of its own.
protocol CallbackTransport: Sendable {
    func send(_ path: String, completion: @escaping @Sendable (Result<Int, ClientError>) -> Void)
}

/// Lets `await` stand in front of an older client, and calls it again when it fails.
final class RetryingClient: Sendable {
    private let transport: any CallbackTransport
    private let policy: RetryPolicy
    private let log = Logger(subsystem: "com.example.app", category: "network")

    init(transport: any CallbackTransport, policy: RetryPolicy = RetryPolicy()) {
        self.transport = transport
        self.policy = policy
    }

    func get(_ path: String) async throws -> Int {
        try await withRetries(policy) { attempt in
            if attempt > 1 {
                log.notice("attempt \(attempt) of \(path)")
            }
            return try await once(path)
        }
    }

    /// All answers, in the order of the paths; the first failure cancels the others.
    func getAll(_ paths: [String]) async throws -> [Int] {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (index, path) in paths.enumerated() {
                group.addTask { (index, try await self.get(path)) }
            }
            var answers = [Int](repeating: 0, count: paths.count)
            for try await (index, answer) in group {
                answers[index] = answer
            }
            return answers
        }
    }

    private func once(_ path: String) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            transport.send(path) { result in
                continuation.resume(with: result)
            }
        }
    }
}

/// Adds a limit of time to a transport: whichever comes first, the answer or the timer, calls back.
final class TimedTransport: CallbackTransport {
    private final class Once: @unchecked Sendable {
        private let lock = NSLock()
        private var isDone = false

        func run(_ action: () -> Void) {
            lock.lock()
            let isFirst = !isDone
            isDone = true
            lock.unlock()
            if isFirst {
                action()
            }
        }
    }

    private let base: any CallbackTransport
    private let limit: TimeInterval
    private let queue = DispatchQueue(label: "com.example.timeouts")

    init(_ base: any CallbackTransport, limit: TimeInterval) {
        self.base = base
        self.limit = limit
    }

    func send(_ path: String, completion: @escaping @Sendable (Result<Int, ClientError>) -> Void) {
        let once = Once()
        queue.asyncAfter(deadline: .now() + limit) {
            once.run { completion(.failure(.timedOut)) }
        }
        base.send(path) { result in
            once.run { completion(result) }
        }
    }
}
