import SpindleModel

extension Process {
  /// Gives a key of a dictionary another value, or comes behind all that there are.
  ///
  /// The dictionary holds the value where it holds its values. O(1).
  mutating func setEntry(_ key: Int64, to value: Int64, of dictionary: Int64) {
    retainElement(value, of: dictionary)
    if let position = entryKeys[dictionary]?.position(of: key) {
      let old = arrays[Int(dictionary)][position]
      arrays[Int(dictionary)][position] = value
      releaseElement(old, of: dictionary)
    } else {
      // Three times the key and its value, as for an array, and the index of the keys.
      kernel.storage.take(.arrays, 96)
      entryKeys[dictionary, default: EntryKeys()].append(key)
      arrays[Int(dictionary)].append(value)
    }
  }
}

/// The keys of a dictionary, in the order in which they came.
///
/// Swift's own order differs from run to run (swift:stdlib/public/core/Dictionary.swift, "the order of
/// the key-value pairs"); a run here has to be repeatable, so it is this one.
struct EntryKeys {
  private(set) var inOrder: [Int64] = []
  /// Where each is, as soon as there are more than a few.
  private var positions: [Int64: Int] = [:]

  private static let few = 16

  /// Where a key is; nil where it is not.
  func position(of key: Int64) -> Int? {
    inOrder.count > Self.few ? positions[key] : inOrder.firstIndex(of: key)
  }

  mutating func append(_ key: Int64) {
    inOrder.append(key)
    if inOrder.count == Self.few + 1 {
      note(from: 0)
    } else if inOrder.count > Self.few {
      positions[key] = inOrder.count - 1
    }
  }

  /// Takes a key out, and gives where it was; nil where it was not.
  ///
  /// O(entries).
  mutating func remove(_ key: Int64) -> Int? {
    guard let position = position(of: key) else { return nil }
    inOrder.remove(at: position)
    if inOrder.count > Self.few {
      positions[key] = nil
      note(from: position)
    } else {
      positions = [:]
    }
    return position
  }

  private mutating func note(from first: Int) {
    for index in first..<inOrder.count { positions[inOrder[index]] = index }
  }
}
