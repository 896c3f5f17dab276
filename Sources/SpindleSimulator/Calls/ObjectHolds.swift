import SpindleModel

/// An object by its class and the value that a register holds for it.
struct ObjectKey: Hashable {
  let handle: HandleClass
  let object: Int64

  /// Its number in the table of its class.
  var index: Int32 { Int32(truncatingIfNeeded: object) }
}

/// How many hold each object of the library whose life is counted.
struct ObjectHolds {
  /// By class and object; 0 for one that is not counted, or that has died.
  private var holders: [[Int32]] = []

  /// A new object is counted from now on, and whoever made it holds it.
  mutating func begin(_ key: ObjectKey) {
    let number = Int(key.handle.rawValue)
    while holders.count <= number { holders.append([]) }
    while holders[number].count <= Int(key.index) { holders[number].append(0) }
    holders[number][Int(key.index)] = 1
  }

  /// Something more holds an object, or something lets go of it; whether it was the last.
  mutating func change(_ key: ObjectKey, by change: Int32) -> Bool {
    let (number, index) = (Int(key.handle.rawValue), Int(key.index))
    guard number < holders.count, index < holders[number].count, holders[number][index] > 0 else {
      return false
    }
    holders[number][index] += change
    assert(holders[number][index] >= 0, "an object of the library has fewer holders than none")
    return holders[number][index] == 0
  }
}
