import SpindleExplore
import SpindleSystem

/// The parts of a search that `spindle merge` joins.
struct MergedSearch {
  private let parts: [ExplorationPart]

  /// Reads the parts; nil where the first file is none.
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
    for path in paths {
      do {
        parts.append(try ExplorationPart(parsing: try text(path)))
      } catch let mistake as ExplorationPart.Mistake {
        throw refusal("'\(path)' can't be joined: \(mistake.message)")
      } catch let failure as FileFailure {
        throw failure
      } catch {
        fatalError("a part of a search fails to be read in an unknown way: \(error)")
      }
    }
    for (path, part) in zip(paths, parts) where !part.isOfOneSearch(with: parts[0]) {
      throw refusal("'\(path)' is of another search than '\(paths[0])'")
    }
    for number in 1...parts[0].parts {
      let found = paths.indices.filter { parts[$0].part == number }
      if found.isEmpty { throw refusal("part \(number)/\(parts[0].parts) is missing") }
      if found.count > 1 {
        throw refusal(
          "'\(paths[found[0]])' and '\(paths[found[1]])' are both part \(number)/\(parts[0].parts)")
      }
    }
    return parts.sorted { $0.part < $1.part }
  }

  private static func text(_ path: String) throws(FileFailure) -> String {
    let lines = try FileLines(path)
    var text = ""
    while let line = try lines.next() { text += line + "\n" }
    return text
  }

  private static func refusal(_ message: String) -> FileFailure {
    FileFailure(purpose: .input, message: message)
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
