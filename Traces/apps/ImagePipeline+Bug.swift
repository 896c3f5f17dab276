import Foundation
import UIKit

/// Looks, waits and stores: whoever asks before the first answer is there loads again.
actor ForgetfulImagePipeline: ImageProviding {
    private let fetcher: any ImageFetching
    private var images: [String: UIImage] = [:]
    private(set) var requests = 0

    init(fetcher: any ImageFetching = SessionImageFetcher()) {
        self.fetcher = fetcher
    }

    func image(at url: URL) async throws -> UIImage {
        if let image = images[url.absoluteString] {
            return image
        }
        requests += 1
        let data = try await fetcher.bytes(at: url)
        guard let image = await UIImage(data: data)?.byPreparingForDisplay() else {
            throw URLError(.unknown)
        }
        images[url.absoluteString] = image
        return image
    }
}
