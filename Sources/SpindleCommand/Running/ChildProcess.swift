#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that the process runs.
enum Executable {
  /// Its path.
  static var path: String {
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

/// Another process, run to its end.
enum ChildProcess {
  /// What it writes to standard output; its other output is dropped.
  ///
  /// It has no environment but what is given, no input, and no other file of this process's.
  static func output(
    of tool: String, _ arguments: [String], environment: [String]
  ) throws(FileFailure) -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .reading(tool, errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([tool] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for copy in words + variables { free(copy) } }
    var id: pid_t = 0
    let number = posix_spawn(&id, tool, &actions, nil, &words, &variables)
    close(ends[1])
    guard number == 0 else { throw .reading(tool, number) }
    var bytes: [UInt8] = []
    defer {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    }
    while true {
      let chunk = try Files.readSome(ends[0], count: 65_536, path: tool)
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
