import SpindleModel

/// What a thread's code makes and changes while it is run ahead: the run's own objects stay as they are.
///
/// A register has an object that was made on the way as a negative number; those of the run are not negative.
/// What is not known is nil. An array is a value: nothing but the code that is run ahead changes one that
/// a register of it has, and an array that is not known is another one. Instances of structs and enums are values, too,
/// so their properties are known; of other instances the `let` properties are.
struct ForeseenObjects {
  struct Closure {
    let block: Int32
    let captured: [Int64?]
  }

  private struct Instance {
    let type: Int32
    var fields: [Int64?]
  }

  /// The values of an array, or of a dictionary, and its keys then; nothing of it is known without elements.
  private struct Collection {
    var elements: [Int64?]?
    var keys: [Int64] = []

    /// Where the element of an index is; nil where that is not known or out of range.
    func place(_ index: Int64?) -> Int? {
      guard let index, let elements else { return nil }
      let place = Int(truncatingIfNeeded: index)
      return elements.indices.contains(place) ? place : nil
    }
  }

  private struct FieldKey: Hashable {
    let instance: Int64
    let field: Int32
  }

  private var closures: [Closure] = []
  private var instances: [Instance] = []
  private var collections: [Collection] = []
  /// Arrays and fields of the run that have changed by now.
  private var changed: [Int64: Collection] = [:]
  private var written: [FieldKey: Int64?] = [:]

  /// Where a register's object is in its table; nil for an object of the run.
  private static func place(_ value: Int64) -> Int? {
    value < 0 && value != noValue ? Int(-(value + 1)) : nil
  }

  // MARK: Closures

  mutating func makeClosure(_ block: Int32, _ captured: [Int64?]) -> Int64 {
    demand(block >= 0, "a closure of block \(block) is made ahead")
    closures.append(Closure(block: block, captured: captured))
    return -Int64(closures.count)
  }

  /// A closure that was made on the way; nil for one of the run.
  func closure(_ value: Int64) -> Closure? {
    assert(value != noValue, "nothing is called as a closure")
    return ForeseenObjects.place(value).map { closures[$0] }
  }

  // MARK: Instances

  mutating func makeInstance(_ type: Int32, _ interpreter: borrowing Interpreter) -> Int64 {
    checkIndex(Int(type), of: interpreter.process.program.classes.count)
    let count = interpreter.process.program.classes[Int(type)].fields.count
    instances.append(Instance(type: type, fields: Array(repeating: noValue, count: count)))
    return -Int64(instances.count)
  }

  /// The class of an instance; nil where that is not known or there is none.
  func type(of value: Int64?, _ interpreter: borrowing Interpreter) -> Int32? {
    guard let value else { return nil }
    if value == noValue { return -1 }
    if let place = ForeseenObjects.place(value) { return instances[place].type }
    guard interpreter.process.instances.isThere(value) else { return nil }
    return interpreter.process.instances.instance(value).type
  }

  /// The value of a field; nil where others may change it, and where there is no instance.
  func field(
    _ number: Int32, of value: Int64?, isShared: Bool, _ interpreter: borrowing Interpreter
  ) -> Int64? {
    guard let value, let type = type(of: value, interpreter), type >= 0 else { return nil }
    let known = interpreter.process.program.classes[Int(type)]
    if isShared && !known.isValue { return nil }
    demand(Int(number) < known.fields.count, "field \(number) of '\(known.name)' is read ahead")
    if let place = ForeseenObjects.place(value) { return instances[place].fields[Int(number)] }
    if let own = written[FieldKey(instance: value, field: number)] { return own }
    return interpreter.process.instances.field(number, of: value, known.fields.count).pointee.value
  }

  mutating func setField(_ number: Int32, of value: Int64?, to new: Int64?) {
    guard let value, value != noValue else { return }
    if let place = ForeseenObjects.place(value) {
      demand(
        Int(number) < instances[place].fields.count, "field \(number) of an instance is set ahead")
      instances[place].fields[Int(number)] = new
    } else {
      written[FieldKey(instance: value, field: number)] = .some(new)
    }
  }

  // MARK: Arrays

  mutating func makeArray(_ elements: [Int64?]) -> Int64 {
    collections.append(Collection(elements: elements))
    return -Int64(collections.count)
  }

  /// An array that is made or changed by now; nil for one of the run as it is.
  private func own(_ array: Int64) -> Collection? {
    ForeseenObjects.place(array).map { collections[$0] } ?? changed[array]
  }

  /// Another array with the same in it.
  mutating func copy(ofArray array: Int64?, _ interpreter: borrowing Interpreter) -> Int64? {
    guard let array else { return nil }
    if array == noValue { return noValue }
    collections.append(collection(array, interpreter))
    return -Int64(collections.count)
  }

