import SpindleModel
import SpindleReports
import SpindleSystem

/// Says on a terminal how far a long run is, and ends it in order when that is asked.
///
/// It looks at the clock once for each chunk of the log, and after a few million instructions without one. A
/// class, as all consumers of a log are.
final class RunWatch: LogConsumer {
  private let write: (String) -> Void
  private let clock: () -> Int64
  private let isAsked: () -> Bool
  private var begun: Int64 = 0
  private var shown: Int64 = 0
  private var isShown = false
  private var count: Int64 = 0
  private var until: Instant?
  private var time = Instant.start
  private(set) var stopsRun = false

  /// Nothing is said of a run that is shorter, in nanoseconds of the host's time.
  static let quiet: Int64 = 1_000_000_000
  /// How long a line stays, in nanoseconds of the host's time.
  private static let period: Int64 = 250_000_000

  /// Creates a watch that writes to a terminal; `clock` and `isAsked` are those of the process unless said.
  init(
    clock: @escaping () -> Int64 = HostClock.now,
    isAsked: @escaping () -> Bool = { Interruption.isAsked }, write: @escaping (String) -> Void
  ) {
    (self.clock, self.isAsked, self.write) = (clock, isAsked, write)
  }

  /// A watch where somebody sits at a terminal who would see it.
  static func make(_ console: Console) -> RunWatch? {
    let environment = console.environment
    guard environment.errorIsTerminal && environment.variables["TERM"] != "dumb" else {
      return nil
    }
    return RunWatch { console.error.write($0) }
  }

  var needsEveryEntry: Bool { false }
  var mayStopRun: Bool { true }

  func begin(_ run: RunDescription) {
    begun = clock()
    (shown, count, until, stopsRun) = (begun, 0, run.program.until, false)
    time = .start
  }

  func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    count += Int64(entries.count)
    if let last = entries.last { time = Instant(last.time) }
    look()
  }

  func look() {
    if isAsked() { stopsRun = true }
    let now = clock()
    guard now - begun >= RunWatch.quiet, now - shown >= RunWatch.period else { return }
    (shown, isShown) = (now, true)
    write("\r\u{1B}[K" + words(at: time, after: now - begun))
  }

  func end(_ record: RunRecord) {
    if isShown { write("\r\u{1B}[K") }
    isShown = false
  }

  /// `at 1.5s of 1m, 2,000,000 events a second, 12s left (^C ends it here)`.
  private func words(at time: Instant, after elapsed: Int64) -> String {
    let rate = Int64(clamping: Int128(count) * 1_000_000_000 / Int128(max(1, elapsed)))
    var text = "at \(Nanoseconds(time.nanoseconds).approximate)"
    if let until { text += " of \(until)" }
    text += ", \(rate.counted("event")) a second"
    if let until, time > .start {
      let left = Int128(until.nanoseconds - time.nanoseconds) * Int128(elapsed)
      let seconds = Int64(clamping: left / Int128(time.nanoseconds) / 1_000_000_000)
      text += ", \(Nanoseconds.seconds(min(seconds, 1_000_000_000))) left"
    }
    return text + " (^C ends it here)"
  }
}
