import Foundation
import SpindleCommand
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
  let progress: ChildProgress
  /// How it ended.
  let end: End

  /// The system gave no process.
  struct NoProcess: Error {}

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
      Result { try Child.start(arguments, errors: errors, traces: traces) }
    }
    let process = try started.get()
    let pipe = process.output
    defer { close(pipe) }
    var progress = ChildProgress()
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
    if isLate { kill(process.id, SIGKILL) }
    let status = process.status()
    self.progress = progress
    let signal = status & 0x7F
    end =
      isLate || signal == SIGPROF
      ? .timeOut : signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  private static func start(
    _ arguments: [String], errors: String, traces: Bool
  ) throws -> ChildProcess {
    var variables = ProcessInfo.processInfo.environment
    variables["SWIFT_BACKTRACE"] =
      traces ? "enable=yes,color=no,interactive=no,threads=crashed,images=none" : "enable=no"
    let environment = variables.map { "\($0.key)=\($0.value)" }
    do {
      return try ChildProcess(
        starting: Executable.path, arguments, environment: environment, errors: errors)
    } catch { throw NoProcess() }
  }
}
