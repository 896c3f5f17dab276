import SpindleModel

/// What the expectations of a program ask about, so that nothing else is collected.
struct Inquiry {
  /// Names and patterns whose items and marks are observed, each once, in order of appearance.
  private(set) var texts: [String] = []
  /// Names of threads that are asked about, each once.
  private(set) var threadNames: [String] = []
  private var textIndices: [String: Int] = [:]
  private var threadIndices: [String: Int] = [:]
  private(set) var needsMarks = false
  private(set) var needsOutput = false
  private(set) var needsRecords = false
  private(set) var needsProcessorTimes = false
  private(set) var needsExecutors = false
  /// Whether an expectation speaks of the findings.
  private(set) var mentionsFindings = false
  /// Whether an expectation speaks of the outcome.
  private(set) var mentionsOutcome = false
  /// Whether the numbers of the run are asked, beside what its end shows.
  private(set) var needsMetrics = false
  /// The names and patterns of whose items the waiting time is asked, each once.
  private(set) var waitingPatterns: [String] = []
  /// The names and patterns of whose items the time since their arrival is asked, each once.
  private(set) var arrivalPatterns: [String] = []
  /// The spans that are asked for, each once.
  private(set) var spans: [Measure.Span] = []
  /// The samples that are asked for, each once.
  private(set) var samples: [Measure.Samples] = []
  /// The limits of which a share is asked, each once.
  private(set) var limits: [Measure.Limit] = []
  private let kinds: Set<String>
  private let hasArrivals: Bool
  /// What the kinds of work are called, by number.
  let kindPatterns: [String]
  /// What work without a name is called, by the number of its kind; empty for the kinds that have names.
  let namelessKinds: [String]

  /// Reads the expectations of `program`.
  init(_ program: Program) {
    self.init(program, asked: program.expectations.map(\.condition))
  }

  /// Reads the terms that are asked of a run of `program`.
  init(_ program: Program, asked: [ExpectationTerm]) {
    kindPatterns = program.kinds.map(\.pattern)
    kinds = Set(kindPatterns)
    namelessKinds = program.kinds.map { $0.isNamed ? "" : $0.pattern }
    hasArrivals = !program.arrivals.isEmpty
    for term in asked { visit(term) }
  }

  /// Whether the pattern is that of a kind, whose numbers the metrics have.
  func isKind(_ pattern: String) -> Bool { kinds.contains(pattern) }

  /// The place of a name or pattern in `texts`; nil when nothing asks for it.
  func index(ofText text: String) -> Int? { textIndices[text] }

  /// The place of a thread's name in `threadNames`; nil when nothing asks for it.
  func index(ofThread name: String) -> Int? { threadIndices[name] }

  /// Whether any log entry is needed.
  var needsEntries: Bool {
    !texts.isEmpty || !threadNames.isEmpty || needsMarks || needsOutput || needsRecords
      || needsProcessorTimes || needsExecutors || needsWaiting || needsArrivals || !spans.isEmpty
      || !samples.isEmpty || !limits.isEmpty
  }

  /// Whether entries are needed that only a complete log has: when threads become ready.
  var needsWaiting: Bool {
    !waitingPatterns.isEmpty
      || limits.contains { if case .items(.waiting, _) = $0.quantities { true } else { false } }
  }

  /// Whether it is asked how long after their arrivals items ended.
  var needsArrivals: Bool {
    !arrivalPatterns.isEmpty
      || limits.contains {
        if case .items(.sinceArrival, _) = $0.quantities { true } else { false }
      }
  }

  /// The limits of some values of which a share is asked.
  func limits(of quantities: Measure.Quantities) -> [Int64] {
    limits.filter { $0.quantities == quantities }.map(\.greatest)
  }

  private mutating func visit(_ term: ExpectationTerm) {
    switch term {
    case .value: break
    case .measure(let measure): visit(measure)
    case .compare(_, let left, let right, _), .arithmetic(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      visit(left)
      visit(right)
    case .not(let inner), .best(let inner, _, _): visit(inner)
    }
  }

  private mutating func visit(_ measure: Measure) {
    switch measure {
    case .outcome: mentionsOutcome = true
    case .output: needsOutput = true
    case .values: needsRecords = true
    case .timeline(let thread, _):
      needsMarks = true
      if let thread { visit(thread) }
    case .started(let name), .ended(let name), .threadOf(let name): add(name)
    case .cpu(let thread):
      needsProcessorTimes = true
      visit(thread)
    case .threadCount(let names), .order(let names): for name in names { add(name) }
    case .itemTime(.waiting, let pattern, _):
      needsMetrics = true
      if !waitingPatterns.contains(pattern) { waitingPatterns.append(pattern) }
    case .itemTime(.sinceArrival, let pattern, _):
      needsMetrics = true
      if !arrivalPatterns.contains(pattern) { arrivalPatterns.append(pattern) }
      if !isKind(pattern) { add(pattern) }
    case .itemTime(_, let pattern, _), .count(let pattern), .rate(let pattern),
      .runningPeak(let pattern):
      needsMetrics = true
      if !isKind(pattern) { add(pattern) }
    case .threadsCreatedBy: needsExecutors = true
    case .spanTime(let span, _), .spanCount(let span), .openSpans(let span):
      needsMetrics = true
      add(span)
    case .sampleValue(let samples, _), .sampleCount(let samples):
      needsMetrics = true
      add(samples)
    case .share(let limit):
      needsMetrics = true
      if !limits.contains(limit) { limits.append(limit) }
      switch limit.quantities {
      case .items: break
      case .span(let span): add(span)
      case .samples(let samples): add(samples)
      }
    case .threadsPeak, .threadsCreated, .threadsLive, .memoryPeak, .switches, .migrations,
      .clusterMigrations, .cacheRefills, .cacheRefillTime, .utilization, .mainLongestStall, .energy:
      needsMetrics = true
    case .findings:
      mentionsFindings = true
      // An overload is found in the numbers of the run.
      needsMetrics = needsMetrics || hasArrivals
    case .makespan, .state, .crashMessage, .crashPlace, .finalValue: break
    }
  }

  private mutating func visit(_ thread: Measure.ObjectReference) {
    guard case .named(let name) = thread, threadIndices[name] == nil else { return }
    threadIndices[name] = threadNames.count
    threadNames.append(name)
  }

  private mutating func add(_ span: Measure.Span) {
    if !spans.contains(span) { spans.append(span) }
  }

  private mutating func add(_ asked: Measure.Samples) {
    if !samples.contains(asked) { samples.append(asked) }
  }

  private mutating func add(_ text: String) {
    if textIndices[text] != nil { return }
    textIndices[text] = texts.count
    texts.append(text)
  }
}
