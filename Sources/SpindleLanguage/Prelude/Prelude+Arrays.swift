extension Prelude {
  /// Arrays.
  static let arrays = """
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
        get {
          var made: [Element] = []
          for index in range { made.append(self[index]) }
          return made
        }
        set { self.replaceSubrange(range, with: newValue) }
      }
      @inlined subscript(range: PartialRangeFrom<Int>) -> [Element] {
        get { self[range.lowerBound ..< self.count] }
        set { self.replaceSubrange(range.lowerBound ..< self.count, with: newValue) }
      }
      @inlined subscript(range: PartialRangeUpTo<Int>) -> [Element] {
        get { self[0 ..< range.upperBound] }
        set { self.replaceSubrange(0 ..< range.upperBound, with: newValue) }
      }
      @inlined subscript(range: PartialRangeThrough<Int>) -> [Element] {
        get { self[0 ... range.upperBound] }
        set { self.replaceSubrange(0 ... range.upperBound, with: newValue) }
      }
      subscript(range: UnboundedRange) -> [Element] {
        get { self }
        set { self = newValue }
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
      @builtin(describe) var description: String { get }
      @inlined var debugDescription: String { self.description }
    }
    extension Array: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
      CustomStringConvertible
    {
      func prefix(_ most: Int) -> [Element] {
        if most < 0 { fatalError("Can't take a prefix of negative length from a collection") }
        return self[0 ..< (most < self.count ? most : self.count)]
      }
      func suffix(_ most: Int) -> [Element] {
        if most < 0 { fatalError("Can't take a suffix of negative length from a collection") }
        return self[(most < self.count ? self.count - most : 0) ..< self.count]
      }
      func dropFirst(_ number: Int = 1) -> [Element] {
        if number < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return self[(number < self.count ? number : self.count) ..< self.count]
      }
      func dropLast(_ number: Int = 1) -> [Element] {
        if number < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return self[0 ..< (number < self.count ? self.count - number : 0)]
      }
      typealias Index = Int
      typealias SubSequence = [Element]
      @inlined func index(after place: Int) -> Int { place + 1 }
      @inlined func index(before place: Int) -> Int { place - 1 }
      @inlined func index(_ place: Int, offsetBy distance: Int) -> Int { place + distance }
      @inlined func distance(from start: Int, to end: Int) -> Int { end - start }
      typealias Iterator = IndexingIterator<[Element]>
      func makeIterator() -> IndexingIterator<[Element]> {
        IndexingIterator<[Element]>(elements: self)
      }
    }
    extension Array {
      @inlined func split(
        maxSplits: Int = Int.max, omittingEmptySubsequences: Bool = true,
        whereSeparator isSeparator: (Element) throws -> Bool
      ) rethrows -> [[Element]] {
        var made: [[Element]] = []
        var part: [Element] = []
        for element in self {
          let ends = made.count < maxSplits ? try isSeparator(element) : false
          if ends {
            if !omittingEmptySubsequences || !part.isEmpty { made.append(part) }
            part = []
          } else {
            part.append(element)
          }
        }
        if !omittingEmptySubsequences || !part.isEmpty { made.append(part) }
        return made
      }
    }
    extension Array where Element: Equatable {
      func split(
        separator: Element, maxSplits: Int = Int.max, omittingEmptySubsequences: Bool = true
      ) -> [[Element]] {
        self.split(
          maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences,
          whereSeparator: { $0 == separator })
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
    """
}
