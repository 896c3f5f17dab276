import Foundation

/// Adds a limit of time to a transport, and forgets that the answer may still come behind it.
final class DoubleTransport: CallbackTransport {
    private let base: any CallbackTransport
    private let limit: TimeInterval
    private let queue = DispatchQueue(label: "com.example.timeouts")

    init(_ base: any CallbackTransport, limit: TimeInterval) {
        self.base = base
        self.limit = limit
    }

    func send(_ path: String, completion: @escaping @Sendable (Result<Int, ClientError>) -> Void) {
        queue.asyncAfter(deadline: .now() + limit) {
            completion(.failure(.timedOut))
        }
        base.send(path, completion: completion)
    }
}
