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
      @builtin(modeNamed) init(_ name: String)
      @builtin(modeNamed) init(rawValue name: String)
      @builtin(modeText) var rawValue: String { get }
    }
    extension DispatchQoS {
      @inlined init(qosClass: DispatchQoS, relativePriority: Int) { self = qosClass }
      @builtin(identity) var qosClass: DispatchQoS { get }
    }
    extension DispatchSource {
      @inlined func setEventHandler(handler: (() -> Void)?) {
        self.setEventHandler(handler: handler ?? {})
      }
      @inlined func setCancelHandler(handler: (() -> Void)?) {
        self.setCancelHandler(handler: handler ?? {})
      }
    }
    func CFRunLoopPerformBlock(
      _ loop: RunLoop, _ mode: RunLoop.Mode, _ block: @escaping () -> Void
    ) { loop.perform(inModes: [mode], block: block) }
    extension QualityOfService {
      @builtin(qualityNumber) var rawValue: Int { get }
    }
    extension Operation.QueuePriority {
      @builtin(queuePriorityNumber) var rawValue: Int { get }
    }
    @builtin(threadNames) func threadNames(_ names: String...)
    @builtin(log) func NSLog(_ format: String, _ values: Any...)
    extension String {
      @builtin(formatted) init(format: String, _ values: Any...)
    }
    extension DispatchTime {
      @builtin(identity) init(_ sinceStart: Duration)
    }
    extension Array {
      @builtin(elements) init(count: Int, each: (Int) -> Element)
      @inlined init(count: Int, _ make: (Int) -> Element) {
        var made: [Element] = []
        for index in 0 ..< count { made.append(make(index)) }
        self = made
      }
      @inlined mutating func popFirst() -> Element? { self.isEmpty ? nil : self.remove(at: 0) }
    }
    protocol NSLocking {
      func lock()
      func unlock()
    }
    extension NSLocking {
      @inlined @discardableResult func withLock<R>(_ body: () throws -> R) rethrows -> R {
        lock()
        defer { unlock() }
        return try body()
      }
    }
    \(["NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock"].map(lock).joined(separator: "\n"))
    typealias UIBackgroundTaskIdentifier = BackgroundTask
    extension app {
      @inlined @discardableResult static func beginBackgroundTask(
        withName name: String?, expirationHandler handler: (() -> Void)? = nil
      ) -> BackgroundTask { app.beginBackgroundTask(expirationHandler: handler) }
    }
    extension Operation {
      @builtin(libraryMain) func main()
    }
    @handle(thread) class ThreadDictionary {
      @inlined subscript<T>(key: String) -> T? {
        get { threadValue(self, key) }
        set { setThreadValue(self, key, newValue) }
      }
    }
    @builtin(threadValue) func threadValue<T>(_ owner: ThreadDictionary, _ key: String) -> T?
    @builtin(setThreadValue) func setThreadValue<T>(
      _ owner: ThreadDictionary, _ key: String, _ value: T?)
    extension Thread {
      @builtin(identity) var threadDictionary: ThreadDictionary { get }
      @builtin(libraryInitializer) init()
      @builtin(libraryMain) func main()
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
      @builtin(setSpecific) func setSpecific<T>(key: String, value: T?)
      @builtin(getOwnSpecific) func getSpecific<T>(key: String) -> T?
      @builtin(getSpecific) static func getSpecific<T>(key: String) -> T?
    }
    """

  /// A lock, and the name that it is given after it has been made.
  private static func lock(_ type: String) -> String {
    """
    nonisolated(unsafe) var _namesOf\(type): [\(type): String] = [:]
    extension \(type): NSLocking {
      var name: String? {
        get { _namesOf\(type)[self] }
        nonmutating set { _namesOf\(type)[self] = newValue }
      }
    }
    """
  }
}
