extension Prelude {
  /// Sets of options: values that are made of bits.
  static let optionSets = """
    protocol SetAlgebra: Equatable, ExpressibleByArrayLiteral {}
    protocol OptionSet: SetAlgebra, RawRepresentable, Hashable {
      associatedtype RawValue
      var rawValue: RawValue { get }
      init(rawValue: RawValue)
    }
    extension OptionSet where RawValue: FixedWidthInteger {
      init() { self.init(rawValue: RawValue.zero) }
      init(arrayLiteral elements: Self...) { self.init(elements) }
      init<S: Sequence>(_ elements: S) where S.Element == Self {
        var bits = RawValue.zero
        for element in elements { bits = bits | element.rawValue }
        self.init(rawValue: bits)
      }
      @inlined var isEmpty: Bool { rawValue == RawValue.zero }
      @inlined func contains(_ member: Self) -> Bool {
        rawValue & member.rawValue == member.rawValue
      }
      @inlined func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }
      @inlined func intersection(_ other: Self) -> Self {
        Self(rawValue: rawValue & other.rawValue)
      }
      @inlined func symmetricDifference(_ other: Self) -> Self {
        Self(rawValue: rawValue ^ other.rawValue)
      }
      @inlined func subtracting(_ other: Self) -> Self {
        Self(rawValue: rawValue & (rawValue ^ other.rawValue))
      }
      mutating func formUnion(_ other: Self) { self = union(other) }
      mutating func formIntersection(_ other: Self) { self = intersection(other) }
      mutating func formSymmetricDifference(_ other: Self) { self = symmetricDifference(other) }
      mutating func subtract(_ other: Self) { self = subtracting(other) }
      @discardableResult
      mutating func insert(_ member: Self) -> (inserted: Bool, memberAfterInsert: Self) {
        let old = intersection(member)
        let isNew = old != member
        self = union(member)
        return (inserted: isNew, memberAfterInsert: isNew ? member : old)
      }
      @discardableResult mutating func remove(_ member: Self) -> Self? {
        let old = intersection(member)
        self = subtracting(member)
        return old.isEmpty ? nil : old
      }
      @discardableResult mutating func update(with member: Self) -> Self? {
        let old = intersection(member)
        self = union(member)
        return old.isEmpty ? nil : old
      }
      @inlined func isSubset(of other: Self) -> Bool { other.contains(self) }
      @inlined func isSuperset(of other: Self) -> Bool { contains(other) }
      @inlined func isDisjoint(with other: Self) -> Bool { intersection(other).isEmpty }
      @inlined func isStrictSubset(of other: Self) -> Bool {
        self != other && other.contains(self)
      }
      @inlined func isStrictSuperset(of other: Self) -> Bool { self != other && contains(other) }
    }
    """
}
