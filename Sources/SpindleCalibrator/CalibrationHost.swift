import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// What is asked of the machine that is measured.
enum CalibrationHost {
  /// Nanoseconds of a clock that only goes forward.
  static func now() -> Double { time(CLOCK_MONOTONIC) }

  /// Nanoseconds of processor time that the calling thread has had.
  static func threadTime() -> Double { time(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds of processor time that all threads have had.
  static func processTime() -> Double { time(CLOCK_PROCESS_CPUTIME_ID) }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Keeps the calling thread, and threads that it makes, on one core; false where that can't be asked for.
  @discardableResult
  static func pin(to core: Int) -> Bool {
    typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer) -> Int32
    guard let function = dlsym(nil, "sched_setaffinity") else { return false }
    var set = [UInt8](repeating: 0, count: 128)
    set[core / 8] = 1 << UInt8(core % 8)
    return unsafeBitCast(function, to: SetAffinity.self)(0, set.count, set) == 0
  }

  /// By how much the system may let a sleep of the calling thread end later; 0 for what is usual.
  static func setSlack(_ nanoseconds: UInt) {
    typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    guard let function = dlsym(nil, "prctl") else { return }
    // PR_SET_TIMERSLACK, Linux, include/uapi/linux/prctl.h.
    _ = unsafeBitCast(function, to: Control.self)(29, nanoseconds, 0, 0, 0)
  }

  /// Runs `body` on a new thread, on one core or wherever, and waits for its end.
  static func onThread(core: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if let core { pin(to: core) }
      body()
      done.signal()
    }
    done.wait()
  }

  /// Maps as much as a stack is, touches its last three pages, and returns how long unmapping it takes, in
  /// nanoseconds; 0 where no memory is to be had.
  static func unmapStack() -> Double {
    let (size, page) = (8 << 20, 4_096)
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { return 0 }
    for index in 1...3 {
      memory.storeBytes(of: 1, toByteOffset: size - index * page, as: UInt8.self)
    }
    let start = now()
    munmap(memory, size)
    return now() - start
  }

  /// Touches so many pages that are new to the process, and returns how long each takes, in nanoseconds; 0 where no memory is
  /// to be had.
  static func touchPages(_ count: Int) -> Double {
    let page = 4_096
    let memory = mmap(nil, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { return 0 }
    let start = now()
    for index in 0..<count { memory.storeBytes(of: 1, toByteOffset: index * page, as: UInt8.self) }
    let took = now() - start
    munmap(memory, count * page)
    return took / Double(count)
  }

  /// A chain of so many steps of which each needs the one before, from a number that is not 0; what it comes to
  /// isn't either.
  @inline(never)
  static func compute(_ steps: Int, from start: UInt64) -> UInt64 {
    var value = start
    for _ in 0..<steps {
      value ^= value << 13
      value ^= value >> 7
      value ^= value << 17
    }
    return value
  }

  /// Sleeps for so many nanoseconds.
  static func rest(_ nanoseconds: Double) { Thread.sleep(forTimeInterval: nanoseconds / 1e9) }
}

/// Numbers in memory that threads share, of which each writes its own.
final class Samples: @unchecked Sendable {
  private let values: UnsafeMutablePointer<Double>
  let count: Int

  /// Creates so many zeroes.
  init(_ count: Int) {
    self.count = count
    values = .allocate(capacity: max(1, count))
    values.initialize(repeating: 0, count: max(1, count))
  }

  deinit { values.deallocate() }

  subscript(index: Int) -> Double {
    get { values[index] }
    set { values[index] = newValue }
  }

  /// The middle one of what `other` has beyond these.
  func median(to other: Samples) -> Double {
    Spread((0..<count).map { other[$0] - self[$0] }).median
  }
}

/// The middle of some numbers, and where the middle half of them lies.
struct Spread {
  let median: Double
  let low: Double
  let high: Double

  /// Sums up at least one number.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    median = sorted[sorted.count / 2]
    low = sorted[sorted.count / 4]
    high = sorted[sorted.count * 3 / 4]
  }
}
