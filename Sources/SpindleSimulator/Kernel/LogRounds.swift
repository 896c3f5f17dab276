import SpindleModel

/// Finds out that the same few entries are recorded again and again, each time later by the same: rounds of a loop.
///
/// Only entries that a busy wait leaves are looked at, and only where very many of them come in a row: the log tells the
/// first of their rounds in full, and of the others how many there were (`LogEvent.roundsRepeated`). What it tells depends
/// on nothing but what is recorded, so that it is the same whether the rounds are run or passed over.
struct LogRounds {
  /// The most entries that a round has.
  static let longest = 64
  /// How many entries in a row are told before rounds are looked for.
  static let patience = 256
  /// How many entries have to be like those a round before.
  static let window = 2 * longest

  /// Where the entry behind the last one in a row goes; nil for none.
  var next: UnsafeMutablePointer<LogEntry>?
  /// How many there are in this row, up to the number from which on they are looked at.
  var count = 0
  /// How many rows there were.
  private(set) var rows: Int64 = 0
  /// Entries of this row among which rounds are looked for.
  private var seen: [LogEntry] = []
  /// The last round; empty where none is known.
  private(set) var round: [LogEntry] = []
  /// How much later each round is.
  private(set) var period: Int64 = 0
  /// How many entries of the present round there are.
  private(set) var place = 0
  /// Where the rounds are told that are not recorded; nil while all are.
  private(set) var told: UnsafeMutablePointer<LogEntry>?
  /// Whether the last round that is told in full has been recorded.
  private var isAnnounced = false

  /// Another row begins.
  mutating func restart() {
    rows &+= 1
    (count, place, told, isAnnounced) = (0, 0, nil, false)
    if !seen.isEmpty { seen = [] }
    if !round.isEmpty { round = [] }
  }

  /// Looks at an entry that does not belong to a known round; whether rounds are known now.
  mutating func look(at entry: LogEntry) -> Bool {
    seen.append(entry)
    if seen.count < Self.window { return false }
    for length in 1...Self.longest {
      let later = seen[length].time - seen[0].time
      guard later > 0,
        (length..<seen.count).allSatisfy({ seen[$0].repeats(seen[$0 - length], later: later) })
      else { continue }
      (round, period, place) = (Array(seen.suffix(length)), later, 0)
      seen = []
      return true
    }
    count = 0
    seen = []
    return false
  }

  /// Whether an entry is the next one of the round, which it then is a part of.
  mutating func goesOn(_ entry: LogEntry) -> Bool {
    guard entry.repeats(round[place], later: period) else { return false }
    round[place] = entry
    place += 1
    return true
  }

  /// The entry behind which the next one goes when a round is complete that ends before `end`.
  ///
  /// The first one is told in full. Those behind it leave one entry in all.
  mutating func complete(before end: UnsafeMutablePointer<LogEntry>)
    -> UnsafeMutablePointer<LogEntry>
  {
    guard place == round.count else { return end }
    place = 0
    guard isAnnounced else {
      isAnnounced = true
      return end
    }
    let told = self.told ?? end - round.count
    if self.told == nil {
      let first = round[0].thread
      told.pointee = LogEntry(
        time: 0, event: .roundsRepeated,
        thread: round.allSatisfy { $0.thread == first } ? first : -1, other: Int32(round.count))
      self.told = told
    }
    told.pointee.value += 1
    told.pointee.time = round[round.count - 1].time
    return told + 1
  }

  /// Counts rounds that nobody recorded, each of `entries` entries and later by `later`; whether it can.
  mutating func pass(
    _ count: Int64, of entries: Int, later: Int64, before end: UnsafeMutablePointer<LogEntry>
  ) -> Bool {
    guard let told, entries % round.count == 0 else { return false }
    let each = Int64(entries / round.count)
    guard each * period == later else { return false }
    told.pointee.value += count * each
    var entry = told
    while entry < end {
      entry.pointee.time += count * later
      entry += 1
    }
    for index in round.indices { round[index].time += count * later }
    return true
  }
}

extension LogEntry {
  /// Whether it tells the same as another one, so much later.
  ///
  /// Not by the same instruction, which is no part of what the log tells.
  fileprivate func repeats(_ other: LogEntry, later: Int64) -> Bool {
    var expected = other
    expected.time += later
    expected.place = place
    return self == expected
  }
}
