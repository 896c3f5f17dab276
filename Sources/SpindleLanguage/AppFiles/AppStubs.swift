extension AppFiles {
  /// Functions of Apple's libraries that an app waits for, with costs that a trace may set.
  ///
  /// A member that the trace declares itself takes the place of the one here. How a cancelled request ends follows
  /// Apple's documentation of `URLSession.data(for:delegate:)`: it throws `URLError(.cancelled)`.
  static let stubs = """
    /// What the stubs cost; a trace sets another value in `main`.
    enum StubCosts {
        /// From a request to its whole answer.
        nonisolated(unsafe) static var request = 120ms
        /// The bytes of an answer.
        nonisolated(unsafe) static var answer = 20_000
        /// Reading or writing a file.
        nonisolated(unsafe) static var file = 2ms
        /// Encoding or decoding a value as JSON.
        nonisolated(unsafe) static var json = 1ms
        /// Decoding an image.
        nonisolated(unsafe) static var image = 8ms
        /// Reading or writing a default.
        nonisolated(unsafe) static var defaults = 50us
        /// Fetching from or saving to a store.
        nonisolated(unsafe) static var store = 5ms
    }
    final class URLSessionConfiguration: @unchecked Sendable {
        static var `default`: URLSessionConfiguration { URLSessionConfiguration() }
        static var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
        var timeoutIntervalForRequest: TimeInterval = 60
        init() { }
    }
    final class URLSession: @unchecked Sendable {
        static let shared = URLSession()
        init() { }
        init(configuration: URLSessionConfiguration) { }
    }
    extension URLSession {
        func data(from url: URL) async throws -> (Data, URLResponse) {
            do {
                try await io(StubCosts.request)
            } catch {
                throw URLError(.cancelled)
            }
            return (Data(count: StubCosts.answer), HTTPURLResponse(url: url, statusCode: 200))
        }
        func data(for request: URLRequest) async throws -> (Data, URLResponse) {
            do {
                try await io(StubCosts.request)
            } catch {
                throw URLError(.cancelled)
            }
            return (
                Data(count: StubCosts.answer), HTTPURLResponse(url: request.url, statusCode: 200)
            )
        }
        func dataTask(
            with url: URL,
            completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) -> URLSessionDataTask {
            URLSessionDataTask(url, completionHandler)
        }
        func dataTask(
            with request: URLRequest,
            completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) -> URLSessionDataTask {
            URLSessionDataTask(request.url, completionHandler)
        }
    }
    final class URLSessionDataTask: @unchecked Sendable {
        private static let queue = DispatchQueue(label: "URLSession delegate")
        private let url: URL?
        private let completion: @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        private let lock = NSLock()
        private var isCancelled = false
        private var isDone = false
        init(
            _ url: URL?,
            _ completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) {
            self.url = url
            self.completion = completion
        }
        func resume() {
            URLSessionDataTask.queue.asyncAfter(deadline: .now() + StubCosts.request) {
                self.end(nil)
            }
        }
        func cancel() {
            URLSessionDataTask.queue.async { self.end(URLError(.cancelled)) }
        }
        private func end(_ error: URLError?) {
            lock.lock()
            let isFirst = !isDone
            isDone = true
            lock.unlock()
            if !isFirst { return }
            if let error {
                completion(nil, nil, error)
            } else {
                completion(
                    Data(count: StubCosts.answer), HTTPURLResponse(url: url, statusCode: 200), nil)
            }
        }
    }
    final class FileManager: @unchecked Sendable {
        static let `default` = FileManager()
        init() { }
    }
    extension FileManager {
        func fileExists(atPath path: String) -> Bool {
            io(StubCosts.file)
            return false
        }
        func contents(atPath path: String) -> Data? {
            io(StubCosts.file)
            return Data(count: StubCosts.answer)
        }
        func createFile(atPath path: String, contents: Data?) -> Bool {
            io(StubCosts.file)
            return true
        }
        func removeItem(at url: URL) throws { io(StubCosts.file) }
        func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {
            io(StubCosts.file)
        }
    }
    extension Data {
        init(contentsOf url: URL) throws {
            io(StubCosts.file)
            self.init(count: StubCosts.answer)
        }
        func write(to url: URL) throws { io(StubCosts.file) }
    }
    final class JSONEncoder: @unchecked Sendable {
        init() { }
    }
    extension JSONEncoder {
        func encode<T>(_ value: T) throws -> Data {
            work(StubCosts.json)
            return Data(count: StubCosts.answer)
        }
    }
    extension UIImage {
        func preparingForDisplay() -> UIImage? {
            work(StubCosts.image)
            return self
        }
        func byPreparingForDisplay() async -> UIImage? {
            work(StubCosts.image)
            return self
        }
    }
    final class UserDefaults: @unchecked Sendable {
        static let standard = UserDefaults()
        private let lock = NSLock()
        private var integers: [String: Int] = [:]
        private var strings: [String: String] = [:]
        private var booleans: [String: Bool] = [:]
        init() { }
    }
    extension UserDefaults {
        func integer(forKey key: String) -> Int {
            lock.withLock {
                work(StubCosts.defaults)
                return integers[key] ?? 0
            }
        }
        func bool(forKey key: String) -> Bool {
            lock.withLock {
                work(StubCosts.defaults)
                return booleans[key] ?? false
            }
        }
        func string(forKey key: String) -> String? {
            lock.withLock {
                work(StubCosts.defaults)
                return strings[key]
            }
        }
        func set(_ value: Int, forKey key: String) {
            lock.withLock {
                work(StubCosts.defaults)
                integers[key] = value
            }
        }
        func set(_ value: Bool, forKey key: String) {
            lock.withLock {
                work(StubCosts.defaults)
                booleans[key] = value
            }
        }
        func set(_ value: String, forKey key: String) {
            lock.withLock {
                work(StubCosts.defaults)
                strings[key] = value
            }
        }
    }
    class NSManagedObjectContext: @unchecked Sendable {
        enum ConcurrencyType { case mainQueueConcurrencyType, privateQueueConcurrencyType }
        private let queue: DispatchQueue
        private(set) var hasChanges = false
        init(concurrencyType: ConcurrencyType) {
            queue =
                concurrencyType == .mainQueueConcurrencyType
                ? DispatchQueue.main : DispatchQueue(label: "NSManagedObjectContext")
        }
    }
    extension NSManagedObjectContext {
        func perform(_ block: @escaping @Sendable () -> Void) { queue.async { block() } }
        func performAndWait(_ block: () -> Void) { queue.sync { block() } }
        func save() throws { io(StubCosts.store) }
    }
    """
}
