#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs independent jobs on several host threads and hands their results on in order.
enum ParallelRuns {
  /// Calls `job` once for each index below `count`, on up to `threads` threads at a time, and
  /// `deliver` with each result on the caller's thread, in the order of the indices.
  ///
  /// So nothing that `deliver` sees depends on `threads`. With one thread everything happens on
  /// the caller's own.
  static func run<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result,
    deliver: (Int, Result) -> Void
  ) {
    guard threads > 1 && count > 1 else {
      for index in 0..<count { deliver(index, job(index)) }
      return
    }
    let exchange = Exchange<Result>(count: count)
    let workers = (0..<min(threads, count)).map { _ in
      HostThread {
        while let index = exchange.nextIndex() { exchange.put(job(index), at: index) }
      }
    }
    for index in 0..<count { deliver(index, exchange.take(index)) }
    for worker in workers { worker.join() }
  }

  /// All results, in the order of the indices.
  static func map<Result: Sendable>(
    _ count: Int, threads: Int, job: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    run(count, threads: threads, job: job) { _, result in results.append(result) }
    return results
  }
}

/// Where workers leave their results and the caller finds them.
///
/// A class with a lock of the C library, since the standard library's has no condition to wait
/// for. All state is touched with the lock held only.
private final class Exchange<Result: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var results: [Result?]
  private var next = 0

  init(count: Int) {
    results = Array(repeating: nil, count: count)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// The next index that nobody has taken, nil when there is none.
  func nextIndex() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard next < results.count else { return nil }
    next += 1
    return next - 1
  }

  func put(_ result: Result, at index: Int) {
    pthread_mutex_lock(mutex)
    results[index] = result
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for the result at `index` and removes it.
  func take(_ index: Int) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = results[index] {
        results[index] = nil
        return result
      }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// A thread of the host; must be joined.
///
/// Its stack is as large as a main thread's and more, so that what can be read there can be read
/// here.
private struct HostThread {
  private let thread: pthread_t

  /// Starts a thread that runs `body`.
  init(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 16 << 20)
    defer { pthread_attr_destroy(&attributes) }
    let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
    #if canImport(Darwin)
      var created: pthread_t?
      let status = pthread_create(&created, &attributes, { HostThread.start($0) }, context)
      guard status == 0, let created else { fatalError("the host gives no more threads") }
      thread = created
    #else
      var created = pthread_t()
      let status = pthread_create(
        &created, &attributes, { $0.map { HostThread.start($0) } ?? nil }, context)
      guard status == 0 else { fatalError("the host gives no more threads") }
      thread = created
    #endif
  }

  /// Waits for the thread's end.
  func join() {
    pthread_join(thread, nil)
  }

  private static func start(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// Carries a closure through the pointer that a thread is started with.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
