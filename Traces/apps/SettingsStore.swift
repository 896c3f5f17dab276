import Foundation
import os

enum SettingValue: Equatable, Codable {
    case flag(Bool)
    case number(Int)
    case text(String)
}

/// A dictionary that many threads read at once and one changes at a time.
final class SynchronizedDictionary<Key: Hashable, Value> {
    private let queue: DispatchQueue
    private var storage: [Key: Value]

    init(label: String, _ initial: [Key: Value] = [:]) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
        storage = initial
    }

    subscript(key: Key) -> Value? {
        get { queue.sync { storage[key] } }
        set { queue.async(flags: .barrier) { self.storage[key] = newValue } }
    }

    var count: Int {
        queue.sync { storage.count }
    }

    func snapshot() -> [Key: Value] {
        queue.sync { storage }
    }

    /// Reads and changes a value as one step.
    func update<T>(_ key: Key, _ change: (inout Value?) -> T) -> T {
        queue.sync(flags: .barrier) { change(&storage[key]) }
    }
}

/// Writes the latest snapshot when no change came for a while, and never two at a time.
final class BackgroundWriter {
    typealias Snapshot = [String: SettingValue]

    private let url: URL
    private let delay: DispatchTimeInterval
    private let queue = DispatchQueue(label: "com.example.settings.writer", qos: .utility)
    private let log = Logger(subsystem: "com.example.app", category: "settings")
    private var generation = 0
    private var writes = 0
    private var makeSnapshot: (() -> Snapshot)?

    init(url: URL, delay: DispatchTimeInterval = .milliseconds(500)) {
        self.url = url
        self.delay = delay
    }

    var writeCount: Int {
        queue.sync { writes }
    }

    func setNeedsWrite(_ makeSnapshot: @escaping () -> Snapshot) {
        queue.async { [self] in
            generation += 1
            self.makeSnapshot = makeSnapshot
            let expected = generation
            queue.asyncAfter(deadline: .now() + delay) { [weak self] in
                guard let self, self.generation == expected else { return }
                self.write()
            }
        }
    }

    /// Writes what is pending before it returns.
    func flush() {
        queue.sync {
            generation += 1
            write()
        }
    }

    private func write() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let snapshot = makeSnapshot?() else { return }
        makeSnapshot = nil
        do {
            let data = try JSONEncoder().encode(snapshot)
            try data.write(to: url)
            writes += 1
        } catch {
            log.error("settings not written: \(error)")
        }
    }
}

/// The settings of an app: any thread reads and changes them, observers hear of it on the main queue.
final class SettingsStore {
    typealias Observer = (String, SettingValue?) -> Void

    /// Ends an observation when it is released.
    final class Observation {
        private let cancel: () -> Void

        fileprivate init(_ cancel: @escaping () -> Void) {
            self.cancel = cancel
        }

        deinit {
            cancel()
        }
    }

    private let values = SynchronizedDictionary<String, SettingValue>(label: "com.example.settings")
    private let writer: BackgroundWriter
    private let lock = NSLock()
    private var observers: [Int: Observer] = [:]
    private var lastObserver = 0

    init(writer: BackgroundWriter) {
        self.writer = writer
    }

    func value(for key: String) -> SettingValue? {
        values[key]
    }

    func set(_ value: SettingValue?, for key: String) {
        values[key] = value
        didChange(key, to: value)
    }

    func toggle(_ key: String) {
        let new = values.update(key) { value in
            var flag = false
            if case .flag(let old)? = value {
                flag = old
            }
            value = .flag(!flag)
            return !flag
        }
        didChange(key, to: .flag(new))
    }

    /// Adds to a number, which starts at zero.
    @discardableResult
    func add(_ amount: Int, to key: String) -> Int {
        let new = values.update(key) { value in
            var number = amount
            if case .number(let old)? = value {
                number += old
            }
            value = .number(number)
            return number
        }
        didChange(key, to: .number(new))
        return new
    }

    func observe(_ observer: @escaping Observer) -> Observation {
        lock.lock()
        defer { lock.unlock() }
        lastObserver += 1
        let id = lastObserver
        observers[id] = observer
        return Observation { [weak self] in self?.removeObserver(id) }
    }

    func applicationDidEnterBackground() {
        writer.flush()
    }

    private func removeObserver(_ id: Int) {
        lock.lock()
        observers[id] = nil
        lock.unlock()
    }

    private func didChange(_ key: String, to value: SettingValue?) {
        writer.setNeedsWrite { [values] in values.snapshot() }
        DispatchQueue.main.async {
            self.lock.lock()
            let current = self.observers.sorted { $0.key < $1.key }
            self.lock.unlock()
            for (_, observer) in current {
                observer(key, value)
            }
        }
    }
}
