import SpindleModel

/// `type(of: value)`: the name of the type that a value turns out to have.
extension Emitter {
  func emitTypeName(_ value: Typed.Expression, _ range: SourceRange) -> Register {
    let type = concrete(value.type)
    if case .existential(let protocols) = type {
      if protocols.contains(known.errorProtocol) { return nameOfError(emit(value), range) }
      guard !protocols.isEmpty else {
        unsupported("'type(of:)' of \(type)", range)
        return allocate()
      }
      let object = emit(value)
      return name(of: object, among: instances(conformingTo: protocols), range)
    }
    let register = emit(value)
    guard let nominal = type.nominal, nominal.isReference, !nominal.subclasses.isEmpty else {
      return constant(intern(Self.fullName(of: type)), range)
    }
    return name(of: register, among: instances(below: type), range)
  }

  private func name(
    of value: Register, among types: [SwiftType], _ range: SourceRange
  ) -> Register {
    let result = constant(intern(""), range)
    for type in types {
      let next = code.frame.label()
      let test = allocate()
      emit(.instanceIs(test, of: value, ClassID(classNumber(of: boxed(type)))), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      emit(.constant(intern(Self.fullName(of: type)), to: result), range)
      code.frame.mark(next)
    }
    code.frame.next = Int(result.index) + 1
    return result
  }

  /// The name of the type that was thrown last as a text.
  private func nameOfError(_ text: Register, _ range: SourceRange) -> Register {
    let (result, test) = (allocate(), allocate())
    emit(.loadGlobal(test, errorNames), range)
    emit(.entryGet(result, of: test, key: text), range)
    let isKnown = code.frame.label()
    jump(ifNil: false, result, to: isKnown, range)
    // The library throws no other error by itself.
    emit(.constant(intern("CancellationError"), to: result), range)
    code.frame.mark(isKnown)
    code.frame.next = Int(result.index) + 1
    return result
  }

  /// Keeps the name of the type of an error that is thrown as a text.
  func noteTypeName(ofError text: Register, _ type: SwiftType, _ range: SourceRange) {
    guard bodies.namesTypes else { return }
    let names = allocate()
    emit(.loadGlobal(names, errorNames), range)
    emit(
      .entrySet(names, key: text, value: constant(intern(Self.fullName(of: type)), range)), range)
  }

  private var errorNames: GlobalID { hiddenGlobal(.errorNames) }

  /// The name of a type with the modules of all types in it, as Swift writes what is a part of something.
  static func qualified(_ type: SwiftType) -> String {
    switch type {
    case .nominal(let nominal, let arguments):
      let plain =
        nominal.isLibrary && nominal.handle == nil ? "Swift.\(nominal.name)" : nominal.qualifiedName
      return arguments.isEmpty
        ? plain : "\(plain)<\(arguments.map(qualified).joined(separator: ", "))>"
    case .tuple(let elements):
      return "("
        + elements.map { ($0.label.map { "\($0): " } ?? "") + qualified($0.type) }
        .joined(separator: ", ") + ")"
    case .existential(let protocols) where !protocols.isEmpty:
      return protocols.map { $0.isLibrary ? "Swift.\($0.name)" : $0.qualifiedName }
        .joined(separator: " & ")
    default: return "\(type)"
    }
  }

  /// The name as `print` writes it, without the short forms of collections and optionals.
  static func fullName(of type: SwiftType) -> String {
    switch type {
    case .nominal(let nominal, let arguments) where !arguments.isEmpty:
      {
        // Those of a type around it are not written.
        let own = arguments.dropFirst(nominal.outer?.generics.count ?? 0)
        return own.isEmpty
          ? nominal.name : "\(nominal.name)<\(own.map(fullName).joined(separator: ", "))>"
      }()
    case .existential(let protocols) where !protocols.isEmpty:
      protocols.map(\.name).joined(separator: " & ")
    case .tuple(let elements) where !elements.isEmpty:
      "("
        + elements.map { ($0.label.map { "\($0): " } ?? "") + fullName(of: $0.type) }
        .joined(separator: ", ") + ")"
    default: "\(type)"
    }
  }
}
