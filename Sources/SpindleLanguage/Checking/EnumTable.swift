import SpindleModel

/// An `enum` of the trace.
struct EnumInfo {
  let name: Name
  let type: ValueType
  let cases: [Name]
  /// Whether it is an `Error`, whose cases are texts where errors are: their names.
  var isError = false
  /// What stands for each case as a number or a text; nil for an `enum` that has no such values.
  let raws: RawValues?

  /// What the cases of an `enum` stand for.
  enum RawValues {
    case integers([Int64])
    case texts([String])
  }
}

/// The `enum`s of the trace.
struct EnumTable {
  private var all: [EnumInfo] = []
  private var ofName: [String: Int] = [:]

  /// Their names, in the order of the text.
  var names: [String] { all.map(\.name.text) }

  /// Those that have a case of that name.
  func names(having name: String) -> [String] {
    all.filter { $0.cases.contains { $0.text == name } }.map(\.name.text)
  }

  subscript(index: Int) -> EnumInfo { all[index] }

  /// Adds one.
  mutating func add(_ info: EnumInfo) {
    ofName[info.name.text] = all.count
    all.append(info)
  }

  /// The one with a name; nil for none.
  func index(of name: String) -> Int? { all.isEmpty ? nil : ofName[name] }

  /// The one whose values have a type.
  func index(of name: ClassName) -> Int {
    guard let index = ofName[name.text] else { preconditionFailure("a type of no enum") }
    return index
  }
}
