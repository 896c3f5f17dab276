package import SpindleModel

/// One way to make a trace smaller: some stretches of it, each with what takes its place.
package struct TraceReduction: Hashable, Sendable {
  /// A stretch, and the text in its place.
  package struct Edit: Hashable, Sendable {
    package var range: SourceRange
    package var text: String
  }

  /// The stretches, in order; none overlaps another.
  package private(set) var edits: [Edit]
  /// How many bytes fewer the trace has.
  package let saving: Int

  init(_ edits: [Edit]) {
    var kept: [Edit] = []
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = kept.last, edit.range.lowerBound < last.range.upperBound { continue }
      kept.append(edit)
    }
    self.edits = kept
    saving = kept.reduce(0) { $0 + $1.range.count - $1.text.utf8.count }
  }

  /// The text of a trace that was made smaller.
  package func applied(to source: SourceText) -> SourceText {
    var bytes: [UInt8] = []
    var end = 0
    for edit in edits {
      bytes += source.utf8[end..<Int(edit.range.lowerBound)]
      bytes += edit.text.utf8
      end = Int(edit.range.upperBound)
    }
    bytes += source.utf8[end...]
    return SourceText(name: source.name, utf8: bytes)
  }

  /// All ways to make a trace smaller by one step of its tree; those that save most come first.
  ///
  /// Statements, declarations, settings, expectations and arguments are left out, alone and several at
  /// once; a name goes with all that mention it; what is in a loop, a condition or a closure takes its
  /// place; numbers become less and times simple. What a step leaves need not be a trace that can run:
  /// who tries it finds out. Empty where the text has errors in its form.
  package static func all(of source: SourceText) -> [TraceReduction] {
    let (declarations, diagnostics) = GrammarParser.parse(source)
    guard diagnostics.isEmpty else { return [] }
    var walk = ReductionWalk(source)
    walk.visit(declarations)
    return walk.found.sorted { left, right in
      if left.saving != right.saving { return left.saving > right.saving }
      let (one, two) = (left.edits.first, right.edits.first)
      let (first, second) = (one?.range.lowerBound ?? 0, two?.range.lowerBound ?? 0)
      if first != second { return first < second }
      return "\(left.edits)" < "\(right.edits)"
    }
  }
}

/// Goes through a tree and notes each step that makes it smaller.
private struct ReductionWalk {
  let source: SourceText
  private(set) var found: [TraceReduction] = []
  /// Every statement and expectation, to go with a name that it mentions.
  private var statements: [SourceRange] = []
  /// The words of the text, by what they say.
  private var words: [String: [SourceRange]] = [:]

