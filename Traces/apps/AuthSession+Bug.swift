import Foundation

/// A session that tells the main thread of its end by `sync`, while the main thread may ask it by `sync`.
final class BlockingAuthSession {
    private let queue = DispatchQueue(label: "com.example.auth")
    private var token: Token?
    private let onSignOut: () -> Void

    init(token: Token, onSignOut: @escaping () -> Void) {
        self.token = token
        self.onSignOut = onSignOut
    }

    var isSignedIn: Bool {
        queue.sync { token != nil }
    }

    func tokenWasRefused() {
        queue.async {
            self.token = nil
            DispatchQueue.main.sync {
                self.onSignOut()
            }
        }
    }
}
