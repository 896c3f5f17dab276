import Foundation

/// Runs an action when no call came for `delay`.
final class Debouncer {
    private let queue: DispatchQueue
    private let delay: TimeInterval
    private var pending: DispatchWorkItem?
    private let lock = NSLock()

    init(delay: TimeInterval, queue: DispatchQueue = .main) {
        self.delay = delay
        self.queue = queue
    }

    func call(_ action: @escaping () -> Void) {
        let item = DispatchWorkItem { [weak self] in
            self?.forget()
            action()
        }
        lock.lock()
        pending?.cancel()
        pending = item
        lock.unlock()
        queue.asyncAfter(deadline: .now() + delay, execute: item)
    }

    /// Runs what is pending now.
    func flush() {
        lock.lock()
        let last = pending
        pending = nil
        lock.unlock()
        guard let item = last, !item.isCancelled else { return }
        queue.async {
            item.perform()
            item.cancel()
        }
    }

    func cancel() {
        lock.lock()
        defer { lock.unlock() }
        pending?.cancel()
        pending = nil
    }

    private func forget() {
        lock.lock()
        pending = nil
        lock.unlock()
    }
}

/// Runs at most one action in each `interval`: the first at once, and the last of the others when the time has come.
final class Throttler {
    private let queue: DispatchQueue
    private let interval: TimeInterval
    private let stateQueue = DispatchQueue(label: "com.example.throttler")
    private var lastRun: DispatchTime?
    private var waiting: (() -> Void)?
    private var isScheduled = false

    init(interval: TimeInterval, queue: DispatchQueue = .main) {
        self.interval = interval
        self.queue = queue
    }

    func call(_ action: @escaping () -> Void) {
        stateQueue.async {
            let now = DispatchTime.now()
            if let lastRun = self.lastRun, now < lastRun + self.interval {
                self.waiting = action
                self.schedule(at: lastRun + self.interval)
            } else {
                self.lastRun = now
                self.queue.async(execute: action)
            }
        }
    }

    private func schedule(at time: DispatchTime) {
        dispatchPrecondition(condition: .onQueue(stateQueue))
        guard !isScheduled else { return }
        isScheduled = true
        stateQueue.asyncAfter(deadline: time) { [weak self] in
            guard let self else { return }
            self.isScheduled = false
            guard let action = self.waiting else { return }
            self.waiting = nil
            self.lastRun = .now()
            self.queue.async(execute: action)
        }
    }
}

/// A text editor's document: it saves when the user pauses and shows its word count now and then.
final class DraftEditor {
    private let saver = Debouncer(delay: 0.5)
    private let counter = Throttler(interval: 0.2)
    private(set) var text = ""
    private(set) var savedText = ""
    private(set) var saves = 0
    private(set) var counts: [Int] = []

    func insert(_ addition: String) {
        text += addition
        saver.call { [weak self] in self?.save() }
        counter.call { [weak self] in self?.updateCount() }
    }

    func sceneWillResignActive() {
        saver.flush()
    }

    private func save() {
        guard savedText != text else { return }
        savedText = text
        saves += 1
    }

    private func updateCount() {
        counts.append(text.count)
    }
}
