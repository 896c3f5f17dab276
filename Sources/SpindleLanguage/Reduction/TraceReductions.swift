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
    let (tree, diagnostics) = Parser.parse(source)
    guard diagnostics.isEmpty else { return [] }
    var walk = ReductionWalk(source)
    walk.visit(tree.declarations)
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

  mutating func visit(_ declarations: [Declaration]) {
    noteParts(declarations.map(\.range))
    for declaration in declarations { visit(declaration) }
    for declaration in declarations {
      switch declaration.kind {
      case .binding(let binding): noteName(binding.name, declaration.range)
      case .parameter(let name, _, _): noteName(name, declaration.range)
      case .function(let function): noteName(function.name, declaration.range)
      case .type(let type): noteName(type.name, declaration.range)
      case .trace, .machine, .main, .expect, .schedule, .explore, .call, .missing: break
      }
    }
  }

  private mutating func visit(_ type: TypeDeclaration) {
    for field in type.fields {
      if let value = field.value { visit(value) }
      if let getter = field.getter { visit(getter) }
    }
    for method in type.methods { visit(method.function.body) }
    for initializer in type.initializers { visit(initializer.body) }
    for body in type.deinitializers { visit(body) }
    for field in type.fields {
      noteMember(
        field.name, until: field.getter?.range ?? field.value?.range, hasBody: field.getter != nil)
    }
    for method in type.methods {
      noteMember(method.function.name, until: method.function.body.range, hasBody: true)
    }
  }

  /// A member of a type goes, alone and with all that mentions it: from the end of what stands in front of it.
  private mutating func noteMember(_ name: Name, until end: SourceRange?, hasBody: Bool) {
    let signs = Set("{};\n".utf8)
    var start = Int(name.range.lowerBound)
    while start > 0, !signs.contains(source.utf8[start - 1]) { start -= 1 }
    var stop = Int(end?.upperBound ?? name.range.upperBound)
    while !hasBody, stop < source.utf8.count, !signs.contains(source.utf8[stop]) { stop += 1 }
    guard start < stop, start <= name.range.lowerBound else { return }
    let range = SourceRange(start, stop)
    note([(range, "")])
    noteName(name, range)
  }

  private mutating func visit(_ declaration: Declaration) {
    switch declaration.kind {
    case .trace(_, let settings), .machine(let settings), .explore(let settings):
      noteParts(settings.map { $0.name.range.union($0.value.range) })
      for setting in settings { visit(setting.value) }
    case .parameter(_, let value, let allowed):
      visit(value)
      if let allowed { visit(allowed) }
    case .binding(let binding): visit(binding.value)
    case .function(let function): visit(function.body)
    case .type(let type): visit(type)
    case .main(let mode, let body):
      if let mode { visit(mode) }
      visit(body)
    case .expect(let body): visit(body)
    case .call(let call): visit(call)
    case .schedule, .missing: break
    }
  }

  /// A name goes with every statement around it that mentions it, the innermost each time.
  private mutating func noteName(_ name: Name, _ declaration: SourceRange) {
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

  private mutating func visit(_ block: CodeBlock) {
    let ranges = block.statements.map(\.range)
    statements += ranges
    noteParts(ranges)
    for statement in block.statements { visit(statement) }
    for statement in block.statements {
      if case .binding(let binding) = statement.kind {
        noteName(binding.value.name, statement.range)
      }
    }
  }

  private mutating func visit(_ statement: Statement) {
    let place = statement.range
    switch statement.kind {
    case .expression(let expression):
      visit(expression)
      for body in ReductionWalk.bodies(of: expression) { note([(place, inner(body))]) }
    case .binding(let binding):
      visit(binding.value.value)
      for body in ReductionWalk.bodies(of: binding.value.value) { note([(place, inner(body))]) }
    case .assignment(let assignment): visit(assignment.value.assigned)
    case .if(let choice):
      for branch in choice.value.branches {
        visit(branch.condition)
        visit(branch.body)
        note([(place, inner(branch.body))])
      }
      if let otherwise = choice.value.otherwise {
        visit(otherwise)
        note([(place, inner(otherwise))])
      }
    case .guard(let branch), .while(let branch), .repeatWhile(let branch):
      visit(branch.value.condition)
      visit(branch.value.body)
      note([(place, inner(branch.value.body))])
    case .forIn(let loop):
      visit(loop.value.sequence)
      if let filter = loop.value.filter { visit(filter) }
      visit(loop.value.body)
      // The body once, with the first number for the name.
      note([(place, inner(loop.value.body, with: loop.value.name.text))])
    case .return(let value): if let value { visit(value) }
    case .defer(let body):
      visit(body.value)
      note([(place, inner(body.value))])
    case .doCatch(let attempt):
      visit(attempt.value.body)
      note([(place, inner(attempt.value.body))])
      if let handler = attempt.value.handler { visit(handler) }
    case .throw(let value): visit(value)
    case .switch(let selection): visit(selection.value, at: place)
    case .labelled(let labelled):
      note([(place, source.text(in: labelled.value.statement.range))])
      visit(labelled.value.statement)
    case .several(let statements): for statement in statements { visit(statement) }
    case .function(let function): visit(function.value.body)
    case .break, .continue, .fallthrough, .missing: break
    }
  }

  /// The cases of a choice; what one of them does takes the place of all.
  private mutating func visit(_ selection: Statement.Selection, at place: SourceRange) {
    for value in selection.rest { visit(value) }
    visit(selection.value)
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
  private func inner(_ block: CodeBlock, with name: String? = nil) -> String {
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
  private static func bodies(of expression: Expression) -> [CodeBlock] {
    switch expression.kind {
    case .call(let call):
      var bodies = call.value.closures.map(\.closure.body)
      for argument in call.value.arguments { bodies += self.bodies(of: argument.value) }
      return bodies + self.bodies(of: call.value.callee)
    case .member(let access): return self.bodies(of: access.value.base)
    case .chain(let inner), .bind(let inner), .unwrap(let inner), .await(let inner, _):
      return self.bodies(of: inner)
    case .closure(let closure): return [closure.value.body]
    default: return []
    }
  }

  // MARK: Expressions

  private mutating func visit(_ expression: Expression) {
    let place = expression.range
    switch expression.kind {
    case .integer(let number): for less in ReductionWalk.less(number) { note([(place, "\(less)")]) }
    case .duration(let time):
      for simple in ["0ms", "1ms"] where simple != source.text(in: place) && time != .zero {
        note([(place, simple)])
      }
    case .size(let size): if size.rawValue > 1 { note([(place, "1B")]) }
    case .decimal, .percent, .text, .boolean, .none, .name, .implicitMember, .specialized, .missing:
      break
    case .string(let segments):
      for segment in segments {
        if case .value(let value) = segment { visit(value) }
      }
    case .array(let elements):
      noteParts(elements.map(\.range))
      for element in elements { visit(element) }
    case .dictionary(let entries):
      for entry in entries { visit(entry.value) }
    case .member(let access): visit(access.value.base)
    case .call(let call): visit(call.value)
    case .element(let access):
      visit(access.value.index)
      if let fallback = access.value.fallback { visit(fallback) }
    case .prefix(_, let operand), .unwrap(let operand), .bind(let operand), .chain(let operand):
      visit(operand)
    case .attempt(_, let operand), .await(let operand, _):
      note([(place, source.text(in: operand.range))])
      visit(operand)
    case .condition(let binding): visit(binding.value.value)
    case .match(let test): visit(test.value.value)
    case .infix(_, let sides), .coalesce(let sides):
      for side in [sides.value.left, sides.value.right] {
        note([(place, source.text(in: side.range))])
        visit(side)
      }
    case .conditional(let choice):
      for side in [choice.value.first, choice.value.second] {
        note([(place, source.text(in: side.range))])
        visit(side)
      }
      visit(choice.value.condition)
    case .range(let bounds):
      visit(bounds.value.from)
      visit(bounds.value.to)
    case .closure(let closure): visit(closure.value.body)
    }
  }

  private mutating func visit(_ call: Expression.Call) {
    visit(call.callee)
    noteParts(call.arguments.map { $0.labelRange.union($0.value.range) })
    for argument in call.arguments {
      visit(argument.value)
      // A drawn time becomes a plain one.
      if case .call = argument.value.kind { note([(argument.value.range, "1ms")]) }
    }
    for closure in call.closures { visit(closure.closure.body) }
    // Parentheses that hold nothing, before a closure.
    guard call.arguments.isEmpty, let first = call.closures.first else { return }
    let (end, start) = (call.callee.range.upperBound, first.closure.body.range.lowerBound)
    let between = SourceRange(Int(end), Int(start))
    if source.text(in: between).contains("(") { note([(between, " ")]) }
  }

  /// Numbers that are simpler: fewer, and never negative.
  private static func less(_ number: Int64) -> [Int64] {
    guard number > 1 else { return number == 1 ? [0] : [] }
    return Set([0, 1, 2, number / 2, number - 1]).filter { $0 < number }.sorted()
  }
}
