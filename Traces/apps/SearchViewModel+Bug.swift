import Combine
import Foundation

/// A search that swallows the error of its delay: a cancelled search goes on, and whichever answer comes last stays.
@MainActor
final class HastySearchViewModel: ObservableObject {
    @Published var query = "" {
        didSet { queryDidChange() }
    }
    @Published private(set) var results: [SearchResult] = []

    private let engine: any Searching
    private var searchTask: Task<Void, Never>?

    init(engine: any Searching) {
        self.engine = engine
    }

    private func queryDidChange() {
        searchTask?.cancel()
        let text = query
        searchTask = Task {
            try? await Task.sleep(for: .milliseconds(300))
            results = (try? await engine.results(for: text)) ?? []
        }
    }
}
