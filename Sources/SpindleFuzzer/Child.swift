import Foundation
import SpindleHost

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process of the fuzzer's own that judges inputs.
struct Child {
  /// How it ended.
  enum End: Equatable {
    /// By itself, with a status.
    case exit(Int32)
    /// By a signal.
    case signal(Int32)
    /// It took too long for a part.
    case timeOut

    /// Whether a check of the process's own has ended it, and no access to memory that it has not: that
    /// is what a failed `precondition` and `fatalError` come to.
    var isCheck: Bool { self == .signal(SIGILL) || self == .signal(SIGTRAP) }
  }

  /// What it said until then.
  let progress: Progress
  /// How it ended.
  let end: End

  /// One process after the other is started: none gets another's pipe.
  private static let starts = Monitor(0)

  /// Runs a process to its end; what it writes to standard error goes to `errors`.
  ///
  /// One that is silent for `seconds` is killed, should it wait and not compute.
  /// With `traces` it prints where it was when it crashed, which takes a second.
  init(
    _ arguments: [String], seconds: Int, errors: String = "/dev/null", traces: Bool = false
  ) throws {
    let started = Child.starts.look { _ in
      Child.start(arguments, errors: errors, traces: traces)
    }
    guard let (id, pipe) = started else { throw NoProcess() }
    defer { close(pipe) }
    var progress = Progress()
    var pending: [UInt8] = []
    var isLate = false
    while !isLate {
      var wait = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let count = poll(&wait, 1, Int32(clamping: seconds * 1_000))
      if count < 0 && errno == EINTR { continue }
      isLate = count == 0
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let size = isLate ? 0 : read(pipe, &buffer, buffer.count)
      if size <= 0 { break }
      pending += buffer.prefix(size)
      while let line = pending.firstIndex(of: UInt8(ascii: "\n")) {
        progress.take(String(decoding: pending[..<line], as: UTF8.self)[...])
        pending.removeSubrange(...line)
      }
    }
    if isLate { kill(id, SIGKILL) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    self.progress = progress
    let signal = status & 0x7F
    end =
      isLate || signal == SIGPROF
      ? .timeOut : signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  /// The system gives no process.
  struct NoProcess: Error {}

  private static func start(
    _ arguments: [String], errors: String, traces: Bool
  ) -> (id: pid_t, pipe: Int32)? {
    guard let tool = Bundle.main.executablePath else { return nil }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0o644)
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_BACKTRACE"] =
      traces ? "enable=yes,color=no,interactive=no,threads=crashed,images=none" : "enable=no"
    var words = ([tool] + arguments).map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in words + environment { free(copy) } }
    var id: pid_t = 0
    guard posix_spawn(&id, tool, &actions, nil, &words, &environment) == 0 else {
      close(ends[0])
      return nil
    }
    return (id, ends[0])
  }
}
