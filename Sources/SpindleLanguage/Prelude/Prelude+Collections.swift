extension Prelude {
  /// Arrays, dictionaries and sets.
  static let collections = """
    @builtin(Array) struct Array<Element> {
      @builtin(arrayEmpty) init()
      init(repeating element: Element, count: Int) {
        var made: [Element] = []
        for _ in 0 ..< count { made.append(element) }
        self = made
      }
      @inlined init<S: Sequence>(_ elements: S) where S.Element == Element {
        var made: [Element] = []
        for element in elements { made.append(element) }
        self = made
      }
      @builtin(arrayCount) var count: Int { get }
      @inlined var isEmpty: Bool { self.count == 0 }
      @inlined var first: Element? { self.count == 0 ? nil : self[0] }
      @inlined var last: Element? { self.count == 0 ? nil : self[self.count - 1] }
      @inlined var indices: Range<Int> { 0 ..< self.count }
      @inlined var startIndex: Int { 0 }
      @inlined var endIndex: Int { self.count }
      @inlined var capacity: Int { self.count }
      @builtin(arrayElement) subscript(index: Int) -> Element { get set }
      subscript(range: Range<Int>) -> [Element] {
        get {
          var made: [Element] = []
          for index in range { made.append(self[index]) }
          return made
        }
        set { self.replaceSubrange(range, with: newValue) }
      }
      subscript(range: ClosedRange<Int>) -> [Element] {
        var made: [Element] = []
        for index in range { made.append(self[index]) }
        return made
      }
      @inlined subscript(range: PartialRangeFrom<Int>) -> [Element] {
        self[range.lowerBound ..< self.count]
      }
      @inlined subscript(range: PartialRangeUpTo<Int>) -> [Element] { self[0 ..< range.upperBound] }
      @inlined subscript(range: PartialRangeThrough<Int>) -> [Element] {
        self[0 ... range.upperBound]
      }
      @builtin(arrayAppend) mutating func append(_ element: Element)
      @inlined mutating func append<S: Sequence>(contentsOf others: S) where S.Element == Element {
        for element in others { self.append(element) }
      }
      @inlined mutating func reserveCapacity(_ count: Int) {}
      @builtin(arrayInsert) mutating func insert(_ element: Element, at index: Int)
      @builtin(arrayRemove) @discardableResult mutating func remove(at index: Int) -> Element
      @inlined @discardableResult mutating func removeFirst() -> Element { self.remove(at: 0) }
      @inlined @discardableResult mutating func removeLast() -> Element {
        self.remove(at: self.count - 1)
      }
      @inlined mutating func removeFirst(_ count: Int) {
        for _ in 0 ..< count { self.remove(at: 0) }
      }
      @inlined mutating func removeLast(_ count: Int) {
        for _ in 0 ..< count { self.remove(at: self.count - 1) }
      }
      @inlined mutating func popLast() -> Element? {
        self.count == 0 ? nil : self.remove(at: self.count - 1)
      }
      mutating func replaceSubrange<S: Sequence>(
        _ range: Range<Int>, with others: S
      ) where S.Element == Element {
        let rest = self[range.upperBound ..< self.count]
        var made = self[0 ..< range.lowerBound]
        for element in others { made.append(element) }
        for element in rest { made.append(element) }
        self = made
      }
      @inlined mutating func replaceSubrange<S: Sequence>(
        _ range: ClosedRange<Int>, with others: S
      ) where S.Element == Element {
        self.replaceSubrange(range.lowerBound ..< range.upperBound + 1, with: others)
      }
      @inlined mutating func insert<S: Sequence>(
        contentsOf others: S, at index: Int
      ) where S.Element == Element {
        self.replaceSubrange(index ..< index, with: others)
      }
      @inlined mutating func removeSubrange(_ range: Range<Int>) {
        self.replaceSubrange(range, with: [])
      }
      @inlined mutating func removeSubrange(_ range: ClosedRange<Int>) {
        self.replaceSubrange(range, with: [])
      }
      @inlined func prefix(upTo end: Int) -> [Element] { self[0 ..< end] }
      @inlined func prefix(through last: Int) -> [Element] { self[0 ... last] }
      @inlined func suffix(from start: Int) -> [Element] { self[start ..< self.count] }
      @inlined mutating func removeAll(keepingCapacity: Bool = false) { self = [] }
      @inlined mutating func removeAll(where isGone: (Element) throws -> Bool) rethrows {
        var kept: [Element] = []
        for element in self {
          if try !isGone(element) { kept.append(element) }
        }
        self = kept
      }
      @inlined mutating func sort(by isBefore: (Element, Element) throws -> Bool) rethrows {
        self = try self.sorted(by: isBefore)
      }
      @inlined mutating func reverse() { self = self.reversed() }
      @inlined mutating func swapAt(_ a: Int, _ b: Int) {
        let kept = self[a]
        self[a] = self[b]
        self[b] = kept
      }
      @inlined func firstIndex(where isWanted: (Element) throws -> Bool) rethrows -> Int? {
        for index in 0 ..< self.count {
          if try isWanted(self[index]) { return index }
        }
        return nil
      }
      @inlined func lastIndex(where isWanted: (Element) throws -> Bool) rethrows -> Int? {
        var found: Int? = nil
        for index in 0 ..< self.count {
          if try isWanted(self[index]) { found = index }
        }
        return found
      }
      @inlined static func + (a: [Element], b: [Element]) -> [Element] {
        var made = a
        for element in b { made.append(element) }
        return made
      }
      @inlined static func += (a: inout [Element], b: [Element]) {
        for element in b { a.append(element) }
      }
      @inlined func index(after index: Int) -> Int { index + 1 }
    }
    extension Array: Sequence, Collection, RandomAccessCollection, MutableCollection {
      typealias Iterator = IndexingIterator<[Element]>
      func makeIterator() -> IndexingIterator<[Element]> {
        IndexingIterator<[Element]>(elements: self)
      }
    }
    extension Array: Sendable where Element: Sendable {}
    extension Array: Equatable where Element: Equatable {
      @builtin(arrayContains) func contains(_ wanted: Element) -> Bool
      static func == (a: [Element], b: [Element]) -> Bool {
        if a.count != b.count { return false }
        for index in 0 ..< a.count {
          if a[index] != b[index] { return false }
        }
        return true
      }
      @inlined func firstIndex(of wanted: Element) -> Int? {
        for index in 0 ..< self.count {
          if self[index] == wanted { return index }
        }
        return nil
      }
      @inlined func lastIndex(of wanted: Element) -> Int? {
        var found: Int? = nil
        for index in 0 ..< self.count {
          if self[index] == wanted { found = index }
        }
        return found
      }
    }
    extension Array: Hashable where Element: Hashable {}
    extension Array where Element: Comparable {
      @inlined mutating func sort() { self = self.sorted() }
    }
    typealias ArraySlice<Element> = Array<Element>
    typealias ContiguousArray<Element> = Array<Element>
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
    extension Dictionary: Sequence, Collection {
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
    extension Set: Sequence, Collection {
      typealias Iterator = IndexingIterator<Set<Element>>
      func makeIterator() -> IndexingIterator<Set<Element>> {
        IndexingIterator<Set<Element>>(elements: Array(self))
      }
    }
    extension Set: Equatable {}
    extension Set: Hashable {}
    extension Set: Sendable where Element: Sendable {}
    """
}
