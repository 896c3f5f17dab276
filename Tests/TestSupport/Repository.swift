import Foundation

/// The repository that the tests were built from.
public enum Repository {
  /// Its root folder, without a slash at the end.
  public static let root: String = {
    var path = #filePath
    // Tests/TestSupport/Repository.swift
    for _ in 0..<3 { path = (path as NSString).deletingLastPathComponent }
    return path
  }()

  /// The paths of all files below `folder` with this suffix, relative to the root, in order.
  public static func files(below folder: String, suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root + "/" + folder)
    var found: [String] = []
    while let path = all?.nextObject() as? String {
      if path.hasSuffix(suffix) && !path.contains("/.build/") { found.append(folder + "/" + path) }
    }
    return found.sorted()
  }

  /// Whether a path, relative to the root, is a symbolic link.
  public static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: root + "/" + path)) != nil
  }

  /// The text of a file, by its path relative to the root.
  public static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  /// The lines of a file, without their ends.
  public static func lines(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
