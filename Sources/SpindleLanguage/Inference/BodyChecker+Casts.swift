import SpindleModel

/// Casts: `value as T`, `value as? T`, `value as! T`, `value is T`.
extension BodyChecker {
  func inferCast(
    _ inner: Grammar.Expression, _ cast: Grammar.Cast, _ syntax: Grammar.TypeSyntax,
    _ range: SourceRange
  ) -> Typed.Expression {
    let type = resolveCast(to: syntax)
    switch cast {
    case .coerce: return check(inner, type)
    case .test: return node(.cast(castValue(inner), .test, type), known.boolean, range)
    case .optional:
      let value = castValue(inner)
      // What is kept under a key has the type that is asked for.
      if let wrapped = solver.shallow(value.type).wrapped, solver.isOpen(wrapped),
        solver.unify(wrapped, type)
      {
        return value
      }
      return node(.cast(value, .optional, type), known.optional(type), range)
    case .forced: return node(.cast(castValue(inner), .forced, type), type, range)
    }
  }

  /// The type of a cast or of a pattern with a type, which may be a class below one of the library.
  func resolveCast(to syntax: Grammar.TypeSyntax) -> SwiftType {
    let type = resolve(syntax)
    bodies.noteCast(to: type)
    return type
  }

  /// A value whose type is asked for: of an `AnyHashable` that of what it holds.
  private func castValue(_ inner: Grammar.Expression) -> Typed.Expression {
    let value = infer(inner, nil)
    guard let nominal = solver.shallow(value.type).nominal, nominal.isLibrary,
      nominal.name == "AnyHashable", let base = nominal.stored.first
    else { return value }
    return node(.field(value, base), .any, inner.range)
  }
}
