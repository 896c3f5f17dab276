import Foundation
import os

struct UploadItem: Hashable {
    let name: String
    let size: Int
}

enum UploadResult: Equatable {
    case uploaded
    case failed(code: Int)
}

/// Sends one file; it calls back on a thread of its own.
protocol UploadTransport: AnyObject {
    func send(_ item: UploadItem, completion: @escaping (UploadResult) -> Void)
}

/// Uploads files with a limit on how many are under way, and reports progress on the main queue.
final class UploadQueue {
    struct Summary: Equatable {
        var uploaded: [String] = []
        var failed: [String] = []
    }

    typealias Progress = (_ fraction: Double) -> Void

    private let transport: UploadTransport
    private let slots: DispatchSemaphore
    private let attempts: Int
    // One thread waits here for a free slot, never one for each file.
    private let feeder = DispatchQueue(label: "com.example.uploads.feeder", qos: .utility)
    private let state = DispatchQueue(label: "com.example.uploads.state")
    private let log = Logger(subsystem: "com.example.app", category: "uploads")
    private var pending = Set<UploadItem>()
    private var bytesSent = 0
    private var isStopped = false

    init(transport: UploadTransport, limit: Int = 3, attempts: Int = 2) {
        self.transport = transport
        self.attempts = attempts
        slots = DispatchSemaphore(value: limit)
    }

    var pendingNames: [String] {
        state.sync { pending.map(\.name).sorted() }
    }

    /// Begins no further uploads; those that are under way go on to their end.
    func stop() {
        state.sync { isStopped = true }
    }

    /// Both closures are called on the main queue.
    func upload(
        _ items: [UploadItem], progress: @escaping Progress = { _ in },
        completion: @escaping (Summary) -> Void
    ) {
        let total = items.reduce(0) { $0 + $1.size }
        let group = DispatchGroup()
        let collector = Collector()
        state.sync {
            bytesSent = 0
            pending.formUnion(items)
        }
        for item in items {
            group.enter()
            feeder.async {
                self.slots.wait()
                guard !self.state.sync(execute: { self.isStopped }) else {
                    self.slots.signal()
                    collector.add(item, .failed(code: -999))
                    self.settle(item, total: 0, progress: progress)
                    group.leave()
                    return
                }
                self.send(item, attempt: 1) { result in
                    self.slots.signal()
                    collector.add(item, result)
                    self.settle(item, total: total, progress: progress)
                    group.leave()
                }
            }
        }
        group.notify(queue: .main) {
            completion(collector.summary)
        }
    }

    private func send(
        _ item: UploadItem, attempt: Int, completion: @escaping (UploadResult) -> Void
    ) {
        transport.send(item) { [log, attempts] result in
            guard case .failed(let code) = result, code >= 500, attempt < attempts else {
                completion(result)
                return
            }
            log.warning("sending \(item.name) again after \(code)")
            self.send(item, attempt: attempt + 1, completion: completion)
        }
    }

    private func settle(_ item: UploadItem, total: Int, progress: @escaping Progress) {
        let sent = state.sync {
            pending.remove(item)
            bytesSent += item.size
            return bytesSent
        }
        guard total > 0 else { return }
        DispatchQueue.main.async {
            progress(Double(sent) / Double(total))
        }
    }
}

/// Gathers results that come from many threads.
private final class Collector {
    private let lock = NSLock()
    private var results: [(UploadItem, UploadResult)] = []

    func add(_ item: UploadItem, _ result: UploadResult) {
        lock.lock()
        defer { lock.unlock() }
        results.append((item, result))
    }

    var summary: UploadQueue.Summary {
        lock.lock()
        defer { lock.unlock() }
        var summary = UploadQueue.Summary()
        for (item, result) in results {
            if result == .uploaded {
                summary.uploaded.append(item.name)
            } else {
                summary.failed.append(item.name)
            }
        }
        summary.uploaded.sort()
        summary.failed.sort()
        return summary
    }
}
