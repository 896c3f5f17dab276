/// What inference has found out so far: the types that its variables are bound to.
///
/// A variable lives within one expression. Equations between types are solved by unification as they come (Robinson);
/// what an attempt has bound is taken back when the attempt fails.
final class Solver {
  /// What a literal without a type may be.
  enum Literal {
    /// A whole number: of any width, or a number with a fraction.
    case integer
    /// A number with a fraction.
    case decimal
  }

  @exclusivity(unchecked) private(set) var bindings: [SwiftType?] = []
  @exclusivity(unchecked) private var literals: [Literal?] = []
  /// The variables that have been bound, in order, so that this can be taken back.
  @exclusivity(unchecked) private var trail: [(variable: Int, literal: Literal?)] = []
  /// Equations that wait until the type is known whose associated type is in them.
  @exclusivity(unchecked) private var waiting: [(SwiftType, SwiftType)] = []

  let known: KnownTypes
  /// SwiftType parameters, and associated types of them, that are known to be other types: `where Element == String`.
  @exclusivity(unchecked) var same: [SwiftType: SwiftType] = [:]

  /// The protocols that a type parameter, or an associated type of one, conforms to.
  var bounds: ((SwiftType) -> [Nominal])?

  init(_ known: KnownTypes) { self.known = known }

  /// How many variables there are: later ones belong to what is inferred from here on.
  var count: Int { bindings.count }

  /// A new variable.
  func variable(_ literal: Literal? = nil) -> SwiftType {
    bindings.append(nil)
    literals.append(literal)
    return .variable(bindings.count - 1)
  }

  /// The literal whose type an unbound variable is; nil for any other type.
  func literal(_ type: SwiftType) -> Literal? {
    if case .variable(let index) = shallow(type) { return literals[index] }
    return nil
  }

  // MARK: What is known

  /// The type without a variable at its top that has been bound.
  func shallow(_ type: SwiftType) -> SwiftType {
    var type = type
    while case .variable(let index) = type, let bound = bindings[index] { type = bound }
    if !same.isEmpty, let other = same[type], other != type { return shallow(other) }
    if case .member(let base, let name) = type {
      let resolved = resolve(base)
      if resolved != base {
        let made = resolved.associated(name)
        if case .member(let same, _) = made, same == resolved { return made }
        return shallow(made)
      }
      if case .nominal = resolved {
        let made = resolved.associated(name)
        return made == type ? made : shallow(made)
      }
    }
    return type
  }

  /// The type with all that has been found out in it.
  func resolve(_ type: SwiftType) -> SwiftType {
    switch shallow(type) {
    case .nominal(let nominal, let arguments) where !arguments.isEmpty:
      return .nominal(nominal, arguments.map(resolve))
    case .tuple(let elements):
      return .tuple(
        elements.map { SwiftType.TupleElement(label: $0.label, type: resolve($0.type)) })
    case .function(var function):
      for index in function.parameters.indices {
        function.parameters[index].type = resolve(function.parameters[index].type)
      }
      function.result = resolve(function.result)
      function.thrown = function.thrown.map(resolve)
      return .function(function)
    case .metatype(let type): return .metatype(resolve(type))
    case .member(let base, let name): return .member(resolve(base), name)
    case .existential(let protocols) where protocols.contains { $0.constraint != nil }:
      return .existential(
        protocols.map { one in
          one.constraint.map { $0.base.constrained(by: $0.arguments.map(resolve)) } ?? one
        })
    case let plain: return plain
    }
  }

  /// The type as a message shows it: a literal has its standard type.
  func shown(_ type: SwiftType) -> SwiftType {
    switch literal(type) {
    case .integer?: return known.integer
    case .decimal?: return known.double
    case nil: break
    }
    if case .nominal(let nominal, let arguments) = shallow(type), !arguments.isEmpty {
      return .nominal(nominal, arguments.map(shown))
    }
    return resolve(type)
  }

  /// Whether a type is a variable that nothing is known of.
  func isOpen(_ type: SwiftType) -> Bool {
    if case .variable = shallow(type) { return true }
    return false
  }

