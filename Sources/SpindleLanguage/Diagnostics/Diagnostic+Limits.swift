extension Diagnostic {
  /// Whether the front end without types says in it what it does not have, which Swift may have.
  ///
  /// Its messages say so in one of these ways; the mark goes when that front end does.
  var isOwnLimit: Bool { isLimitOfForm || message.contains("a trace has no ") }

  /// Whether that is a form of the language, and no name or word.
  var isLimitOfForm: Bool { Diagnostic.forms.contains { message.contains($0) } }

  private static let forms = [
    "a trace has no operators ", "a trace has no type parameters", "a trace has no tuples",
    "a trace has no key paths", " of this trace", " is not part of the language",
    " no slices here", "a range is not a value",
  ]
}
