import SpindleModel
import SpindleReports
import Testing

/// The digest against its description, written down a second time and slowly.
@Suite struct LogDigestTests {
  @Test func agreesWithTheDescription() {
    let log = LogDigestTests.log
    #expect(log.digest == LogDigestTests.reference(log))
  }

  /// Computed by `reference`; another value means that all recorded logs must be recorded anew.
  @Test func isTheSameEverywhere() {
    #expect(LogDigestTests.log.digest == "1519f516680c87bf")
  }

  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let counts: Bool
    let change: @Sendable (inout SmallLog) -> Void

    init(
      _ name: String, counts: Bool = true, _ change: @escaping @Sendable (inout SmallLog) -> Void
    ) {
      (testDescription, self.counts, self.change) = (name, counts, change)
    }
  }

  static let changes = [
    Change("time") { $0.change { $0.time += 1 } },
    Change("value") { $0.change { $0.value += 1 } },
    Change("thread") { $0.change { $0.thread += 1 } },
    Change("object") { $0.change { $0.object += 1 } },
    Change("other") { $0.change { $0.other += 1 } },
    Change("subject") { $0.change { $0.subject += 1 } },
    Change("event") { $0.change { $0.event = .arrival } },
    Change("detail") { $0.change { $0.detail += 1 } },
    Change("core") { $0.change { $0.core += 1 } },
    Change("place", counts: false) { $0.change { $0.place += 1 } },
    Change("one entry more") { $0.mark(9, "again") },
    Change("one name more", counts: false) { _ = $0.name("new") },
    Change("another name") { log in
      let other = log.name("ten bytes")
      log.change { $0.object = other }
    },
    Change("makespan") { $0.record.makespan = Instant(77) },
    Change("outcome") { $0.record.outcome = Outcome(.deadlock) },
    Change("message") { $0.record.outcome.message = "why" },
    Change("exit code") { $0.record.outcome.exitCode = 1 },
    Change("busy time", counts: false) { $0.record.cores[0].busy = milliseconds(1) },
  ]

  @Test(arguments: changes)
  func everythingButThePlaceCounts(change: Change) {
    var log = LogDigestTests.log
    change.change(&log)
    #expect((log.digest != LogDigestTests.log.digest) == change.counts)
  }

  private static var log: SmallLog {
    var log = SmallLog(kinds: ["a*"])
    log.addMain()
    log.add(
      1.5, .threadRuns, thread: 0, object: "nine bytes", other: 2, subject: 3, value: -4, detail: 3,
      core: 1)
    log.mark(2, "ä")
    return log
  }

  /// A name counts by its text: what else has a name, and which came first, changes nothing.
  @Test func numbersOfNamesDoNotCount() {
    func log(_ first: String, _ second: String) -> String {
      var log = SmallLog(kinds: ["a*"])
      _ = (log.name(first), log.name(second))
      let (queue, mode) = (log.name("queue"), log.name("mode"))
      log.addMain()
      log.mark(1, "text")
      log.add(2, .itemSubmitted, thread: 0, object: "item", other: queue, subject: 0)
      log.add(3, .runLoopItemAdded, thread: 0, object: "clock", other: 0, subject: mode)
      log.add(
        4, .record, thread: 0, object: "key", value: Int64(mode),
        detail: ValueFormat.string.rawValue)
      return log.digest
    }
    #expect(log("queue", "text") == log("key", "item"))
    #expect(log("queue", "text") == log("item", "mode"))
  }

  /// Mixes words and texts as the description has it.
  private struct Mixer {
    var state: UInt64 = 0x5350_494E_444C_4531

    mutating func absorb(_ word: UInt64) {
      state =
        (rotated(state, 5) ^ word).multipliedReportingOverflow(by: 0x9E37_79B9_7F4A_7C15)
        .partialValue
    }

    mutating func absorb(_ text: String) {
      absorb(UInt64(text.utf8.count))
      var rest = Array(text.utf8)
      while !rest.isEmpty {
        let bytes = rest.prefix(8)
        absorb(bytes.reversed().reduce(0) { $0 * 256 + UInt64($1) })
        rest.removeFirst(bytes.count)
      }
    }

    var value: UInt64 {
      var mixed = state
      mixed = (mixed ^ (mixed / (1 << 30))) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed / (1 << 27))) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed / (1 << 31)
    }
  }

  private static func reference(_ log: SmallLog) -> String {
    var mixer = Mixer()
    for entry in log.entries { mixer.absorb(word(entry, log.names)) }
    mixer.absorb(UInt64(log.record.outcome.kind.rawValue))
    mixer.absorb(log.record.outcome.message)
    mixer.absorb(UInt64(bitPattern: log.record.outcome.exitCode ?? -1))
    mixer.absorb(UInt64(log.record.end.nanoseconds))
    mixer.absorb(UInt64(log.record.makespan.nanoseconds))
    mixer.absorb(UInt64(log.entries.count))
    let digits = String(mixer.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func word(_ entry: LogEntry, _ names: [String]) -> UInt64 {
    func name(_ number: Int32) -> UInt64 {
      guard number >= 0 && number < names.count else { return unsigned(number) }
      var mixer = Mixer()
      mixer.absorb(names[Int(number)])
      return mixer.value
    }
    func unsigned(_ number: Int32) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: number)) }
    let words: [(value: UInt64, factor: UInt64, rotation: UInt64)] = [
      (UInt64(truncatingIfNeeded: entry.time), 0xA24B_AED4_963E_E407, 0),
      (UInt64(truncatingIfNeeded: entry.value), 0x9FB2_1C65_1E98_DF25, 13),
      (unsigned(entry.thread) ^ rotated(name(entry.object), 32), 0xD6E8_FEB8_6659_FD93, 29),
      (unsigned(entry.other) ^ rotated(unsigned(entry.subject), 32), 0xC2B2_AE3D_27D4_EB4F, 43),
      (
        UInt64(entry.event.rawValue) + UInt64(entry.detail) * 256
          + UInt64(UInt16(truncatingIfNeeded: entry.core)) * 65_536, 0x1656_67B1_9E37_79F9, 53
      ),
    ]
    var mixed: UInt64 = 0
    for word in words { mixed ^= rotated(word.value &* word.factor, word.rotation) }
    return mixed ^ (mixed >> 32)
  }

  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    count == 0 ? word : (word << count) + (word >> (64 - count))
  }
}

extension SmallLog {
  /// Changes the second entry.
  fileprivate mutating func change(_ body: (inout LogEntry) -> Void) {
    replaceEntry(1, body)
  }
}
