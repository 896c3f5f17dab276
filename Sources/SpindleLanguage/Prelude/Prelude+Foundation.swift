extension Prelude {
  /// Names of Dispatch, Core Foundation and UIKit for what the vocabulary has under other names.
  static let foundation = """
    let NSEC_PER_SEC: UInt64 = 1_000_000_000
    let NSEC_PER_MSEC: UInt64 = 1_000_000
    let NSEC_PER_USEC: UInt64 = 1_000
    let USEC_PER_SEC: UInt64 = 1_000_000
    typealias CFRunLoop = RunLoop
    typealias DispatchSourceTimer = DispatchSource
    typealias DispatchSourceUserDataAdd = DispatchSource
    typealias DispatchSourceUserDataOr = DispatchSource
    typealias DispatchSourceUserDataReplace = DispatchSource
    typealias Decimal = Double
    extension RunLoop.Mode {
      @builtin(identity) init(_ name: String)
      @builtin(identity) init(rawValue name: String)
    }
    extension DispatchTime {
      @builtin(identity) init(_ sinceStart: Duration)
    }
    extension Array {
      @inlined init(count: Int, _ make: (Int) -> Element) {
        var made: [Element] = []
        for index in 0 ..< count { made.append(make(index)) }
        self = made
      }
      @inlined mutating func popFirst() -> Element? { self.isEmpty ? nil : self.remove(at: 0) }
    }
    typealias UIBackgroundTaskIdentifier = BackgroundTask
    extension app {
      @inlined @discardableResult static func beginBackgroundTask(
        withName name: String?, expirationHandler handler: (() -> Void)? = nil
      ) -> BackgroundTask { app.beginBackgroundTask(expirationHandler: handler) }
    }
    enum DispatchPredicate { case onQueue(DispatchQueue), notOnQueue(DispatchQueue) }
    @builtin(dispatchPrecondition) func dispatchPrecondition(condition: DispatchPredicate)
    final class DispatchSpecificKey<T>: Sendable {
      init() {}
    }
    extension DispatchQueue {
      @builtin(setSpecific) func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?)
      @builtin(getOwnSpecific) func getSpecific<T>(key: DispatchSpecificKey<T>) -> T?
      @builtin(getSpecific) static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T?
    }
    """
}
