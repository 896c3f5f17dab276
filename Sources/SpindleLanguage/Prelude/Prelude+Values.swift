extension Prelude {
  /// What all values share: comparison, keys, errors, optionals, results.
  static let values = """
    struct Program {}
    protocol Sendable {}
    protocol Copyable {}
    protocol AnyObject {}
    protocol Error {}
    protocol LocalizedError: Error { var errorDescription: String? { get } }
    extension LocalizedError {
      @inlined var errorDescription: String? { nil }
    }
    protocol Identifiable {
      associatedtype ID: Hashable
      var id: ID { get }
    }
    protocol Codable {}
    protocol Encodable {}
    protocol Decodable {}
    protocol ObservableObject {}
    protocol NSObjectProtocol {}
    protocol CustomStringConvertible { var description: String { get } }
    protocol LosslessStringConvertible: CustomStringConvertible { init?(_ description: String) }
    protocol CustomDebugStringConvertible { var debugDescription: String { get } }
    protocol RawRepresentable {}
    protocol ExpressibleByIntegerLiteral {
      associatedtype IntegerLiteralType
      init(integerLiteral value: IntegerLiteralType)
    }
    protocol ExpressibleByFloatLiteral {
      associatedtype FloatLiteralType
      init(floatLiteral value: FloatLiteralType)
    }
    protocol ExpressibleByBooleanLiteral {
      associatedtype BooleanLiteralType
      init(booleanLiteral value: BooleanLiteralType)
    }
    protocol ExpressibleByStringLiteral {}
    protocol ExpressibleByStringInterpolation: ExpressibleByStringLiteral {}
    protocol ExpressibleByArrayLiteral {}
    protocol ExpressibleByDictionaryLiteral {}
    protocol ExpressibleByNilLiteral {}
    typealias IntegerLiteralType = Int
    typealias FloatLiteralType = Double
    typealias BooleanLiteralType = Bool
    typealias StringLiteralType = String
    typealias ExtendedGraphemeClusterType = String
    typealias UnicodeScalarType = String
    protocol CaseIterable {}
    protocol Equatable { static func == (a: Self, b: Self) -> Bool }
    extension Equatable {
      @inlined static func != (a: Self, b: Self) -> Bool { !(a == b) }
    }
    protocol Hashable: Equatable {}
    struct Hasher {
      init() {}
      @inlined mutating func combine<H: Hashable>(_ value: H) {}
    }
    protocol Comparable: Equatable { static func < (a: Self, b: Self) -> Bool }
    extension Comparable {
      @inlined static func > (a: Self, b: Self) -> Bool { b < a }
      @inlined static func <= (a: Self, b: Self) -> Bool { !(b < a) }
      @inlined static func >= (a: Self, b: Self) -> Bool { !(a < b) }
    }
    @builtin(Bool) struct Bool: Hashable, Sendable, Codable, CustomStringConvertible {
      @builtin(not) static prefix func ! (a: Bool) -> Bool
      @builtin(equal) static func == (a: Bool, b: Bool) -> Bool
      @builtin(notEqual) static func != (a: Bool, b: Bool) -> Bool
      @builtin(and) static func && (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool
      @builtin(or) static func || (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool
      mutating func toggle() { self = !self }
      init?(_ text: String) {
        if text != "true" && text != "false" { return nil }
        self = text == "true"
      }
      @builtin(describe) var description: String { get }
    }
    @builtin(Never) enum Never: Error, Sendable, Hashable {}
    @builtin(Optional) enum Optional<Wrapped> {
      @builtin(some) init(_ value: Wrapped)
      @inlined func map<U>(_ body: (Wrapped) throws -> U) rethrows -> U? {
        if let value = self { return try body(value) }
        return nil
      }
      @inlined func flatMap<U>(_ body: (Wrapped) throws -> U?) rethrows -> U? {
        if let value = self { return try body(value) }
        return nil
      }
      mutating func take() -> Wrapped? {
        let value = self
        self = nil
        return value
      }
      @builtin(unsafelyUnwrapped) var unsafelyUnwrapped: Wrapped { get }
      @builtin(describe) var debugDescription: String { get }
    }
    extension Optional: Equatable where Wrapped: Equatable {}
    extension Optional: Hashable where Wrapped: Hashable {}
    extension Optional: Sendable where Wrapped: Sendable {}
    struct KeyPath<Root, Value>: Sendable { let read: (Root) -> Value }
    typealias WritableKeyPath<Root, Value> = KeyPath<Root, Value>
    typealias ReferenceWritableKeyPath<Root, Value> = KeyPath<Root, Value>
    enum Result<Success, Failure: Error> {
      case success(Success), failure(Failure)
      func get() throws(Failure) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
      }
      @inlined func map<New>(_ body: (Success) -> New) -> Result<New, Failure> {
        switch self {
        case .success(let value): return .success(body(value))
        case .failure(let error): return .failure(error)
        }
      }
      @inlined func flatMap<New>(
        _ body: (Success) -> Result<New, Failure>
      ) -> Result<New, Failure> {
        switch self {
        case .success(let value): return body(value)
        case .failure(let error): return .failure(error)
        }
      }
      @inlined func mapError<New: Error>(_ body: (Failure) -> New) -> Result<Success, New> {
        switch self {
        case .success(let value): return .success(value)
        case .failure(let error): return .failure(body(error))
        }
      }
      @inlined func flatMapError<New: Error>(
        _ body: (Failure) -> Result<Success, New>
      ) -> Result<Success, New> {
        switch self {
        case .success(let value): return .success(value)
        case .failure(let error): return body(error)
        }
      }
    }
    extension Result {
      @inlined init(catching body: () throws(Failure) -> Success) {
        do { self = .success(try body()) } catch { self = .failure(error) }
      }
    }
    extension Result: Equatable where Success: Equatable, Failure: Equatable {}
    extension Result: Hashable where Success: Hashable, Failure: Hashable {}
    extension Result: Sendable where Success: Sendable {}
    extension String: Error {}
    extension Error {
      @builtin(errorDescription) var localizedDescription: String { get }
    }
    @builtin(fixedInteger)
    struct ObjectIdentifier: Hashable, Comparable, Sendable {
      @builtin(objectIdentifier) init<T: AnyObject>(_ object: T)
      @builtin(objectIdentifier) init<T>(_ type: T.Type)
      @builtin(equal) static func == (a: ObjectIdentifier, b: ObjectIdentifier) -> Bool
      @builtin(notEqual) static func != (a: ObjectIdentifier, b: ObjectIdentifier) -> Bool
      @builtin(less) static func < (a: ObjectIdentifier, b: ObjectIdentifier) -> Bool
    }
    struct AnyHashable: Hashable, CustomStringConvertible {
      let base: Any
      init<H: Hashable>(_ base: H) { self.base = base }
      static func == (a: AnyHashable, b: AnyHashable) -> Bool { areEqual(a.base, b.base) }
      var description: String { String(describing: base) }
    }
    @builtin(anyEqual) func areEqual(_ a: Any, _ b: Any) -> Bool
    struct CancellationError: Error, Sendable, Equatable { init() {} }
    @inlined func swap<T>(_ a: inout T, _ b: inout T) {
      let kept = a
      a = b
      b = kept
    }
    @inlined @discardableResult func withExtendedLifetime<T, R>(
      _ value: T, _ body: () throws -> R
    ) rethrows -> R { try body() }
    @inlined @discardableResult func withExtendedLifetime<T, R>(
      _ value: T, _ body: (T) throws -> R
    ) rethrows -> R { try body(value) }
    @builtin(print) func print(_ items: Any..., separator: String = " ", terminator: String = "\\n")
    protocol TextOutputStream { mutating func write(_ string: String) }
    func print<Target: TextOutputStream>(
      _ items: Any..., separator: String = " ", terminator: String = "\\n", to output: inout Target
    ) {
      var between = ""
      for item in items {
        output.write(between)
        output.write(String(describing: item))
        between = separator
      }
      output.write(terminator)
    }
    typealias StaticString = String
    @builtin(debugPrint) func debugPrint(
      _ items: Any..., separator: String = " ", terminator: String = "\\n")
    @builtin(precondition) func precondition(
      _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "",
      file: StaticString = "", line: UInt = 0)
    @builtin(assert) func assert(
      _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "",
      file: StaticString = "", line: UInt = 0)
    @builtin(preconditionFailure) func preconditionFailure(
      _ message: String = "", file: StaticString = "", line: UInt = 0
    ) -> Never
    @builtin(preconditionFailure) func assertionFailure(
      _ message: String = "", file: StaticString = "", line: UInt = 0)
    @builtin(fatalError) func fatalError(
      _ message: String = "", file: StaticString = "", line: UInt = 0
    ) -> Never
    @builtin(typeOf) func type<T>(of value: T) -> T.Type
    @builtin(equal) func == (a: Any.Type?, b: Any.Type?) -> Bool
    @builtin(notEqual) func != (a: Any.Type?, b: Any.Type?) -> Bool
    """
}