  private func collection(_ array: Int64, _ interpreter: borrowing Interpreter) -> Collection {
    if let own = own(array) { return own }
    checkIndex(Int(array), of: interpreter.process.arrays.count)
    return Collection(
      elements: interpreter.process.arrays[Int(array)].map { $0 },
      keys: interpreter.process.entryKeys[array]?.inOrder ?? [])
  }

  /// Changes an array that is known to be one.
  private mutating func change(
    _ array: Int64?, _ interpreter: borrowing Interpreter, _ body: (inout Collection) -> Void
  ) {
    guard let array, array != noValue else { return }
    if let place = ForeseenObjects.place(array) {
      body(&collections[place])
    } else {
      if changed[array] == nil { changed[array] = collection(array, interpreter) }
      body(&changed[array, default: Collection()])
    }
  }

  func count(of array: Int64?, _ interpreter: borrowing Interpreter) -> Int64? {
    guard let array, array != noValue else { return nil }
    demand(array < 0 || Int(array) < interpreter.process.arrays.count, "\(array) is not an array")
    guard let own = own(array) else { return Int64(interpreter.process.arrays[Int(array)].count) }
    return own.elements.map { Int64($0.count) }
  }

  func element(
    at index: Int64?, of array: Int64?, _ interpreter: borrowing Interpreter
  ) -> Int64? {
    guard let array, array != noValue, let index else { return nil }
    let position = Int(truncatingIfNeeded: index)
    demand(array < 0 || Int(array) < interpreter.process.arrays.count, "\(array) is not an array")
    guard let own = own(array) else {
      let elements = interpreter.process.arrays[Int(array)]
      return elements.indices.contains(position) ? elements[position] : nil
    }
    guard let elements = own.elements, elements.indices.contains(position) else { return nil }
    return elements[position]
  }

  mutating func append(
    _ value: Int64?, to array: Int64?, _ interpreter: borrowing Interpreter
  ) {
    change(array, interpreter) { $0.elements?.append(value) }
  }

  /// Where an index is not known, or out of range, nothing is known of the array any more.
  mutating func set(
    _ index: Int64?, of array: Int64?, to value: Int64?, _ interpreter: borrowing Interpreter
  ) {
    change(array, interpreter) { collection in
      guard let place = collection.place(index) else { return collection.elements = nil }
      collection.elements?[place] = value
    }
  }

  mutating func insert(
    _ value: Int64?, at index: Int64?, of array: Int64?, _ interpreter: borrowing Interpreter
  ) {
    change(array, interpreter) { collection in
      if let index, index == Int64(collection.elements?.count ?? -1) {
        collection.elements?.append(value)
      } else if let place = collection.place(index) {
        collection.elements?.insert(value, at: place)
      } else {
        collection.elements = nil
      }
    }
  }

  mutating func remove(
    at index: Int64?, of array: Int64?, _ interpreter: borrowing Interpreter
  ) -> Int64? {
    var taken: Int64?
    change(array, interpreter) { collection in
      guard let place = collection.place(index) else { return collection.elements = nil }
      taken = collection.elements?.remove(at: place)
    }
    return taken
  }

  // MARK: Dictionaries

  /// The value of a key; `noValue` where there is none.
  func entry(
    _ key: Int64?, of array: Int64?, _ interpreter: borrowing Interpreter
  ) -> Int64? {
    guard let array, array != noValue, let key else { return nil }
    if let own = own(array) {
      guard let elements = own.elements else { return nil }
      return own.keys.firstIndex(of: key).map { elements[$0] } ?? noValue
    }
    let position = interpreter.process.entryKeys[array]?.position(of: key)
    return position.map { interpreter.process.arrays[Int(array)][$0] } ?? noValue
  }

  mutating func setEntry(
    _ key: Int64?, of array: Int64?, to value: Int64?, _ interpreter: borrowing Interpreter
  ) {
    change(array, interpreter) { collection in
      guard let key else { return collection.elements = nil }
      if let place = collection.keys.firstIndex(of: key) {
        collection.elements?[place] = value
      } else if collection.elements != nil {
        assert(collection.keys.count == collection.elements?.count, "a dictionary without all keys")
        collection.keys.append(key)
        collection.elements?.append(value)
      }
    }
  }

  mutating func removeEntry(
    _ key: Int64?, of array: Int64?, _ interpreter: borrowing Interpreter
  ) -> Int64? {
    var taken: Int64?
    change(array, interpreter) { collection in
      guard let key else { return collection.elements = nil }
      guard collection.elements != nil else { return }
      taken = noValue
      guard let place = collection.keys.firstIndex(of: key) else { return }
      assert(place < collection.elements?.count ?? 0, "entry \(place) has a key and no value")
      collection.keys.remove(at: place)
      taken = collection.elements?.remove(at: place)
    }
    return taken
  }

  /// An array of the keys.
  mutating func keys(of array: Int64?, _ interpreter: borrowing Interpreter) -> Int64? {
    guard let array, array != noValue else { return nil }
    let known = collection(array, interpreter)
    return known.elements == nil ? nil : makeArray(known.keys)
  }
}
