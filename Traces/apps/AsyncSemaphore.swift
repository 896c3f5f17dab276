import Foundation

/// A semaphore whose `wait` suspends a task and never blocks a thread.
final class AsyncSemaphore: @unchecked Sendable {
    private enum WaiterState {
        case pending
        case suspended(CheckedContinuation<Void, Error>)
        case cancelled
    }

    private final class Waiter {
        var state = WaiterState.pending
    }

    private let lock = NSLock()
    private var value: Int
    private var waiters: [Waiter] = []

    init(value: Int) {
        precondition(value >= 0, "a semaphore starts with zero or more")
        self.value = value
    }

    var available: Int {
        lock.withLock { value }
    }

    /// Takes a permit or suspends until one is signalled; throws when the task is cancelled.
    func wait() async throws {
        try Task.checkCancellation()
        let waiter = Waiter()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
                enqueue(waiter, continuation)
            }
        } onCancel: {
            cancel(waiter)
        }
    }

    /// Gives a permit back; the task that waits longest gets it.
    @discardableResult
    func signal() -> Bool {
        lock.lock()
        while !waiters.isEmpty {
            let waiter = waiters.removeFirst()
            if case .suspended(let continuation) = waiter.state {
                lock.unlock()
                continuation.resume()
                return true
            }
        }
        value += 1
        lock.unlock()
        return false
    }

    /// Runs `operation` with a permit, and gives it back whichever way the operation ends.
    func withPermit<T: Sendable>(_ operation: () async throws -> T) async throws -> T {
        try await wait()
        defer { signal() }
        return try await operation()
    }

    private func enqueue(_ waiter: Waiter, _ continuation: CheckedContinuation<Void, Error>) {
        lock.lock()
        if case .cancelled = waiter.state {
            lock.unlock()
            continuation.resume(throwing: CancellationError())
            return
        }
        if value > 0 {
            value -= 1
            lock.unlock()
            continuation.resume()
            return
        }
        waiter.state = .suspended(continuation)
        waiters.append(waiter)
        lock.unlock()
    }

    private func cancel(_ waiter: Waiter) {
        lock.lock()
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else {
            waiter.state = .cancelled
            lock.unlock()
            return
        }
        waiters.remove(at: index)
        let state = waiter.state
        lock.unlock()
        if case .suspended(let continuation) = state {
            continuation.resume(throwing: CancellationError())
        }
    }
}

struct Photo: Sendable, Hashable {
    let name: String
    let bytes: Int
}

enum UploadError: Error {
    case tooLarge(Photo)
}

/// Uploads photos with a limit on how many are under way.
final class PhotoUploader: Sendable {
    private let semaphore: AsyncSemaphore
    private let session: URLSession
    private let endpoint = URL(string: "https://api.example.com/photos")!

    init(limit: Int = 2, session: URLSession = .shared) {
        semaphore = AsyncSemaphore(value: limit)
        self.session = session
    }

    /// The names of those that arrived, in the order of arrival.
    func upload(_ photos: [Photo]) async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for photo in photos {
                group.addTask { try? await self.upload(photo) }
            }
            var names: [String] = []
            for await name in group {
                if let name {
                    names.append(name)
                }
            }
            return names
        }
    }

    func upload(_ photo: Photo) async throws -> String {
        try await semaphore.withPermit {
            guard photo.bytes <= 10_000_000 else {
                throw UploadError.tooLarge(photo)
            }
            var request = URLRequest(url: endpoint)
            request.httpMethod = "POST"
            request.httpBody = Data(count: photo.bytes)
            _ = try await session.data(for: request)
            return photo.name
        }
    }
}
