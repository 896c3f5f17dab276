import Foundation

/// Gives the permit back behind the upload, and not when the upload throws.
final class ForgetfulUploader: Sendable {
    private let semaphore = AsyncSemaphore(value: 1)
    private let session = URLSession.shared
    private let endpoint = URL(string: "https://api.example.com/photos")!

    func upload(_ photo: Photo) async throws -> String {
        try await semaphore.wait()
        guard photo.bytes <= 10_000_000 else {
            throw UploadError.tooLarge(photo)
        }
        _ = try await session.data(from: endpoint)
        semaphore.signal()
        return photo.name
    }
}
