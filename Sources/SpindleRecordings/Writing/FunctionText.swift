import SpindleModel

/// The body of a function, as text of a trace.
struct FunctionText {
  /// What writes a statement: the operation, whom it is about, and its length as it is written.
  typealias Statement = (_ kind: ThreadOperation.Kind, _ target: Int32, _ length: String) -> String

  /// The lines, without their indent.
  private(set) var lines: [String] = []
  /// The lists that precede the function.
  private(set) var lists: [String] = []

  /// The body that does all of `operations`.
  init(_ operations: [FoldedOperation], _ statement: Statement) {
    var lists = ListedLengths { $0 == 1 ? "lengths" : "lengths\($0)" }
    for operation in operations {
      let text = lists.text(operation, rounds: [], statement)
      lines += lists.lines + text
      lists.lines = []
    }
  }

  /// The body of a function that is called `count` times, with the number of the call as its argument `i`.
  ///
  /// Each operation has the lengths of all calls; the lists of those that differ are called as `name` has it.
  init(
    _ operations: [FoldedOperation], calls count: Int, name: @escaping (Int) -> String,
    _ statement: Statement
  ) {
    var numbered = ListedLengths(name)
    for operation in operations {
      lines += numbered.text(operation, rounds: count == 1 ? [] : [count], statement)
    }
    lists = numbered.lines
  }
}

/// The loops of a function, with the lengths in them that differ from round to round in lists of their own.
private struct ListedLengths {
  /// How many lists there are in the function.
  private var count = 0
  /// The lists, as lines that precede the loop.
  var lines: [String] = []
  private static let variables = ["i", "j", "k", "l"]
  private let name: (Int) -> String

  /// Lists that are called as `name` has it, by their number from 1 on.
  init(_ name: @escaping (Int) -> String) { self.name = name }

  /// The lines of an operation within loops of these numbers of rounds, the outermost first.
  mutating func text(
    _ operation: FoldedOperation, rounds: [Int], _ statement: FunctionText.Statement
  ) -> [String] {
    switch operation.kind {
    case .operation(let kind, let target):
      let lengths = operation.lengths
      let length = kind.isNumbered ? number(lengths, rounds) : length(lengths, rounds)
      return [statement(kind, target, length)]
    case .loop(let count, let body):
      let inner = body.flatMap { text($0, rounds: rounds + [count], statement) }
      let used = inner.contains { uses($0, rounds.count) }
      let variable = used ? Self.variables[min(rounds.count, 3)] : "_"
      return ["for \(variable) in 0 ..< \(count) {"] + inner.map { "    " + $0 } + ["}"]
    }
  }

  private func uses(_ line: String, _ depth: Int) -> Bool {
    let name = Self.variables[min(depth, 3)]
    return line.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
  }

  /// A length as it is written: itself where it is always the same, else an element of a list.
  private mutating func length(_ lengths: [Int64], _ rounds: [Int]) -> String {
    guard let first = lengths.first else { return "0s" }
    if lengths.allSatisfy({ $0 == first }) { return Nanoseconds(first).description }
    return element(lengths.map { Nanoseconds($0).description }, rounds)
  }

  /// A number as it is written: itself, a counter of the rounds, or an element of a list.
  private mutating func number(_ numbers: [Int64], _ rounds: [Int]) -> String {
    guard let first = numbers.first else { return "0" }
    if numbers.allSatisfy({ $0 == first }) { return "\(first)" }
    if numbers.enumerated().allSatisfy({ $1 == first + Int64($0) }) {
      return first == 0 ? Self.index(rounds) : "\(first) + \(Self.index(rounds))"
    }
    return element(numbers.map(\.description), rounds)
  }

  /// How often the rounds went until now.
  private static func index(_ rounds: [Int]) -> String {
    var index = ""
    for (depth, round) in rounds.enumerated() {
      let variable = variables[min(depth, 3)]
      index =
        depth == 0
        ? variable
        : depth == 1
          ? "\(index) * \(round) + \(variable)" : "(\(index)) * \(round) + \(variable)"
    }
    return index
  }

  private mutating func element(_ elements: [String], _ rounds: [Int]) -> String {
    count += 1
    let name = name(count)
    lines += Self.list(name, elements)
    return "\(name)[\(Self.index(rounds))]"
  }

  /// A list over as many lines as it needs.
  private static func list(_ name: String, _ elements: [String]) -> [String] {
    var lines = ["let \(name) = ["]
    var line = "   "
    for element in elements {
      let text = " \(element),"
      if line.utf8.count + text.utf8.count > 92 {
        lines.append(line)
        line = "   "
      }
      line += text
    }
    return lines + [line, "]"]
  }
}
