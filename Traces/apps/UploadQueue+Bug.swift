import Foundation

extension UploadQueue {
    /// Blocks the caller until all is sent; the main thread must not call it, since the completion comes there.
    func uploadAndWait(_ items: [UploadItem]) -> Summary {
        let done = DispatchSemaphore(value: 0)
        var result = Summary()
        upload(items) { summary in
            result = summary
            done.signal()
        }
        done.wait()
        return result
    }
}
