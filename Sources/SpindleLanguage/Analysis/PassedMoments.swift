import SpindleModel

/// Durations given as moments that have passed at each place where the text uses them.
///
/// A length as a deadline counts from the start of the run: one that can still lie ahead is taken for meant. Only what is
/// known for sure counts: a closure runs later than it was made, a statement behind a sleep after that. What a function
/// begins with is the start of the run.
struct PassedMoments {
  private let table: DeclarationTable
  /// A moment before which nobody comes to the place at hand.
  private var earliest = Instant.start

  private init(_ table: DeclarationTable) { self.table = table }

  /// Warns of moments that have passed when somebody comes to them.
  static func check(_ program: TypedProgram) {
    for part in program.code {
      var check = PassedMoments(program.table)
      switch part {
      case .statements(let statements): check.goThrough(statements)
      case .value(let value): check.goThrough(value)
      }
    }
  }

  // MARK: Statements

  /// Goes through a block: what is passed in it is not passed behind it.
  private mutating func goThrough(_ statements: [Typed.Statement]) {
    let outer = earliest
    for statement in statements { goThrough(statement) }
    earliest = outer
  }

  private mutating func goThrough(_ statement: Typed.Statement) {
    switch statement.kind {
    case .expression(let value):
      goThrough(value)
      pass(value)
    case .several(let inner): for one in inner { goThrough(one) }
    case .if(let conditions, let body, let otherwise):
      goThrough(conditions)
      goThrough(body)
      goThrough(otherwise)
    case .guard(let conditions, let body), .while(let conditions, let body, _):
      goThrough(conditions)
      goThrough(body)
    case .repeatWhile(let body, let condition, _):
      goThrough(body)
      goThrough(condition)
    case .forIn(let loop, _):
      goThrough(loop.sequence)
      if let filter = loop.filter { goThrough(filter) }
      goThrough(loop.body)
    case .switch(let selection, _):
      goThrough(selection.subject)
      for one in selection.cases {
        for case let filter? in one.items.map(\.filter) { goThrough(filter) }
        goThrough(one.body)
      }
    case .doCatch(let body, let catches, _, _):
      goThrough(body)
      for one in catches { goThrough(one.body) }
    case .block(let body, _), .defer(let body): goThrough(body)
    case .asyncLet(_, let closure, _): goThrough(closure.body)
    case .localFunction(let function): inFunction { $0.goThrough(function.body) }
    case .binding(_, let value, _), .discard(let value), .throw(let value): goThrough(value)
    case .assignment(let place, let value):
      goThrough(place)
      goThrough(value)
    case .tupleAssignment(let places, let value):
      for case let place? in places { goThrough(place) }
      goThrough(value)
    case .return(let value): if let value { goThrough(value) }
    case .declaration, .break, .continue, .fallthrough: break
    }
  }

  private mutating func inFunction(_ body: (inout PassedMoments) -> Void) {
    let outer = earliest
    earliest = .start
    body(&self)
    earliest = outer
  }

  private mutating func goThrough(_ conditions: [Typed.Condition]) {
    for condition in conditions {
      switch condition {
      case .expression(let value), .pattern(_, let value): goThrough(value)
      }
    }
  }

  // MARK: Expressions

  private mutating func goThrough(_ value: Typed.Expression) {
    switch value.kind {
    case .closure(let closure): goThrough(closure.body)
    case .choice(let statement, _): goThrough(statement)
    case .call(let call):
      check(call)
      let outer = earliest
      let begins = beginning(of: call)
      value.forEachPart { part in
        // What a closure does comes no earlier than the closure itself.
        earliest = part.closureLiteral == nil ? outer : max(outer, begins)
        goThrough(part)
      }
      earliest = outer
    default: value.forEachPart { goThrough($0) }
    }
  }

