import SpindleModel

/// Which local `var`s closures share.
///
/// A trace is lowered as if none were. Where a closure that may run later uses a `var` of the code around it, the whole is
/// lowered again, with a cell for that one; all others cost nothing.
struct Cells {
  /// The `var`s that have a cell, by the place of their names.
  let places: Set<Int32>
  /// Those that turned out to need one.
  private(set) var wanted: Set<Int32> = []

  /// Creates what is known before a trace is lowered.
  init(places: Set<Int32>) { self.places = places }

  /// Notes that a closure which may run later uses a `var`.
  mutating func want(_ symbol: Symbol) {
    if symbol.canBeShared { want(symbol.place) }
  }

  /// Notes a local function that takes values from outside and calls itself.
  mutating func want(_ name: SourceRange) { wanted.insert(name.lowerBound) }
}

/// A local `var` that closures share: its value is the field of an instance of its own, its cell, which whoever captures
/// the `var` holds.
///
/// Source: *The Swift Programming Language*, "Capturing Values": a reference is captured, and Swift handles all memory
/// management that goes with it.
extension Lowering {
  func hasCell(_ name: Name, isVariable: Bool) -> Bool {
    isVariable && cells.places.contains(name.range.lowerBound)
  }

  /// Puts the first value of a `var` into a new cell.
  mutating func declareCell(
    _ name: Name, _ made: Operand, isWeak: Bool = false, _ place: SourceRange
  ) {
    let from = self.register(of: kept(made, isVariable: true), place)
    let temporaries = frame.temporaries.count
    let cell = makeCell(name, made.type, isWeak ? .weak : .strong, place)
    emit(.fieldStore(cell, 0, from: from), place)
    releaseUsed(for: .void, from: temporaries, place)
    // So is the cell of such an object.
    if isToTheEnd(lifeKind(made.type)) { emit(.keep(cell, .instance), place) }
    declareLocal(name, .cell, made.type, isExpectedToBeUsed: true)
  }

  /// Makes the cell of a `var` that gets its value later.
  mutating func declareEmptyCell(_ name: Name, _ type: ValueType, _ place: SourceRange) {
    let cell = makeCell(name, type, .strong, place)
    if isToTheEnd(lifeKind(type)) { emit(.keep(cell, .instance), place) }
    declareLocal(name, .cell, type, isExpectedToBeUsed: true)
  }

  /// Makes a cell that is held until the scope ends; gives the register that holds it.
  private mutating func makeCell(
    _ name: Name, _ type: ValueType, _ hold: TypeDeclaration.Field.Hold, _ place: SourceRange
  ) -> Register {
    let index = checker.classes.addCell(name, type, hold)
    let fresh = frame.allocate()
    emit(.instanceMake(fresh, ClassID(index), intern(name.word)), place)
    let cell = held(.register(fresh, checker.classes[index].type), place)
    let owner = keeper(of: cell, place)
    demand(owner != nil, "a cell is counted where there is one")
    let register = owner?.register ?? fresh
    scope.declare(
      Symbol(
        name: holder(of: name.word), meaning: .register(register), type: cell.type,
        place: name.range, frame: Int32(depth), owner: owner))
    return register
  }

  /// The cell in which a local function that takes values from outside finds itself; nil where it does not call itself.
  ///
  /// It is not held there: it would hold itself.
  mutating func functionCell(_ name: Name, _ type: ValueType) -> Register? {
    guard cells.places.contains(name.range.lowerBound) else { return nil }
    return makeCell(name, type, .unowned, name.range)
  }

  /// The `var` as the field of its cell.
  mutating func cellMember(_ index: Int32, _ range: SourceRange) -> Expression {
    arena.expression(kind: .member(cellAccess(index, range)), range: range)
  }

  mutating func cellAccess(_ index: Int32, _ range: SourceRange) -> Node<Expression.MemberAccess> {
    scope[index].isUsed = true
    let name = scope[index].name
    let cell = arena.expression(kind: .name(holder(of: name)), range: range)
    return arena.node(Expression.MemberAccess(base: cell, name: name, nameRange: range))
  }

  /// The name of what holds the cell of a `var`; no trace can have it.
  private func holder(of name: Word) -> Word { arena.words.word(name.text + " cell") }
}
