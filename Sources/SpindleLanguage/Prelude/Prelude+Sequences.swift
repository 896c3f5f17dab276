extension Prelude {
  /// What can be gone through: the operations of all sequences.
  static let sequences = """
    protocol IteratorProtocol {
      associatedtype Element
      mutating func next() -> Element?
    }
    protocol Sequence<Element> {
      associatedtype Element
      associatedtype Iterator: IteratorProtocol
      func makeIterator() -> Iterator
    }
    extension Sequence where Self: IteratorProtocol {
      @inlined func makeIterator() -> Self { self }
    }
    struct IndexingIterator<Elements: Sequence>: IteratorProtocol, Sequence {
      typealias Element = Elements.Element
      typealias Iterator = IndexingIterator<Elements>
      let elements: [Elements.Element]
      var place = 0
      mutating func next() -> Elements.Element? {
        if place == elements.count { return nil }
        place += 1
        return elements[place - 1]
      }
    }
    struct AnyIterator<Element>: IteratorProtocol, Sequence {
      typealias Iterator = AnyIterator<Element>
      let ask: () -> Element?
      init(_ body: @escaping () -> Element?) { self.ask = body }
      init<I: IteratorProtocol>(_ iterator: I) where I.Element == Element {
        var iterator = iterator
        self.ask = { iterator.next() }
      }
      func next() -> Element? { self.ask() }
    }
    struct AnySequence<Element>: Sequence {
      typealias Iterator = AnyIterator<Element>
      let begin: () -> AnyIterator<Element>
      init<I: IteratorProtocol>(_ begin: @escaping () -> I) where I.Element == Element {
        self.begin = { AnyIterator(begin()) }
      }
      init<S: Sequence>(_ sequence: S) where S.Element == Element {
        self.begin = { AnyIterator(IndexingIterator<S>(elements: Array(sequence))) }
      }
      func makeIterator() -> AnyIterator<Element> { self.begin() }
    }
    struct DropFirstSequence<Base: Sequence>: Sequence {
      typealias Element = Base.Element
      typealias Iterator = Base.Iterator
      let base: Base
      let number: Int
      func makeIterator() -> Base.Iterator {
        var iterator = base.makeIterator()
        for _ in 0 ..< number {
          if iterator.next() == nil { break }
        }
        return iterator
      }
    }
    struct DropWhileSequence<Base: Sequence>: Sequence, IteratorProtocol {
      typealias Element = Base.Element
      typealias Iterator = DropWhileSequence<Base>
      var iterator: Base.Iterator
      var first: Base.Element?
      mutating func next() -> Base.Element? {
        if let element = first {
          first = nil
          return element
        }
        return iterator.next()
      }
    }
    extension Sequence {
      @inlined func forEach(_ body: (Element) throws -> Void) rethrows {
        for element in self { try body(element) }
      }
      @inlined func map<T>(_ transform: (Element) throws -> T) rethrows -> [T] {
        var made: [T] = []
        for element in self { made.append(try transform(element)) }
        return made
      }
      @inlined func compactMap<T>(_ transform: (Element) throws -> T?) rethrows -> [T] {
        var made: [T] = []
        for element in self {
          if let value = try transform(element) { made.append(value) }
        }
        return made
      }
      @inlined func flatMap<S: Sequence>(
        _ transform: (Element) throws -> S
      ) rethrows -> [S.Element] {
        var made: [S.Element] = []
        for element in self {
          for inner in try transform(element) { made.append(inner) }
        }
        return made
      }
      @inlined func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element] {
        var made: [Element] = []
        for element in self {
          if try isIncluded(element) { made.append(element) }
        }
        return made
      }
      @inlined func reduce<R>(
        _ initial: R, _ combine: (R, Element) throws -> R
      ) rethrows -> R {
        var result = initial
        for element in self { result = try combine(result, element) }
        return result
      }
      @inlined func reduce<R>(
        into initial: R, _ update: (inout R, Element) throws -> Void
      ) rethrows -> R {
        var result = initial
        for element in self { try update(&result, element) }
        return result
      }
      @inlined func contains(where isWanted: (Element) throws -> Bool) rethrows -> Bool {
        for element in self {
          if try isWanted(element) { return true }
        }
        return false
      }
      @inlined func allSatisfy(_ holds: (Element) throws -> Bool) rethrows -> Bool {
        for element in self {
          if try !holds(element) { return false }
        }
        return true
      }
      @inlined func first(where isWanted: (Element) throws -> Bool) rethrows -> Element? {
        for element in self {
          if try isWanted(element) { return element }
        }
        return nil
      }
      @inlined func last(where isWanted: (Element) throws -> Bool) rethrows -> Element? {
        var found: Element? = nil
        for element in self {
          if try isWanted(element) { found = element }
        }
        return found
      }
      @inlined func count(where isWanted: (Element) throws -> Bool) rethrows -> Int {
        var number = 0
        for element in self {
          if try isWanted(element) { number += 1 }
        }
        return number
      }
      \(extremes(isAsync: false))
      @inlined func sorted(by isBefore: (Element, Element) throws -> Bool) rethrows -> [Element] {
        var list: [Element] = []
        for element in self { list.append(element) }
        var width = 1
        while width < list.count {
          var merged: [Element] = []
          var start = 0
          while start < list.count {
            let middle = start + width < list.count ? start + width : list.count
            let end = start + 2 * width < list.count ? start + 2 * width : list.count
            var left = start
            var right = middle
            while left < middle || right < end {
              if left < middle, right < end {
                if try isBefore(list[right], list[left]) {
                  merged.append(list[right])
                  right += 1
                } else {
                  merged.append(list[left])
                  left += 1
                }
              } else if left < middle {
                merged.append(list[left])
                left += 1
              } else {
                merged.append(list[right])
                right += 1
              }
            }
            start += 2 * width
          }
          list = merged
          width *= 2
        }
        return list
      }
      func enumerated() -> [(offset: Int, element: Element)] {
        var made: [(offset: Int, element: Element)] = []
        var number = 0
        for element in self {
          made.append((offset: number, element: element))
          number += 1
        }
        return made
      }
      func reversed() -> [Element] {
        var list: [Element] = []
        for element in self { list.append(element) }
        var made: [Element] = []
        var place = list.count - 1
        while place >= 0 {
          made.append(list[place])
          place -= 1
        }
        return made
      }
      func prefix(_ most: Int) -> [Element] {
        if most < 0 { fatalError("Can't take a prefix of negative length from a collection") }
        var made: [Element] = []
        for element in self {
          if made.count >= most { break }
          made.append(element)
        }
        return made
      }
      @inlined func prefix(while holds: (Element) throws -> Bool) rethrows -> [Element] {
        var made: [Element] = []
        for element in self {
          if try !holds(element) { break }
          made.append(element)
        }
        return made
      }
      func dropFirst(_ number: Int = 1) -> DropFirstSequence<Self> {
        if number < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return DropFirstSequence<Self>(base: self, number: number)
      }
      @inlined func drop(
        while holds: (Element) throws -> Bool
      ) rethrows -> DropWhileSequence<Self> {
        var iterator = self.makeIterator()
        while let element = iterator.next() {
          if try !holds(element) {
            return DropWhileSequence<Self>(iterator: iterator, first: element)
          }
        }
        return DropWhileSequence<Self>(iterator: iterator, first: nil)
      }
      func suffix(_ most: Int) -> [Element] {
        if most < 0 { fatalError("Can't take a suffix of negative length from a collection") }
        var list: [Element] = []
        for element in self { list.append(element) }
        return list.dropFirst(list.count > most ? list.count - most : 0)
      }
      func dropLast(_ count: Int = 1) -> [Element] {
        if count < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        var list: [Element] = []
        for element in self { list.append(element) }
        return list.prefix(list.count > count ? list.count - count : 0)
      }
    }
    extension Sequence where Element: Equatable {
      @inlined func contains(_ wanted: Element) -> Bool {
        for element in self {
          if element == wanted { return true }
        }
        return false
      }
      @inlined func elementsEqual<S: Sequence>(_ other: S) -> Bool where S.Element == Element {
        Array(self) == Array(other)
      }
      func starts<S: Sequence>(with other: S) -> Bool where S.Element == Element {
        let (own, others) = (Array(self), Array(other))
        if own.count < others.count { return false }
        for index in 0 ..< others.count {
          if own[index] != others[index] { return false }
        }
        return true
      }
    }
    extension Sequence where Element: Comparable {
      @inlined func min() -> Element? { self.min(by: { $0 < $1 }) }
      @inlined func max() -> Element? { self.max(by: { $0 < $1 }) }
      @inlined func sorted() -> [Element] { self.sorted(by: { $0 < $1 }) }
    }
    extension Sequence where Element == String {
      @inlined func joined() -> String { self.joined(separator: "") }
      func joined(separator: String) -> String {
        var made = ""
        var isFirst = true
        for part in self {
          if isFirst { isFirst = false } else { made = made + separator }
          made = made + part
        }
        return made
      }
    }
    extension Sequence {
      @inlined func lexicographicallyPrecedes<S: Sequence>(
        _ other: S, by isBefore: (Element, Element) throws -> Bool
      ) rethrows -> Bool where S.Element == Element {
        let others = Array(other)
        var place = 0
        for element in self {
          if place == others.count { return false }
          if try isBefore(element, others[place]) { return true }
          if try isBefore(others[place], element) { return false }
          place += 1
        }
        return place < others.count
      }
    }
    extension Sequence where Element: Comparable {
      @inlined func lexicographicallyPrecedes<S: Sequence>(
        _ other: S
      ) -> Bool where S.Element == Element {
        self.lexicographicallyPrecedes(other, by: { $0 < $1 })
      }
    }
    extension Sequence where Element: Sequence {
      func joined() -> [Element.Element] {
        var made: [Element.Element] = []
        for part in self {
          for element in part { made.append(element) }
        }
        return made
      }
    }
    """

  /// `min(by:)` and `max(by:)` of a sequence: they differ only in the order of the operands.
  static func extremes(isAsync: Bool) -> String {
    let (effect, wait) = isAsync ? ("async ", "await ") : ("", "")
    return [("min", "element, known"), ("max", "known, element")].map { name, operands in
      """
      @inlined func \(name)(
        by isBefore: (Element, Element) \(effect)throws -> Bool
      ) \(effect)rethrows -> Element? {
        var found: Element? = nil
        for \(wait)element in self {
          if let known = found {
            if try \(wait)isBefore(\(operands)) { found = element }
          } else {
            found = element
          }
        }
        return found
      }
      """
    }.joined(separator: "\n")
  }
}