  // MARK: Attempts

  struct Mark {
    fileprivate var trail: Int
    fileprivate var waiting: [(SwiftType, SwiftType)]
  }

  /// A state to go back to.
  var mark: Mark { Mark(trail: trail.count, waiting: waiting) }

  /// Forgets what has been found out since `mark`.
  func undo(to mark: Mark) {
    while trail.count > mark.trail {
      let (variable, literal) = trail.removeLast()
      bindings[variable] = nil
      literals[variable] = literal
    }
    waiting = mark.waiting
  }

  /// Lets what has been found out so far stand: no attempt is under way.
  func forgetTrail() { trail.removeAll(keepingCapacity: true) }

  /// Whether an attempt succeeds; what it found out is forgotten where it does not.
  func attempt(_ body: (Solver) -> Bool) -> Bool {
    let start = mark
    if body(self) { return true }
    undo(to: start)
    return false
  }

  // MARK: Unification

  func bind(_ index: Int, _ type: SwiftType) -> Bool {
    if case .variable(let other) = type {
      if other == index { return true }
      // Two literals become one, which has a fraction if either has.
      let joined: Literal? =
        switch (literals[index], literals[other]) {
        case (nil, let one), (let one, nil): one
        case (.decimal?, _), (_, .decimal?): .decimal
        case (.integer?, .integer?): .integer
        }
      trail.append((other, literals[other]))
      literals[other] = joined
      // The trail takes a binding of `other` back too, which has none.
      trail.append((index, literals[index]))
      bindings[index] = type
      return true
    }
    guard allows(literals[index], type), !occurs(index, type) else { return false }
    trail.append((index, literals[index]))
    bindings[index] = type
    return settleWaiting()
  }

  func allows(_ literal: Literal?, _ type: SwiftType) -> Bool {
    guard let literal else { return true }
    switch (literal, type.nominal?.builtin) {
    case (.integer, .integer?), (.integer, .fixedInteger?), (_, .double?): return true
    default: break
    }
    switch type {
    case .parameter, .member: return bounds?(type).contains { isNumber($0, literal) } ?? false
    case .nominal, .tuple, .function, .existential, .metatype, .variable: return false
    case .error: return true
    }
  }

  /// Whether literals can be values of all types that conform to a protocol.
  private func isNumber(_ bound: Nominal, _ literal: Literal) -> Bool {
    let name = literal == .integer ? "ExpressibleByIntegerLiteral" : "ExpressibleByFloatLiteral"
    return ([bound] + bound.allProtocols).contains { $0.isLibrary && $0.name == name }
  }

  private func occurs(_ index: Int, _ type: SwiftType) -> Bool {
    switch shallow(type) {
    case .variable(let other): other == index
    case .nominal(_, let arguments): arguments.contains { occurs(index, $0) }
    case .tuple(let elements): elements.contains { occurs(index, $0.type) }
    case .function(let function):
      occurs(index, function.result) || function.parameters.contains { occurs(index, $0.type) }
    case .metatype(let type), .member(let type, _): occurs(index, type)
    case .existential(let protocols):
      protocols.contains { $0.constraint?.arguments.contains { occurs(index, $0) } == true }
    case .parameter, .error: false
    }
  }

