import Combine
import Foundation
import SwiftUI

struct Article: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    let title: String
    let isRead: Bool
}

struct ArticlePage: Codable, Sendable {
    let articles: [Article]
    let nextPage: Int?
}

protocol ArticleServing: Sendable {
    func page(_ number: Int) async throws -> ArticlePage
}

struct ArticleClient: ArticleServing {
    private let session: URLSession
    private let base = URL(string: "https://api.example.com/articles")!

    init(session: URLSession = .shared) {
        self.session = session
    }

    func page(_ number: Int) async throws -> ArticlePage {
        var request = URLRequest(url: base.appendingPathComponent("\(number)"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(ArticlePage.self, from: data)
    }
}

/// What the feed's screen shows.
@MainActor
final class FeedViewModel: ObservableObject {
    enum Phase: Equatable {
        case idle
        case loading
        case loaded
        case failed(String)
    }

    @Published private(set) var articles: [Article] = []
    @Published private(set) var phase = Phase.idle
    @Published var showsUnreadOnly = false

    private let service: any ArticleServing
    private var refreshTask: Task<Void, Never>?
    private var pageTask: Task<Void, Never>?
    private var nextPage: Int?

    init(service: any ArticleServing = ArticleClient()) {
        self.service = service
    }

    deinit {
        refreshTask?.cancel()
        pageTask?.cancel()
    }

    var visibleArticles: [Article] {
        showsUnreadOnly ? articles.filter { !$0.isRead } : articles
    }

    /// Loads the first page again; a refresh that still runs is given up.
    func refresh() {
        refreshTask?.cancel()
        pageTask?.cancel()
        pageTask = nil
        phase = .loading
        refreshTask = Task { [weak self, service] in
            do {
                let page = try await service.page(1)
                try Task.checkCancellation()
                self?.show(page, replacing: true)
            } catch {
                self?.fail(error)
            }
        }
    }

    /// Loads one more page when the last row comes into view.
    func articleDidAppear(_ article: Article) {
        guard article.id == articles.last?.id, let number = nextPage, pageTask == nil else {
            return
        }
        pageTask = Task { [weak self, service] in
            do {
                let page = try await service.page(number)
                try Task.checkCancellation()
                self?.show(page, replacing: false)
            } catch {
                self?.fail(error)
            }
            self?.pageTask = nil
        }
    }

    func waitUntilRefreshed() async {
        await refreshTask?.value
    }

    private func show(_ page: ArticlePage, replacing: Bool) {
        if replacing {
            articles = page.articles
        } else {
            let known = Set(articles.map(\.id))
            articles += page.articles.filter { !known.contains($0.id) }
        }
        nextPage = page.nextPage
        phase = .loaded
    }

    private func fail(_ error: Error) {
        switch error {
        case is CancellationError:
            return
        case let error as URLError where error.code == .cancelled:
            return
        default:
            phase = .failed(error.localizedDescription)
        }
    }
}

struct FeedScreen: View {
    @StateObject private var model = FeedViewModel()

    var body: some View {
        NavigationStack {
            List(model.visibleArticles) { article in
                Text(article.title)
                    .fontWeight(article.isRead ? .regular : .semibold)
                    .onAppear { model.articleDidAppear(article) }
            }
            .overlay {
                if case .failed(let message) = model.phase {
                    ContentUnavailableView(message, systemImage: "wifi.slash")
                }
            }
            .toolbar {
                Toggle("Unread", isOn: $model.showsUnreadOnly)
            }
            .refreshable {
                model.refresh()
                await model.waitUntilRefreshed()
            }
        }
        .task { model.refresh() }
    }
}
