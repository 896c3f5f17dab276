import Foundation
import os

/// An operation that ends when `finish()` is called, not when its `main` returns.
class AsyncOperation: Operation, @unchecked Sendable {
    private enum State: String {
        case ready = "isReady"
        case executing = "isExecuting"
        case finished = "isFinished"
    }

    private let stateLock = NSLock()
    private var currentState = State.ready

    private var state: State {
        get {
            stateLock.lock()
            defer { stateLock.unlock() }
            return currentState
        }
        set {
            let oldValue = state
            guard newValue != oldValue else { return }
            willChangeValue(forKey: oldValue.rawValue)
            willChangeValue(forKey: newValue.rawValue)
            stateLock.lock()
            currentState = newValue
            stateLock.unlock()
            didChangeValue(forKey: newValue.rawValue)
            didChangeValue(forKey: oldValue.rawValue)
        }
    }

    override var isAsynchronous: Bool { true }
    override var isReady: Bool { super.isReady && state == .ready }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
        guard !isCancelled else {
            finish()
            return
        }
        state = .executing
        main()
    }

    /// Subclasses begin their work here and call `finish()` when it has ended.
    override func main() {
        preconditionFailure("a subclass overrides main()")
    }

    func finish() {
        state = .finished
    }
}

/// Downloads one file.
final class DownloadOperation: AsyncOperation, @unchecked Sendable {
    let url: URL
    private let session: URLSession
    private let taskLock = NSLock()
    private var task: URLSessionDataTask?
    private(set) var result: Result<Data, Error>?

    init(url: URL, session: URLSession) {
        self.url = url
        self.session = session
        super.init()
        name = url.lastPathComponent
    }

    override func main() {
        let task = session.dataTask(with: url) { [weak self] data, response, error in
            guard let self else { return }
            if let error {
                self.result = .failure(error)
            } else if let http = response as? HTTPURLResponse, http.statusCode != 200 {
                self.result = .failure(URLError(.badServerResponse))
            } else {
                self.result = .success(data ?? Data())
            }
            self.finish()
        }
        taskLock.withLock { self.task = task }
        task.resume()
    }

    override func cancel() {
        super.cancel()
        taskLock.withLock { task }?.cancel()
    }
}

/// Writes what a download brought; it waits for the download as a dependency.
final class StoreOperation: Operation, @unchecked Sendable {
    private let download: DownloadOperation
    private let directory: URL
    private(set) var storedURL: URL?

    init(download: DownloadOperation, directory: URL) {
        self.download = download
        self.directory = directory
        super.init()
        addDependency(download)
    }

    override func main() {
        guard !isCancelled, case .success(let data)? = download.result else { return }
        let target = directory.appendingPathComponent(download.url.lastPathComponent)
        do {
            try data.write(to: target)
            storedURL = target
        } catch {
            cancel()
        }
    }
}

/// Downloads files, a few at a time, and reports on the main queue.
final class DownloadQueue {
    typealias Completion = (URL, URL?) -> Void

    private let session: URLSession
    private let directory: URL
    private let log = Logger(subsystem: "com.example.app", category: "downloads")
    private let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "com.example.downloads"
        queue.maxConcurrentOperationCount = 2
        queue.qualityOfService = .utility
        return queue
    }()

    init(session: URLSession = .shared, directory: URL) {
        self.session = session
        self.directory = directory
    }

    var isIdle: Bool { queue.operationCount == 0 }

    @discardableResult
    func download(_ url: URL, isUrgent: Bool = false, completion: @escaping Completion)
        -> DownloadOperation
    {
        let download = DownloadOperation(url: url, session: session)
        download.queuePriority = isUrgent ? .veryHigh : .normal
        let store = StoreOperation(download: download, directory: directory)
        store.completionBlock = { [log] in
            let stored = store.storedURL
            log.info("downloaded \(url)")
            DispatchQueue.main.async {
                completion(url, stored)
            }
        }
        queue.addOperations([download, store], waitUntilFinished: false)
        return download
    }

    func pause() {
        queue.isSuspended = true
    }

    func resume() {
        queue.isSuspended = false
    }

    func cancelAll() {
        queue.cancelAllOperations()
    }
}
