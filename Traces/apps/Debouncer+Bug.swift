import Foundation

/// An editor whose pending save is a work item that it holds, and that holds it: neither is ever released.
final class LeakyDraftEditor {
    private var pending: DispatchWorkItem?
    private(set) var saves = 0

    func insert(_ addition: String) {
        pending?.cancel()
        let item = DispatchWorkItem { self.save() }
        pending = item
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5, execute: item)
    }

    private func save() {
        saves += 1
    }
}
