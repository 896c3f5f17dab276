extension Prelude {
  /// Dictionaries and sets.
  static let collections = """
    @builtin(Dictionary) struct Dictionary<Key: Hashable, Value> {
      typealias Element = (key: Key, value: Value)
      @builtin(dictionaryEmpty) init()
      @inlined init<S: Sequence>(uniqueKeysWithValues pairs: S) where S.Element == (Key, Value) {
        var made: [Key: Value] = [:]
        for pair in pairs {
          precondition(made[pair.0] == nil, "Duplicate values for key: '\\(pair.0)'")
          made[pair.0] = pair.1
        }
        self = made
      }
      @inlined init<S: Sequence>(
        _ pairs: S, uniquingKeysWith combine: (Value, Value) throws -> Value
      ) rethrows where S.Element == (Key, Value) {
        var made: [Key: Value] = [:]
        for pair in pairs {
          if let known = made[pair.0] {
            made[pair.0] = try combine(known, pair.1)
          } else {
            made[pair.0] = pair.1
          }
        }
        self = made
      }
      @builtin(arrayCount) var count: Int { get }
      @inlined var isEmpty: Bool { self.count == 0 }
      @builtin(dictionaryKeys) var keys: [Key] { get }
      @builtin(dictionaryValues) var values: [Value] { get }
      @builtin(dictionaryEntry) subscript(key: Key) -> Value? { get set }
      @inlined subscript(key: Key, default standard: @autoclosure () -> Value) -> Value {
        get { self[key] ?? standard() }
        _modify { self[key] = newValue }
      }
      @builtin(dictionaryRemove) @discardableResult mutating func removeValue(
        forKey key: Key
      ) -> Value?
      @inlined @discardableResult mutating func updateValue(
        _ value: Value, forKey key: Key
      ) -> Value? {
        let known = self[key]
        self[key] = value
        return known
      }
      @inlined mutating func removeAll(keepingCapacity: Bool = false) { self = [:] }
      @inlined mutating func popFirst() -> (key: Key, value: Value)? {
        for pair in self {
          self.removeValue(forKey: pair.key)
          return pair
        }
        return nil
      }
      @inlined mutating func merge(
        _ others: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
      ) rethrows {
        for pair in others {
          if let known = self[pair.key] {
            self[pair.key] = try combine(known, pair.value)
          } else {
            self[pair.key] = pair.value
          }
        }
      }
      @inlined func merging(
        _ others: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
      ) rethrows -> [Key: Value] {
        var made = self
        for pair in others {
          if let known = made[pair.key] {
            made[pair.key] = try combine(known, pair.value)
          } else {
            made[pair.key] = pair.value
          }
        }
        return made
      }
      @inlined func mapValues<T>(_ transform: (Value) throws -> T) rethrows -> [Key: T] {
        var made: [Key: T] = [:]
        for pair in self { made[pair.key] = try transform(pair.value) }
        return made
      }
      @inlined func compactMapValues<T>(_ transform: (Value) throws -> T?) rethrows -> [Key: T] {
        var made: [Key: T] = [:]
        for pair in self {
          if let value = try transform(pair.value) { made[pair.key] = value }
        }
        return made
      }
      @inlined func filter(
        _ isIncluded: ((key: Key, value: Value)) throws -> Bool
      ) rethrows -> [Key: Value] {
        var made: [Key: Value] = [:]
        for pair in self {
          if try isIncluded(pair) { made[pair.key] = pair.value }
        }
        return made
      }
      @inlined var first: (key: Key, value: Value)? {
        for pair in self { return pair }
        return nil
      }
    }
    extension Dictionary {
      @inlined init<S: Sequence>(
        grouping elements: S, by key: (S.Element) throws -> Key
      ) rethrows where Value == [S.Element] {
        var made: [Key: [S.Element]] = [:]
        for element in elements { made[try key(element), default: []].append(element) }
        self = made
      }
    }
    extension Dictionary: Collection, CustomStringConvertible {
      @builtin(describe) var description: String { get }
      @inlined var debugDescription: String { self.description }
      typealias Index = CollectionIndex
      typealias SubSequence = [(key: Key, value: Value)]
      @inlined var startIndex: CollectionIndex { CollectionIndex(_place: 0) }
      @inlined var endIndex: CollectionIndex { CollectionIndex(_place: self.count) }
      @inlined func index(after place: CollectionIndex) -> CollectionIndex { place._moved(1) }
      @inlined subscript(position: CollectionIndex) -> Element { Array(self)[position._place] }
      @inlined subscript(range: Range<CollectionIndex>) -> [Element] {
        Array(self)[range.lowerBound._place ..< range.upperBound._place]
      }
      typealias Iterator = IndexingIterator<[Key: Value]>
      func makeIterator() -> IndexingIterator<[Key: Value]> {
        IndexingIterator<[Key: Value]>(elements: Array(self))
      }
    }
    extension Dictionary: Sendable where Key: Sendable, Value: Sendable {}
    extension Dictionary: Equatable where Value: Equatable {
      static func == (a: [Key: Value], b: [Key: Value]) -> Bool {
        if a.count != b.count { return false }
        for pair in a {
          if let other = b[pair.key] {
            if other != pair.value { return false }
          } else {
            return false
          }
        }
        return true
      }
    }
    extension Dictionary: Hashable where Value: Hashable {}
    @builtin(Set) struct Set<Element: Hashable> {
      @builtin(dictionaryEmpty) init()
      @inlined init<S: Sequence>(_ elements: S) where S.Element == Element {
        var made: Set<Element> = Set<Element>()
        for element in elements { made.insert(element) }
        self = made
      }
      @builtin(arrayCount) var count: Int { get }
      @inlined var isEmpty: Bool { self.count == 0 }
      @builtin(setContains) func contains(_ element: Element) -> Bool
      @builtin(setAdd) mutating func add(_ element: Element)
      @builtin(setRemove) mutating func take(_ element: Element)
      @builtin(setInsert) @discardableResult mutating func insert(
        _ element: Element
      ) -> (inserted: Bool, memberAfterInsert: Element)
      @inlined @discardableResult mutating func update(with element: Element) -> Element? {
        let isKnown = self.contains(element)
        self.add(element)
        return isKnown ? element : nil
      }
      @inlined @discardableResult mutating func remove(_ element: Element) -> Element? {
        if !self.contains(element) { return nil }
        self.take(element)
        return element
      }
      @inlined mutating func removeAll(keepingCapacity: Bool = false) { self = Set<Element>() }
      @inlined var first: Element? {
        for element in self { return element }
        return nil
      }
      func union<S: Sequence>(_ others: S) -> Set<Element> where S.Element == Element {
        var made = self
        for element in others { made.insert(element) }
        return made
      }
      @inlined mutating func formUnion<S: Sequence>(_ others: S) where S.Element == Element {
        for element in others { self.insert(element) }
      }
      func intersection(_ other: Set<Element>) -> Set<Element> {
        var made = Set<Element>()
        for element in self {
          if other.contains(element) { made.insert(element) }
        }
        return made
      }
      @inlined mutating func formIntersection(_ other: Set<Element>) {
        self = self.intersection(other)
      }
      @inlined mutating func popFirst() -> Element? {
        for element in self {
          self.take(element)
          return element
        }
        return nil
      }
      func isStrictSubset(of other: Set<Element>) -> Bool {
        self.count < other.count && self.isSubset(of: other)
      }
      func subtracting<S: Sequence>(_ others: S) -> Set<Element> where S.Element == Element {
        var made = self
        for element in others { made.remove(element) }
        return made
      }
      @inlined mutating func subtract<S: Sequence>(_ others: S) where S.Element == Element {
        for element in others { self.remove(element) }
      }
      func symmetricDifference(_ other: Set<Element>) -> Set<Element> {
        var made = self.subtracting(other)
        for element in other {
          if !self.contains(element) { made.insert(element) }
        }
        return made
      }
      func isSubset(of other: Set<Element>) -> Bool {
        for element in self {
          if !other.contains(element) { return false }
        }
        return true
      }
      @inlined func isSuperset(of other: Set<Element>) -> Bool { other.isSubset(of: self) }
      func isDisjoint(with other: Set<Element>) -> Bool {
        for element in self {
          if other.contains(element) { return false }
        }
        return true
      }
      @inlined func isStrictSuperset(of other: Set<Element>) -> Bool {
        other.isStrictSubset(of: self)
      }
      @inlined mutating func formSymmetricDifference(_ other: Set<Element>) {
        self = self.symmetricDifference(other)
      }
      \(operationsWithSequences)
      @inlined func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Set<Element> {
        var made = Set<Element>()
        for element in self {
          if try isIncluded(element) { made.insert(element) }
        }
        return made
      }
      static func == (a: Set<Element>, b: Set<Element>) -> Bool {
        a.count == b.count && a.isSubset(of: b)
      }
    }
    extension Set: Collection, CustomStringConvertible {
      @builtin(describe) var description: String { get }
      @inlined var debugDescription: String { String(reflecting: self) }
      typealias Index = CollectionIndex
      typealias SubSequence = [Element]
      @inlined var startIndex: CollectionIndex { CollectionIndex(_place: 0) }
      @inlined var endIndex: CollectionIndex { CollectionIndex(_place: self.count) }
      @inlined func index(after place: CollectionIndex) -> CollectionIndex { place._moved(1) }
      @inlined subscript(position: CollectionIndex) -> Element { Array(self)[position._place] }
      @inlined subscript(range: Range<CollectionIndex>) -> [Element] {
        Array(self)[range.lowerBound._place ..< range.upperBound._place]
      }
      typealias Iterator = IndexingIterator<Set<Element>>
      func makeIterator() -> IndexingIterator<Set<Element>> {
        IndexingIterator<Set<Element>>(elements: Array(self))
      }
    }
    extension Set: Equatable {}
    extension Set: Hashable {}
    extension Set: Sendable where Element: Sendable {}
    struct KeyValuePairs<Key, Value>: RandomAccessCollection, ExpressibleByDictionaryLiteral,
      CustomStringConvertible
    {
      typealias Element = (key: Key, value: Value)
      typealias Index = Int
      typealias Iterator = IndexingIterator<[(key: Key, value: Value)]>
      let _pairs: [(key: Key, value: Value)]
      init(dictionaryLiteral elements: (Key, Value)...) {
        var made: [(key: Key, value: Value)] = []
        for pair in elements { made.append((key: pair.0, value: pair.1)) }
        self._pairs = made
      }
      func makeIterator() -> IndexingIterator<[(key: Key, value: Value)]> {
        IndexingIterator<[(key: Key, value: Value)]>(elements: self._pairs)
      }
      @inlined var startIndex: Int { 0 }
      @inlined var endIndex: Int { self._pairs.count }
      @inlined func index(after place: Int) -> Int { place + 1 }
      @inlined func index(before place: Int) -> Int { place - 1 }
      @inlined subscript(position: Int) -> (key: Key, value: Value) { self._pairs[position] }
      var description: String {
        if self._pairs.isEmpty { return "[:]" }
        var parts: [String] = []
        for pair in self._pairs {
          parts.append(String(reflecting: pair.key) + ": " + String(reflecting: pair.value))
        }
        return "[" + parts.joined(separator: ", ") + "]"
      }
    }
    extension KeyValuePairs: Sendable where Key: Sendable, Value: Sendable {}
    """

  /// The operations of two sets, with a sequence in the place of the second.
  private static let operationsWithSequences =
    [
      ("intersection(_", "Set<Element>"), ("symmetricDifference(_", "Set<Element>"),
      ("isSubset(of", "Bool"), ("isStrictSubset(of", "Bool"), ("isSuperset(of", "Bool"),
      ("isStrictSuperset(of", "Bool"), ("isDisjoint(with", "Bool"),
      ("mutating formIntersection(_", "Void"), ("mutating formSymmetricDifference(_", "Void"),
    ].map { head, result in
      let words = head.split(separator: " ")
      let parts = words[words.count - 1].split(separator: "(")
      let label = parts[1] == "_" ? "" : "\(parts[1]): "
      return """
        \(words.count > 1 ? "mutating " : "")func \(parts[0])<S: Sequence>(
          \(parts[1]) others: S
        ) -> \(result) where S.Element == Element {
          self.\(parts[0])(\(label)Set<Element>(others))
        }
        """
    }.joined(separator: "\n")
}
