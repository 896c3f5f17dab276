import SpindleModel

/// A name that settings and expectations may use: a parameter, or a value at the top.
struct OutlineName: Sendable {
  let name: String
  /// Its value, where that is known before the run.
  var constant: Int64?
  /// Where the program keeps it; nil for a parameter and for a function, which no run can be asked for.
  var global: GlobalID?
  var type: ValueType
  let place: SourceRange
  var isUsed = false
}

/// All such names, in the order in which they were declared; a name means one thing.
struct OutlineNames: Sendable {
  private(set) var all: [OutlineName] = []
  private var numbers: [String: Int] = [:]
  private var ofGlobal: [Int32: Int] = [:]

  subscript(number: Int) -> OutlineName { all[number] }

  /// The number of a name; nil where it means nothing.
  func find(_ name: String) -> Int? { numbers[name] }

  /// The number of the name that means a global; nil for none.
  func find(_ global: GlobalID) -> Int? { ofGlobal[global.index] }

  /// Notes that something uses a name.
  mutating func use(_ number: Int) { all[number].isUsed = true }

  /// Declares a name, which has to be new; its number.
  @discardableResult
  mutating func declare(_ name: OutlineName) -> Int {
    demand(numbers[name.name] == nil, "a name means one thing")
    numbers[name.name] = all.count
    if let global = name.global { ofGlobal[global.index] = all.count }
    all.append(name)
    return all.count - 1
  }

  /// Takes away the name that was declared last.
  mutating func removeLast() {
    guard let last = all.popLast() else { return }
    numbers[last.name] = nil
    if let global = last.global { ofGlobal[global.index] = nil }
  }
}
