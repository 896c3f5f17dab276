import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that the process runs.
package enum Executable {
  /// Its path.
  package static var path: String {
    #if canImport(Darwin)
      var size: UInt32 = 4_096
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return CommandLine.arguments[0] }
      return String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return Files.resolved("/proc/self/exe")
    #endif
  }
}

/// Another process: it has no environment but what is given, no input, and no other file of this
/// process's.
package struct ChildProcess {
  /// Its number.
  package let id: Int32
  /// Where what it writes to standard output is read, to be closed.
  package let output: Int32

  /// The system gave no process.
  package struct NotStarted: Error {
    /// The system's number of the error.
    package let number: Int32
  }

  /// Starts a process; its other output is written over `errors`.
  package init(
    starting tool: String, _ arguments: [String], environment: [String],
    errors: String = "/dev/null"
  ) throws(NotStarted) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw NotStarted(number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
    var words = ([tool] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for copy in words + variables { free(copy) } }
    var started: pid_t = 0
    let number = posix_spawn(&started, tool, &actions, nil, &words, &variables)
    close(ends[1])
    guard number == 0 else {
      close(ends[0])
      throw NotStarted(number: number)
    }
    (id, output) = (started, ends[0])
  }

  /// Waits for its end; what the system says of it.
  package func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// What a process writes to standard output until it ends; its other output is dropped.
  ///
  /// `heard` gets it in pieces, as it comes.
  static func output(
    of tool: String, _ arguments: [String], environment: [String],
    heard: (String) -> Void = { _ in }
  ) throws(FileFailure) -> String {
    let child: ChildProcess
    do {
      child = try ChildProcess(starting: tool, arguments, environment: environment)
    } catch {
      throw .reading(tool, error.number)
    }
    HeardChild.begin(child.id)
    defer { _ = child.status() }
    defer {
      HeardChild.forget()
      close(child.output)
    }
    var bytes: [UInt8] = []
    while true {
      let chunk = try Files.readSome(child.output, count: 65_536, path: tool)
      if chunk.isEmpty { break }
      bytes += chunk
      heard(String(decoding: chunk, as: UTF8.self))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
