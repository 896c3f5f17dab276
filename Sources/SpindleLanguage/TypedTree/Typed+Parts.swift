extension Typed.Expression {
  /// The expressions that are written directly in it, in the order of their evaluation.
  ///
  /// The code of closures is not among them, nor is what a call leaves to the defaults of the function.
  func forEachPart(_ body: (Typed.Expression) -> Void) {
    switch kind {
    case .constant, .integer, .decimal, .text, .nil, .local, .global, .localFunction, .metatype,
      .symbol, .options, .error, .choice:
      break
    case .interpolation(let segments): for case .value(let inner) in segments { body(inner) }
    case .field(let inner, _), .element(let inner, _), .wrapped(let inner), .forced(let inner),
      .chain(let inner), .bound(let inner), .nilTest(let inner, _), .conversion(let inner),
      .cast(let inner, _, _), .attempt(_, let inner), .await(let inner), .reference(let inner),
      .visit(let inner, _):
      body(inner)
    case .call(let call): call.forEachPart(body)
    case .closure(let closure): for capture in closure.captures { body(capture.value) }
    case .function(_, _, let receiver), .property(_, let receiver):
      if let receiver { body(receiver) }
    case .ternary(let one, let two, let three):
      body(one)
      body(two)
      body(three)
    case .coalesce(let one, let other, _), .logical(let one, let other, _),
      .identity(let one, let other, _), .assign(let one, let other),
      .optionalConversion(let one, _, let other), .elementConversion(let one, _, let other):
      body(one)
      body(other)
    case .bind(let bindings, let inner):
      for binding in bindings { body(binding.value) }
      body(inner)
    case .tuple(let parts), .instance(let parts), .array(let parts):
      for part in parts { body(part) }
    case .dictionary(let entries):
      for entry in entries {
        body(entry.key)
        body(entry.value)
      }
    }
  }
}

extension Typed.Call {
  /// The receiver, the closure that is called and the arguments, as far as they are written.
  fileprivate func forEachPart(_ body: (Typed.Expression) -> Void) {
    if let receiver { body(receiver) }
    if case .closure(let callee) = callee { body(callee) }
    for argument in arguments {
      switch argument {
      case .value(let value): body(value)
      case .variadic(let values): for value in values { body(value) }
      case .standard, .absent: break
      }
    }
  }
}
