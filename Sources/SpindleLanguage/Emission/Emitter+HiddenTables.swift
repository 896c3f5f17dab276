import SpindleModel

/// A table that a program does not name: a dictionary in a global, which its code fills when it runs.
enum HiddenTable: Hashable {
  /// The values of a type that have been thrown, by their texts.
  case errors(SwiftType)
  /// Of each text what type was thrown last as it, once for its values and once as a metatype.
  case errorOwners, errorTypes
  /// What types are called, by the numbers of their metatypes.
  case typeNames
  /// Of each object of the library that an instance has, that instance, which the table does not retain.
  case instances

  /// The type of the errors that it holds; nil for another one.
  var errors: SwiftType? { if case .errors(let type) = self { type } else { nil } }

  fileprivate var name: String {
    switch self {
    case .errors(let type): "\(type)"
    case .errorOwners: "error"
    case .errorTypes: "error types"
    case .typeNames: "type names"
    case .instances: "instances"
    }
  }
}

extension Emitter {
  func hiddenGlobal(_ table: HiddenTable) -> GlobalID {
    if let known = hiddenTables.first(where: { $0.table == table }) { return known.global }
    let global = GlobalID(program.globals.count)
    program.globals.append(
      Global(name: table.name, format: .array, isVariable: false, place: SourceRange(0, 0)))
    hiddenTables.append((table, global))
    return global
  }

  /// Makes the hidden tables, empty: before any value, and emitted behind all code that uses them.
  func emitHiddenTables() -> BlockID? {
    guard !hiddenTables.isEmpty else { return nil }
    let block = code.reserveBlock()
    code.beginFrame(name: code.intern("top"))
    for (_, global) in hiddenTables {
      let table = allocate()
      emit(.arrayMake(table, base: table, count: 0), SourceRange(0, 0))
      emit(.storeGlobal(global, from: table), SourceRange(0, 0))
    }
    endFrame(block, SourceRange(0, 0))
    return block
  }
}
