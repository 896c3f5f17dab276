/// Files of Swift that the tool has by itself, which are read behind those of a program.
enum AppFiles {
  /// What the names of these files begin with, in an `include` too.
  static let folder = "spindle/"

  /// The name of the file that a program with Swift files has always.
  static let typesName = folder + "Types.swift"

  /// The name of the file with functions of Apple's libraries, which a trace may include.
  static let stubsName = folder + "Stubs.swift"

  /// The text of a file of the tool's own; nil for any other name.
  static func text(of name: String) -> String? {
    switch name {
    case typesName: types
    case stubsName: stubs
    default: nil
    }
  }

  /// Values that pass through an app's code, as far as its timing depends on them: addresses, data, requests.
  ///
  /// What costs time is in the stubs.
  static let types = """
    struct URL: Hashable, Sendable {
        let absoluteString: String
        init?(string: String) {
            if string.isEmpty { return nil }
            absoluteString = string
        }
        init(fileURLWithPath path: String) { absoluteString = "file://" + path }
        init(filePath path: String) { absoluteString = "file://" + path }
        var path: String { absoluteString }
        func appendingPathComponent(_ name: String) -> URL {
            URL(string: absoluteString + "/" + name)!
        }
        func appending(path name: String) -> URL { URL(string: absoluteString + "/" + name)! }
    }
    struct Data: Hashable, Sendable {
        var count: Int
        init() { count = 0 }
        init(count: Int) { self.count = count }
        var isEmpty: Bool { count == 0 }
    }
    struct UUID: Hashable, Sendable {
        nonisolated(unsafe) private static var last = 0
        let uuidString: String
        init() {
            UUID.last += 1
            uuidString = "uuid-\\(UUID.last)"
        }
    }
    struct URLRequest: Hashable, Sendable {
        var url: URL?
        var httpMethod: String? = "GET"
        var httpBody: Data?
        var timeoutInterval: TimeInterval = 60
        init(url: URL) { self.url = url }
        init(url: URL, timeoutInterval: TimeInterval) {
            self.url = url
            self.timeoutInterval = timeoutInterval
        }
        mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { }
        mutating func addValue(_ value: String, forHTTPHeaderField field: String) { }
    }
    class URLResponse: @unchecked Sendable {
        let url: URL?
        init(url: URL?) { self.url = url }
    }
    final class HTTPURLResponse: URLResponse, @unchecked Sendable {
        let statusCode: Int
        init(url: URL?, statusCode: Int) {
            self.statusCode = statusCode
            super.init(url: url)
        }
    }
    struct URLError: Error, Hashable {
        enum Code: Hashable, Sendable {
            case badServerResponse, badURL, cancelled, cannotConnectToHost, cannotCreateFile
            case cannotDecodeContentData, cannotDecodeRawData, cannotFindHost, cannotParseResponse
            case dataLengthExceedsMaximum, dataNotAllowed, dnsLookupFailed, fileDoesNotExist
            case httpTooManyRedirects, internationalRoamingOff, networkConnectionLost
            case noPermissionsToReadFile, notConnectedToInternet, requestBodyStreamExhausted
            case resourceUnavailable, secureConnectionFailed, timedOut, unknown, unsupportedURL
            case userAuthenticationRequired, userCancelledAuthentication, zeroByteResource
        }
        let code: Code
        init(_ code: Code) { self.code = code }
    }
    final class UIImage: @unchecked Sendable {
        let data: Data
        init() { data = Data() }
        init?(data: Data) { self.data = data }
    }
    typealias NSString = String
    typealias NSURL = URL
    final class NSCache<KeyType: Hashable, ObjectType>: @unchecked Sendable {
        private let lock = NSLock()
        private var entries: [KeyType: ObjectType] = [:]
        var name = ""
        var countLimit = 0
        var totalCostLimit = 0
        init() { }
        func object(forKey key: KeyType) -> ObjectType? { lock.withLock { entries[key] } }
        func setObject(_ object: ObjectType, forKey key: KeyType) {
            lock.withLock { entries[key] = object }
        }
        func setObject(_ object: ObjectType, forKey key: KeyType, cost: Int) {
            lock.withLock { entries[key] = object }
        }
        func removeObject(forKey key: KeyType) { lock.withLock { entries[key] = nil } }
        func removeAllObjects() { lock.withLock { entries.removeAll() } }
    }
    struct Logger: Sendable {
        init() { }
        init(subsystem: String, category: String) { }
        func debug(_ message: String) { }
        func info(_ message: String) { }
        func notice(_ message: String) { }
        func log(_ message: String) { }
        func warning(_ message: String) { }
        func error(_ message: String) { }
        func fault(_ message: String) { }
    }
    """
}
