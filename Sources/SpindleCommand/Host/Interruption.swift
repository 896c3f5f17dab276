import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether somebody at the terminal has asked with ^C that the run be brought to its end.
enum Interruption {
  private static let asked = Atomic<Bool>(false)
  /// What SIGINT did before; written before a handler can be called.
  nonisolated(unsafe) private static var before: (@convention(c) (Int32) -> Void)?

  /// Whether it was asked.
  static var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// From now on the first ^C asks, and the second one does what it did before.
  static func watch() {
    asked.store(false, ordering: .relaxed)
    before = signal(SIGINT, SIG_IGN)
    signal(SIGINT) { number in
      Interruption.asked.store(true, ordering: .relaxed)
      signal(number, Interruption.before)
    }
  }

  /// ^C does again what it did before.
  static func endWatch() { signal(SIGINT, before) }
}
