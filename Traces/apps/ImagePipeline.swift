import Foundation
import UIKit
import os

/// Where images come from; an actor, so that its state needs no lock.
protocol ImageProviding: Actor {
    func image(at url: URL) async throws -> UIImage
}

/// Fetches the bytes of an image.
protocol ImageFetching: Sendable {
    func bytes(at url: URL) async throws -> Data
}

struct SessionImageFetcher: ImageFetching {
    private let session: URLSession

    init(session: URLSession = .shared) {
        self.session = session
    }

    func bytes(at url: URL) async throws -> Data {
        var request = URLRequest(url: url)
        request.setValue("image/*", forHTTPHeaderField: "Accept")
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return data
    }
}

/// Keeps images and the tasks that load them, so that one address is loaded once at a time.
actor ImagePipeline: ImageProviding {
    private enum Entry {
        case loading(Task<UIImage, Error>)
        case ready(UIImage)
    }

    struct Statistics: Equatable, Sendable {
        var hits = 0
        var joined = 0
        var misses = 0
        var failures = 0
    }

    private let fetcher: any ImageFetching
    private let countLimit: Int
    private let log = Logger(subsystem: "com.example.app", category: "images")
    private var entries: [URL: Entry] = [:]
    private var recentlyUsed: [URL] = []
    private(set) var statistics = Statistics()

    init(fetcher: any ImageFetching = SessionImageFetcher(), countLimit: Int = 100) {
        self.fetcher = fetcher
        self.countLimit = countLimit
    }

    func image(at url: URL) async throws -> UIImage {
        switch entries[url] {
        case .ready(let image):
            statistics.hits += 1
            touch(url)
            return image
        case .loading(let task):
            statistics.joined += 1
            return try await task.value
        case nil:
            statistics.misses += 1
            return try await load(url)
        }
    }

    /// Begins to load what a list is about to show.
    func prefetch(_ urls: [URL]) {
        for url in urls where entries[url] == nil {
            Task { _ = try? await image(at: url) }
        }
    }

    /// Cancels what is being loaded and not needed any more.
    func cancelPrefetching(_ urls: [URL]) {
        for url in urls {
            if case .loading(let task) = entries[url] {
                task.cancel()
            }
        }
    }

    func removeAll() {
        for case .loading(let task) in entries.values {
            task.cancel()
        }
        entries.removeAll()
        recentlyUsed.removeAll()
    }

    private func load(_ url: URL) async throws -> UIImage {
        let task = makeTask(url)
        entries[url] = .loading(task)
        do {
            let image = try await task.value
            entries[url] = .ready(image)
            touch(url)
            evictIfNeeded()
            return image
        } catch {
            log.error("image failed: \(error)")
            statistics.failures += 1
            entries[url] = nil
            throw error
        }
    }

    private func makeTask(_ url: URL) -> Task<UIImage, Error> {
        Task.detached(priority: .utility) { [fetcher] in
            let data = try await fetcher.bytes(at: url)
            try Task.checkCancellation()
            guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
                throw URLError(.cannotDecodeContentData)
            }
            return image
        }
    }

    private func touch(_ url: URL) {
        recentlyUsed.removeAll { $0 == url }
        recentlyUsed.append(url)
    }

    private func evictIfNeeded() {
        while recentlyUsed.count > countLimit {
            let oldest = recentlyUsed.removeFirst()
            entries[oldest] = nil
        }
    }
}
