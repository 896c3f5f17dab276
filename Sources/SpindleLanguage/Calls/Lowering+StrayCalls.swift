import SpindleModel

/// What an object is called in the log when its call does not say.
enum Naming {
  case none
  /// The name that the object is bound to.
  case bound(Word)
  /// An element of the array with this name, at the index in the register.
  case element(Word, Register)
}

/// Calls that were refused: what is in them is looked through all the same.
extension Lowering {
  /// Looks through the arguments of a call that was refused: their own mistakes are told as well.
  mutating func walkStray(_ call: CallSite) {
    let wasLenient = isLenient
    isLenient = true
    for argument in call.arguments {
      if case .closure(let closure) = argument.value.kind {
        walkStray(closure.value)
      } else if checker.namedClosure(argument.value) == nil {
        _ = value(argument.value, expecting: .unknown)
      }
    }
    for closure in call.closures { walkStray(closure.closure) }
    isLenient = wasLenient
  }

  private mutating func walkStray(_ closure: Expression.Closure) {
    guard depth >= 0 else { return }
    if case .top = frame.context {
      postponed.append(
        PostponedClosure(
          closure: closure, block: reserveBlock(), context: .anywhere,
          parameters: closure.parameters.map { _ in .unknown }, result: .unknown, captured: nil))
      return
    }
    let mark = scope.count
    beginFrame(.anywhere, name: .none, result: .unknown)
    // What it takes may be nil there, whatever it is outside.
    for capture in closure.header?.captures ?? SyntaxList() {
      scope.declare(
        Symbol(
          name: capture.name.word, meaning: .constant(0), type: .unknown, place: capture.name.range,
          frame: Int32(depth), isUsed: true))
    }
    lowerBody(closure, parameters: closure.parameters.map { _ in .unknown })
    abandonFrame()
    scope.close(downTo: mark)
  }

  /// The value of a parameter that a call leaves out: it sees the top, and what a closure in it declares.
  ///
  /// It belongs to no actor; only what a field has without an `init` belongs where the type does. Source: SE-0411.
  mutating func standardArgument(
    _ standard: Expression, _ formal: Formal, of function: Int?, _ receiver: CallReceiver,
    into register: Register
  ) {
    let isOpen = standards.places.contains(standard.range.lowerBound)
    standards.places.append(standard.range.lowerBound)
    defer { standards.places.removeLast() }
    guard !isOpen, standards.places.count <= OpenStandards.most, !standards.isEndless else {
      if !standards.isEndless { error(Messages.endlessStandard, standard.range) }
      // All that is open is wrong, however many ways lead here.
      standards.isEndless = true
      return
    }
    let (wasTop, firstSeen) = (checker.seesOnlyTop, checker.firstSeen)
    (checker.seesOnlyTop, checker.firstSeen) = (true, Int32(scope.count))
    let outer = frame.asynchrony.forming
    frame.asynchrony.forming = .pool
    if case .new(let type, _) = receiver, let function, functions[function].isolation.isUnspecified,
      let home = checker.classes[Int(type.index)].home
    {
      frame.asynchrony.forming = home
    }
    argument(standard, formal, into: register)
    frame.asynchrony.forming = outer
    (checker.seesOnlyTop, checker.firstSeen) = (wasTop, firstSeen)
  }
}

/// The parameters that are being given the values they have when a call leaves them out.
struct OpenStandards {
  /// Where their values stand, one in the other.
  var places: [Int32] = []
  /// Whether one was found to be in its own value.
  var isEndless = false

  static let most = 16
}