  init(_ source: SourceText) {
    self.source = source
    source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      while true {
        let token = lexer.next()
        if token.kind == .endOfFile { break }
        guard token.kind == .identifier || token.kind == .string else { continue }
        let range = SourceRange(Int(token.start), Int(token.end))
        words[source.text(in: range), default: []].append(range)
      }
    }
  }

  private mutating func note(_ edits: [(SourceRange, String)]) {
    found.append(TraceReduction(edits.map { .init(range: $0.0, text: $0.1) }))
  }

  /// Elements of a list: all, halves, quarters, and each.
  private mutating func noteParts(_ ranges: [SourceRange]) {
    var size = ranges.count
    while size > 0 {
      for start in stride(from: 0, to: ranges.count, by: size) {
        note([(part(ranges, start, min(start + size, ranges.count)), "")])
      }
      size = size == 1 ? 0 : (size + 1) / 2
    }
  }

  /// Some elements of a list, with what separates them from one of the others.
  private func part(_ ranges: [SourceRange], _ start: Int, _ end: Int) -> SourceRange {
    var part = ranges[start].union(ranges[end - 1])
    if end < ranges.count {
      part.upperBound = ranges[end].lowerBound
    } else if start > 0 {
      part.lowerBound = ranges[start - 1].upperBound
    }
    return part
  }

  mutating func visit(_ declarations: [Grammar.Declaration]) {
    noteParts(declarations.map(\.range))
    for declaration in declarations { visit(declaration) }
    for declaration in declarations {
      switch declaration.kind {
      case .variable(let variable): noteNames(of: variable, declaration.range)
      case .setting(.parameter(let name, _, _)): noteName(name, declaration.range)
      case .function(let function): noteName(function.name, declaration.range)
      case .type(let type): noteName(type.name, declaration.range)
      default: break
      }
    }
  }

  private mutating func visit(_ declaration: Grammar.Declaration) {
    switch declaration.kind {
    case .setting(let section): visit(section)
    case .variable(let variable): visit(variable)
    case .function(let function), .initializer(let function, _):
      if let body = function.body { visit(body) }
    case .deinitializer(let body), .main(_, let body): visit(body)
    case .subscript(let one): visit(one.accessors)
    case .type(let type): visitMembers(type.members)
    case .extension(_, _, _, let members): visitMembers(members)
    case .statement(let statement): visit(statement)
    case .enumCases, .typeAlias, .associatedType, .include, .missing: break
    }
  }

  private mutating func visit(_ section: Grammar.Section) {
    switch section {
    case .trace(_, let settings), .machine(let settings), .explore(let settings):
      noteParts(settings.map { $0.name.range.union($0.value.range) })
      for setting in settings { visit(setting.value) }
    case .parameter(_, let value, let allowed):
      visit(value)
      if let allowed { visit(allowed) }
    case .expect(let body): visit(body)
    case .schedule: break
    }
  }

  private mutating func visit(_ variable: Grammar.Variable) {
    for entry in variable.entries {
      if let value = entry.value { visit(value) }
      if let accessors = entry.accessors { visit(accessors) }
    }
  }

  private mutating func visit(_ accessors: Grammar.Accessors) {
    for body in [accessors.getter, accessors.setter, accessors.willSet, accessors.didSet] {
      if let body { visit(body) }
    }
  }

  private mutating func noteNames(of variable: Grammar.Variable, _ range: SourceRange) {
    for entry in variable.entries {
      if case .name(let name, _) = entry.pattern.kind { noteName(name, range) }
    }
  }

  /// Each member of a type goes, alone and with all that mentions it.
  private mutating func visitMembers(_ members: [Grammar.Declaration]) {
    for member in members {
      visit(member)
      note([(member.range, "")])
      switch member.kind {
      case .variable(let variable): noteNames(of: variable, member.range)
      case .function(let function): noteName(function.name, member.range)
      case .type(let type): noteName(type.name, member.range)
      default: break
      }
    }
  }

  /// A name goes with every statement around it that mentions it, the innermost each time.
  private mutating func noteName(_ name: Grammar.Name, _ declaration: SourceRange) {
    var gone = [declaration]
    for word in words[name.text] ?? [] where !holds(declaration, word) {
      guard let innermost = statements.filter({ holds($0, word) }).min(by: { $0.count < $1.count })
      else { return }
      if !gone.contains(innermost) { gone.append(innermost) }
    }
    note(gone.sorted { $0.lowerBound < $1.lowerBound }.map { ($0, "") })
  }

  private func holds(_ outer: SourceRange, _ inner: SourceRange) -> Bool {
    outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound
  }

  // MARK: Statements

  private mutating func visit(_ block: Grammar.Block) {
    let ranges = block.statements.map(\.range)
    statements += ranges
    noteParts(ranges)
    for statement in block.statements { visit(statement) }
    for statement in block.statements {
      guard case .declaration(let declaration) = statement.kind,
        case .variable(let variable) = declaration.kind
      else { continue }
      noteNames(of: variable, statement.range)
    }
  }

  private mutating func visit(_ statement: Grammar.Statement) {
    let place = statement.range
    switch statement.kind {
    case .expression(let expression):
      visit(expression)
      for body in ReductionWalk.bodies(of: expression) { note([(place, inner(body))]) }
    case .declaration(let declaration):
      visit(declaration)
      guard case .variable(let variable) = declaration.kind else { return }
      for value in variable.entries.compactMap(\.value) {
        for body in ReductionWalk.bodies(of: value) { note([(place, inner(body))]) }
      }
    case .assignment(_, _, let assigned): visit(assigned)
    case .if(let choice):
      visit(choice.conditions)
      for body in [choice.body, choice.otherwise].compactMap({ $0 }) {
        visit(body, insteadOf: place)
      }
    case .guard(let conditions, let body), .while(let conditions, let body):
      visit(conditions)
      visit(body, insteadOf: place)
    case .repeatWhile(let body, let condition):
      visit(condition)
      visit(body, insteadOf: place)
    case .forIn(let loop): visit(loop, at: place)
    case .return(let value): if let value { visit(value) }
    case .defer(let body): visit(body, insteadOf: place)
    case .doCatch(let body, _, let handlers):
      visit(body, insteadOf: place)
      for handler in handlers { visit(handler.body) }
    case .throw(let value): visit(value)
    case .switch(let selection): visit(selection, at: place)
    case .labelled(_, let labelled):
      note([(place, source.text(in: labelled.range))])
      visit(labelled)
    case .break, .continue, .fallthrough, .missing: break
    }
  }

  /// A block; what is in it takes the place of the statement that it belongs to.
  private mutating func visit(_ body: Grammar.Block, insteadOf place: SourceRange) {
    visit(body)
    note([(place, inner(body))])
  }

  private mutating func visit(_ conditions: [Grammar.Condition]) {
    for condition in conditions {
      switch condition {
      case .expression(let value), .pattern(_, _, let value, _): visit(value)
      case .available: break
      }
    }
  }

  private mutating func visit(_ loop: Grammar.Loop, at place: SourceRange) {
    visit(loop.sequence)
    if let filter = loop.filter { visit(filter) }
    visit(loop.body)
    // The body once, with the first number for the name.
    var name: String?
    if case .name(let one, _) = loop.pattern.kind { name = one.text }
    note([(place, inner(loop.body, with: name))])
  }

  /// The cases of a choice; what one of them does takes the place of all.
  private mutating func visit(_ selection: Grammar.Selection, at place: SourceRange) {
    visit(selection.subject)
    for choice in selection.cases {
      visit(choice.body)
      guard let first = choice.body.statements.first, let last = choice.body.statements.last else {
        continue
      }
      let body = first.range.union(last.range)
      note([(choice.range.union(body), "")])
      note([(place, source.text(in: body))])
    }
  }

  /// The text between the braces of a block, with 0 for a name.
  private func inner(_ block: Grammar.Block, with name: String? = nil) -> String {
    let (start, end) = (Int(block.range.lowerBound) + 1, Int(block.range.upperBound) - 1)
    guard start <= end else { return "" }
    let range = SourceRange(start, end)
    guard let name, name != "_" else { return source.text(in: range) }
    let edits = (words[name] ?? []).filter { holds(range, $0) }.map { word in
      TraceReduction.Edit(
        range: SourceRange(Int(word.lowerBound) - start, Int(word.upperBound) - start), text: "0")
    }
    let text = SourceText(name: "", source.text(in: range))
    return String(decoding: TraceReduction(edits).applied(to: text).utf8, as: UTF8.self)
  }

  /// The bodies of the closures that a call ends with or takes.
  private static func bodies(of expression: Grammar.Expression) -> [Grammar.Block] {
    switch expression.kind {
    case .call(let call):
      call.arguments.flatMap { bodies(of: $0.value) } + bodies(of: call.callee)
    case .closure(let closure): [closure.body]
    case .member(let inner, _, _), .chain(let inner), .questioned(let inner), .forced(let inner),
      .await(let inner), .attempt(_, let inner):
      bodies(of: inner)
    default: []
    }
  }

  // MARK: Expressions

  private mutating func visit(_ expression: Grammar.Expression) {
    let place = expression.range
    switch expression.kind {
    case .integer(let number): for less in ReductionWalk.less(number) { note([(place, "\(less)")]) }
    case .duration(let time):
      for simple in ["0ms", "1ms"] where simple != source.text(in: place) && time != 0 {
        note([(place, simple)])
      }
    case .size(let size): if size > 1 { note([(place, "1B")]) }
    case .string(let segments):
      for segment in segments {
        if case .value(let value) = segment { visit(value) }
      }
    case .array(let elements):
      noteParts(elements.map(\.range))
      for element in elements { visit(element) }
    case .dictionary(let entries): for entry in entries { visit(entry.value) }
    case .tuple(let elements): for element in elements { visit(element.value) }
    case .call(let call): visit(call)
    case .subscripted(_, let arguments): for argument in arguments { visit(argument.value) }
    case .prefix(_, let operand), .forced(let operand), .questioned(let operand),
      .chain(let operand), .member(let operand, _, _), .compound(let operand, _),
      .cast(let operand, _, _), .reference(let operand):
      visit(operand)
    case .attempt(_, let operand), .await(let operand):
      note([(place, source.text(in: operand.range))])
      visit(operand)
    case .binary(_, let left, let right): visit(left, right, insteadOf: place)
    case .ternary(let condition, let first, let second):
      visit(first, second, insteadOf: place)
      visit(condition)
    case .range(let from, let to, _, _):
      for bound in [from, to].compactMap({ $0 }) { visit(bound) }
    case .closure(let closure): visit(closure.body)
    case .choice(let statement): visit(statement)
    case .decimal, .percent, .boolean, .nil, .name, .implicitMember, .keyPath, .type, .discard,
      .foreign, .missing:
      break
    }
  }

  /// Two values, each of which takes the place of both.
  private mutating func visit(
    _ first: Grammar.Expression, _ second: Grammar.Expression, insteadOf place: SourceRange
  ) {
    for side in [first, second] {
      note([(place, source.text(in: side.range))])
      visit(side)
    }
  }

  private mutating func visit(_ call: Grammar.Call) {
    visit(call.callee)
    let written = call.arguments.filter { !$0.isTrailing }
    noteParts(written.map { $0.label?.range.union($0.value.range) ?? $0.value.range })
    for argument in call.arguments {
      visit(argument.value)
      // A drawn time becomes a plain one.
      if case .call = argument.value.kind { note([(argument.value.range, "1ms")]) }
    }
    // Parentheses that hold nothing, before a closure.
    guard written.isEmpty, let first = call.trailing else { return }
    let (end, start) = (call.callee.range.upperBound, first.value.range.lowerBound)
    let between = SourceRange(Int(end), Int(start))
    if source.text(in: between).contains("(") { note([(between, " ")]) }
  }

  /// Numbers that are simpler: fewer, and never negative.
  private static func less(_ number: Int64) -> [Int64] {
    guard number > 1 else { return number == 1 ? [0] : [] }
    return Set([0, 1, 2, number / 2, number - 1]).filter { $0 < number }.sorted()
  }
}
