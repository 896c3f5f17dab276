/// What a call gives for one formal.
enum Actual {
  case absent
  /// The argument with this ordinal.
  case argument(Int)
  /// The trailing closure with this ordinal.
  case closure(Int)
}

/// What a call gives for each formal; those behind the first eight are in the tree's memory.
struct Actuals: BitwiseCopyable {
  /// Of the first eight formals.
  private(set) var first: SIMD8<Int32>
  private var rest: UnsafeMutablePointer<Int32>?

  /// Creates the actuals of `count` formals, all absent.
  init(count: Int, in arena: SyntaxArena) {
    first = SIMD8(repeating: -1)
    guard count > 8 else { return }
    rest = arena.room(for: count - 8, of: Int32.self)
    rest?.initialize(repeating: -1, count: count - 8)
  }

  /// The actuals of at most eight formals.
  init(_ first: SIMD8<Int32>) {
    self.first = first
  }

  subscript(index: Int) -> Actual {
    get {
      let code = Int(code(index))
      if code == -1 { return .absent }
      return code >= 0 ? .argument(code) : .closure(-2 - code)
    }
    set {
      let code =
        switch newValue {
        case .absent: -1
        case .argument(let ordinal): ordinal
        case .closure(let ordinal): -2 - ordinal
        }
      if index < 8 { first[index] = Int32(code) } else { rest?[index - 8] = Int32(code) }
    }
  }

  /// Whether nothing is given for the formal at `index`.
  func isAbsent(_ index: Int) -> Bool { code(index) == -1 }

  private func code(_ index: Int) -> Int32 {
    index < 8 ? first[index] : rest?[index - 8] ?? -1
  }
}
