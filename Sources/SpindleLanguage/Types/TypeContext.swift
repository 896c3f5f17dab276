/// What names of types mean at a place.
struct TypeContext {
  /// The type parameters that are in scope.
  var parameters: [String: SwiftType] = [:]
  /// The type whose declaration or extension is around.
  var nominal: Nominal?
  /// What `Self` means.
  var selfType: SwiftType?
  /// Types that are declared in a body around the place.
  var locals: [String: Nominal] = [:]

  /// The context with type parameters added.
  func adding(_ generics: [GenericParameter]) -> TypeContext {
    var made = self
    for generic in generics { made.parameters[generic.name] = .parameter(generic) }
    return made
  }
}

/// A type alias, with its type parameters where it has some.
struct TypeAlias {
  var generics: [Grammar.TypeParameter]
  var type: Grammar.TypeSyntax
  var context: TypeContext
  var isLibrary = false
}
