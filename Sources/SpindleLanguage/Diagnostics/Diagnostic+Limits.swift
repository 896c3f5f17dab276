extension Diagnostic {
  /// Whether the front end without types says in it what it does not have, which Swift may have.
  ///
  /// Its messages say so in one of these ways; the mark goes when that front end does.
  var isOwnLimit: Bool { Diagnostic.limits.contains { message.contains($0) } }

  private static let limits = [
    "a trace has no ", " of this trace", " is not part of the language", " no slices here",
    "a range is not a value",
  ]
}
