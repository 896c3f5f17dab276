extension ValueProgram {
  /// A place that can be read, and whether it can be set.
  struct Path {
    let text: String
    let type: ProgramType
    let canSet: Bool
    /// The variable that it begins with.
    let root: String
  }

  /// The places in scope, through at most two members.
  func paths() -> [Path] {
    var found: [Path] = []
    for variable in visible({ _ in true }) {
      collect(
        Path(
          text: variable.name, type: variable.type, canSet: variable.isVariable,
          root: variable.name), depth: 2, &found)
    }
    return found
  }

  private func collect(_ path: Path, depth: Int, _ found: inout [Path]) {
    found.append(path)
    guard depth > 0 else { return }
    func member(_ name: String, _ type: ProgramType, _ canSet: Bool) {
      collect(
        Path(text: "\(path.text).\(name)", type: type, canSet: canSet, root: path.root),
        depth: depth - 1, &found)
    }
    switch path.type {
    case .pair(let first, let second):
      member("0", first, path.canSet)
      member("1", second, path.canSet)
    case .structure(let index):
      for field in structures[index].fields + structures[index].computed {
        member(field.name, field.type, path.canSet && field.isVariable)
      }
    case .object(let index):
      var next: Int? = index
      while let at = next {
        for field in objects[at].fields + objects[at].computed {
          member(field.name, field.type, field.isVariable)
        }
        next = objects[at].base
      }
    case .any(let index):
      for field in protocols[index].fields { member(field.name, field.type, false) }
    case .int, .bool, .text, .decimal, .optional, .array, .dictionary, .set, .function, .choice,
      .stack:
      break
    }
  }

  /// A place of a type, if there is one.
  mutating func path(_ type: ProgramType) -> String? {
    let fitting = paths().filter { $0.type == type }
    return fitting.isEmpty ? nil : random.pick(fitting).text
  }

  /// A place that can be set, if there is one.
  mutating func place(_ isWanted: (ProgramType) -> Bool) -> Path? {
    let fitting = paths().filter { $0.canSet && isWanted($0.type) }
    return fitting.isEmpty ? nil : random.pick(fitting)
  }

  /// A place whose type `isWanted`, if there is one.
  mutating func readable(_ isWanted: (ProgramType) -> Bool) -> Path? {
    let fitting = paths().filter { isWanted($0.type) }
    return fitting.isEmpty ? nil : random.pick(fitting)
  }

  /// Makes something without the names that begin with `root`, which is being changed meanwhile.
  mutating func without<Value>(_ root: String, _ make: (inout Self) -> Value) -> Value {
    let whole = scope
    scope.removeAll { $0.name == root }
    defer { scope = whole }
    return make(&self)
  }

  /// The methods of a type that return `result`, those of classes above and of protocols too.
  func methods(of type: ProgramType) -> [ProgramFunction] {
    switch type {
    case .structure(let index): return structures[index].methods
    case .choice(let index): return choices[index].methods
    case .any(let index): return protocols[index].methods
    case .object(let index):
      let own = objects[index].methods
      let above = objects[index].base.map { methods(of: .object($0)) } ?? []
      return own + above.filter { method in !own.contains { $0.name == method.name } }
    case .int, .bool, .text, .decimal, .optional, .array, .dictionary, .set, .pair, .function,
      .stack:
      return []
    }
  }
}
