import Foundation

/// Exports an album: a job that puts a job for each picture in its own queue, and waits for them there.
final class AlbumExporter {
    private let queue = OperationQueue()
    private let export: (String) -> Void

    init(export: @escaping (String) -> Void) {
        self.export = export
        queue.maxConcurrentOperationCount = 1
    }

    func exportAlbum(_ pictures: [String]) {
        queue.addOperation {
            let parts = pictures.map { picture in
                BlockOperation { self.export(picture) }
            }
            self.queue.addOperations(parts, waitUntilFinished: true)
        }
    }
}
