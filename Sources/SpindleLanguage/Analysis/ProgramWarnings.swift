import SpindleModel

/// What a program does that is legal and surely not meant.
///
/// It is looked for in programs without mistakes only, and changes none.
enum ProgramWarnings {
  /// Warns of what the code of a program shows; `named` has the names at the top that something else uses, such as an
  /// expectation, and `until` when the run ends.
  static func check(_ program: TypedProgram, named: Set<String>, until: Instant?) {
    UnreachableCode.check(program)
    NeedlessDefaults.check(program)
    PassedMoments.check(program)
    LateArrivals.check(program, until: until)
    let (objects, uses, references) = (NamedObjects(program), NameUses(), UncountedReferences())
    program.walk(
      TypedWalk(joining: [
        UnusedResults.walk(program), NeedlessReleases.walk(program), IdleAwaits.walk(program),
        references.walk, objects.walk, uses.walk,
      ]))
    references.warn(program.table)
    LockUses.check(program, objects)
    var unstarted = UnstartedObjects(objects)
    unstarted.check(program)
    let unused = UnusedNames(
      program.table, uses, named: named, objects, watched: unstarted.watched)
    program.walk(TypedWalk(joining: [CallWarnings.walk(program, objects), unused.walk]))
    unused.checkTop(program)
  }
}

extension DeclarationTable {
  /// Reports what is legal and surely not meant; once, where a place is looked at several times.
  ///
  /// Of what is behind the text of the trace nothing is said: that is not the trace's to change.
  func warn(_ message: String, _ range: SourceRange) {
    guard Int(range.lowerBound) < source.ownCount else { return }
    let made = Diagnostic(severity: .warning, message: message, range: range, source: source)
    if !diagnostics.contains(made) { diagnostics.append(made) }
  }
}
