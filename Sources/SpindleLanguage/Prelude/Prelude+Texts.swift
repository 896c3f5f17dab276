import SpindleModel

extension Prelude {
  /// Texts.
  static let texts = """
    protocol StringProtocol {}
    @builtin(String)
    struct String: Hashable, Comparable, StringProtocol, Sendable, Codable,
      LosslessStringConvertible, TextOutputStream
    {
      @inlined mutating func write(_ string: String) { self = self + string }
      @builtin(concatenate) static func + (a: String, b: String) -> String
      @inlined static func += (a: inout String, b: String) { a = a + b }
      @builtin(equal) static func == (a: String, b: String) -> Bool
      @builtin(notEqual) static func != (a: String, b: String) -> Bool
      @builtin(textIsBefore) static func < (a: String, b: String) -> Bool
      @builtin(emptyText) init()
      @builtin(describeValue) init<T>(_ value: T)
      @builtin(describeValue) init<T>(describing value: T)
      @builtin(reflect) init<T>(reflecting value: T)
      @inlined var debugDescription: String { String(reflecting: self) }
      init(repeating part: String, count: Int) {
        var made = ""
        for _ in 0 ..< count { made = made + part }
        self = made
      }
      @builtin(textCount) var count: Int { get }
      @inlined var isEmpty: Bool { self == "" }
      @builtin(textHasPrefix) func hasPrefix(_ part: String) -> Bool
      @builtin(textHasSuffix) func hasSuffix(_ part: String) -> Bool
      @builtin(textContains) func contains(_ part: String) -> Bool
      @builtin(textUppercased) func uppercased() -> String
      @builtin(textLowercased) func lowercased() -> String
      @builtin(textCapitalized) var capitalized: String { get }
      @inlined mutating func append(_ part: String) { self = self + part }
      @inlined var description: String { self }
      typealias Element = Character
      @builtin(textPart) func _part(_ start: Int, _ end: Int) -> String
      @builtin(textTraits) var _traits: Int { get }
      var _characters: [Character] {
        var made: [Character] = []
        for place in 0 ..< self.count { made.append(self._part(place, place + 1)) }
        return made
      }
      init<S: Sequence>(_ characters: S) where S.Element == Character {
        var made = ""
        for character in characters { made = made + character }
        self = made
      }
      @inlined mutating func append<S: Sequence>(
        contentsOf characters: S
      ) where S.Element == Character { self = self + String(characters) }
      @inlined var first: Character? { self == "" ? nil : self._part(0, 1) }
      @inlined var last: Character? {
        self == "" ? nil : self._part(self.count - 1, self.count)
      }
      @inlined func filter(_ isIncluded: (Character) throws -> Bool) rethrows -> String {
        var made = ""
        for character in self {
          if try isIncluded(character) { made = made + character }
        }
        return made
      }
      func prefix(_ most: Int) -> Substring {
        if most < 0 { fatalError("Can't take a prefix of negative length from a collection") }
        return self._part(0, most)
      }
      func suffix(_ most: Int) -> Substring {
        if most < 0 { fatalError("Can't take a suffix of negative length from a collection") }
        let all = self.count
        return self._part(all > most ? all - most : 0, all)
      }
      func dropFirst(_ count: Int = 1) -> Substring {
        if count < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return self._part(count, self.count)
      }
      func dropLast(_ count: Int = 1) -> Substring {
        if count < 0 { fatalError("Can't drop a negative number of elements from a collection") }
        return self._part(0, self.count - count)
      }
      @inlined func prefix(while holds: (Character) throws -> Bool) rethrows -> Substring {
        var made = ""
        for character in self {
          if try !holds(character) { break }
          made = made + character
        }
        return made
      }
      @inlined func drop(while holds: (Character) throws -> Bool) rethrows -> Substring {
        var made = ""
        var isDropping = true
        for character in self {
          if isDropping { isDropping = try holds(character) }
          if !isDropping { made = made + character }
        }
        return made
      }
      @discardableResult mutating func removeFirst() -> Character {
        if self == "" { fatalError("Can't remove first element from an empty collection") }
        let gone = self._part(0, 1)
        self = self._part(1, self.count)
        return gone
      }
      @discardableResult mutating func removeLast() -> Character {
        if self == "" { fatalError("Can't remove last element from an empty collection") }
        let all = self.count
        let gone = self._part(all - 1, all)
        self = self._part(0, all - 1)
        return gone
      }
      @inlined mutating func removeFirst(_ count: Int) { self = self.dropFirst(count) }
      @inlined mutating func removeLast(_ count: Int) { self = self.dropLast(count) }
      @inlined mutating func popFirst() -> Character? { self == "" ? nil : self.removeFirst() }
      @inlined mutating func popLast() -> Character? { self == "" ? nil : self.removeLast() }
      @inlined mutating func removeAll(keepingCapacity: Bool = false) { self = "" }
      func split(
        separator: Character, maxSplits: Int = Int.max, omittingEmptySubsequences: Bool = true
      ) -> [Substring] {
        self._split(maxSplits, omittingEmptySubsequences, { $0 == separator })
      }
      func split(
        maxSplits: Int = Int.max, omittingEmptySubsequences: Bool = true,
        whereSeparator isSeparator: (Character) -> Bool
      ) -> [Substring] { self._split(maxSplits, omittingEmptySubsequences, isSeparator) }
      @inlined func _split(
        _ most: Int, _ leavesOutEmpty: Bool, _ isSeparator: (Character) -> Bool
      ) -> [Substring] {
        var made: [Substring] = []
        var part = ""
        for character in self {
          if made.count < most && isSeparator(character) {
            if !leavesOutEmpty || part != "" { made.append(part) }
            part = ""
          } else {
            part = part + character
          }
        }
        if !leavesOutEmpty || part != "" { made.append(part) }
        return made
      }
      func components(separatedBy separator: String) -> [String] {
        var made: [String] = []
        var part = ""
        let (all, length) = (self.count, separator.count)
        var place = 0
        while place < all {
          if length > 0 && self._part(place, place + length) == separator {
            made.append(part)
            part = ""
            place += length
          } else {
            part = part + self._part(place, place + 1)
            place += 1
          }
        }
        made.append(part)
        return made
      }
      @inlined func replacingOccurrences(of target: String, with replacement: String) -> String {
        self.components(separatedBy: target).joined(separator: replacement)
      }
      @inlined func replacing(_ target: String, with replacement: String) -> String {
        self.replacingOccurrences(of: target, with: replacement)
      }
      func components(separatedBy set: CharacterSet) -> [String] {
        self._split(Int.max, false, { set._holds($0) })
      }
      func trimmingCharacters(in set: CharacterSet) -> String {
        var (start, end) = (0, self.count)
        while start < end, set._holds(self._part(start, start + 1)) { start += 1 }
        while end > start, set._holds(self._part(end - 1, end)) { end -= 1 }
        return self._part(start, end)
      }
      func padding(toLength length: Int, withPad pad: String, startingAt start: Int) -> String {
        var made = self._part(0, length < self.count ? length : self.count)
        var place = start
        while made.count < length {
          made = made + pad._part(place, place + 1)
          place = place + 1 == pad.count ? 0 : place + 1
        }
        return made
      }
      func _inPlace(
        _ width: Int, _ digits: Int, _ isLeft: Bool, _ hasZeros: Bool, _ positive: String
      ) -> String {
        let isNegative = self.hasPrefix("-")
        let sign = isNegative ? "-" : positive
        var made = isNegative && (digits > 0 || hasZeros) ? self.dropFirst() : self
        if isNegative && digits == 0 && !hasZeros { return made._filled(width, isLeft) }
        while made.count < digits { made = "0" + made }
        while hasZeros, made.count < width - sign.count { made = "0" + made }
        return (sign + made)._filled(width, isLeft)
      }
      func _filled(_ width: Int, _ isLeft: Bool) -> String {
        var made = self
        while made.count < width { made = isLeft ? made + " " : " " + made }
        return made
      }
      func _digits(_ value: Int, _ bits: Int, _ isLong: Bool, _ isUppercase: Bool) -> String {
        var left = isLong ? 64 : 32
        var rest = isLong ? value : value & 0xFFFF_FFFF
        var made = ""
        repeat {
          let place = rest & ((1 << bits) - 1)
          made = "0123456789abcdef"._part(place, place + 1) + made
          left -= bits
          rest = rest >> bits
          if rest < 0, left < bits { rest = rest & ((1 << left) - 1) }
        } while rest != 0 && left > 0
        return isUppercase ? made.uppercased() : made
      }
      \(properties)
      @inlined var wholeNumberValue: Int? { Int(self) }
      @inlined var isWholeNumber: Bool { Int(self) != nil }
      @inlined var isCased: Bool { self.isUppercase || self.isLowercase }
    }
    struct CollectionIndex: Comparable, Hashable, Sendable {
      let _place: Int
      @inlined static func < (a: CollectionIndex, b: CollectionIndex) -> Bool {
        a._place < b._place
      }
      @inlined func _moved(_ distance: Int) -> CollectionIndex {
        CollectionIndex(_place: _place + distance)
      }
    }
    extension String: BidirectionalCollection, RangeReplaceableCollection {
      typealias Index = CollectionIndex
      typealias SubSequence = String
      @inlined var startIndex: CollectionIndex { CollectionIndex(_place: 0) }
      @inlined var endIndex: CollectionIndex { CollectionIndex(_place: self.count) }
      @inlined func index(after place: CollectionIndex) -> CollectionIndex { place._moved(1) }
      @inlined func index(before place: CollectionIndex) -> CollectionIndex { place._moved(0 - 1) }
      @inlined func index(_ place: CollectionIndex, offsetBy distance: Int) -> CollectionIndex {
        place._moved(distance)
      }
      @inlined func distance(from start: CollectionIndex, to end: CollectionIndex) -> Int {
        end._place - start._place
      }
      subscript(position: CollectionIndex) -> Character {
        let place = position._place
        if place < 0 || place >= self.count { fatalError("String index is out of bounds") }
        return self._part(place, place + 1)
      }
      @inlined subscript(range: Range<CollectionIndex>) -> Substring {
        self._part(range.lowerBound._place, range.upperBound._place)
      }
      @inlined subscript(range: ClosedRange<CollectionIndex>) -> Substring {
        self._part(range.lowerBound._place, range.upperBound._place + 1)
      }
      @inlined subscript(range: PartialRangeFrom<CollectionIndex>) -> Substring {
        self._part(range.lowerBound._place, self.count)
      }
      @inlined subscript(range: PartialRangeUpTo<CollectionIndex>) -> Substring {
        self._part(0, range.upperBound._place)
      }
      @inlined subscript(range: PartialRangeThrough<CollectionIndex>) -> Substring {
        self._part(0, range.upperBound._place + 1)
      }
      @inlined subscript(range: UnboundedRange) -> Substring { self }
      mutating func insert(_ character: Character, at place: CollectionIndex) {
        self = self._part(0, place._place) + character + self._part(place._place, self.count)
      }
      @discardableResult mutating func remove(at place: CollectionIndex) -> Character {
        let gone = self[place]
        self = self._part(0, place._place) + self._part(place._place + 1, self.count)
        return gone
      }
      @inlined mutating func removeAll(where isGone: (Character) throws -> Bool) rethrows {
        self = try self.filter({ try !isGone($0) })
      }
      typealias Iterator = IndexingIterator<String>
      func makeIterator() -> IndexingIterator<String> {
        IndexingIterator<String>(elements: Array(self))
      }
    }
    struct CharacterSet: Sendable {
      let _holds: @Sendable (String) -> Bool
      init() { _holds = { _ in false } }
      init(charactersIn text: String) {
        let own = Set(text)
        _holds = { own.contains($0) }
      }
      init(_ holds: @escaping @Sendable (String) -> Bool) { _holds = holds }
      var inverted: CharacterSet { CharacterSet({ !self._holds($0) }) }
      func union(_ other: CharacterSet) -> CharacterSet {
        CharacterSet({ self._holds($0) || other._holds($0) })
      }
      func intersection(_ other: CharacterSet) -> CharacterSet {
        CharacterSet({ self._holds($0) && other._holds($0) })
      }
      func subtracting(_ other: CharacterSet) -> CharacterSet {
        CharacterSet({ self._holds($0) && !other._holds($0) })
      }
      mutating func formUnion(_ other: CharacterSet) { self = self.union(other) }
      mutating func insert(charactersIn text: String) {
        self = self.union(CharacterSet(charactersIn: text))
      }
      mutating func remove(charactersIn text: String) {
        self = self.subtracting(CharacterSet(charactersIn: text))
      }
      mutating func invert() { self = self.inverted }
      \(sets)
    }
    typealias Substring = String
    typealias Character = String
    """

  /// The properties of a character, each with its trait.
  private static let properties =
    [
      ("isLetter", CharacterTraits.letter), ("isNumber", .number), ("isWhitespace", .whitespace),
      ("isNewline", .newline), ("isUppercase", .uppercase), ("isLowercase", .lowercase),
      ("isPunctuation", .punctuation), ("isSymbol", .symbol), ("isHexDigit", .hexDigit),
    ].map { "@inlined var \($0): Bool { self._traits & \($1.rawValue) != 0 }" }
    .joined(separator: "\n")

  /// The sets of characters, each with the traits of which a member has one.
  private static let sets =
    [
      ("whitespaces", CharacterTraits.whitespace),
      ("whitespacesAndNewlines", [.whitespace, .newline]), ("newlines", .newline),
      ("letters", .letter), ("decimalDigits", .number), ("alphanumerics", [.letter, .number]),
      ("punctuationCharacters", .punctuation),
      ("symbols", .symbol), ("uppercaseLetters", .uppercase), ("lowercaseLetters", .lowercase),
    ].map {
      "static var \($0): CharacterSet { CharacterSet({ $0._traits & \($1.rawValue) != 0 }) }"
    }
    .joined(separator: "\n")
}
