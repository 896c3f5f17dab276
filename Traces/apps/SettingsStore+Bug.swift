import Foundation

/// A store behind a lock that one path does not release.
final class LockedSettings {
    private let lock = NSLock()
    private var values: [String: SettingValue] = [:]

    func value(for key: String) -> SettingValue? {
        lock.lock()
        defer { lock.unlock() }
        return values[key]
    }

    func set(_ value: SettingValue, for key: String) {
        lock.lock()
        if values[key] == value {
            return
        }
        values[key] = value
        lock.unlock()
    }
}
