extension Nominal {
  /// A constrained protocol with the parameters in its arguments replaced.
  fileprivate func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> Nominal {
    guard let constraint else { return self }
    return constraint.base.constrained(by: constraint.arguments.map { $0.mapped(replacement) })
  }
}

extension SwiftType {
  /// The type parameter that it is an associated type of, and the names from that to it: none for the parameter itself;
  /// nil for any other type.
  var pathFromParameter: (parameter: GenericParameter, path: [String])? {
    switch self {
    case .parameter(let parameter): return (parameter, [])
    case .member(let base, let name):
      return base.pathFromParameter.map { ($0.parameter, $0.path + [name]) }
    case .nominal, .tuple, .function, .existential, .metatype, .variable, .error: return nil
    }
  }

  /// The protocols to which a type parameter, or an associated type of one, conforms by its declaration: what it says
  /// itself, and what the protocols of the types in front of it say.
  var declaredBounds: [Nominal] {
    var found: [Nominal] = []
    switch self {
    case .parameter(let parameter): found = parameter.bounds
    case .member:
      if let (parameter, path) = pathFromParameter {
        found += parameter.members[path]?.bounds ?? []
      }
      var (owner, path) = (self, [String]())
      while case .member(let base, let name) = owner {
        (owner, path) = (base, [name] + path)
        for bound in owner.declaredBounds { found += bound.bounds(of: path) }
      }
    case .nominal, .tuple, .function, .existential, .metatype, .variable, .error: break
    }
    return found
  }
}

extension SwiftType {
  /// Gives type parameters of a function the bounds that a type in its head asks of them: the `B` of `Scale<B>` conforms
  /// to what `Scale` asks of its argument.
  ///
  /// Source: swift:docs/Generics.rst, "Inferred requirements".
  func inferBounds(of generics: [GenericParameter]) {
    switch self {
    case .nominal(let nominal, let arguments):
      for (own, argument) in zip(nominal.generics, arguments) {
        argument.inferBounds(of: generics)
        guard case .parameter(let parameter) = argument, generics.contains(parameter) else {
          continue
        }
        parameter.superclass = parameter.superclass ?? own.superclass
        for bound in own.bounds where !parameter.bounds.contains(where: { $0.refines(bound) }) {
          parameter.bounds.append(bound.substituting(nominal.substitution(arguments)))
        }
        for (path, member) in own.members {
          var known = parameter.members[path] ?? .init()
          known.same = known.same ?? member.same?.substituting(nominal.substitution(arguments))
          known.bounds += member.bounds
          parameter.members[path] = known
        }
      }
    case .tuple(let elements): for one in elements { one.type.inferBounds(of: generics) }
    case .function(let function):
      for type in function.parameters.map(\.type) + [function.result] {
        type.inferBounds(of: generics)
      }
    case .metatype(let type): type.inferBounds(of: generics)
    case .existential, .parameter, .member, .variable, .error: break
    }
  }
}

extension Nominal {
  /// What a protocol, and what it refines, asks of an associated type, or of one of that.
  func bounds(of path: [String]) -> [Nominal] {
    ([self] + allProtocols).flatMap { $0.selfParameter.members[path]?.bounds ?? [] }
  }

  /// A constrained protocol with the parameters in its arguments replaced.
  func substituting(_ substitution: Substitution) -> Nominal {
    constraint == nil || substitution.isEmpty ? self : mapped { substitution[$0] }
  }
}

extension [Nominal] {
  /// Protocols with the parameters in their arguments replaced.
  func mapped(_ replacement: (GenericParameter) -> SwiftType?) -> [Nominal] {
    map { $0.mapped(replacement) }
  }
}
