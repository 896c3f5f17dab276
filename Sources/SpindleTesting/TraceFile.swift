import Foundation
import SpindleModel
import SpindleRun
public import SpindleSimulator
public import Testing

/// A file with a trace, to be an argument of a test, so that each is a case with a name of its own.
public struct TraceFile: Hashable, Sendable, CustomTestStringConvertible {
  /// Its path.
  let path: String
  /// Its path below the folder that was looked in.
  public let name: String

  /// What the case is called.
  public var testDescription: String { name }

  /// The file at a path.
  public init(_ path: String) { (self.path, name) = (path, path) }

  private init(path: String, name: String) { (self.path, self.name) = (path, name) }

  /// All files `NAME.trace` below a folder, which is beside the test's own file unless it is absolute; in
  /// the order of their paths.
  ///
  /// A folder that is not there has none, and a test with no arguments fails.
  public static func all(below folder: String, filePath: String = #filePath) -> [TraceFile] {
    let beside = URL(fileURLWithPath: filePath).deletingLastPathComponent()
    let root = URL(fileURLWithPath: folder, relativeTo: beside).standardizedFileURL.path
    let found = FileManager.default.enumerator(atPath: root)
    var names: [String] = []
    while let name = found?.nextObject() as? String {
      if name.hasSuffix(".trace") { names.append(name) }
    }
    return names.sorted().map { TraceFile(path: "\(root)/\($0)", name: $0) }
  }

  /// Tests it as `spindle test` does: by what it expects, and by the log that is recorded beside it.
  ///
  /// Each failure is recorded as an issue, with all that the tool says of it.
  public func check(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    let failures = TraceTest(path: path, limits: RunLimits(), keepsLog: false).failures()
    guard !failures.isEmpty else { return }
    // What is attached is made only of what fails.
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      SimulatedRuns.current?.add(
        try SimulatedRun(TestedText(text, named: name, beside: path), .init()))
    } catch {
      // What keeps it from running is among the failures.
    }
    let location = SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    for failure in failures { Issue.record(Comment(rawValue: failure), sourceLocation: location) }
  }

  /// Runs it, as ``simulate(_:named:_:policy:checksExpectations:fileID:filePath:line:column:)`` runs a text.
  ///
  /// - Throws: ``TraceErrors`` when the text has errors, and what Foundation throws of a file that can't
  ///   be read.
  @discardableResult
  public func simulate(
    _ settings: SimulationSettings = .init(), policy: (any SchedulingPolicy)? = nil,
    checksExpectations: Bool = true, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> SimulatedRun {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try TestedText(text, named: name, beside: path).run(
      settings, policy: policy, checksExpectations: checksExpectations,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
