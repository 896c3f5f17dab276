#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread of the host; must be joined.
///
/// Its stack is as large as a main thread's and more, so that what can be read there can be read
/// here.
package struct HostThread {
  private let thread: pthread_t

  /// Starts a thread that runs `body`; nil when the host gives no more threads.
  package init?(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 16 << 20)
    defer { pthread_attr_destroy(&attributes) }
    let body = Unmanaged.passRetained(Body(run: body))
    let context = body.toOpaque()
    #if canImport(Darwin)
      var created: pthread_t?
      let status = pthread_create(&created, &attributes, { HostThread.start($0) }, context)
      guard status == 0, let created else {
        body.release()
        return nil
      }
      thread = created
    #else
      var created = pthread_t()
      let status = pthread_create(
        &created, &attributes, { $0.map { HostThread.start($0) } ?? nil }, context)
      guard status == 0 else {
        body.release()
        return nil
      }
      thread = created
    #endif
  }

  /// Waits for the thread's end.
  package func join() {
    pthread_join(thread, nil)
  }

  private static func start(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    EndSignals.prepared { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }

  /// Carries a closure through the pointer that a thread is started with.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