  /// Makes two types equal; whether they can be.
  func unify(_ one: SwiftType, _ other: SwiftType) -> Bool {
    let (a, b) = (shallow(one), shallow(other))
    switch (a, b) {
    case (.error, _), (_, .error): return true
    case (.variable(let x), .variable(let y)) where x == y: return true
    case (.variable(let x), .member(let base, _))
    where literals[x] != nil && resolve(base).hasVariables:
      return unifyLiteral(a, b, of: base)
    case (.member(let base, _), .variable(let y))
    where literals[y] != nil && resolve(base).hasVariables:
      return unifyLiteral(b, a, of: base)
    case (.variable(let x), _): return bind(x, b)
    case (_, .variable(let y)): return bind(y, a)
    case (.member(let base, let name), .member(let base2, let name2))
    where name == name2 && resolve(base) == resolve(base2):
      return true
    case (.member(let base, _), _) where resolve(base).hasVariables:
      waiting.append((a, b))
      return true
    case (_, .member(let base, _)) where resolve(base).hasVariables:
      waiting.append((b, a))
      return true
    case (.nominal(let n, let x), .nominal(let m, let y)):
      guard n === m, x.count == y.count else { return false }
      return zip(x, y).allSatisfy { unify($0, $1) }
    case (.tuple(let x), .tuple(let y)):
      guard x.count == y.count else { return false }
      return zip(x, y).allSatisfy { one, other in
        (one.label == nil || other.label == nil || one.label == other.label)
          && unify(one.type, other.type)
      }
    case (.function(let f), .function(let g)):
      guard f.parameters.count == g.parameters.count else { return false }
      return zip(f.parameters, g.parameters).allSatisfy {
        $0.isInout == $1.isInout && unify($0.type, $1.type)
      } && unify(f.result, g.result) && unifyErrors(f, g)
    case (.metatype(let x), .metatype(let y)): return unify(x, y)
    case (.existential(let x), .existential(let y)) where x != y:
      return x.count == y.count && zip(x, y).allSatisfy { agree($0, $1) }
    default: return a == b
    }
  }

  /// Makes a literal a value of an associated type of a type that is not known yet.
  private func unifyLiteral(_ one: SwiftType, _ member: SwiftType, of base: SwiftType) -> Bool {
    if literal(one) == .decimal, literal(base) == .integer {
      // Of the numbers that a literal may be, only 'Double' has one with a fraction there.
      return unify(base, known.double) && unify(one, member)
    }
    waiting.append((member, one))
    return true
  }

  /// Makes two protocols one: their primary associated types are the same.
  func agree(_ one: Nominal, _ other: Nominal) -> Bool {
    guard let (base, own) = one.constraint, let (base2, given) = other.constraint, base === base2
    else { return one === other }
    return zip(own, given).allSatisfy { unify($0, $1) }
  }

  /// Finds the type of the errors of a function that takes it from another one: `throws(E)`.
  private func unifyErrors(_ one: FunctionType, _ other: FunctionType) -> Bool {
    guard [one.thrown, other.thrown].contains(where: { $0.map(isOpen) ?? false }) else {
      return true
    }
    return unify(errors(of: one), errors(of: other))
  }

  /// The type of the errors that a function throws: `Never` for none.
  func errors(of function: FunctionType) -> SwiftType {
    function.thrown.map(shallow) ?? (function.isThrowing ? known.error : known.never)
  }

  /// Solves the equations whose types are known by now.
  private func settleWaiting() -> Bool {
    guard !waiting.isEmpty else { return true }
    let open = waiting
    waiting = []
    for (one, other) in open {
      let resolved = shallow(one)
      if case .member(let base, _) = resolved, resolve(base).hasVariables {
        waiting.append((one, other))
      } else if !unify(resolved, other) {
        return false
      }
    }
    return true
  }

  /// Gives the literals in a type their standard types.
  func settleLiterals(in type: SwiftType) {
    switch shallow(type) {
    case .variable(let index):
      switch literals[index] {
      case .integer?: _ = bind(index, known.integer)
      case .decimal?: _ = bind(index, known.double)
      case nil: break
      }
    case .nominal(_, let arguments): for argument in arguments { settleLiterals(in: argument) }
    case .tuple(let elements): for element in elements { settleLiterals(in: element.type) }
    default: break
    }
  }

  /// Gives literals from the variable `first` on their standard types.
  func settleLiterals(from first: Int) {
    for index in first..<max(first, bindings.count) where bindings[index] == nil {
      switch literals[index] {
      case .integer?: _ = bind(index, known.integer)
      case .decimal?: _ = bind(index, known.double)
      case nil: break
      }
    }
    _ = settleWaiting()
  }
}
