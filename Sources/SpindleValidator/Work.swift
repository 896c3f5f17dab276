import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// What the programs call that a trace has of its own, and the clocks of a run.
enum ValidationHost {
  /// Nanoseconds of a clock.
  static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// What stands in a file; nothing where there is none.
  private static func text(of path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// How many threads the process has; nil where the system does not say it in a file.
  static var threadCount: Int? {
    let lines = text(of: "/proc/self/status").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Threads:") }) else { return nil }
    return line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
  }

  /// Nanoseconds for which all processors together were in use since the machine started; nil where the
  /// system does not say it in a file.
  static var busy: Double? {
    guard let line = text(of: "/proc/stat").split(separator: "\n").first else { return nil }
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    if ticks.count < 8 { return nil }
    // All but idle, waiting for a device, and what a host took.
    let used = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]
    return used * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// A chain of steps of which each needs the one before, so that a processor can't do two at once.
@inline(never)
private func spin(_ steps: Int, from start: UInt64) -> UInt64 {
  var value = start
  for _ in 0..<steps {
    value ^= value << 13
    value ^= value >> 7
    value ^= value << 17
  }
  return value
}

/// Where what was computed goes, so that it has to be.
nonisolated(unsafe) private let result = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

/// What each computation begins with.
///
/// It is asked for anew each time, or else a compiler sees that all are the same, and does the first one only.
private let seed = Atomic<UInt64>(88_172_645_463_325_252)

/// Steps in a nanosecond of processor time: the middle one of 15 tries.
private let stepsPerNanosecond: Double = {
  result.pointee = 1
  let steps = 500_000
  let tries = (0..<15).map { _ -> Double in
    let start = ValidationHost.time(CLOCK_THREAD_CPUTIME_ID)
    result.pointee = spin(steps, from: result.pointee | 1)
    return ValidationHost.time(CLOCK_THREAD_CPUTIME_ID) - start
  }
  return Double(steps) / max(1, tries.sorted()[7])
}()

/// A length of time as the programs take it.
///
/// The standard library's has 128 bits, and asking it for its nanoseconds takes as long as the shortest work that
/// is to be measured.
struct Duration: Sendable {
  /// Its nanoseconds.
  let nanoseconds: Int

  static func * (time: Self, factor: Int) -> Self {
    Self(nanoseconds: time.nanoseconds * factor)
  }
}

/// Computes for so long.
@inline(__always)
func work(_ time: Duration) {
  let steps = Int(Double(time.nanoseconds) * stepsPerNanosecond)
  let last = spin(steps, from: seed.load(ordering: .relaxed))
  if last == 0 { result.pointee = last }
}

/// Sleeps for so long.
func sleep(_ time: Duration) { Thread.sleep(forTimeInterval: Double(time.nanoseconds) / 1e9) }

/// A moment so much later.
func + (moment: DispatchTime, time: Duration) -> DispatchTime {
  moment + DispatchTimeInterval.nanoseconds(time.nanoseconds)
}

/// Finds out how fast this machine computes, before anything is measured.
func prepareWork() { _ = stepsPerNanosecond }

/// A sum to which threads add.
final class Amount: @unchecked Sendable {
  private let lock = NSLock()
  private var sum = 0.0

  /// Adds to it.
  func add(_ value: Double) {
    lock.lock()
    sum += value
    lock.unlock()
  }

  /// What it has come to.
  var value: Double {
    lock.lock()
    defer { lock.unlock() }
    return sum
  }
}