  /// Warns of durations in a call that are moments in the past.
  private func check(_ call: Typed.Call) {
    guard case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation
    else { return }
    for (formal, argument) in zip(row.formals, call.arguments) {
      guard case .value(let given) = argument else { continue }
      switch formal.limit {
      case .timeout: warn("a timeout is", given)
      case .deadline: warn("a deadline is", given)
      case .date(let label): warn("'\(label)' takes", given)
      case .none, .notNegative, .positive, .width, .stackSize, .priority, .probability,
        .computation, .oneMode:
        break
      }
    }
  }

  /// A duration of zero means the same from the start and from now on: no wait.
  private func warn(_ what: String, _ given: Typed.Expression) {
    guard let length = Self.length(given), length != .zero, .start + length <= earliest else {
      return
    }
    table.warn(
      Messages.isMoment(what, table.source.text(in: given.range), earliest), given.range)
  }

  // MARK: Time that passes

  /// The first moment at which the closures can run that a call hands over.
  private func beginning(of call: Typed.Call) -> Instant {
    guard case .function(let symbol) = call.callee else { return earliest }
    if case .builtin(let name) = symbol.implementation { return firstArrival(name, call) }
    guard case .row(let row) = symbol.implementation else { return earliest }
    for (formal, argument) in zip(row.formals, call.arguments) {
      guard case .value(let given) = argument else { continue }
      if case .deadline = formal.limit { return max(earliest, moment(given) ?? .start) }
      if formal.type == .duration, let length = Self.length(given) { return earliest + length }
    }
    return earliest
  }

  /// The moment at which what the world outside does begins, by the name of what emission makes of it.
  private func firstArrival(_ name: String, _ call: Typed.Call) -> Instant {
    guard case .function(let symbol) = call.callee, symbol.parameters.first?.label == nil,
      name == "at" || name == "every", case .value(let given)? = call.arguments.first
    else { return earliest }
    return moment(given) ?? earliest
  }

  /// Notes that a statement has been made which may have taken its time.
  private mutating func pass(_ statement: Typed.Expression) {
    switch statement.kind {
    case .await(let inner), .attempt(.plain, let inner): pass(inner)
    case .call(let call):
      guard case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation,
        case .perform(let primitive) = row.action, case .value(let given)? = call.arguments.first
      else { return }
      switch primitive {
      case .doing(.sleep), .doing(.io), .task(.sleep), .task(.io), .task(.ioThrowing):
        if let length = Self.length(given) { earliest = earliest + length }
      case .doing(.sleepUntil), .task(.sleepUntil):
        if let moment = moment(given) { earliest = max(earliest, moment) }
      default: break
      }
    default: break
    }
  }

  /// The earliest moment that `.now() + 5s` can mean here, or the moment that `Instant(5s)` or a length is; nil for what is
  /// none of these.
  private func moment(_ value: Typed.Expression) -> Instant? {
    switch value.kind {
    case .call(let call):
      guard case .function(let symbol) = call.callee,
        case .builtin("advance") = symbol.implementation, call.arguments.count == 2,
        case .value(let base) = call.arguments[0], case .value(let length) = call.arguments[1],
        Self.isNow(base)
      else { break }
      return Self.length(length).map { earliest + $0 }
    case .conversion(let inner): return moment(inner)
    default: break
    }
    return Self.length(value).map { .start + $0 }
  }

  /// Whether an expression is the present moment.
  private static func isNow(_ value: Typed.Expression) -> Bool {
    switch value.kind {
    case .property(let row, nil): if case .now = row.get { true } else { false }
    case .call(let call):
      if case .function(let symbol) = call.callee, case .builtin("now") = symbol.implementation {
        true
      } else {
        false
      }
    default: false
    }
  }

  /// A length that is written out, or that a parameter of the trace has; nil for what is known only at run time.
  private static func length(_ value: Typed.Expression) -> Nanoseconds? {
    switch value.kind {
    case .constant(let length):
      return value.type.nominal?.builtin == .duration ? max(.zero, Nanoseconds(length)) : nil
    case .conversion(let inner): return length(inner)
    default: return nil
    }
  }
}
