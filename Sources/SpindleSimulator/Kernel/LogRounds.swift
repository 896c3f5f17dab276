import SpindleModel

/// Finds out that the same few entries are recorded again and again, each time later by the same: rounds of a loop.
///
/// Only entries that a busy wait leaves are looked at, and only where very many of them come in a row: the log tells the
/// first and the last of their rounds in full, and of those between how many there were (`LogEvent.roundsRepeated`). The
/// values of variables may grow by the same in each round. What the log tells depends on nothing but what is recorded, so
/// that it is the same whether the rounds are run or passed over.
struct LogRounds {
  /// The most entries that a round has.
  static let longest = 64
  /// How many entries in a row are told before rounds are looked for.
  static let patience = 256
  /// How many are told where variables are written, as loops do that wait for nothing.
  static let patienceWithWrites = 16_384
  /// How many entries have to be like those a round before.
  static let window = 2 * longest

  /// Where the entry behind the last one in a row goes; nil for none.
  var next: UnsafeMutablePointer<LogEntry>?
  /// How many there are in this row since rounds were looked for in vain, up to the number from which on they are looked at.
  var count = 0
  /// How many there were in this row before that.
  private var countBefore = 0
  /// How many rows there were.
  private(set) var rows: Int64 = 0
  /// Entries of this row among which rounds are looked for.
  private var seen: [LogEntry] = []
  /// The last round; empty where none is known.
  private(set) var round: [LogEntry] = []
  /// How much later each round is.
  private(set) var period: Int64 = 0
  /// By how much the value of each of its entries grows with each round.
  private var growth: [Int64] = []
  /// How many entries of the present round there are.
  private(set) var place = 0
  /// Where the rounds are told that are not recorded, in front of the last one; nil while all are recorded.
  private(set) var told: UnsafeMutablePointer<LogEntry>?
  /// How many rounds have been told in full since rounds are known: the first one, and the last.
  private var fullCount = 0

  /// Another row begins.
  mutating func restart() {
    rows &+= 1
    (count, countBefore, place, told, fullCount) = (0, 0, 0, nil, 0)
    if !seen.isEmpty { seen = [] }
    if !round.isEmpty { (round, growth) = ([], []) }
  }

  /// Looks at an entry that does not belong to a known round; whether rounds are known now.
  mutating func look(at entry: LogEntry) -> Bool {
    seen.append(entry)
    if seen.count < Self.window { return false }
    defer { seen = [] }
    countBefore += count + seen.count
    if countBefore >= Self.patienceWithWrites
      || !seen.contains(where: { $0.event == .sharedWritten })
    {
      for length in 1...Self.longest {
        let later = seen[length].time - seen[0].time
        guard later > 0, let growth = growth(ofRounds: length, later: later) else { continue }
        (round, self.growth, period, place) = (Array(seen.suffix(length)), growth, later, 0)
        return true
      }
    }
    count = 0
    return false
  }

  /// By how much the values grow where the entries are rounds of a length; nil where they are not.
  private func growth(ofRounds length: Int, later: Int64) -> [Int64]? {
    var growth: [Int64] = []
    for index in length..<seen.count {
      guard let more = seen[index].growth(from: seen[index - length], later: later),
        index < 2 * length || growth[index % length] == more
      else { return nil }
      if index < 2 * length { growth.append(more) }
    }
    // The last entries of a window that is no multiple of the length are the round that is known.
    let first = seen.count % length
    return Array(growth[first...] + growth[..<first])
  }

  /// Whether an entry is the next one of the round, which it then is a part of.
  mutating func goesOn(_ entry: LogEntry) -> Bool {
    guard entry.growth(from: round[place], later: period) == growth[place] else { return false }
    round[place] = entry
    place += 1
    return true
  }

  /// Whether a round is complete.
  var isComplete: Bool { place == round.count }

  /// The entry behind which the next one goes when a round has been completed that ends before `end`.
  ///
  /// The first one is told in full, and the last one; those between leave one entry in all.
  mutating func complete(before end: UnsafeMutablePointer<LogEntry>)
    -> UnsafeMutablePointer<LogEntry>
  {
    place = 0
    if fullCount < 2 {
      fullCount += 1
      return end
    }
    let (length, newest) = (round.count, end - round.count)
    let told = self.told ?? newest - length
    let last = self.told == nil ? told : told + 1
    let time = last[length - 1].time
    if self.told == nil {
      let first = round[0].thread
      told.pointee = LogEntry(
        time: 0, event: .roundsRepeated,
        thread: round.allSatisfy { $0.thread == first } ? first : -1, other: Int32(length))
      self.told = told
    }
    told.pointee.value += 1
    told.pointee.time = time
    (told + 1).update(from: newest, count: length)
    return told + 1 + length
  }

  /// Counts rounds that nobody recorded, each of `entries` entries and later by `later`; whether it can.
  mutating func pass(
    _ count: Int64, of entries: Int, later: Int64, before end: UnsafeMutablePointer<LogEntry>
  ) -> Bool {
    guard let told, entries % round.count == 0 else { return false }
    let each = Int64(entries / round.count)
    guard each * period == later else { return false }
    told.pointee.value += count * each
    told.pointee.time += count * later
    for index in 0..<(end - told - 1) {
      told[1 + index].time += count * later
      told[1 + index].value &+= count * each &* growth[index % round.count]
    }
    for index in round.indices {
      round[index].time += count * later
      round[index].value &+= count * each &* growth[index]
    }
    return true
  }
}

extension LogEntry {
  /// By how much its value is more where it tells the same as another one, so much later; nil where it does not.
  ///
  /// Not by the same instruction, which is no part of what the log tells. Only the values of variables grow, and only
  /// those that count or measure something.
  func growth(from other: LogEntry, later: Int64) -> Int64? {
    var expected = other
    expected.time += later
    (expected.place, expected.value) = (place, value)
    guard self == expected else { return nil }
    return value == other.value || growsEvenly ? value &- other.value : nil
  }

  private var growsEvenly: Bool {
    guard event == .sharedRead || event == .sharedWritten else { return false }
    switch ValueFormat(rawValue: detail) {
    case .integer, .duration, .instant, .size, .decimal: return value != noValue
    case .boolean, .string, .symbol, .thread, .object, .array, .quoted, nil: return false
    }
  }
}
