import Combine
import Foundation

/// A feed from the days before `@MainActor`: the answer is published on the thread that brings it.
final class CallbackFeedViewModel: ObservableObject {
    @Published private(set) var articles: [Article] = []
    @Published private(set) var isLoading = false

    private let session: URLSession
    private var task: URLSessionDataTask?

    init(session: URLSession = .shared) {
        self.session = session
    }

    func refresh() {
        task?.cancel()
        isLoading = true
        let url = URL(string: "https://api.example.com/articles/1")!
        task = session.dataTask(with: url) { [weak self] data, _, _ in
            guard let self, let data else { return }
            let page = try? JSONDecoder().decode(ArticlePage.self, from: data)
            self.articles = page?.articles ?? []
            self.isLoading = false
        }
        task?.resume()
    }
}
