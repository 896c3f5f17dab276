import Foundation

/// A download that says nothing when it is cancelled before its start, so that its queue waits for it for ever.
final class SilentDownloadOperation: AsyncOperation, @unchecked Sendable {
    private let url: URL

    init(url: URL) {
        self.url = url
        super.init()
    }

    override func start() {
        if isCancelled {
            return
        }
        super.start()
    }

    override func main() {
        URLSession.shared.dataTask(with: url) { _, _, _ in
            self.finish()
        }.resume()
    }
}
