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
  /// By class and object: one more than hold it; 0 for one that is not counted.
  private var holders: [[Int32]] = []
  /// The instances of the trace's classes that operations and threads are.
  private var wholes: [ObjectKey: Int64] = [:]

  /// A new object is counted from now on, and whoever made it holds it.
  mutating func begin(_ key: ObjectKey) {
    let number = Int(key.handle.rawValue)
    while holders.count <= number { holders.append([]) }
    while holders[number].count <= Int(key.index) { holders[number].append(0) }
    holders[number][Int(key.index)] = 2
  }

  /// Something more holds an object, or something lets go of it; whether it was the last.
  ///
  /// One that the library still has may be held again.
  mutating func change(_ key: ObjectKey, by change: Int32) -> Bool {
    guard let held = count(key), held > 0 || key.handle.diesQuietly else { return false }
    assert(held + change >= 0, "an object of the library has fewer holders than none")
    holders[Int(key.handle.rawValue)][Int(key.index)] += change
    return held + change == 0
  }

  /// Whether it is counted who holds an object.
  func isCounted(_ key: ObjectKey) -> Bool { count(key) != nil }

  /// Whether an object is counted, and nothing of the trace holds it.
  func isAbandoned(_ key: ObjectKey) -> Bool { count(key) == 0 }

  /// How many hold an object, 0 for one that is not counted.
  func holders(of key: ObjectKey) -> Int { Int(count(key) ?? 0) }

  /// An operation or a thread is the one that an instance of a class of the trace's has as its parent: the two hold each
  /// other, and live and die as one.
  mutating func join(_ key: ObjectKey, to instance: Int64) { wholes[key] = instance }

  /// The instance is gone.
  mutating func part(_ key: ObjectKey) { wholes[key] = nil }

  /// The instance that an operation or a thread is; nil for what is none.
  @inline(__always)
  func whole(of key: ObjectKey) -> Int64? { wholes.isEmpty ? nil : wholes[key] }

  /// Whether some operation or thread is an instance.
  @inline(__always)
  var hasWholes: Bool { !wholes.isEmpty }

  /// All objects that something holds, by class and number; also operations that only others may hold.
  var held: [ObjectKey] {
    holders.indices.flatMap { number in
      holders[number].indices.compactMap { index in
        guard let handle = HandleClass(rawValue: UInt8(number)),
          holders[number][index] > (handle == .operation ? 0 : 1)
        else { return nil }
        return ObjectKey(handle: handle, object: Int64(index))
      }
    }
  }

  /// How many hold an object; nil for one that is not counted.
  private func count(_ key: ObjectKey) -> Int32? {
    let (number, index) = (Int(key.handle.rawValue), Int(key.index))
    guard number < holders.count, index < holders[number].count, holders[number][index] > 0 else {
      return nil
    }
    return holders[number][index] - 1
  }
}

/// What an object of the library holds by its closures.
struct ObjectHolding {
  /// The closures, -1 for one that is not there.
  var frames: [FrameIndex]
  /// What it holds besides.
  var values: [(value: Int64, kind: LifeKind)] = []
  /// Where it was made; -1 where that is not known.
  var madeAt: Int32
  /// How many hold it.
  var holders = 0
  /// Whether a run loop has it besides, for ever.
  var isInRunLoop = false
}
