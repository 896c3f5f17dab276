import SpindleModel

/// The body of a function, as text of a trace.
struct FunctionText {
  /// What writes a statement: the operation, whom it is about, and its length as it is written.
  typealias Statement = (_ kind: ThreadOperation.Kind, _ target: Int32, _ length: String) -> String

  /// The lines, without their indent.
  private(set) var lines: [String] = []

  /// The body that does all of `operations`.
  init(_ operations: [FoldedOperation], _ statement: Statement) {
    var lists = ListedLengths()
    for operation in operations {
      let text = lists.text(operation, rounds: [], statement)
      lines += lists.lines + text
      lists.lines = []
    }
  }
}

/// The loops of a function, with the lengths in them that differ from round to round in lists of their own.
private struct ListedLengths {
  /// How many lists there are in the function.
  private var count = 0
  /// The lists, as lines that stand in front of the loop.
  var lines: [String] = []
  private static let variables = ["i", "j", "k", "l"]

  /// The lines of an operation within loops of so many rounds, the outermost first.
  mutating func text(
    _ operation: FoldedOperation, rounds: [Int], _ statement: FunctionText.Statement
  ) -> [String] {
    switch operation.kind {
    case .operation(let kind, let target):
      return [statement(kind, target, length(operation.lengths, rounds))]
    case .loop(let count, let body):
      let inner = body.flatMap { text($0, rounds: rounds + [count], statement) }
      let used = inner.contains { $0.contains("[") && uses($0, rounds.count) }
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
    count += 1
    let name = count == 1 ? "lengths" : "lengths\(count)"
    lines += Self.list(name, lengths)
    var index = ""
    for (depth, round) in rounds.enumerated() {
      let variable = Self.variables[min(depth, 3)]
      index =
        depth == 0
        ? variable
        : depth == 1
          ? "\(index) * \(round) + \(variable)" : "(\(index)) * \(round) + \(variable)"
    }
    return "\(name)[\(index)]"
  }

  /// A list over as many lines as it needs.
  private static func list(_ name: String, _ lengths: [Int64]) -> [String] {
    var lines = ["let \(name) = ["]
    var line = "   "
    for length in lengths {
      let text = " \(Nanoseconds(length)),"
      if line.utf8.count + text.utf8.count > 92 {
        lines.append(line)
        line = "   "
      }
      line += text
    }
    return lines + [line, "]"]
  }
}
