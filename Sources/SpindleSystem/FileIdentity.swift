#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which file it is that a path leads to: equal for all its names, also through links.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64
  /// For a file that is not there yet, its name in the folder that the numbers are of.
  private let name: [CChar]

  private init(_ status: stat, name: [CChar] = []) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    self.name = name
  }

  /// The file at `path`, or the one that would be made there.
  ///
  /// Nil for a folder, and for what keeps nothing that could be overwritten: a device, a pipe.
  package init?(path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self.init(status)
      return
    }
    guard let target = LinkedPath(path), stat(target.folder, &status) == 0 else { return nil }
    self.init(status, name: target.name)
  }

  /// The file behind an open descriptor; nil likewise.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }
}

/// The path at the end of a chain of symbolic links.
///
/// It is found link by link, since what the last link names need not be there. As bytes, since
/// links may name files whose names are no UTF-8.
package struct LinkedPath {
  /// The path for calls of the C library.
  package let path: [CChar]
  /// The folder, with a slash at its end or as a point.
  package let folder: [CChar]
  /// The name in the folder.
  package let name: [CChar]

  /// As many links as the system itself follows.
  ///
  /// Source: the Linux manual, path_resolution(7), "maximum recursion depth".
  private static let mostLinks = 40

  /// Follows `path`; nil when its links lead in a cycle.
  package init?(_ path: String) {
    var path = Array(path.utf8CString)
    for _ in 0...LinkedPath.mostLinks {
      guard let target = LinkedPath.link(at: path) else {
        (self.path, folder, name) = (path, LinkedPath.folder(of: path), LinkedPath.name(of: path))
        return
      }
      let isAbsolute = target.first == CChar(bitPattern: LinkedPath.slash)
      path = isAbsolute ? target : LinkedPath.sibling(target, of: path)
    }
    return nil
  }

  /// The path of another file in the same folder.
  package func sibling(_ name: String) -> [CChar] {
    LinkedPath.sibling(Array(name.utf8CString), of: path)
  }

  private static let slash = UInt8(ascii: "/")

  /// What a symbolic link holds; nil for anything else.
  private static func link(at path: [CChar]) -> [CChar]? {
    var buffer = [CChar](repeating: 0, count: 4_097)
    let count = readlink(path, &buffer, buffer.count - 1)
    return count > 0 ? buffer.prefix(count) + [0] : nil
  }

  private static func sibling(_ name: [CChar], of path: [CChar]) -> [CChar] {
    path[..<start(of: path)] + name
  }

  private static func folder(of path: [CChar]) -> [CChar] {
    let start = start(of: path)
    return start == 0 ? Array(".".utf8CString) : path[..<start] + [0]
  }

  private static func name(of path: [CChar]) -> [CChar] {
    Array(path[start(of: path)...])
  }

  /// Where the name in the last folder begins.
  private static func start(of path: [CChar]) -> Int {
    path.lastIndex(of: CChar(bitPattern: slash)).map { $0 + 1 } ?? 0
  }
}
