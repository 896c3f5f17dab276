import Foundation
import UIKit

/// A memory cache on a concurrent queue whose writes are no barriers.
final class UnguardedImageCache: ImageStoring {
    private let queue = DispatchQueue(label: "com.example.images.memory", attributes: .concurrent)
    private var images: [URL: UIImage] = [:]

    func image(for url: URL) -> UIImage? {
        queue.sync { images[url] }
    }

    func insert(_ image: UIImage, cost: Int, for url: URL) {
        queue.async { self.images[url] = image }
    }

    func removeAll() {
        queue.async { self.images.removeAll() }
    }
}
