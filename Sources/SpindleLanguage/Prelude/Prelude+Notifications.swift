extension Prelude {
  /// Notifications: each observer is called on the posting thread, one after another, and one with a queue by an
  /// operation of that, for which the post waits unless it comes from there.
  ///
  /// Assumed: observers are called in the order in which they were added, which the real ones don't promise; one that is
  /// removed during a post is still called by it; and the post waits for its own operation. Linux waits for all of the
  /// queue. Source: swift-corelibs-foundation:Sources/Foundation/NSNotification.swift, `post(_:)`.
  static let notifications = """
    typealias NSNotification = Notification
    struct Notification {
      struct Name: Hashable, Sendable {
        let rawValue: String
        init(_ rawValue: String) { self.rawValue = rawValue }
        init(rawValue: String) { self.rawValue = rawValue }
      }
      let name: Notification.Name
      let object: AnyObject?
      let userInfo: [String: Int]?
      init(name: Notification.Name, object: AnyObject? = nil, userInfo: [String: Int]? = nil) {
        self.name = name
        self.object = object
        self.userInfo = userInfo
      }
    }
    final class NotificationObserver: NSObjectProtocol {
      let name: Notification.Name?
      let concernsOne: Bool
      weak var object: AnyObject?
      let queue: OperationQueue?
      let block: (Notification) -> Void
      init(
        _ name: Notification.Name?, _ object: AnyObject?, _ queue: OperationQueue?,
        _ block: @escaping (Notification) -> Void
      ) {
        self.name = name
        self.concernsOne = object != nil
        self.object = object
        self.queue = queue
        self.block = block
      }
    }
    final class NotificationCenter: Sendable {
      static let `default` = NotificationCenter()
      private let lock = NSLock()
      private var observers: [NotificationObserver] = []
      init() {}
      func addObserver(
        forName name: Notification.Name?, object: AnyObject?, queue: OperationQueue?,
        using block: @escaping (Notification) -> Void
      ) -> NSObjectProtocol {
        let observer = NotificationObserver(name, object, queue, block)
        lock.withLock { observers.append(observer) }
        return observer
      }
      func removeObserver(_ observer: NSObjectProtocol) {
        lock.withLock { observers = observers.filter { $0 !== observer } }
      }
      func removeObserver(
        _ observer: NSObjectProtocol, name: Notification.Name?, object: AnyObject?
      ) { removeObserver(observer) }
      func post(name: Notification.Name, object: AnyObject?, userInfo: [String: Int]? = nil) {
        post(Notification(name: name, object: object, userInfo: userInfo))
      }
      func post(_ notification: Notification) {
        let concerned = lock.withLock {
          observers.filter {
            ($0.name == nil || $0.name == notification.name)
              && (!$0.concernsOne || $0.object === notification.object)
          }
        }
        for observer in concerned {
          if let queue = observer.queue, queue !== OperationQueue.current {
            let post = BlockOperation { observer.block(notification) }
            queue.addOperations([post], waitUntilFinished: true)
          } else {
            observer.block(notification)
          }
        }
      }
      func notifications(
        named name: Notification.Name, object: AnyObject? = nil
      ) -> AsyncStream<Notification> {
        AsyncStream { continuation in
          let observer = self.addObserver(forName: name, object: object, queue: nil) {
            continuation.yield($0)
          }
          continuation.onTermination = { _ in self.removeObserver(observer) }
        }
      }
    }
    """
}
