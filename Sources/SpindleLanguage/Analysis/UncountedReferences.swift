import SpindleModel

/// Weak references to objects whose references nobody counts, so that they are never nil.
struct UncountedReferences {
  /// The first read of a reference to an object of each class.
  private var first: [HandleClass: SourceRange] = [:]
  /// Whether the program itself releases something at a moment of its own.
  private var isReleasing = false
  /// The places of assignments, which read nothing.
  private var places: Set<ObjectIdentifier> = []

  /// Warns of the first use of each such class.
  static func check(_ program: TypedProgram) {
    var found = UncountedReferences()
    program.walk(
      TypedWalk(
        visit: { found.note($0) },
        assigned: { place, _ in found.places.insert(ObjectIdentifier(place)) }))
    if found.isReleasing { return }
    for (handle, place) in found.first.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      program.table.warn(Messages.uncountedWeak(handle.name), place)
    }
  }

  private mutating func note(_ value: Typed.Expression) {
    switch value.kind {
    case .local(let local) where local.strength != .strong: noteRead(value)
    case .global(let variable, _) where variable.strength != .strong: noteRead(value)
    case .field(_, let variable) where variable.strength != .strong: noteRead(value)
    case .call:
      if let (row, _) = NamedObjects.row(of: value), case .perform(.object(.release)) = row.action {
        isReleasing = true
      }
    default: break
    }
  }

  private mutating func noteRead(_ value: Typed.Expression) {
    guard let handle = value.type.unwrappedFully.nominal?.handle, !handle.dies,
      !places.contains(ObjectIdentifier(value))
    else { return }
    if first[handle].map({ value.range.lowerBound < $0.lowerBound }) ?? true {
      first[handle] = value.range
    }
  }
}
