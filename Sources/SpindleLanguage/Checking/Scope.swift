import SpindleModel

/// A name that the trace has given to something.
struct Symbol: Sendable {
  var name: Word
  var meaning: Meaning
  var type: ValueType
  var place: SourceRange
  /// The frame that it belongs to; -1 at the top of the trace.
  var frame: Int32
  /// The symbol that it hides; -1 when there is none.
  var hidden: Int32 = -1
  var isUsed = false
  /// Whether it is a `var` that was set to something else.
  var isWritten = false
  /// Whether it is worth a warning when nothing uses it.
  var isExpectedToBeUsed = false
  /// Whether it does not keep its object alive: reading it tells whether the object is still there.
  var isWeak = false
  /// Whether it is an `async let`, whose value is waited for where it is read.
  var isAsyncLet = false
  /// Whether it is a task-local: what it is worth depends on the task that reads it.
  var isTaskLocal = false
  /// Whether it does so and is not looked at before it is used.
  var isUnowned = false
  /// Whether closures that run later may share it: a local `var` with a value where it stands.
  var canBeShared = false
  /// The dictionary of whose entry it is the key; -1 where it stands for no entry.
  var entries: Int32 = -1
  /// Its number among the names of its block that are declared without a value; -1 where it has one from the start.
  var late: Int32 = -1
  /// What its register holds, when it does so until its scope ends.
  var owner: OwnedRegister?
  /// Whether what it has last is there until the process ends: the objects of a tool's main.
  var isKept = false

  /// Notes that it is set, which uses anything but a `var`; to change what it was uses one at the top, which
  /// others may change meanwhile.
  mutating func noteAssignment(isChange: Bool) {
    switch meaning {
    case .variable: isWritten = true
    case .shared: if isChange { isUsed = true } else { isWritten = true }
    case .constant, .register, .cell, .global, .function, .pending: isUsed = true
    }
  }

  enum Meaning: Sendable {
    /// A `param`, or a `let` whose value is known before the run.
    case constant(Int64)
    /// A local `let`, loop variable or parameter.
    case register(Register)
    /// A local `var`.
    case variable(Register)
    /// A local `var` that closures share: what holds its cell is declared before it.
    case cell
    /// A `let` at the top.
    case global(GlobalID)
    /// A `var` at the top.
    case shared(GlobalID)
    /// A function, by its ordinal.
    case function(Int)
    /// A value at the top whose turn has not come yet.
    case pending
  }
}

/// All names that can be seen, innermost first; finding one takes constant time.
struct Scope: Sendable {
  private(set) var symbols: [Symbol] = []
  /// The innermost symbol that each word means, by the word's number; -1 where it means nothing.
  private var innermost: [Int32] = []

  /// How many symbols there are: a mark to return to.
  var count: Int { symbols.count }

  subscript(index: Int32) -> Symbol {
    _read { yield symbols[Int(index)] }
    _modify { yield &symbols[Int(index)] }
  }

  /// The symbol that `name` means here, nil when it means nothing.
  func find(_ name: Word) -> Int32? {
    let word = name.index
    guard word < innermost.count, innermost[word] >= 0 else { return nil }
    return innermost[word]
  }

  /// The symbol at the top that `name` means, whatever hides it.
  func findAtTop(_ name: Word) -> Int32? {
    guard var index = find(name) else { return nil }
    while index >= 0 && symbols[Int(index)].frame >= 0 { index = symbols[Int(index)].hidden }
    return index >= 0 ? index : nil
  }

  /// Adds `symbol`, which hides an earlier one of its name.
  @discardableResult
  mutating func declare(_ symbol: Symbol) -> Int32 {
    let index = Int32(symbols.count)
    let word = symbol.name.index
    innermost.grow(toHold: word)
    symbols.append(symbol)
    symbols[Int(index)].hidden = innermost[word]
    innermost[word] = index
    return index
  }

  /// Takes away the symbols from `mark` on, the last one first.
  mutating func close(downTo mark: Int) {
    while symbols.count > mark {
      let symbol = symbols.removeLast()
      innermost[symbol.name.index] = symbol.hidden
    }
  }
}
