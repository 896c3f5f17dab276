/// A command of the tool, as data: parsing, help and completions all derive from it.
struct CommandDescription: Sendable {
  /// The word on the command line.
  enum Name: String, CaseIterable, Sendable {
    case `init`, simulate, compare, explore, explain, timeline, diff, sweep, merge, tune, test,
      verify, reduce
    case check, `import`, replay, format, calibrate, validate, completions, help
  }

  /// The word on the command line.
  let name: Name
  /// What it does, in a phrase.
  let summary: String
  /// What else it takes, as the usage line shows it: `FILE...`.
  let operands: String
  /// How many operands it takes.
  let operandCount: ClosedRange<Int>
  /// What completes an operand.
  let operandCompletion: Completion
  /// Its options, in the order of the help text.
  let options: [OptionDescription]
  /// What its help says beyond the options: paragraphs that are wrapped to the width, with lines
  /// that begin with two spaces kept as they are.
  let discussion: String

  /// The topics that its options are about.
  var topics: [HelpTopic] {
    HelpTopic.allCases.filter { topic in topic.options.contains { option($0.rawValue) != nil } }
  }

  /// The option with this name, nil when the command has none.
  func option(_ name: String) -> OptionDescription? {
    options.first { $0.name.rawValue == name }
  }
}

/// What `spindle help` explains besides the commands.
enum HelpTopic: String, CaseIterable, Sendable {
  case policies, costs

  /// The options that take a value of this topic.
  var options: [OptionDescription.Name] {
    switch self {
    case .policies: [.policy, .policies]
    case .costs: [.costs]
    }
  }
}

/// An option of a command.
struct OptionDescription: Sendable {
  /// The names of all options.
  enum Name: String, CaseIterable, Sendable {
    case policy = "--policy"
    case policies = "--policies"
    case replace = "--replace"
    case set = "--set"
    case cores = "--cores"
    case platform = "--platform"
    case costs = "--costs"
    case crossover = "--crossover"
    case measure = "--measure"
    case sort = "--sort"
    case pareto = "--pareto"
    case format = "--format"
    case table = "--table"
    case over = "--over"
    case minimize = "--minimize"
    case maximize = "--maximize"
    case subjectTo = "--subject-to"
    case seed = "--seed"
    case seeds = "--seeds"
    case untilPrecision = "--until-precision"
    case until = "--until"
    case warmUp = "--warm-up"
    case steps = "--steps"
    case log = "--log"
    case at = "--at"
    case thread = "--thread"
    case item = "--item"
    case value = "--value"
    case stall = "--stall"
    case criticalPath = "--critical-path"
    case finding = "--finding"
    case from = "--from"
    case to = "--to"
    case by = "--by"
    case only = "--only"
    case width = "--width"
    case svg = "--svg"
    case export = "--export"
    case html = "--html"
    case htmlSize = "--html-size"
    case window = "--window"
    case json = "--json"
    case process = "--process"
    case others = "--others"
    case level = "--level"
    case probes = "--probes"
    case force = "--force"
    case expect = "--expect"
    case schedule = "--schedule"
    case schedules = "--schedules"
    case runs = "--runs"
    case strategy = "--strategy"
    case late = "--late"
    case reversals = "--reversals"
    case save = "--save"
    case require = "--require"
    case jobs = "--jobs"
    case junit = "--junit"
    case update = "--update"
    case review = "--review"
    case keepLog = "--keep-log"
    case list = "--list"
    case filter = "--filter"
    case tag = "--tag"
    case shard = "--shard"
    case durations = "--durations"
    case failFast = "--fail-fast"
    case verbose = "--verbose"
    case all = "--all"
    case changedSince = "--changed-since"
    case digests = "--digests"
    case sarif = "--sarif"
    case keep = "--keep"
    case output = "--output"
    case quick = "--quick"
    case with = "--with"
    case check = "--check"
    case checkInvariants = "--check-invariants"
    case quiet = "--quiet"
    case hideExpected = "--hide-expected"
    case color = "--color"
    case help = "--help"
  }

  /// The name with its dashes.
  let name: Name
  /// What the help calls its value; nil for one that takes none.
  let value: String?
  /// What it is for, in a phrase.
  let help: String
  /// What completes its value.
  let completion: Completion
  /// Whether it may be given more than once.
  let isRepeatable: Bool

  /// Creates an option that takes no value.
  init(_ name: Name, _ help: String) {
    (self.name, self.value, self.help) = (name, nil, help)
    (completion, isRepeatable) = (.none, false)
  }

  /// Creates an option that takes a value.
  init(
    _ name: Name, _ value: String, _ help: String, completion: Completion = .none,
    isRepeatable: Bool = false
  ) {
    (self.name, self.value, self.help) = (name, value, help)
    (self.completion, self.isRepeatable) = (completion, isRepeatable)
  }
}

/// What a shell can put in place of a word.
enum Completion: Hashable, Sendable {
  /// Nothing that could be listed.
  case none
  /// The path of a file.
  case file
  /// The path of a trace.
  case trace
  /// One of these words.
  case words([String])
  /// Some of these words, with commas between them.
  case list([String])
  /// The name of a parameter of the traces on the command line, and '='.
  case parameter

  /// The same words, several of which may be given.
  var severally: Completion {
    if case .words(let words) = self { return .list(words) }
    return self
  }
}
