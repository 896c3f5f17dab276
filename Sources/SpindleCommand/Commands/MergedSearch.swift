import SpindleExplore
import SpindleReports
import SpindleSystem

/// The parts of a search that `spindle merge` joins.
struct MergedSearch {
  private let parts: [ExplorationPart]

  /// Reads the parts; nil where the first file is not a part of a search.
  init?(_ paths: [String]) throws(CommandFailure) {
    let parts = try CommandFailure.wrap { () throws(FileFailure) in
      try MergedSearch.parts(paths)
    }
    guard let parts else { return nil }
    self.parts = parts
  }

  private static func parts(_ paths: [String]) throws(FileFailure) -> [ExplorationPart]? {
    guard let path = paths.first, try FileLines(path).next() == ExplorationPart.title else {
      return nil
    }
    var parts: [ExplorationPart] = []
    var found = FoundParts()
    for path in paths {
      let text = try text(path)
      do throws(ExplorationPart.Mistake) {
        parts.append(try ExplorationPart(parsing: text))
      } catch {
        throw .part("'\(path)' can't be joined: \(error.message)")
      }
    }
    for (path, part) in zip(paths, parts) {
      guard part.isOfOneSearch(with: parts[0]) else {
        throw .part("'\(path)' is of another search than '\(paths[0])'")
      }
      try found.add(SweepShard(number: part.part, of: part.parts), path)
    }
    try found.checkAll(parts[0].parts)
    return parts.sorted { $0.part < $1.part }
  }

  private static func text(_ path: String) throws(FileFailure) -> String {
    let lines = try FileLines(path)
    var text = ""
    while let line = try lines.next() { text += line + "\n" }
    return text
  }

  /// Writes what the parts have found together.
  func run(_ given: ParsedArguments, _ console: Console) throws(CommandFailure) -> ExitStatus {
    if given.has(.format) { throw .usage(UsageText.searchHasOneForm) }
    var arguments = parts[0].arguments
    for option in [OptionDescription.Name.output, .color] {
      if let value = given[option] { arguments.append("\(option.rawValue)=\(value)") }
    }
    if given.has(.json) { arguments.append(OptionDescription.Name.json.rawValue) }
    let search = try ExploreCommand(
      try ParsedArguments(arguments, for: OptionTable.explore), console)
    return try search.join(parts)
  }
}

extension ExplorationPart {
  /// Whether two parts are of one search.
  fileprivate func isOfOneSearch(with other: ExplorationPart) -> Bool {
    (version, trace, parts) == (other.version, other.trace, other.parts)
      && arguments == other.arguments
  }
}
