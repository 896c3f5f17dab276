#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that are created together: all of them or none, and none that exists is changed.
package struct NewFiles {
  /// The files, each by its path and its text.
  package let files: [(path: String, text: String)]

  /// Describes the files, and creates none.
  package init(files: [(path: String, text: String)]) { self.files = files }

  /// Creates all files, with the folders that they need.
  ///
  /// Throws, with nothing left behind but folders, when one of them exists or can't be written.
  package func write() throws(FileFailure) {
    let existing = files.map(\.path).filter(exists)
    if !existing.isEmpty { throw .existing(existing) }
    var created: [String] = []
    do throws(FileFailure) {
      for file in files {
        try makeFolders(of: file.path)
        // Exclusive: a file that another process made meanwhile stays.
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
          throw errno == EEXIST ? .existing([file.path]) : .writing(file.path, errno)
        }
        created.append(file.path)
        defer { close(descriptor) }
        try Files.write(Array(file.text.utf8)[...], to: descriptor, path: file.path)
      }
    } catch {
      for path in created { unlink(path) }
      throw error
    }
  }

  /// Whether something has this name, even a link that leads nowhere.
  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func makeFolders(of path: String) throws(FileFailure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for count in 1..<max(1, parts.count) {
      let folder = parts.prefix(count).joined(separator: "/")
      if folder.isEmpty || Files.kind(of: folder) == .folder { continue }
      if mkdir(folder, 0o777) != 0 && errno != EEXIST { throw .writing(folder, errno) }
    }
  }
}
