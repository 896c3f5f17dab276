import SpindleModel

/// Which names that are declared without a value have one at the place that is being made.
///
/// Only those count that may still be without one: most code has none, and pays for none. Each label has what holds at the jumps
/// to it, joined; so has each `catch` of all that may throw in front of it.
struct LateValues {
  /// A name that may be without a value here.
  struct Lack: Hashable {
    var id: Int32
    /// Whether it has one on some way that leads here.
    var isPartial = false
  }

  /// What an assignment to such a name is.
  enum Setting { case first, again }

  /// Where a loop sets a `let` a second time.
  struct Fault {
    let place: SourceRange
  }

  private struct Known {
    var isVariable: Bool
    var isOpen = true
    var place = SourceRange(0, 0)
  }

  /// What may be without a value here, in the order of the numbers.
  private(set) var lacks: [Lack] = []
  private var known: [Known] = []
  private var atLabels: [Int32: [Lack]] = [:]
  private var throwing: [(position: Int, lacks: [Lack])] = []
  private(set) var faults: [Fault] = []

  /// Whether the block has such names at all.
  var isEmpty: Bool { known.isEmpty }

  /// Adds a name; gives its number.
  mutating func declare(isVariable: Bool) -> Int32 {
    known.append(Known(isVariable: isVariable))
    let id = Int32(known.count - 1)
    lacks.append(Lack(id: id))
    return id
  }

  /// Whether a name has a value here whichever way was taken.
  func isSet(_ id: Int32) -> Bool { !lacks.contains { $0.id == id } }

  /// Gives a name its value.
  mutating func set(_ id: Int32, _ place: SourceRange) -> Setting {
    known[Int(id)].place = place
    let isVariable = known[Int(id)].isVariable
    guard let index = lacks.firstIndex(where: { $0.id == id }) else {
      return isVariable ? .first : .again
    }
    let lack = lacks.remove(at: index)
    return lack.isPartial && !isVariable ? .again : .first
  }

  /// Reports nothing more of a name.
  mutating func forgive(_ id: Int32) {
    known[Int(id)].isVariable = true
    lacks.removeAll { $0.id == id }
  }

  /// Ends the scope of a name.
  mutating func close(_ id: Int32) {
    known[Int(id)].isOpen = false
    lacks.removeAll { $0.id == id }
  }

  // MARK: Ways

  /// Notes a jump to a label in front, to which others may have led before.
  mutating func jump(to label: Int32, isKnown: Bool) {
    guard let there = atLabels[label] else {
      // Whoever jumped there when nothing was without a value had them all.
      atLabels[label] = isKnown ? joined([], lacks) : lacks
      return
    }
    atLabels[label] = joined(there, lacks)
  }

  /// Notes a jump back to a label: what had no value there has none still.
  mutating func jump(backTo label: Int32) {
    guard let there = atLabels[label] else { return }
    let same = Set(lacks)
    for lack in there where !same.contains(lack) {
      let name = known[Int(lack.id)]
      if name.isOpen && !name.isVariable { faults.append(Fault(place: name.place)) }
    }
  }

  /// Comes to a label, to which jumps lead, the code in front of it, or both.
  mutating func mark(_ label: Int32, isJumpedTo: Bool, isReachable: Bool) {
    if isJumpedTo {
      let there = (atLabels[label] ?? []).filter { known[Int($0.id)].isOpen }
      lacks = isReachable ? joined(there, lacks) : there
    }
    atLabels[label] = lacks.isEmpty ? nil : lacks
  }

  /// Notes that an error may come out of the instruction at `position`.
  mutating func noteThrow(at position: Int) { throwing.append((position, lacks)) }

  /// Comes to where what is thrown from `start` on leads.
  mutating func catchThrown(from start: Int) {
    var there: [Lack]?
    while let last = throwing.last, last.position >= start {
      there = there.map { joined($0, last.lacks) } ?? last.lacks
      throwing.removeLast()
    }
    guard let there else { return }
    // A call is taken to throw also where its function never does: a second value is then no mistake.
    lacks = there.filter { known[Int($0.id)].isOpen }.map { Lack(id: $0.id) }
  }

  /// Goes on with what lacked a value when a cleanup was entered, but for what `lacks` has lost in it.
  mutating func comeBack(to before: [Lack], _ cleaned: [Lack]) {
    let left = Set(cleaned.map(\.id))
    lacks = before.filter { known[Int($0.id)].isOpen && left.contains($0.id) }
  }

  /// What lacks a value behind two ways: a walk through both, which are in the order of their numbers.
  func joined(_ one: [Lack], _ other: [Lack]) -> [Lack] {
    guard one != other else { return one }
    var both: [Lack] = []
    both.reserveCapacity(max(one.count, other.count))
    var (left, right) = (0, 0)
    while left < one.count || right < other.count {
      let a = left < one.count ? one[left].id : Int32.max
      let b = right < other.count ? other[right].id : Int32.max
      let isPartial =
        a != b || one[left].isPartial || other[right].isPartial
      both.append(Lack(id: min(a, b), isPartial: isPartial))
      if a <= b { left += 1 }
      if b <= a { right += 1 }
    }
    return both
  }
}
