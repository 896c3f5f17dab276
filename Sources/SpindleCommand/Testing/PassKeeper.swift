import SpindleModel
import SpindleRun
import SpindleSystem

/// Leaves out tests of which nothing has changed since they passed, and keeps which have.
struct PassKeeper {
  /// What is looked at before each test; as several threads may.
  struct Watch: Sendable {
    fileprivate let record: PassRecord
    fileprivate let tool: [UInt64]?
    fileprivate let usesFullPaths: Bool

    /// The result of a test, and the digest of what it depended on; nil where nobody asks for that.
    func result(_ test: TraceTest) -> (result: TraceTest.Result, digest: String?) {
      // Taken before the test: what changes meanwhile counts as changed.
      let digest = tool.flatMap { ContentDigest.ofTest(test, tool: $0) }
      if let digest, record.hasPassed(key(test.path), digest) {
        var result = TraceTest.Result(path: test.path)
        result.isUnchanged = true
        return (result, digest)
      }
      return (test.result(), digest)
    }

    /// Whether a test has passed and nothing changed since.
    func hasPassed(_ test: TraceTest) -> Bool {
      let digest = tool.flatMap { ContentDigest.ofTest(test, tool: $0) }
      return digest.map { record.hasPassed(key(test.path), $0) } ?? false
    }

    /// What the record calls a test: the user's own record holds those of all folders.
    func key(_ path: String) -> String { usesFullPaths ? Files.resolved(path) : path }
  }

  /// What is looked at before each test.
  let watch: Watch
  private let options: TestOptions
  private var before: PassRecord
  private var passed = PassRecord()
  private var isNew = false

  /// Reads what has passed; throws where a file that was named can't be read.
  init(_ options: TestOptions) throws(CommandFailure) {
    self.options = options
    var record = PassRecord()
    if let path = options.passedBefore {
      if !options.keepsPassed || Files.kind(of: path) == .file {
        let bytes = try CommandFailure.wrap { () throws(FileFailure) in try Files.read(path) }
        record = PassRecord(bytes)
      }
    }
    let isWanted = options.passedBefore != nil || options.digests != nil
    before = record
    watch = Watch(
      record: record, tool: isWanted ? ContentDigest.ofTool() : nil,
      usesFullPaths: options.keepsPassed)
  }

  /// Notes how a test came out.
  mutating func note(_ result: TraceTest.Result, _ digest: String?) {
    guard let digest else { return }
    let hasPassed = result.failures.isEmpty
    if hasPassed { passed.note(result.path, digest) }
    guard !result.isUnchanged && options.keepsPassed else { return }
    isNew = true
    before.note(watch.key(result.path), hasPassed ? digest : nil)
  }

  /// Writes what has passed; where the user's own record can't be written, nothing is kept.
  func write() throws(CommandFailure) {
    if let path = options.digests {
      try CommandFailure.wrap { () throws(FileFailure) in
        try WholeFile.write(passed.text, to: path)
      }
    }
    guard isNew, options.keepsPassed, let path = options.passedBefore else { return }
    Files.makeFolder(of: path)
    do {
      try WholeFile.write(before.text, to: path)
    } catch {
      // A cache that can't be kept is no failure of a test.
    }
  }
}
