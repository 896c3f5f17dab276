import SpindleModel

/// `--replace`: an executor or a lock of the command line in the place of one that the program makes.
///
/// The option's value is read as a text behind the trace, so that mistakes in it have a place of their own. What it
/// replaces is the value of a `let` at the top, or of a `let` that a type declares: `Cache.lock=NSRecursiveLock`.
struct Replacements {
  /// The text with the values of the options behind it.
  private(set) var source: SourceText
  private(set) var declarations: [Grammar.Declaration]
  private(set) var diagnostics: [Diagnostic] = []
  private var made: [Replacement] = []

  /// A value that has taken the place of another one.
  private struct Replacement {
    let assignment: Overrides.Assignment
    let original: Grammar.Expression
    let type: Grammar.TypeSyntax?
    /// Where the new value is.
    let range: SourceRange
  }

  /// Replaces values in the declarations of a text.
  init(
    _ assignments: [Overrides.Assignment], in declarations: [Grammar.Declaration],
    of source: SourceText, _ vocabulary: Vocabulary
  ) {
    (self.source, self.declarations) = (source, declarations)
    var seen: Set<String> = []
    for assignment in assignments.reversed() where seen.insert(assignment.name).inserted {
      let path = assignment.name.split(separator: ".").map(String.init)
      guard let place = Self.find(path[...], in: self.declarations) else { continue }
      let option = SourceText(name: "--replace", "\(assignment.name)=\(assignment.value)")
      let start = self.source.utf8.count + 1
      self.source = self.source.including(option)
      let (value, found) = GrammarParser.parseExpression(
        in: self.source,
        at: SourceRange(start + assignment.name.utf8.count + 1, self.source.utf8.count))
      diagnostics += found
      guard found.isEmpty else { continue }
      replace(place, by: value, assignment, vocabulary)
    }
  }

  /// The names of the values that can be replaced.
  static func names(in declarations: [Grammar.Declaration], below path: String = "") -> [String] {
    declarations.flatMap { declaration -> [String] in
      switch declaration.kind {
      case .variable(let variable) where variable.isLet:
        variable.entries.compactMap { entry in
          guard case .name(let name, _) = entry.pattern.kind, entry.value != nil else { return nil }
          return path + name.text
        }
      case .type(let type): names(in: type.members, below: "\(path)\(type.name.text).")
      default: []
      }
    }
  }

  // MARK: Places

  /// The way to an entry of a variable: the numbers of the declarations, one within another, and of the entry.
  private struct Place {
    var declarations: [Int]
    var entry: Int
  }

  private static func find(
    _ path: ArraySlice<String>, in declarations: [Grammar.Declaration]
  ) -> Place? {
    for (number, declaration) in declarations.enumerated() {
      switch declaration.kind {
      case .variable(let variable) where variable.isLet && path.count == 1:
        let entry = variable.entries.firstIndex { entry in
          guard case .name(let name, _) = entry.pattern.kind else { return false }
          return name.text == path.first && entry.value != nil
        }
        if let entry { return Place(declarations: [number], entry: entry) }
      case .type(let type) where type.name.text == path.first && path.count > 1:
        guard let inner = find(path.dropFirst(), in: type.members) else { continue }
        return Place(declarations: [number] + inner.declarations, entry: inner.entry)
      default: break
      }
    }
    return nil
  }

  private mutating func replace(
    _ place: Place, by value: Grammar.Expression, _ assignment: Overrides.Assignment,
    _ vocabulary: Vocabulary
  ) {
    var replacement: Replacement?
    let number = place.declarations[0]
    declarations[number] = Self.changing(declarations[number], place) { entry in
      guard let original = entry.value else { return }
      entry.value = Self.value(value, in: original, vocabulary)
      replacement = Replacement(
        assignment: assignment, original: original, type: entry.type, range: value.range)
      entry.type = nil
    }
    guard let replacement else { return }
    made.append(replacement)
    if let message = Self.mistake(value, for: replacement.original, vocabulary, declarations) {
      diagnostics.append(
        Diagnostic(severity: .error, message: message, range: value.range, source: source))
    }
  }

  /// What is wrong with a word in the place of a lock, which may be a protocol, a type or a name of the program; nil for
  /// nothing, and for anything else.
  private static func mistake(
    _ value: Grammar.Expression, for original: Grammar.Expression, _ vocabulary: Vocabulary,
    _ declarations: [Grammar.Declaration]
  ) -> String? {
    guard case .call(let call) = original.kind, case .name(let type, _) = call.callee.kind,
      let entry = vocabulary.type(type), entry.handle?.isLock == true
    else { return nil }
    let name: String
    switch value.kind {
    case .name(let word, _): name = word
    case .implicitMember(let word): name = word.text
    default: return nil
    }
    let takesProtocol = entry.initializers.contains { row in
      row.formals.contains { $0.label?.text == "resourceProtocol" }
    }
    if ResourceProtocol(rawValue: name) != nil {
      return takesProtocol ? nil : Messages.noProtocol(type)
    }
    let isKnown = vocabulary.type(name) != nil || names(in: declarations).contains(name)
    if isKnown || name.first?.isUppercase == true { return nil }
    let known = ResourceProtocol.allCases.map(\.rawValue)
    return Messages.unknownChoice(
      "resource protocol", name, nearest: nearest(name, in: known), known)
  }

