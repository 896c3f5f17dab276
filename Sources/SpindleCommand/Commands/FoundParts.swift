import SpindleReports
import SpindleSystem

/// The parts of one whole that have been found, by the files that hold them.
struct FoundParts {
  private var paths: [Int: String] = [:]

  /// Notes the file of a part, which must be the only one.
  mutating func add(_ shard: SweepShard, _ path: String) throws(FileFailure) {
    if let other = paths.updateValue(path, forKey: shard.number) {
      throw .part("'\(other)' and '\(path)' are both part \(shard.text)")
    }
  }

  /// Checks that all of so many parts are there.
  func checkAll(_ count: Int) throws(FileFailure) {
    let missing = (1...count).filter { paths[$0] == nil }
    if missing.isEmpty { return }
    let names = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
    let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    throw .part(
      missing.count == 1 ? "part \(names) is missing" : "parts \(names)\(more) are missing")
  }
}

extension FileFailure {
  /// Why parts can't be joined.
  static func part(_ message: String) -> FileFailure {
    FileFailure(purpose: .input, message: message)
  }
}
