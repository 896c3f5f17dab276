import Foundation
import UIKit

/// Keeps decoded images; every method may be called from any thread.
protocol ImageStoring: AnyObject {
    func image(for url: URL) -> UIImage?
    func insert(_ image: UIImage, cost: Int, for url: URL)
    func removeAll()
}

/// A memory cache with a limit: reads run side by side, writes run alone behind a barrier.
final class MemoryImageCache: ImageStoring {
    private struct Entry {
        let image: UIImage
        let cost: Int
        let insertedAt: Int
    }

    private let queue = DispatchQueue(label: "com.example.images.memory", attributes: .concurrent)
    private let costLimit: Int
    private var entries: [URL: Entry] = [:]
    private var totalCost = 0
    private var clock = 0

    init(costLimit: Int = 50_000_000) {
        self.costLimit = costLimit
    }

    var count: Int {
        queue.sync { entries.count }
    }

    func image(for url: URL) -> UIImage? {
        queue.sync { entries[url]?.image }
    }

    func insert(_ image: UIImage, cost: Int, for url: URL) {
        queue.async(flags: .barrier) { [self] in
            if let old = entries[url] {
                totalCost -= old.cost
            }
            clock += 1
            entries[url] = Entry(image: image, cost: cost, insertedAt: clock)
            totalCost += cost
            evictIfNeeded()
        }
    }

    func removeAll() {
        queue.async(flags: .barrier) {
            self.entries.removeAll()
            self.totalCost = 0
        }
    }

    private func evictIfNeeded() {
        while totalCost > costLimit,
            let oldest = entries.min(by: { $0.value.insertedAt < $1.value.insertedAt })
        {
            entries.removeValue(forKey: oldest.key)
            totalCost -= oldest.value.cost
        }
    }
}

enum ImageLoaderError: Error, Equatable {
    case undecodable(URL)
    case badStatus(Int)
    case noData
}

/// Loads images over the network, once per address however many views ask for it.
final class ImageLoader {
    typealias Completion = (Result<UIImage, Error>) -> Void

    /// Identifies one caller of `loadImage`, so that a cell can give up before it is reused.
    struct Token: Hashable {
        fileprivate let id: Int
        fileprivate let url: URL
    }

    private struct Request {
        var task: URLSessionDataTask?
        var handlers: [Int: Completion] = [:]
    }

    private let session: URLSession
    private let cache: ImageStoring
    private let stateQueue = DispatchQueue(label: "com.example.images.state")
    private let decodeQueue = DispatchQueue(
        label: "com.example.images.decode", qos: .userInitiated, attributes: .concurrent)

    // Only on `stateQueue`.
    private var requests: [URL: Request] = [:]
    private var lastID = 0
    private var requestsStarted = 0

    init(session: URLSession = .shared, cache: ImageStoring = MemoryImageCache()) {
        self.session = session
        self.cache = cache
    }

    /// How many requests went out since the loader was made.
    var requestCount: Int {
        stateQueue.sync { requestsStarted }
    }

    /// Calls `completion` on the main queue, or at once when the image is in memory.
    @discardableResult
    func loadImage(at url: URL, completion: @escaping Completion) -> Token? {
        if let image = cache.image(for: url) {
            completion(.success(image))
            return nil
        }
        return stateQueue.sync {
            lastID += 1
            let token = Token(id: lastID, url: url)
            if requests[url] != nil {
                requests[url]?.handlers[token.id] = completion
            } else {
                var request = Request()
                request.handlers[token.id] = completion
                request.task = start(url)
                requests[url] = request
            }
            return token
        }
    }

    /// Forgets the caller; the request ends with the last one.
    func cancel(_ token: Token) {
        stateQueue.async {
            guard var request = self.requests[token.url] else { return }
            request.handlers.removeValue(forKey: token.id)
            if request.handlers.isEmpty {
                request.task?.cancel()
                self.requests.removeValue(forKey: token.url)
            } else {
                self.requests[token.url] = request
            }
        }
    }

    private func start(_ url: URL) -> URLSessionDataTask {
        requestsStarted += 1
        let task = session.dataTask(with: url) { [weak self] data, response, error in
            guard let self else { return }
            self.decodeQueue.async {
                self.finish(url, data: data, response: response, error: error)
            }
        }
        task.resume()
        return task
    }

    private func finish(_ url: URL, data: Data?, response: URLResponse?, error: Error?) {
        let result = Result { try decode(url, data: data, response: response, error: error) }
        if case .success(let image) = result {
            cache.insert(image, cost: data?.count ?? 0, for: url)
        }
        stateQueue.async {
            guard let request = self.requests.removeValue(forKey: url) else { return }
            let handlers = request.handlers.sorted { $0.key < $1.key }
            DispatchQueue.main.async {
                for (_, handler) in handlers {
                    handler(result)
                }
            }
        }
    }

    private func decode(
        _ url: URL, data: Data?, response: URLResponse?, error: Error?
    ) throws -> UIImage {
        if let error {
            throw error
        }
        if let http = response as? HTTPURLResponse, !(200..<300).contains(http.statusCode) {
            throw ImageLoaderError.badStatus(http.statusCode)
        }
        guard let data, !data.isEmpty else {
            throw ImageLoaderError.noData
        }
        guard let image = UIImage(data: data)?.preparingForDisplay() else {
            throw ImageLoaderError.undecodable(url)
        }
        return image
    }
}
