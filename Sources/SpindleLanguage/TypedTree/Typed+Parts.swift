extension Typed.Expression {
  /// The expressions that are written directly in it, in the order of their evaluation.
  ///
  /// The code of closures is not among them, nor is what a call leaves to the defaults of the function.
  var parts: [Typed.Expression] {
    switch kind {
    case .constant, .integer, .decimal, .text, .nil, .local, .global, .localFunction, .metatype,
      .symbol, .options, .error, .choice:
      []
    case .interpolation(let segments):
      segments.compactMap { if case .value(let inner) = $0 { inner } else { nil } }
    case .field(let inner, _), .element(let inner, _), .wrapped(let inner), .forced(let inner),
      .chain(let inner), .bound(let inner), .nilTest(let inner, _), .conversion(let inner),
      .cast(let inner, _, _), .attempt(_, let inner), .await(let inner), .reference(let inner),
      .visit(let inner, _):
      [inner]
    case .call(let call): call.parts
    case .closure(let closure): closure.captures.map(\.value)
    case .function(_, _, let receiver), .property(_, let receiver): receiver.map { [$0] } ?? []
    case .ternary(let one, let two, let three): [one, two, three]
    case .coalesce(let one, let other, _), .logical(let one, let other, _),
      .identity(let one, let other, _), .assign(let one, let other),
      .optionalConversion(let one, _, let other), .arrayConversion(let one, _, let other):
      [one, other]
    case .bind(let bindings, let inner): bindings.map(\.value) + [inner]
    case .tuple(let parts), .instance(let parts), .array(let parts): parts
    case .dictionary(let entries): entries.flatMap { [$0.key, $0.value] }
    }
  }
}

extension Typed.Call {
  /// The receiver, the closure that is called and the arguments, as far as they are written.
  fileprivate var parts: [Typed.Expression] {
    var found: [Typed.Expression] = []
    if let receiver { found.append(receiver) }
    if case .closure(let callee) = callee { found.append(callee) }
    for argument in arguments {
      switch argument {
      case .value(let value): found.append(value)
      case .variadic(let values): found += values
      case .standard, .absent: break
      }
    }
    return found
  }
}
