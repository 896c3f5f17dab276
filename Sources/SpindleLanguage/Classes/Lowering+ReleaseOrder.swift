/// In which order an instance lets go of what its fields have.
extension Lowering {
  /// The numbers of a class's fields in that order: as in the text, those of the class above first, and of what each
  /// class declares the next instance of a chain last.
  ///
  /// That is the property whose type is the class itself as an optional one, when it is the only such. Swift ends such
  /// a chain link by link.
  ///
  /// Source: swift:lib/SILGen/SILGenDestructor.cpp, findRecursiveLinks, emitRecursiveChainDestruction; run with 6.3.1.
  ///
  /// Gives also which fields have the next instance of a chain.
  mutating func releaseOrder(of index: Int) -> (order: [Int], links: [Int]) {
    let fields = checker.classes[index].fields
    if checker.classes[index].isStruct { return (Array(fields.indices), []) }
    var (order, chains): ([Int], [Int]) = ([], [])
    var own = 0..<0
    while own.upperBound < fields.count {
      let height = fields[own.upperBound].height
      own =
        own
        .upperBound..<(fields[own.upperBound...].firstIndex { $0.height != height } ?? fields.count)
      let links = own.filter { isLink($0, of: index) }
      order += links.count == 1 ? own.filter { $0 != links[0] } + links : Array(own)
      if links.count == 1 { chains += links }
    }
    return (order, chains)
  }

  /// Whether a field has the next instance of a chain of the class that declares it.
  private mutating func isLink(_ number: Int, of index: Int) -> Bool {
    let field = checker.classes[index].fields[number]
    guard field.hold == .strong else { return false }
    var name: String? = checker.classes[index].name.text
    for _ in 0..<field.height { name = name.flatMap { checker.parents[$0] } }
    guard let declaring = name.flatMap({ checker.declaredType($0) }) else { return false }
    return fieldType(index, number) == .optional(declaring)
  }
}
