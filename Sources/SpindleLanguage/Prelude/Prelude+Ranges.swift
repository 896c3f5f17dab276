extension Prelude {
  /// Ranges, and what goes through numbers by steps.
  static let ranges = """
    struct Range<Bound: Comparable> {
      let lowerBound: Bound
      let upperBound: Bound
      init(_ other: Range<Bound>) { self = other }
      init(uncheckedBounds lowerBound: Bound, upperBound: Bound) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
      }
      @inlined func contains(_ value: Bound) -> Bool {
        value >= lowerBound && value < upperBound
      }
      @inlined static func ~= (range: Range<Bound>, value: Bound) -> Bool {
        value >= range.lowerBound && value < range.upperBound
      }
      @inlined var isEmpty: Bool { lowerBound == upperBound }
    }
    struct ClosedRange<Bound: Comparable> {
      let lowerBound: Bound
      let upperBound: Bound
      init(uncheckedBounds lowerBound: Bound, upperBound: Bound) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
      }
      @inlined func contains(_ value: Bound) -> Bool {
        value >= lowerBound && value <= upperBound
      }
      @inlined static func ~= (range: ClosedRange<Bound>, value: Bound) -> Bool {
        value >= range.lowerBound && value <= range.upperBound
      }
      @inlined var isEmpty: Bool { false }
    }
    struct PartialRangeFrom<Bound: Comparable> {
      let lowerBound: Bound
      @inlined func contains(_ value: Bound) -> Bool { value >= lowerBound }
      @inlined static func ~= (range: PartialRangeFrom<Bound>, value: Bound) -> Bool {
        value >= range.lowerBound
      }
    }
    struct PartialRangeUpTo<Bound: Comparable> {
      let upperBound: Bound
      @inlined func contains(_ value: Bound) -> Bool { value < upperBound }
      @inlined static func ~= (range: PartialRangeUpTo<Bound>, value: Bound) -> Bool {
        value < range.upperBound
      }
    }
    struct PartialRangeThrough<Bound: Comparable> {
      let upperBound: Bound
      @inlined func contains(_ value: Bound) -> Bool { value <= upperBound }
      @inlined static func ~= (range: PartialRangeThrough<Bound>, value: Bound) -> Bool {
        value <= range.upperBound
      }
    }
    struct UnboundedRange {}
    extension Range {
      func overlaps(_ other: Range<Bound>) -> Bool {
        !isEmpty && !other.isEmpty && lowerBound < other.upperBound && other.lowerBound < upperBound
      }
      func overlaps(_ other: ClosedRange<Bound>) -> Bool {
        !isEmpty && lowerBound <= other.upperBound && other.lowerBound < upperBound
      }
      func clamped(to limits: Range<Bound>) -> Range<Bound> {
        let lower = min(max(lowerBound, limits.lowerBound), limits.upperBound)
        let upper = max(min(upperBound, limits.upperBound), limits.lowerBound)
        return lower ..< upper
      }
    }
    extension ClosedRange {
      func overlaps(_ other: ClosedRange<Bound>) -> Bool {
        lowerBound <= other.upperBound && other.lowerBound <= upperBound
      }
      @inlined func overlaps(_ other: Range<Bound>) -> Bool { other.overlaps(self) }
      func clamped(to limits: ClosedRange<Bound>) -> ClosedRange<Bound> {
        let lower = min(max(lowerBound, limits.lowerBound), limits.upperBound)
        let upper = max(min(upperBound, limits.upperBound), limits.lowerBound)
        return lower ... upper
      }
    }
    extension Range: Equatable where Bound: Equatable {}
    extension Range: Hashable where Bound: Hashable {}
    extension Range: Sendable where Bound: Sendable {}
    extension ClosedRange: Equatable where Bound: Equatable {}
    extension ClosedRange: Hashable where Bound: Hashable {}
    extension ClosedRange: Sendable where Bound: Sendable {}
    @inlined func numberAfter<T: FixedWidthInteger>(_ number: T) -> T { number + (1 as T) }
    @inlined func numberBefore<T: FixedWidthInteger>(_ number: T) -> T { number - (1 as T) }
    extension Range: Sequence, RandomAccessCollection where Bound: FixedWidthInteger {
      typealias Element = Bound
      typealias Index = Bound
      @inlined var startIndex: Bound { lowerBound }
      @inlined var endIndex: Bound { upperBound }
      @inlined func index(after place: Bound) -> Bound { numberAfter(place) }
      @inlined func index(before place: Bound) -> Bound { numberBefore(place) }
      @inlined subscript(position: Bound) -> Bound { position }
      @inlined var indices: Range<Bound> { self }
      typealias Iterator = IndexingIterator<Range<Bound>>
      func makeIterator() -> IndexingIterator<Range<Bound>> {
        IndexingIterator<Range<Bound>>(elements: Array(self))
      }
      @inlined subscript(range: UnboundedRange) -> Range<Bound> { self }
      @inlined var count: Int { Int(upperBound - lowerBound) }
      @inlined var first: Bound? { isEmpty ? nil : lowerBound }
      @inlined var last: Bound? { isEmpty ? nil : numberBefore(upperBound) }
    }
    extension ClosedRange: Sequence, RandomAccessCollection where Bound: FixedWidthInteger {
      typealias Element = Bound
      typealias Index = Bound
      @inlined var startIndex: Bound { lowerBound }
      @inlined var endIndex: Bound { numberAfter(upperBound) }
      @inlined func index(after place: Bound) -> Bound { numberAfter(place) }
      @inlined func index(before place: Bound) -> Bound { numberBefore(place) }
      @inlined subscript(position: Bound) -> Bound { position }
      typealias Iterator = IndexingIterator<ClosedRange<Bound>>
      func makeIterator() -> IndexingIterator<ClosedRange<Bound>> {
        IndexingIterator<ClosedRange<Bound>>(elements: Array(self))
      }
      @inlined subscript(range: UnboundedRange) -> ClosedRange<Bound> { self }
      @inlined var count: Int { Int(upperBound - lowerBound) + 1 }
      @inlined var first: Bound? { lowerBound }
      @inlined var last: Bound? { upperBound }
    }
    func stride(from start: Duration, to end: Duration, by step: Duration) -> [Duration] {
      if step == 0ns { fatalError("Stride size must not be zero") }
      var made: [Duration] = []
      var value = start
      while step > 0ns ? value < end : value > end {
        made.append(value)
        value += step
      }
      return made
    }
    func stride(from start: Duration, through end: Duration, by step: Duration) -> [Duration] {
      if step == 0ns { fatalError("Stride size must not be zero") }
      var made: [Duration] = []
      var value = start
      while step > 0ns ? value <= end : value >= end {
        made.append(value)
        value += step
      }
      return made
    }
    struct EndlessIterator<Bound: FixedWidthInteger>: IteratorProtocol {
      typealias Element = Bound
      var value: Bound
      mutating func next() -> Bound? {
        defer { value += (1 as Bound) }
        return value
      }
    }
    extension PartialRangeFrom: Sequence where Bound: FixedWidthInteger {
      typealias Element = Bound
      typealias Iterator = EndlessIterator<Bound>
      func makeIterator() -> EndlessIterator<Bound> { EndlessIterator(value: lowerBound) }
    }
    func stride(from start: Int, to end: Int, by step: Int) -> [Int] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [Int] = []
      var value = start
      while step > 0 ? value < end : value > end {
        made.append(value)
        value += step
      }
      return made
    }
    func stride(from start: Int, through end: Int, by step: Int) -> [Int] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [Int] = []
      var value = start
      while step > 0 ? value <= end : value >= end {
        made.append(value)
        value += step
      }
      return made
    }
    func stride(from start: Double, to end: Double, by step: Double) -> [Double] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [Double] = []
      var value = start
      while step > 0.0 ? value < end : value > end {
        made.append(value)
        value += step
      }
      return made
    }
    func stride(from start: Double, through end: Double, by step: Double) -> [Double] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [Double] = []
      var value = start
      while step > 0.0 ? value <= end : value >= end {
        made.append(value)
        value += step
      }
      return made
    }
    func zip<A: Sequence, B: Sequence>(_ first: A, _ second: B) -> [(A.Element, B.Element)] {
      var others: [B.Element] = []
      for element in second { others.append(element) }
      var made: [(A.Element, B.Element)] = []
      for element in first {
        if made.count == others.count { break }
        made.append((element, others[made.count]))
      }
      return made
    }
    func zip<B: Sequence>(
      _ numbers: PartialRangeFrom<Int>, _ second: B
    ) -> [(Int, B.Element)] {
      var made: [(Int, B.Element)] = []
      for element in second { made.append((numbers.lowerBound + made.count, element)) }
      return made
    }
    func repeatElement<T>(_ element: T, count: Int) -> [T] { Array(repeating: element, count: count) }
    """
}
