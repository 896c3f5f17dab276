import Foundation

/// A bus with one stream for all: an event goes to one of those who read it, and not to each.
final class SharedStreamBus: Sendable {
    let events: AsyncStream<AppEvent>
    private let continuation: AsyncStream<AppEvent>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream(of: AppEvent.self)
    }

    func post(_ event: AppEvent) {
        continuation.yield(event)
    }

    func finish() {
        continuation.finish()
    }
}
