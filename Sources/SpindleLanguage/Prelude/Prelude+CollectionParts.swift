extension Prelude {
  /// The parts of a collection.
  static let collectionParts = """
    extension Collection {
      subscript(range: ClosedRange<Index>) -> SubSequence {
        self[range.lowerBound ..< index(after: range.upperBound)]
      }
      subscript(range: PartialRangeFrom<Index>) -> SubSequence {
        self[range.lowerBound ..< endIndex]
      }
      subscript(range: PartialRangeUpTo<Index>) -> SubSequence {
        self[startIndex ..< range.upperBound]
      }
      subscript(range: PartialRangeThrough<Index>) -> SubSequence {
        self[startIndex ..< index(after: range.upperBound)]
      }
      func _place(_ distance: Int) -> Index {
        index(startIndex, offsetBy: distance, limitedBy: endIndex) ?? endIndex
      }
      func prefix(_ most: Int) -> SubSequence {
        if most < 0 { fatalError("Can't take a prefix of negative length from a collection") }
        return self[startIndex ..< _place(most)]
      }
      func suffix(_ most: Int) -> SubSequence {
        if most < 0 { fatalError("Can't take a suffix of negative length from a collection") }
        let all = count
        return self[_place(all > most ? all - most : 0) ..< endIndex]
      }
      func dropFirst(_ number: Int = 1) -> SubSequence {
        if number < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return self[_place(number) ..< endIndex]
      }
      func dropLast(_ number: Int = 1) -> SubSequence {
        if number < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        let all = count
        return self[startIndex ..< _place(all > number ? all - number : 0)]
      }
      @inlined func prefix(while holds: (Element) throws -> Bool) rethrows -> SubSequence {
        var place = startIndex
        while place < endIndex {
          if try !holds(self[place]) { break }
          place = index(after: place)
        }
        return self[startIndex ..< place]
      }
      @inlined func drop(while holds: (Element) throws -> Bool) rethrows -> SubSequence {
        var place = startIndex
        while place < endIndex {
          if try !holds(self[place]) { break }
          place = index(after: place)
        }
        return self[place ..< endIndex]
      }
      @inlined func prefix(upTo end: Index) -> SubSequence { self[startIndex ..< end] }
      @inlined func prefix(through last: Index) -> SubSequence { self[startIndex ... last] }
      @inlined func suffix(from start: Index) -> SubSequence { self[start ..< endIndex] }
    }
    """
}