  private static func changing(
    _ declaration: Grammar.Declaration, _ place: Place,
    _ change: (inout Grammar.Variable.Entry) -> Void
  ) -> Grammar.Declaration {
    var changed = declaration
    switch declaration.kind {
    case .variable(var variable):
      change(&variable.entries[place.entry])
      changed.kind = .variable(variable)
    case .type(var type):
      var inner = place
      inner.declarations.removeFirst()
      let number = inner.declarations[0]
      type.members[number] = changing(type.members[number], inner, change)
      changed.kind = .type(type)
    default: break
    }
    return changed
  }

  // MARK: Values

  /// The new value: a type's name makes one of it, and a protocol is an argument of the lock that is there.
  private static func value(
    _ written: Grammar.Expression, in original: Grammar.Expression, _ vocabulary: Vocabulary
  ) -> Grammar.Expression {
    let name: String
    switch written.kind {
    case .name(let word, let arguments) where arguments.isEmpty: name = word
    case .implicitMember(let word): name = word.text
    default: return written
    }
    let isProtocol = ResourceProtocol.allCases.contains { $0.rawValue == name }
    if isProtocol, case .call(var call) = original.kind {
      let label = Grammar.Name(text: "resourceProtocol", range: written.range)
      let choice = Grammar.Expression(
        kind: .implicitMember(Grammar.Name(text: name, range: written.range)), range: written.range)
      call.arguments.removeAll { $0.label?.text == label.text }
      // Arguments are in the order of the parameters: behind it there is the ceiling only.
      let place = call.arguments.firstIndex { $0.label?.text == "priorityCeiling" }
      call.arguments.insert(
        Grammar.Argument(label: label, value: choice), at: place ?? call.arguments.endIndex)
      return Grammar.Expression(kind: .call(call), range: original.range)
    }
    guard case .name = written.kind, vocabulary.type(name) != nil else { return written }
    let call = Grammar.Call(
      callee: written, arguments: [], place: written.range, hasParentheses: true)
    return Grammar.Expression(kind: .call(call), range: written.range)
  }

  // MARK: Types

  /// The values that do not do for what they replace, when all code has its types.
  func mistakes(_ bodies: BodyTable) -> [Diagnostic] {
    let before = bodies.table.diagnostics.count
    for one in made {
      guard let symbol = symbol(one.assignment.name, bodies.table) else { continue }
      let checker = BodyChecker(bodies, context: bodies.context(of: symbol))
      let annotated = one.type.map { checker.resolve($0) }
      let original = checker.checkValue(one.original, annotated, of: nil).type
      let type = bodies.type(of: symbol)
      if type.isError || original.isError { continue }
      guard let message = Self.mismatch(original, type, one.assignment.name) else { continue }
      bodies.table.report(message, one.range)
    }
    return Array(bodies.table.diagnostics.dropFirst(before))
  }

  private func symbol(_ name: String, _ table: DeclarationTable) -> VariableSymbol? {
    let path = name.split(separator: ".").map(String.init)
    guard let last = path.last, path.count > 1 else {
      return table.globals[name]?.lazy.compactMap { $0 as? VariableSymbol }.first
    }
    let owner = table.ownTypes.first {
      $0.qualifiedName == "main." + path.dropLast().joined(separator: ".")
    }
    return owner?.members[last]?.lazy.compactMap { $0 as? VariableSymbol }.first
  }

  /// What is wrong with a value in the place of another one; nil for nothing.
  private static func mismatch(
    _ original: SwiftType, _ type: SwiftType, _ name: String
  ) -> String? {
    let new = type.nominal?.handle
    guard let handle = original.nominal?.handle, handle.isExecutor || handle.isLock else {
      return Messages.noExecutor(name, nearest: nil)
    }
    if handle.isExecutor {
      return new?.isExecutor == true
        ? nil : Messages.mismatch(expected: "an executor", found: "\(type)")
    }
    if new == handle || handle.isPlainLock && new?.isPlainLock == true { return nil }
    return Messages.otherLock(handle.name, found: "\(type)", isPlain: handle.isPlainLock)
  }
}

extension HandleClass {
  /// Whether it is one of the locks that can replace each other, as far as a trace uses what all of them have.
  var isPlainLock: Bool { self == .mutex || self == .recursive || self == .unfair }
}
