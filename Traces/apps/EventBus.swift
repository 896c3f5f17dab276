import Foundation

enum AppEvent: Equatable, Sendable {
    case signedIn(user: String)
    case signedOut
    case itemAdded(id: Int)
    case itemRemoved(id: Int)

    var isAboutItems: Bool {
        switch self {
        case .itemAdded, .itemRemoved: return true
        case .signedIn, .signedOut: return false
        }
    }
}

/// Passes events on to any number of subscribers; each has a stream, and a buffer, of its own.
final class EventBus: @unchecked Sendable {
    private struct Subscriber {
        let continuation: AsyncStream<AppEvent>.Continuation
        let wants: @Sendable (AppEvent) -> Bool
    }

    private let lock = NSLock()
    private var subscribers: [Int: Subscriber] = [:]
    private var lastID = 0
    private var lastEvent: AppEvent?
    private var isFinished = false

    var subscriberCount: Int {
        lock.withLock { subscribers.count }
    }

    /// A stream of the events to come, with the latest one first when `replaysLatest`.
    func events(
        bufferingNewest count: Int = 100, replaysLatest: Bool = false,
        where wants: @escaping @Sendable (AppEvent) -> Bool = { _ in true }
    ) -> AsyncStream<AppEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AppEvent.self, bufferingPolicy: .bufferingNewest(count))
        lock.lock()
        if isFinished {
            lock.unlock()
            continuation.finish()
            return stream
        }
        lastID += 1
        let id = lastID
        subscribers[id] = Subscriber(continuation: continuation, wants: wants)
        if replaysLatest, let lastEvent, wants(lastEvent) {
            continuation.yield(lastEvent)
        }
        lock.unlock()
        continuation.onTermination = { [weak self] _ in
            self?.remove(id)
        }
        return stream
    }

    func post(_ event: AppEvent) {
        lock.lock()
        guard !isFinished else {
            lock.unlock()
            return
        }
        lastEvent = event
        let receivers = subscribers.sorted { $0.key < $1.key }.map(\.value)
        lock.unlock()
        for receiver in receivers where receiver.wants(event) {
            receiver.continuation.yield(event)
        }
    }

    /// Ends all streams, behind what is in their buffers.
    func finish() {
        lock.lock()
        isFinished = true
        let continuations = subscribers.values.map(\.continuation)
        subscribers.removeAll()
        lock.unlock()
        for continuation in continuations {
            continuation.finish()
        }
    }

    private func remove(_ id: Int) {
        lock.lock()
        defer { lock.unlock() }
        subscribers[id] = nil
    }
}

/// Counts what is in the cart, for a badge.
@MainActor
final class CartBadge {
    private(set) var ids: Set<Int> = []
    private var task: Task<Void, Never>?

    func start(_ bus: EventBus) {
        let events = bus.events(where: \.isAboutItems)
        task = Task { [weak self] in
            for await event in events {
                self?.handle(event)
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }

    private func handle(_ event: AppEvent) {
        switch event {
        case .itemAdded(let id): ids.insert(id)
        case .itemRemoved(let id): ids.remove(id)
        default: break
        }
    }
}

/// Writes events to a server, in batches.
actor AnalyticsSink {
    private let batchSize: Int
    private let send: @Sendable ([AppEvent]) async -> Void
    private var batch: [AppEvent] = []
    private(set) var sentCount = 0

    init(batchSize: Int = 3, send: @escaping @Sendable ([AppEvent]) async -> Void) {
        self.batchSize = batchSize
        self.send = send
    }

    func consume(_ events: AsyncStream<AppEvent>) async {
        for await event in events {
            batch.append(event)
            if batch.count >= batchSize {
                await flush()
            }
        }
        await flush()
    }

    private func flush() async {
        guard !batch.isEmpty else { return }
        let events = batch
        batch = []
        sentCount += events.count
        await send(events)
    }
}
