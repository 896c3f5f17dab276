import SpindleModel

/// Weak references to objects whose references nobody counts, so that they are never nil.
final class UncountedReferences {
  /// The first read of a reference to an object of each class.
  private var first: [HandleClass: SourceRange] = [:]
  /// Whether the program itself releases something at a moment of its own.
  private var isReleasing = false
  /// The places of assignments, which read nothing.
  private var places: Set<ObjectIdentifier> = []

  var walk: TypedWalk {
    TypedWalk(
      visit: { self.note($0) },
      visitCall: { call, _ in self.note(call) },
      assigned: { place, _ in self.places.insert(ObjectIdentifier(place)) })
  }

  /// Warns of the first use of each such class.
  func warn(_ table: DeclarationTable) {
    if isReleasing { return }
    let found = HandleClass.allCases.compactMap { handle in first[handle].map { (handle, $0) } }
    for (handle, place) in found.sorted(by: { $0.1.lowerBound < $1.1.lowerBound }) {
      table.warn(Messages.uncountedWeak(handle.name), place)
    }
  }

  private func note(_ value: Typed.Expression) {
    switch value.kind {
    case .local(let local) where local.strength != .strong: noteRead(value)
    case .global(let variable, _) where variable.strength != .strong: noteRead(value)
    case .field(_, let variable) where variable.strength != .strong: noteRead(value)
    default: break
    }
  }

  private func note(_ call: Typed.Call) {
    if case .function(let symbol) = call.callee, case .row(let row) = symbol.implementation,
      case .perform(.object(.release)) = row.action
    {
      isReleasing = true
    }
  }

  private func noteRead(_ value: Typed.Expression) {
    guard let handle = value.type.unwrappedFully.nominal?.handle, !handle.dies,
      !places.contains(ObjectIdentifier(value))
    else { return }
    if first[handle].map({ value.range.lowerBound < $0.lowerBound }) ?? true {
      first[handle] = value.range
    }
  }
}
