/// What a call gives for one formal.
enum Actual {
  case absent
  /// The argument with this ordinal.
  case argument(Int)
  /// The trailing closure with this ordinal.
  case closure(Int)
}

/// What a call gives for each formal; without storage of its own for up to eight of them.
struct Actuals {
  private var first = SIMD8<Int32>(repeating: -1)
  private var rest: [Int32] = []

  /// Creates the actuals of `count` formals, all absent.
  init(count: Int) {
    if count > 8 { rest = Array(repeating: -1, count: count - 8) }
  }

  subscript(index: Int) -> Actual {
    get {
      let code = Int(index < 8 ? first[index] : rest[index - 8])
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
      if index < 8 { first[index] = Int32(code) } else { rest[index - 8] = Int32(code) }
    }
  }

  /// Whether nothing is given for the formal at `index`.
  func isAbsent(_ index: Int) -> Bool { (index < 8 ? first[index] : rest[index - 8]) == -1 }
}
