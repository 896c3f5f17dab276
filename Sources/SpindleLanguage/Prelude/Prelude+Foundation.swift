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
    enum ComparisonResult: Int {
      case orderedAscending = -1, orderedSame, orderedDescending
    }
    extension String {
      struct CompareOptions: OptionSet {
        typealias RawValue = UInt
        let rawValue: UInt
        static let caseInsensitive: CompareOptions = .init(rawValue: 1)
        static let literal: CompareOptions = .init(rawValue: 2)
        static let numeric: CompareOptions = .init(rawValue: 64)
      }
      func compare(_ other: String) -> ComparisonResult {
        self == other ? .orderedSame : self < other ? .orderedAscending : .orderedDescending
      }
      func compare(_ other: String, options: CompareOptions) -> ComparisonResult {
        let folds = options.contains(.caseInsensitive)
        let one = folds ? self.lowercased() : self
        let two = folds ? other.lowercased() : other
        return options.contains(.numeric) ? one._compareNumbers(two) : one.compare(two)
      }
      func _compareNumbers(_ other: String) -> ComparisonResult {
        let (one, two) = (self._characters, other._characters)
        var (here, there) = (0, 0)
        while here < one.count && there < two.count {
          let (first, second) = (one[here], two[there])
          if first._traits & 2 != 0 && second._traits & 2 != 0 {
            var (number, next) = (0, 0)
            while here < one.count, let digit = Int(one[here]) {
              number = number * 10 + digit
              here += 1
            }
            while there < two.count, let digit = Int(two[there]) {
              next = next * 10 + digit
              there += 1
            }
            if number != next { return number < next ? .orderedAscending : .orderedDescending }
          } else {
            if first != second { return first.compare(second) }
            here += 1
            there += 1
          }
        }
        if one.count - here == two.count - there { return .orderedSame }
        return one.count - here < two.count - there ? .orderedAscending : .orderedDescending
      }
      func caseInsensitiveCompare(_ other: String) -> ComparisonResult {
        self.compare(other, options: .caseInsensitive)
      }
      @inlined func localizedCaseInsensitiveCompare(_ other: String) -> ComparisonResult {
        self.caseInsensitiveCompare(other)
      }
      func localizedStandardCompare(_ other: String) -> ComparisonResult {
        self.compare(other, options: [.caseInsensitive, .numeric])
      }
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
