import SpindleModel

/// `.release()` of an object that is released anyway, or was already.
struct NeedlessReleases {
  private let table: DeclarationTable
  /// The names of a tool's `main` whose objects are there until the process ends, as its globals are.
  private let kept: Set<ObjectName>

  /// Warns of releases that change nothing.
  static func walk(_ program: TypedProgram) -> TypedWalk {
    let check = NeedlessReleases(table: program.table, kept: kept(in: program))
    return TypedWalk(visitBlock: { check.check($0) })
  }

  private static func kept(in program: TypedProgram) -> Set<ObjectName> {
    var found: Set<ObjectName> = []
    for section in program.sections {
      guard case .main(let body, isTool: true, _) = section else { continue }
      for local in body.statements.flatMap(declared) {
        switch local.type.unwrappedFully.nominal?.handle {
        case .semaphore, .dispatchSource, .queue: found.insert(ObjectName(local))
        default: break
        }
      }
    }
    return found
  }

  /// The names that a statement declares for those behind it.
  private static func declared(by statement: Typed.Statement) -> [Typed.Local] {
    switch statement.kind {
    case .binding(let pattern, _, _):
      if case .local(let local) = pattern.kind { [local] } else { [] }
    case .declaration(let local): [local]
    case .several(let inner): inner.flatMap(declared)
    default: []
    }
  }

  private func check(_ block: [Typed.Statement]) {
    var released: [ObjectName: SourceRange] = [:]
    for statement in block {
      guard let release = release(in: statement), release.isLet else { continue }
      if let first = released[release.name] {
        let line = table.source.lineNumber(at: first.lowerBound)
        table.warn(Messages.secondRelease(release.text, line: line), release.place)
      } else {
        released[release.name] = release.place
      }
    }
    guard let last = block.last.flatMap(release) else { return }
    let own = block.flatMap(Self.declared).first { ObjectName($0) == last.name }
    if let own, endsWithItsBlock(own) {
      table.warn(Messages.needlessRelease(last.text), last.place)
    }
  }

  /// Whether the value of a name is released at the end of its block.
  private func endsWithItsBlock(_ local: Typed.Local) -> Bool {
    guard let handle = local.type.unwrappedFully.nominal?.handle else { return false }
    return handle.dies && !kept.contains(ObjectName(local))
  }

  private struct Release {
    var name: ObjectName
    var text: String
    var isLet: Bool
    var place: SourceRange
  }

  /// The release that a statement is; nil for any other statement.
  private func release(in statement: Typed.Statement) -> Release? {
    guard case .expression(let value) = statement.kind,
      let (row, call) = NamedObjects.row(of: value),
      case .perform(.object(.release)) = row.action, let receiver = call.receiver,
      let name = ObjectName(receiver)
    else { return nil }
    let (text, isLet) = described(receiver)
    return Release(name: name, text: text, isLet: isLet, place: value.range)
  }

  private func described(_ value: Typed.Expression) -> (String, Bool) {
    switch value.kind {
    case .local(let local): (local.name, !local.isVariable)
    case .global(let variable, _): (variable.name, variable.isLet)
    case .conversion(let inner), .visit(let inner, _): described(inner)
    default: ("", false)
    }
  }
}
