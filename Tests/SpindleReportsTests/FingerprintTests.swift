import SpindleModel
import SpindleReports
import Testing

/// The fingerprint against its description, written down a second time and slowly.
@Suite struct FingerprintTests {
  @Test func agreesWithTheDescription() {
    let log = FingerprintTests.log
    #expect(log.digest == FingerprintTests.reference(log))
  }

  /// Computed by `reference`; another value means that all recorded logs must be recorded anew.
  @Test func isTheSameEverywhere() {
    #expect(FingerprintTests.log.digest == "bf1e8466a7f088a6")
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
    Change("one name more") { _ = $0.name("new") },
    Change("makespan") { $0.record.makespan = Instant(77) },
    Change("outcome") { $0.record.outcome = Outcome(.deadlock) },
    Change("message") { $0.record.outcome.message = "why" },
    Change("exit code") { $0.record.outcome.exitCode = 1 },
    Change("busy time", counts: false) { $0.record.cores[0].busy = milliseconds(1) },
  ]

  @Test(arguments: changes)
  func everythingButThePlaceCounts(change: Change) {
    var log = FingerprintTests.log
    change.change(&log)
    #expect((log.digest != FingerprintTests.log.digest) == change.counts)
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

  private static func reference(_ log: SmallLog) -> String {
    var state: UInt64 = 0x5350_494E_444C_4531
    func absorb(_ word: UInt64) {
      state =
        (rotated(state, 5) ^ word).multipliedReportingOverflow(by: 0x9E37_79B9_7F4A_7C15)
        .partialValue
    }
    func absorb(_ text: String) {
      absorb(UInt64(text.utf8.count))
      var rest = Array(text.utf8)
      while !rest.isEmpty {
        let bytes = rest.prefix(8)
        absorb(bytes.reversed().reduce(0) { $0 * 256 + UInt64($1) })
        rest.removeFirst(bytes.count)
      }
    }
    for entry in log.entries { absorb(word(entry)) }
    for name in log.names { absorb(name) }
    absorb(UInt64(log.record.outcome.kind.rawValue))
    absorb(log.record.outcome.message)
    absorb(UInt64(bitPattern: log.record.outcome.exitCode ?? -1))
    absorb(UInt64(log.record.end.nanoseconds))
    absorb(UInt64(log.record.makespan.nanoseconds))
    absorb(UInt64(log.entries.count))
    state = (state ^ (state / (1 << 30))) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state / (1 << 27))) &* 0x94D0_49BB_1331_11EB
    state ^= state / (1 << 31)
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func word(_ entry: LogEntry) -> UInt64 {
    func unsigned(_ number: Int32) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: number)) }
    let words: [(value: UInt64, factor: UInt64, rotation: UInt64)] = [
      (UInt64(truncatingIfNeeded: entry.time), 0xA24B_AED4_963E_E407, 0),
      (UInt64(truncatingIfNeeded: entry.value), 0x9FB2_1C65_1E98_DF25, 13),
      (unsigned(entry.thread) + unsigned(entry.object) * 4_294_967_296, 0xD6E8_FEB8_6659_FD93, 29),
      (unsigned(entry.other) + unsigned(entry.subject) * 4_294_967_296, 0xC2B2_AE3D_27D4_EB4F, 43),
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
