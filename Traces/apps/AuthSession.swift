import Foundation

struct Token: Equatable {
    let value: String
    let expiresAt: Date

    func isValid(at date: Date) -> Bool {
        date < expiresAt
    }
}

enum AuthError: Error, Equatable {
    case signedOut
    case refused
}

protocol TokenService: AnyObject {
    func refresh(_ token: Token, completion: @escaping (Result<Token, AuthError>) -> Void)
}

protocol AuthSessionDelegate: AnyObject {
    /// On the main thread.
    func sessionDidSignOut(_ session: AuthSession)
}

/// Holds the token of the user who is signed in; requests wait while it is refreshed, and it is refreshed once for all.
final class AuthSession {
    typealias Handler = (Result<Token, AuthError>) -> Void

    weak var delegate: AuthSessionDelegate?

    private let queue = DispatchQueue(label: "com.example.auth")
    private let service: TokenService
    private let margin: TimeInterval

    // Only on `queue`.
    private var token: Token?
    private var waiting: [Handler] = []
    private var isRefreshing = false
    private var refreshes = 0

    init(service: TokenService, token: Token?, margin: TimeInterval = 5) {
        self.service = service
        self.token = token
        self.margin = margin
    }

    var isSignedIn: Bool {
        queue.sync { token != nil }
    }

    var refreshCount: Int {
        queue.sync { refreshes }
    }

    /// Calls `handler` with a token that is valid for a while; on the session's queue.
    func withToken(_ handler: @escaping Handler) {
        queue.async {
            guard let token = self.token else {
                handler(.failure(.signedOut))
                return
            }
            if !self.isRefreshing, token.isValid(at: Date().addingTimeInterval(self.margin)) {
                handler(.success(token))
                return
            }
            self.waiting.append(handler)
            self.refreshIfNeeded(token)
        }
    }

    /// The server refused this token: the next request refreshes it.
    func invalidate(_ refused: Token) {
        queue.async {
            guard let token = self.token, token == refused else { return }
            self.token = Token(value: token.value, expiresAt: Date())
        }
    }

    func signOut() {
        queue.async {
            self.end(.failure(.signedOut))
        }
    }

    private func refreshIfNeeded(_ token: Token) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isRefreshing else { return }
        isRefreshing = true
        refreshes += 1
        service.refresh(token) { [weak self] result in
            guard let self else { return }
            self.queue.async {
                guard self.isRefreshing else { return }
                self.end(result)
            }
        }
    }

    private func end(_ result: Result<Token, AuthError>) {
        isRefreshing = false
        let handlers = waiting
        waiting = []
        switch result {
        case .success(let fresh):
            token = fresh
        case .failure:
            guard token != nil else { return }
            token = nil
            DispatchQueue.main.async {
                self.delegate?.sessionDidSignOut(self)
            }
        }
        for handler in handlers {
            handler(result)
        }
    }
}

/// Sends requests with the session's token; a refused one is sent once more with a fresh token.
final class AuthorizedClient {
    typealias Send = (_ path: String, _ token: String, _ completion: @escaping (Int) -> Void) -> Void

    private let session: AuthSession
    private let send: Send

    init(session: AuthSession, send: @escaping Send) {
        self.session = session
        self.send = send
    }

    func request(_ path: String, completion: @escaping (Int) -> Void) {
        request(path, mayRetry: true, completion: completion)
    }

    private func request(_ path: String, mayRetry: Bool, completion: @escaping (Int) -> Void) {
        session.withToken { result in
            switch result {
            case .failure:
                DispatchQueue.main.async { completion(401) }
            case .success(let token):
                self.send(path, token.value) { status in
                    if status == 401, mayRetry {
                        self.session.invalidate(token)
                        self.request(path, mayRetry: false, completion: completion)
                    } else {
                        DispatchQueue.main.async { completion(status) }
                    }
                }
            }
        }
    }
}
