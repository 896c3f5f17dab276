import SpindleModel
import SpindleSystem

/// What `spindle test` is asked for.
struct TestOptions {
  /// What is done where a log does not agree with the run.
  enum Updates {
    case nothing
    /// It is written anew.
    case all
    /// A person is asked, for each.
    case asked
  }

  /// What is done with logs.
  let updates: Updates
  /// Whether logs are recorded whole.
  let keepsLog: Bool
  /// Whether the tests are named and not run.
  let lists: Bool
  /// What the path of a test must match.
  let filter: String?
  /// A tag that a test must have.
  let tag: String?
  /// Which part of the tests is run, counted from 1, of how many.
  let shard: (part: Int, of: Int)?
  /// How many of the slowest tests are named; nil for none.
  let durations: Int?
  /// Whether the first failure is the last test.
  let stopsAtFailure: Bool
  /// Whether the tests that passed are named.
  let isVerbose: Bool
  /// Whether the counts at the end are left out where no test failed.
  let isQuiet: Bool
  /// What ends a run, and how closely it is watched.
  let limits: RunLimits
  /// The seed that takes the place of each trace's own; nil for none.
  let seed: UInt64?
  /// With how many seeds each trace is run.
  let seedCount: Int
  /// Under how many other schedules each trace is run; nil for those that ask for it.
  let schedules: Int?
  /// Where results go, by their form.
  let junit: String?
  let sarif: String?
  /// Whether failures are annotated for GitHub.
  let annotates: Bool
  /// The file of tests that need not run while nothing changes; nil runs all.
  let passedBefore: String?
  /// Whether that file is the user's own, which is kept up to date and need not be there.
  let keepsPassed: Bool
  /// Where the tests that passed are written, with their digests.
  let digests: String?
  /// Whether output is coloured.
  let usesColor: Bool

  /// The files that are written, besides logs.
  var outputs: [String] { [junit, sarif, digests].compactMap { $0 } }

  /// Reads the options; throws when logs would be written by a machine that nobody watches.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    let (updates, reviews) = (arguments.has(.update), arguments.has(.review))
    self.updates = reviews ? .asked : updates ? .all : .nothing
    keepsLog = arguments.has(.keepLog)
    lists = arguments.has(.list)
    filter = arguments[.filter]
    tag = arguments[.tag]
    durations = try arguments.number(.durations, in: 1...10_000).map { Int($0) }
    stopsAtFailure = arguments.has(.failFast)
    isVerbose = arguments.has(.verbose)
    isQuiet = arguments.has(.quiet)
    limits = try arguments.limits()
    seed = try arguments.number(.seed, in: 0...Int64.max).map { UInt64($0) }
    seedCount = try arguments.number(.seeds, in: 1...100_000).map { Int($0) } ?? 1
    schedules = try arguments.number(.schedules, in: 0...100_000_000).map { Int($0) }
    junit = arguments[.junit]
    sarif = arguments[.sarif]
    annotates = console.environment.isGitHubActions
    digests = arguments[.digests]
    let isAll = arguments.has(.all)
    let since = arguments[.changedSince]
    let own = PassRecord.place(console.environment)
    keepsPassed = since == nil && !isAll && !updates && !reviews && own != nil
    passedBefore = since ?? (keepsPassed ? own : nil)
    usesColor = console.usesColor(try arguments.colorChoice())
    shard = try TestOptions.shard(arguments[.shard])
    if isAll && since != nil { throw .usage(UsageText.exclusive("--all", "--changed-since")) }
    if isVerbose && isQuiet { throw .usage(UsageText.exclusive("--quiet", "--verbose")) }
    if updates && reviews { throw .usage(UsageText.exclusive("--review", "--update")) }
    if seed != nil && (updates || reviews) { throw .usage(UsageText.recordedSeed) }
    if keepsLog && !updates && !reviews {
      throw .usage(UsageText.keptLogAlone)
    }
    if (updates || reviews) && console.environment.isContinuousIntegration {
      let name = updates ? "--update" : "--review"
      throw .usage(UsageText.refusedInCI(name))
    }
  }

  private static func shard(
    _ text: String?
  ) throws(CommandFailure) -> (part: Int, of: Int)? {
    guard let text else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let part = Int(parts[0]), let count = Int(parts[1]),
      (1...10_000).contains(count), (1...count).contains(part)
    else {
      throw .usage(UsageText.testShardForm(text))
    }
    return (part, count)
  }
}

/// Which of the tests that were found are run.
struct TestSelection {
  private let options: TestOptions

  /// Creates a selection by the options.
  init(_ options: TestOptions) { self.options = options }

  /// The tests to run, in their order.
  func select(_ paths: [String], _ console: Console) throws(CommandFailure) -> [String] {
    var selected = paths
    if let filter = options.filter {
      let pattern: Regex<AnyRegexOutput>
      do {
        pattern = try Regex(filter)
      } catch {
        throw .usage(UsageText.filterForm(filter))
      }
      selected = selected.filter { $0.contains(pattern) }
    }
    if let tag = options.tag {
      let tagged = TraceTags(tag)
      selected = selected.filter(tagged.isOn)
    }
    if let shard = options.shard {
      selected = selected.indices.filter { $0 % shard.of == shard.part - 1 }.map { selected[$0] }
    }
    if selected.isEmpty && !paths.isEmpty && options.shard == nil {
      throw .usage(UsageText.noTestSelected(of: paths.count))
    }
    return selected
  }
}

/// The tags of traces: words in a comment at the top, `// tags: slow, pools`.
struct TraceTags {
  private let tag: String

  /// Looks for one tag.
  init(_ tag: String) { self.tag = tag }

  /// Whether the trace at `path` has the tag; false for one that can't be read.
  func isOn(_ path: String) -> Bool {
    guard let bytes = Files.start(of: path, count: 4_096) else { return false }
    return TraceTags.all(in: String(decoding: bytes, as: UTF8.self)).contains(tag)
  }

  /// The tags in the comments before the first statement.
  static func all(in text: String) -> [String] {
    var tags: [String] = []
    for line in text.split(separator: "\n") {
      let words = ListText.trimmed(line)
      guard words.hasPrefix("//") else { break }
      let comment = ListText.trimmed(words[...].dropFirst(2))
      guard comment.hasPrefix("tags:") else { continue }
      tags += ListText.values(String(comment.dropFirst(5)))
    }
    return tags
  }
}
