import Foundation
import UIKit

/// Thumbnails by their addresses, each rendered once.
final class ThumbnailCache {
    private var images: [URL: UIImage] = [:]
    private let renderer = ThumbnailRenderer()
    private let queue = DispatchQueue(label: "thumbnails", attributes: .concurrent)

    func thumbnail(for url: URL, completion: @escaping (UIImage) -> Void) {
        queue.async {
            if let known = self.images[url] {
                DispatchQueue.main.async { completion(known) }
                return
            }
            let image = self.renderer.render(url)
            self.images[url] = image
            DispatchQueue.main.async { completion(image) }
        }
    }
}
