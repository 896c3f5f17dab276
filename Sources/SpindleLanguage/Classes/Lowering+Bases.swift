import SpindleModel

/// What stands behind the `:` of a type.
extension Lowering {
  mutating func declareBase(
    _ base: Name, of index: Int, _ declaration: TypeDeclaration
  ) {
    if base.word == "Operation" {
      makeOperation(index, declaration)
    } else if base.word == "Thread" {
      makeThread(index, declaration)
    } else if let other = checker.classes.index(of: base.word) {
      error(Messages.noInheritance(checker.classes[other].name.text), base.range)
    } else if !declaration.cases.isEmpty, ["Int", "String"].contains(base.text) {
      error(Messages.rawPayloads(base.text), base.range)
    } else if base.text == "Comparable" {
      refuseOrder(declaration, base.range)
    } else if !Lowering.silentBases.contains(base.text), !checker.classes[index].isBroken {
      let kind =
        declaration.isStruct
        ? "struct" : declaration.cases.isEmpty ? declaration.keyword.rawValue : "enum"
      error(Messages.foreignBase(base.text, of: kind), base.range)
      checker.classes[index].isBroken = true
    }
  }

  /// Reports an order of one's own, and what to compare instead.
  mutating func refuseOrder(_ declaration: TypeDeclaration, _ range: SourceRange) {
    let name = declaration.name.text
    let form: String
    if !declaration.cases.isEmpty {
      let hasNumbers = declaration.bases.contains { $0.text == "Int" }
      form =
        hasNumbers
        ? "a.rawValue < b.rawValue" : "'enum \(name): Int', and a.rawValue < b.rawValue"
    } else {
      let field =
        declaration.fields.first {
          !$0.isStatic && $0.getter == nil && $0.name.text != "id"
        }?.name.text ?? "score"
      form = "sorted { $0.\(field) < $1.\(field) }, with the member that it goes by"
    }
    error(Messages.comparable(name, form), range)
    checker.unordered.insert(name)
  }

  /// What a class may stand for in an app and that changes nothing here.
  static let silentBases: Set<String> = [
    "CaseIterable", "Sendable", "AnyObject", "NSObject", "ObservableObject", "Identifiable",
    "Hashable", "Equatable", "CustomStringConvertible", "Actor", "Error", "LocalizedError",
    "Codable", "Encodable", "Decodable", "Observable",
  ]
}
