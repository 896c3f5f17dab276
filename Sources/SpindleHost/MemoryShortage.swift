#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process does when the host has no memory left: it says so in a sentence, and ends with a
/// status of its own.
///
/// Swift gives no answer to an allocation that fails, but a signal: SIGABRT from its runtime, SIGILL,
/// SIGTRAP or SIGSEGV from code that got no memory. So the handler of `EndSignals` asks the host for memory, and when
/// there is none takes that for the cause; otherwise the signal does what it would have done. It can
/// be wrong both ways: where little memory is left, a mistake of ours is taken for a shortage, and a
/// large request may fail where a small one does not. Nothing helps against a host that promises
/// memory which it does not have, and kills who uses it.
package enum MemoryShortage {
  /// The status: `EX_OSERR`, as sysexits.h has it.
  package static let status: Int32 = 71
  private static let sentence: StaticString = "spindle: error: the host has no memory left\n"

  /// What the runtime asks for at once seldom is more, and the rest asks for less.
  private static let largeRequest = 512 << 20
  private static let smallRequest = 32 << 20
  /// The signals by which an allocation that fails ends the process.
  private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP]

  /// Ends the process, without the files that it has not finished.
  package static func end() -> Never {
    EndSignals.cleanUp()
    _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
    _exit(status)
  }

  /// Whether a signal came because the host has no memory left.
  static func isCause(of number: Int32) -> Bool {
    signals.contains(number) && !hasMemory(number == SIGABRT ? largeRequest : smallRequest)
  }

  /// Whether the host still gives so much.
  private static func hasMemory(_ bytes: Int) -> Bool {
    let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let start, start != MAP_FAILED else { return false }
    munmap(start, bytes)
    return true
  }
}
