package import SpindleModel

/// Where an item comes from: the same in all runs in which its submitter does the same.
struct ItemOrigin: Hashable {
  /// The number of the thread or item that submits it; -1 for the world outside.
  let submitter: Int32
  /// The number of its name's text.
  let name: Int32
  /// Which one of that name the submitter submits, from 1.
  let time: Int32
}

/// Numbers for who does steps and to what they are done, the same in all runs that share the table.
package struct StepNames {
  private var texts: [String: Int32] = [:]
  private var names: [String] = []
  /// By the number of the name, and of which one of it, from 1.
  private var numbers: [UInt64: Int32] = [:]
  private var subjects: [Schedule.Subject] = []
  /// A number for each that depends on nothing but the text: equal in all tables.
  private var hashes: [UInt64] = []
  /// Which ones of their names the items of the first run are; empty during that run.
  private var items: [ItemOrigin: Int32] = [:]
  /// How many items of each name the first run had, by the number of the text.
  private var itemCounts: [Int32] = []
  /// Whether the first run has ended.
  private(set) var isSettled = false

  package init() {}

  /// The number of a text among the names; a new one where it has none.
  mutating func text(_ name: String) -> Int32 {
    if let known = texts[name] { return known }
    let number = Int32(names.count)
    texts[name] = number
    names.append(name)
    return number
  }

  /// The number of a subject by that of its name, a new one where it has none.
  mutating func number(text: Int32, ordinal: Int) -> Int32 {
    let key = UInt64(UInt32(bitPattern: text)) << 32 | UInt64(UInt32(truncatingIfNeeded: ordinal))
    if let known = numbers[key] { return known }
    let number = Int32(subjects.count)
    numbers[key] = number
    let name = names[Int(text)]
    subjects.append(Schedule.Subject(name, ordinal: ordinal))
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(ordinal)
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hashes.append(RandomStreams.mix(hash))
    return number
  }

  /// The number of a subject, a new one where it has none.
  package mutating func number(_ subject: Schedule.Subject) -> Int32 {
    number(text: text(subject.name), ordinal: subject.ordinal)
  }

  /// The number of a subject; nil where it has none.
  package func find(_ subject: Schedule.Subject) -> Int32? {
    guard let text = texts[subject.name] else { return nil }
    return numbers[UInt64(text) << 32 | UInt64(UInt32(truncatingIfNeeded: subject.ordinal))]
  }

  /// The key of a step in the words of a schedule; nil where no run has had its subjects.
  package func key(of step: Schedule.Step) -> StepKey? {
    guard let actor = find(step.actor), let object = find(step.object) else { return nil }
    return StepKey(actor: actor, verb: step.verb, object: object)
  }

  /// What a step in the words of a schedule comes to as one number; 0 where no run has had its subjects.
  package func hash(_ step: Schedule.Step) -> UInt64 {
    key(of: step).map { hash($0, Int32(clamping: step.time)) } ?? 0
  }

  /// Which one of its name an item is: the one that the first run has in its place; behind all those if it has none.
  ///
  /// Who submits first may differ from run to run, and a schedule is to mean the same item in each.
  func ordinal(_ origin: ItemOrigin, isNew count: inout Int32) -> Int32 {
    if let known = items[origin] { return known }
    count += 1
    return count + (Int(origin.name) < itemCounts.count ? itemCounts[Int(origin.name)] : 0)
  }

  /// Keeps which ones of their names the items of the first run are.
  mutating func settle(_ items: [ItemOrigin: Int32], _ counts: [Int32]) {
    if isSettled { return }
    (self.items, itemCounts, isSettled) = (items, counts, true)
  }

  /// How many subjects there are.
  package var count: Int { subjects.count }

  /// What a step comes to as one number: equal for equal steps of all runs.
  @inline(__always)
  package func hash(_ key: StepKey, _ time: Int32) -> UInt64 {
    RandomStreams.mix(
      hashes[Int(key.actor)] &+ RandomStreams.mix(hashes[Int(key.object)] ^ UInt64(key.verb.place))
        &+ UInt64(UInt32(bitPattern: time)) << 32)
  }

  /// The number of a subject that is the same in all tables.
  func hash(_ number: Int32) -> UInt64 { hashes[Int(number)] }

  /// A recorded step in the words of a schedule.
  package func words(of step: RecordedStep) -> Schedule.Step {
    Schedule.Step(
      subject(step.key.actor), step.key.verb, subject(step.key.object), time: Int(step.time))
  }

  /// The subject with a number.
  package func subject(_ number: Int32) -> Schedule.Subject { subjects[Int(number)] }
}
