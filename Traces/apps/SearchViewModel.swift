import Combine
import Foundation
import SwiftUI

struct SearchResult: Identifiable, Hashable, Sendable {
    let id: String
    let title: String
}

protocol Searching: Sendable {
    func results(for query: String) async throws -> [SearchResult]
}

/// A search field's model: it waits until the user stops typing, and shows the answer to the last query only.
@MainActor
final class SearchViewModel: ObservableObject {
    enum State: Equatable {
        case empty
        case searching
        case results([SearchResult])
        case noResults(query: String)
        case failed
    }

    @Published var query = "" {
        didSet {
            if query != oldValue {
                queryDidChange()
            }
        }
    }
    @Published private(set) var state = State.empty
    private(set) var recentQueries: [String] = []

    private let engine: any Searching
    private let delay: Duration
    private let minimumLength: Int
    private var cached: [String: [SearchResult]] = [:]
    private var searchTask: Task<Void, Never>?

    init(engine: any Searching, delay: Duration = .milliseconds(300), minimumLength: Int = 2) {
        self.engine = engine
        self.delay = delay
        self.minimumLength = minimumLength
    }

    /// The user hit return: no delay.
    func submit() {
        let text = trimmedQuery
        guard !text.isEmpty else { return }
        recentQueries.removeAll { $0 == text }
        recentQueries.insert(text, at: 0)
        if recentQueries.count > 5 {
            recentQueries.removeLast()
        }
        searchTask?.cancel()
        searchTask = Task { await search(text) }
    }

    func clear() {
        query = ""
    }

    private var trimmedQuery: String {
        query.trimmingCharacters(in: .whitespaces).lowercased()
    }

    private func queryDidChange() {
        searchTask?.cancel()
        let text = trimmedQuery
        guard text.count >= minimumLength else {
            state = .empty
            return
        }
        if let known = cached[text] {
            show(known, for: text)
            return
        }
        searchTask = Task {
            do {
                try await Task.sleep(for: delay)
            } catch {
                return
            }
            await search(text)
        }
    }

    private func search(_ text: String) async {
        state = .searching
        do {
            let found = try await engine.results(for: text)
            guard !Task.isCancelled else { return }
            cached[text] = found
            show(found, for: text)
        } catch is CancellationError {
            return
        } catch {
            guard !Task.isCancelled else { return }
            state = .failed
        }
    }

    private func show(_ found: [SearchResult], for text: String) {
        state = found.isEmpty ? .noResults(query: text) : .results(found)
    }
}

struct SearchScreen: View {
    @StateObject private var model: SearchViewModel

    init(engine: any Searching) {
        _model = StateObject(wrappedValue: SearchViewModel(engine: engine))
    }

    var body: some View {
        NavigationStack {
            Group {
                switch model.state {
                case .empty: Text("Type to search")
                case .searching: ProgressView()
                case .results(let results): List(results) { Text($0.title) }
                case .noResults(let query): Text("Nothing for \(query)")
                case .failed: Text("Try again later")
                }
            }
            .searchable(text: $model.query)
            .onSubmit(of: .search) { model.submit() }
        }
    }
}
