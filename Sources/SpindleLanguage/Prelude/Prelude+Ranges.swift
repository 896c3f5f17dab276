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
      @inlined func overlaps(_ other: Range<Bound>) -> Bool {
        !self.isEmpty && !other.isEmpty && self.lowerBound < other.upperBound
          && other.lowerBound < self.upperBound
      }
      @inlined func overlaps(_ other: ClosedRange<Bound>) -> Bool {
        !self.isEmpty && self.lowerBound <= other.upperBound && other.lowerBound < self.upperBound
      }
      @inlined func _nearest(_ bound: Bound) -> Bound {
        bound < lowerBound ? lowerBound : bound > upperBound ? upperBound : bound
      }
      func clamped(to limits: Range<Bound>) -> Range<Bound> {
        let lower = limits._nearest(self.lowerBound)
        return lower ..< limits._nearest(self.upperBound)
      }
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
      @inlined func overlaps(_ other: ClosedRange<Bound>) -> Bool {
        self.lowerBound <= other.upperBound && other.lowerBound <= self.upperBound
      }
      @inlined func overlaps(_ other: Range<Bound>) -> Bool { other.overlaps(self) }
      @inlined func _nearest(_ bound: Bound) -> Bound {
        bound < lowerBound ? lowerBound : bound > upperBound ? upperBound : bound
      }
      func clamped(to limits: ClosedRange<Bound>) -> ClosedRange<Bound> {
        let lower = limits._nearest(self.lowerBound)
        return lower ... limits._nearest(self.upperBound)
      }
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
    extension Range: CustomStringConvertible, CustomDebugStringConvertible {
      var description: String { "\\(lowerBound)..<\\(upperBound)" }
      var debugDescription: String {
        "Range(\\(String(reflecting: lowerBound))..<\\(String(reflecting: upperBound)))"
      }
    }
    extension ClosedRange: CustomStringConvertible, CustomDebugStringConvertible {
      var description: String { "\\(lowerBound)...\\(upperBound)" }
      var debugDescription: String {
        "ClosedRange(\\(String(reflecting: lowerBound))...\\(String(reflecting: upperBound)))"
      }
    }
    extension Range: Equatable where Bound: Equatable {}
    extension Range: Hashable where Bound: Hashable {}
    extension Range: Sendable where Bound: Sendable {}
    extension ClosedRange: Equatable where Bound: Equatable {}
    extension ClosedRange: Hashable where Bound: Hashable {}
    extension ClosedRange: Sendable where Bound: Sendable {}
    func placesBefore<Bound: Strideable>(_ end: Bound, from start: Bound) -> [Bound]
    where Bound.Stride: SignedInteger {
      var made: [Bound] = []
      var place = start
      while place < end {
        made.append(place)
        place = place.advanced(by: 1)
      }
      return made
    }
    extension Range: RandomAccessCollection
    where Bound: Strideable, Bound.Stride: SignedInteger {
      typealias Element = Bound
      typealias Index = Bound
      typealias SubSequence = [Bound]
      @inlined var startIndex: Bound { lowerBound }
      @inlined var endIndex: Bound { upperBound }
      @inlined func index(after place: Bound) -> Bound { place.advanced(by: 1) }
      @inlined func index(before place: Bound) -> Bound { place.advanced(by: 0 - 1) }
      @inlined subscript(position: Bound) -> Bound { position }
      @inlined var indices: Range<Bound> { self }
      typealias Iterator = IndexingIterator<Range<Bound>>
      func makeIterator() -> IndexingIterator<Range<Bound>> {
        IndexingIterator<Range<Bound>>(elements: placesBefore(upperBound, from: lowerBound))
      }
      @inlined subscript(range: UnboundedRange) -> Range<Bound> { self }
      @inlined var count: Int { Int(lowerBound.distance(to: upperBound)) }
      @inlined var first: Bound? { isEmpty ? nil : lowerBound }
      @inlined var last: Bound? { isEmpty ? nil : upperBound.advanced(by: 0 - 1) }
    }
    extension ClosedRange: RandomAccessCollection
    where Bound: Strideable, Bound.Stride: SignedInteger {
      typealias Element = Bound
      typealias Index = Bound
      typealias SubSequence = [Bound]
      @inlined var startIndex: Bound { lowerBound }
      @inlined var endIndex: Bound { upperBound.advanced(by: 1) }
      @inlined func index(after place: Bound) -> Bound { place.advanced(by: 1) }
      @inlined func index(before place: Bound) -> Bound { place.advanced(by: 0 - 1) }
      @inlined subscript(position: Bound) -> Bound { position }
      typealias Iterator = IndexingIterator<ClosedRange<Bound>>
      func makeIterator() -> IndexingIterator<ClosedRange<Bound>> {
        IndexingIterator<ClosedRange<Bound>>(
          elements: placesBefore(upperBound.advanced(by: 1), from: lowerBound))
      }
      @inlined subscript(range: UnboundedRange) -> ClosedRange<Bound> { self }
      @inlined var count: Int { Int(lowerBound.distance(to: upperBound)) + 1 }
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
    struct EndlessIterator<Bound: Strideable>: IteratorProtocol where Bound.Stride: SignedInteger {
      typealias Element = Bound
      var value: Bound
      mutating func next() -> Bound? {
        defer { value = value.advanced(by: 1) }
        return value
      }
    }
    extension PartialRangeFrom: Sequence where Bound: Strideable, Bound.Stride: SignedInteger {
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
    func stride<T: Strideable>(from start: T, to end: T, by step: T.Stride) -> [T] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [T] = []
      var value = start
      while step > 0 ? value < end : value > end {
        made.append(value)
        value = value.advanced(by: step)
      }
      return made
    }
    func stride<T: Strideable>(from start: T, through end: T, by step: T.Stride) -> [T] {
      if step == 0 { fatalError("Stride size must not be zero") }
      var made: [T] = []
      var value = start
      while step > 0 ? value <= end : value >= end {
        made.append(value)
        value = value.advanced(by: step)
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
