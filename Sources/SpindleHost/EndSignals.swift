#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals that end the process: the one place that installs their handlers.
///
/// One handler for each signal does all that has to be done before the end, in order: it removes what is unfinished,
/// then looks whether the host has no memory left, and then lets the signal do what it did before. So no
/// handler replaces another one, and each runs on the alternate stack, which is all that there is where a
/// thread's own stack is exhausted.
package enum EndSignals {
  /// The signals that a fault in the process raises.
  private static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// The signals that come from outside.
  private static let requests = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU]
  /// How large a handler's stack is.
  private static let stackSize = 64 << 10

  /// What a handler has to know; written once, before the first handler is installed, and never freed.
  private struct State: @unchecked Sendable {
    /// What each signal did before, by its number.
    let actions: UnsafeMutablePointer<sigaction>
    /// What removes unfinished files; it may call only what a signal's handler may call.
    let cleanUp: UnsafeMutablePointer<(@convention(c) () -> Void)?>

    init() {
      actions = .allocate(capacity: 64)
      actions.initialize(repeating: sigaction(), count: 64)
      cleanUp = .allocate(capacity: 1)
      cleanUp.initialize(to: nil)
    }
  }

  private static let state = State()

  /// Installs the handlers, on the main thread for good and on others while they are `prepared`.
  ///
  /// A request that is ignored, as by `nohup`, stays ignored, and one that something else handles is left to that.
  /// A fault that something else handles, such as the backtraces of Swift's runtime, goes on to that.
  package static func watch(cleanUp: @escaping @convention(c) () -> Void) {
    state.cleanUp.pointee = cleanUp
    _ = prepareThread()
    for number in faults { install(number) }
    for number in requests {
      var present = sigaction()
      sigaction(number, nil, &present)
      if isDefault(present) { install(number) }
    }
    // A file that outgrows its limit is then an error of the write.
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func isDefault(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return handler == nil
  }

  private static func install(_ number: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { EndSignals.received($0) }
    #else
      action.__sigaction_handler.sa_handler = { EndSignals.received($0) }
    #endif
    action.sa_flags = Int32(bitPattern: UInt32(SA_ONSTACK))
    sigaction(number, &action, state.actions + Int(number))
  }

  /// Removes what is unfinished, before the process ends without a signal.
  static func cleanUp() { state.cleanUp.pointee?() }

  /// A signal came: the process ends for want of memory, or as by the signal.
  private static func received(_ number: Int32) {
    cleanUp()
    if MemoryShortage.isCause(of: number) { MemoryShortage.end() }
    // The signal is held back until this returns, and then does what it did before.
    sigaction(number, state.actions + Int(number), nil)
    raise(number)
  }

  // MARK: Stacks

  /// Runs `body` while this thread has a stack for the handlers.
  static func prepared(_ body: () -> Void) {
    let memory = prepareThread()
    body()
    var none = stack_t()
    none.ss_flags = Int32(SS_DISABLE)
    sigaltstack(&none, nil)
    free(memory)
  }

  /// Gives this thread a stack for the handlers, which have none of their own where the thread's is exhausted.
  private static func prepareThread() -> UnsafeMutableRawPointer {
    guard let memory = malloc(stackSize) else { MemoryShortage.end() }
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
    return memory
  }
}
