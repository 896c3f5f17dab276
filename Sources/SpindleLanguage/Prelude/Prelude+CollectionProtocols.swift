extension Prelude {
  /// What code for any collection asks of one.
  static let collectionProtocols = """
    protocol Collection<Element>: Sequence {
      associatedtype Index: Comparable
      associatedtype SubSequence: Collection
      var startIndex: Index { get }
      var endIndex: Index { get }
      subscript(position: Index) -> Element { get }
      subscript(range: Range<Index>) -> SubSequence { get }
      func index(after place: Index) -> Index
    }
    extension Collection where SubSequence == [Element] {
      subscript(range: Range<Index>) -> [Element] {
        var made: [Element] = []
        var place = range.lowerBound
        while place < range.upperBound {
          made.append(self[place])
          place = index(after: place)
        }
        return made
      }
    }
    \(collectionParts)
    extension Collection {
      func makeIterator() -> IndexingIterator<Self> {
        var made: [Element] = []
        var place = startIndex
        while place != endIndex {
          made.append(self[place])
          place = index(after: place)
        }
        return IndexingIterator<Self>(elements: made)
      }
      var isEmpty: Bool { startIndex == endIndex }
      var count: Int { distance(from: startIndex, to: endIndex) }
      var first: Element? { startIndex == endIndex ? nil : self[startIndex] }
      var indices: [Index] {
        var made: [Index] = []
        var place = startIndex
        while place < endIndex {
          made.append(place)
          place = index(after: place)
        }
        return made
      }
      func distance(from start: Index, to end: Index) -> Int {
        var (place, count) = (start, 0)
        while place < end {
          place = index(after: place)
          count += 1
        }
        return count
      }
      func index(_ start: Index, offsetBy distance: Int) -> Index {
        var place = start
        for _ in 0 ..< distance { place = index(after: place) }
        return place
      }
      func index(_ start: Index, offsetBy distance: Int, limitedBy limit: Index) -> Index? {
        var place = start
        for _ in 0 ..< distance {
          if place == limit { return nil }
          place = index(after: place)
        }
        return place
      }
      @inlined func formIndex(after place: inout Index) { place = index(after: place) }
      @inlined func firstIndex(where isWanted: (Element) throws -> Bool) rethrows -> Index? {
        var place = startIndex
        while place < endIndex {
          if try isWanted(self[place]) { return place }
          place = index(after: place)
        }
        return nil
      }
    }
    extension Collection where Element: Equatable {
      func firstIndex(of wanted: Element) -> Index? {
        var place = startIndex
        while place < endIndex {
          if self[place] == wanted { return place }
          place = index(after: place)
        }
        return nil
      }
    }
    protocol BidirectionalCollection<Element>: Collection {
      func index(before place: Index) -> Index
    }
    extension BidirectionalCollection {
      var last: Element? { startIndex == endIndex ? nil : self[index(before: endIndex)] }
      @inlined func formIndex(before place: inout Index) { place = index(before: place) }
    }
    protocol RandomAccessCollection<Element>: BidirectionalCollection {}
    protocol MutableCollection<Element>: Collection {
      subscript(position: Index) -> Element { get set }
      mutating func swapAt(_ a: Index, _ b: Index)
    }
    extension MutableCollection {
      @inlined mutating func partition(by belongs: (Element) throws -> Bool) rethrows -> Index {
        var places: [Index] = []
        var place = startIndex
        while place != endIndex {
          places.append(place)
          place = index(after: place)
        }
        var (low, high) = (0, places.count)
        while low < high {
          if try !belongs(self[places[low]]) {
            low += 1
            continue
          }
          high -= 1
          while low < high {
            if try !belongs(self[places[high]]) { break }
            high -= 1
          }
          if low == high { break }
          self.swapAt(places[low], places[high])
          low += 1
        }
        return low < places.count ? places[low] : endIndex
      }
      mutating func swapAt(_ a: Index, _ b: Index) {
        let kept = self[a]
        self[a] = self[b]
        self[b] = kept
      }
    }
    protocol RangeReplaceableCollection<Element>: Collection {
      init()
      mutating func append(_ element: Element)
      mutating func insert(_ element: Element, at place: Index)
      mutating func remove(at place: Index) -> Element
      mutating func removeFirst() -> Element
      mutating func removeAll(keepingCapacity: Bool)
      mutating func removeAll(where isGone: (Element) throws -> Bool) rethrows
    }
    extension RangeReplaceableCollection {
      init<S: Sequence>(_ elements: S) where S.Element == Element {
        var made = Self()
        for element in elements { made.append(element) }
        self = made
      }
      init(repeating element: Element, count: Int) {
        var made = Self()
        for _ in 0 ..< count { made.append(element) }
        self = made
      }
      mutating func append<S: Sequence>(contentsOf others: S) where S.Element == Element {
        for element in others { self.append(element) }
      }
      mutating func removeAll(keepingCapacity: Bool = false) { self = Self() }
    }
    struct CollectionOfOne<Element>: Collection {
      typealias Index = Int
      typealias SubSequence = [Element]
      typealias Iterator = IndexingIterator<[Element]>
      let element: Element
      init(_ element: Element) { self.element = element }
      func makeIterator() -> IndexingIterator<[Element]> {
        IndexingIterator<[Element]>(elements: [element])
      }
      @inlined var startIndex: Int { 0 }
      @inlined var endIndex: Int { 1 }
      @inlined func index(after place: Int) -> Int { place + 1 }
      @inlined subscript(position: Int) -> Element { element }
    }
    struct EmptyCollection<Element>: Collection {
      typealias Index = Int
      typealias SubSequence = [Element]
      typealias Iterator = IndexingIterator<[Element]>
      init() {}
      func makeIterator() -> IndexingIterator<[Element]> {
        IndexingIterator<[Element]>(elements: [])
      }
      @inlined var startIndex: Int { 0 }
      @inlined var endIndex: Int { 0 }
      @inlined func index(after place: Int) -> Int { place + 1 }
      subscript(position: Int) -> Element { fatalError("Index out of range") }
    }
    struct UnfoldSequence<Element, State>: IteratorProtocol, Sequence {
      typealias Iterator = UnfoldSequence<Element, State>
      var state: State
      let ask: (inout State) -> Element?
      var isDone = false
      mutating func next() -> Element? {
        if isDone { return nil }
        let made = ask(&state)
        if made == nil { isDone = true }
        return made
      }
    }
    func sequence<T>(
      first: T, next: @escaping (T) -> T?
    ) -> UnfoldSequence<T, T?> {
      UnfoldSequence<T, T?>(
        state: first,
        ask: { state in
          guard let made = state else { return nil }
          state = next(made)
          return made
        })
    }
    func sequence<T, State>(
      state: State, next: @escaping (inout State) -> T?
    ) -> UnfoldSequence<T, State> { UnfoldSequence<T, State>(state: state, ask: next) }
    """

  /// Sequences that are gone through when something asks for an element, and no farther.
  ///
  /// A place moves to the next element and reads it. As in Swift, an iterator makes each element once; a place of a
  /// collection, as `first` has one, makes it whenever it is read.
  static let lazySequences = """
    struct LazyPlace<Element> {
      let move: () -> Bool
      let read: () -> Element
    }
    extension Sequence {
      var lazy: LazySequence<Element> {
        LazySequence<Element>(begin: { _ in
          var iterator = self.makeIterator()
          var current: Element? = nil
          return LazyPlace<Element>(
            move: {
              guard let element = iterator.next() else { return false }
              current = element
              return true
            }, read: { current! })
        })
      }
    }
    struct LazySequence<Element>: Sequence {
      typealias Iterator = AnyIterator<Element>
      let begin: (Bool) -> LazyPlace<Element>
      func makeIterator() -> AnyIterator<Element> {
        let place = self.begin(true)
        return AnyIterator<Element>({ place.move() ? place.read() : nil })
      }
      @inlined var lazy: LazySequence<Element> { self }
      var hidden: AnySequence<Element> { AnySequence<Element>({ self.makeIterator() }) }
      func map<T>(_ transform: @escaping (Element) -> T) -> LazySequence<T> {
        LazySequence<T>(begin: { isOnce in
          let source = self.begin(isOnce)
          if !isOnce {
            return LazyPlace<T>(move: source.move, read: { transform(source.read()) })
          }
          var made: T? = nil
          return LazyPlace<T>(
            move: {
              if !source.move() { return false }
              made = transform(source.read())
              return true
            }, read: { made! })
        })
      }
      func filter(_ isIncluded: @escaping (Element) -> Bool) -> LazySequence<Element> {
        LazySequence<Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          return LazyPlace<Element>(
            move: {
              while source.move() {
                if isIncluded(source.read()) { return true }
              }
              return false
            }, read: source.read)
        })
      }
      func compactMap<T>(_ transform: @escaping (Element) -> T?) -> LazySequence<T> {
        self.map(transform).filter({ $0 != nil }).map({ $0! })
      }
      func flatMap<S: Sequence>(
        _ transform: @escaping (Element) -> S
      ) -> LazySequence<S.Element> {
        LazySequence<S.Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          var (part, place): ([S.Element], Int) = ([], 0)
          return LazyPlace<S.Element>(
            move: {
              place += 1
              while place >= part.count {
                if !source.move() { return false }
                (part, place) = (Array(transform(source.read())), 0)
              }
              return true
            }, read: { part[place] })
        })
      }
      func prefix(while holds: @escaping (Element) -> Bool) -> LazySequence<Element> {
        LazySequence<Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          var isDone = false
          return LazyPlace<Element>(
            move: {
              if isDone { return false }
              isDone = !source.move() || !holds(source.read())
              return !isDone
            }, read: source.read)
        })
      }
      func drop(while holds: @escaping (Element) -> Bool) -> LazySequence<Element> {
        LazySequence<Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          var isDropping = true
          return LazyPlace<Element>(
            move: {
              while source.move() {
                if isDropping { isDropping = holds(source.read()) }
                if !isDropping { return true }
              }
              return false
            }, read: source.read)
        })
      }
      func prefix(_ most: Int) -> LazySequence<Element> {
        LazySequence<Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          var count = 0
          return LazyPlace<Element>(
            move: {
              if count >= most { return false }
              count += 1
              return source.move()
            }, read: source.read)
        })
      }
      func dropFirst(_ number: Int = 1) -> LazySequence<Element> {
        LazySequence<Element>(begin: { isOnce in
          let source = self.begin(isOnce)
          var count = 0
          return LazyPlace<Element>(
            move: {
              while count < number {
                count += 1
                if !source.move() { return false }
              }
              return source.move()
            }, read: source.read)
        })
      }
      func enumerated() -> LazySequence<(offset: Int, element: Element)> {
        LazySequence<(offset: Int, element: Element)>(begin: { isOnce in
          let source = self.begin(isOnce)
          var count = 0 - 1
          return LazyPlace<(offset: Int, element: Element)>(
            move: {
              count += 1
              return source.move()
            }, read: { (offset: count, element: source.read()) })
        })
      }
      func reversed() -> LazySequence<Element> { Array(self).reversed().lazy }
      var first: Element? {
        let place = self.begin(false)
        return place.move() ? place.read() : nil
      }
      var last: Element? {
        var found: Element? = nil
        for element in self { found = element }
        return found
      }
      var isEmpty: Bool { !self.begin(false).move() }
      var count: Int {
        let place = self.begin(false)
        var number = 0
        while place.move() { number += 1 }
        return number
      }
    }
    """
}
