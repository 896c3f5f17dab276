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
/// SIGTRAP or SIGSEGV from code that got no memory. So a handler asks the host for memory, and when
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
  /// How large a handler's stack is.
  private static let stackSize = 64 << 10

  private static let signals = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP]
  /// What each signal did before, by its number; written once, before any signal is heeded.
  private struct Former: @unchecked Sendable {
    let actions: UnsafeMutablePointer<sigaction>

    init() {
      actions = .allocate(capacity: 32)
      actions.initialize(repeating: sigaction(), count: 32)
    }
  }

  private static let former = Former()

  /// Ends the process.
  package static func end() -> Never {
    _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
    _exit(status)
  }

  /// Watches for a shortage, on the main thread for good and on others while they are `prepared`.
  package static func watch() {
    _ = prepareThread()
    for number in signals {
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = { MemoryShortage.received($0) }
      #else
        action.__sigaction_handler.sa_handler = { MemoryShortage.received($0) }
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK))
      sigaction(number, &action, former.actions + Int(number))
    }
  }

  /// Runs `body` while this thread has a stack for the handler.
  static func prepared(_ body: () -> Void) {
    let memory = prepareThread()
    body()
    var none = stack_t()
    none.ss_flags = Int32(SS_DISABLE)
    sigaltstack(&none, nil)
    free(memory)
  }

  /// Gives this thread a stack for the handler, which has none of its own where the thread's is no more.
  private static func prepareThread() -> UnsafeMutableRawPointer {
    guard let memory = malloc(stackSize) else { end() }
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
    return memory
  }

  /// A signal came: ends the process for want of memory, or lets the signal do what it did before.
  private static func received(_ number: Int32) {
    if !hasMemory(number == SIGABRT ? largeRequest : smallRequest) { end() }
    sigaction(number, former.actions + Int(number), nil)
    raise(number)
  }

  /// Whether the host still gives so much.
  private static func hasMemory(_ bytes: Int) -> Bool {
    let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let start, start != MAP_FAILED else { return false }
    munmap(start, bytes)
    return true
  }
}
