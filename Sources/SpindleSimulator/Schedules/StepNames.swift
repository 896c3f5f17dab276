package import SpindleModel

/// Numbers for who does steps and to what they are done, the same in all runs that share the table.
package struct StepNames {
  private var numbers: [Schedule.Subject: Int32] = [:]
  private var subjects: [Schedule.Subject] = []
  /// A number for each that depends on nothing but the text: equal in all tables.
  private var hashes: [UInt64] = []

  package init() {}

  /// The number of a subject, a new one where it has none.
  package mutating func number(_ subject: Schedule.Subject) -> Int32 {
    if let known = numbers[subject] { return known }
    let number = Int32(subjects.count)
    numbers[subject] = number
    subjects.append(subject)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(subject.ordinal)
    for byte in subject.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hashes.append(RandomStreams.mix(hash))
    return number
  }

  /// What a step comes to as one number: equal for equal steps of all runs.
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
