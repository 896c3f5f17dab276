/// What is run for real and simulated, read from what `spindle-validate list` prints.
struct ValidationPlan: Hashable {
  /// One program with its arguments.
  struct Case: Hashable {
    let kind: String
    let call: String
  }

  /// One of the designs that a question is about; `$` stands for what varies.
  struct Design: Hashable {
    let name: String
    let call: String

    /// The call at one of the question's values.
    func call(at value: String) -> String {
      call.split(separator: "$", omittingEmptySubsequences: false).joined(separator: value)
    }
  }

  /// Which of some designs is better, and from which value on.
  struct Question: Hashable {
    let text: String
    fileprivate(set) var designs: [Design] = []
    fileprivate(set) var values: [String] = []
  }

  /// What is run before each program, so that the libraries are loaded and their first threads are there.
  private(set) var warmUp = ""
  /// Behind a call that is run in a process that has used nothing of the libraries yet.
  private static let firstUse = ", at first use"

  private(set) var cases: [Case] = []
  private(set) var questions: [Question] = []

  /// Reads the lines; nil if a line is not of this kind, there is nothing to run before, or a question has no
  /// designs or no values.
  init?(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let rest = String(line[colon...].dropFirst(2))
      let head = line[..<colon]
      let word = head.prefix { $0 != " " }
      let name = String(head.dropFirst(word.count + 1))
      if rest.isEmpty || !take(String(word), name, rest) { return nil }
    }
    let isPart = questions.contains { $0.designs.count < 2 || $0.values.isEmpty }
    if cases.isEmpty || warmUp.isEmpty || isPart { return nil }
  }

  private mutating func take(_ word: String, _ name: String, _ rest: String) -> Bool {
    switch word {
    case "before": warmUp = rest
    case "case": cases.append(Case(kind: name, call: rest))
    case "question": questions.append(Question(text: rest))
    case "design":
      if questions.isEmpty { return false }
      questions[questions.count - 1].designs.append(Design(name: name, call: rest))
    case "values":
      if questions.isEmpty { return false }
      questions[questions.count - 1].values = rest.split(separator: " ").map(String.init)
    default: return false
    }
    return true
  }

  /// What is to be called of a call of the plan, and what before it, if anything.
  func program(_ call: String) -> (call: String, before: String?) {
    call.hasSuffix(Self.firstUse)
      ? (String(call.dropLast(Self.firstUse.count)), nil) : (call, warmUp)
  }

  /// All calls, each once.
  var calls: [String] {
    var (calls, seen): ([String], Set<String>) = ([], [])
    let asked = questions.flatMap { question in
      question.values.flatMap { value in question.designs.map { $0.call(at: value) } }
    }
    for call in cases.map(\.call) + asked where seen.insert(call).inserted { calls.append(call) }
    return calls
  }
}
