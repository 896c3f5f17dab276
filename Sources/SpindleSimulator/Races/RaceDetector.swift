import SpindleModel

/// Finds accesses to shared variables that nothing orders: exactly those of the run.
struct RaceDetector {
  /// What comes before what.
  var order: HappensBefore
  /// The accesses that a later one may not be ordered with, by variable; only looked up, never walked.
  private var accesses: [SharedVariable: [SharedAccess]] = [:]
  /// The pairs of places that were reported, by the variable's name; only looked up, never walked.
  private var told: Set<ToldPair> = []

  private struct ToldPair: Hashable {
    let name: String
    let first: Int32
    let second: Int32
  }

  /// Creates a detector that knows of nothing yet.
  init(isOn: Bool = true, sharesNumbers: Bool) {
    order = HappensBefore(isOn: isOn, sharesNumbers: sharesNumbers)
  }

  /// Whether anybody looks for races: where no variable is shared, nobody does.
  var isOn: Bool { order.isOn }

  /// Whether anything of a program can race: it has a variable that is written when others may read it.
  static func isNeeded(_ program: Program) -> Bool {
    if program.classes.isEmpty && !program.globals.contains(where: \.isVariable) { return false }
    return program.instructions.withUnsafeBufferPointer { code in
      code.contains { instruction in
        if case .writeShared = instruction { return true }
        if case .fieldWrite = instruction { return true }
        return false
      }
    }
  }

  /// The access of a thread at this moment; nil for the world outside.
  mutating func access(
    _ kind: SharedAccess.Kind, by thread: ThreadID, at place: Int32, threadName: ThreadName
  ) -> SharedAccess? {
    order.moment(of: thread).map {
      SharedAccess(kind: kind, place: place, moment: $0, threadName: threadName)
    }
  }

  /// Notes an access, and gives the earlier ones that nothing orders with it.
  ///
  /// An access is forgotten when another one of its kind at its place comes after it: whatever is not ordered with
  /// the first is not ordered with the second either. So no pair of places is missed, unless one place has more
  /// than `kept` accesses with no order among them: of these the last are looked at.
  mutating func note(_ access: SharedAccess, to variable: SharedVariable) -> [DataRace] {
    guard let clock = order.clock(of: access.moment.thread) else { return [] }
    return Self.note(access, at: clock, in: &accesses[variable, default: []])
  }

  private static func note(
    _ access: SharedAccess, at clock: VectorClock, in known: inout [SharedAccess]
  ) -> [DataRace] {
    var access = access
    var races: [DataRace] = []
    if access.kind == .write,
      known.last.map({ $0.kind == .readToChange && $0.moment.strand == access.moment.strand })
        == true
    {
      access.kind = .changed
    }
    // What changed it before was found when the same statement read it.
    for earlier in known
    where access.kind == .changed ? !earlier.kind.writes : earlier.kind.writes || access.kind.writes
    {
      if !clock.knows(earlier.moment) {
        races.append(DataRace(earlier: earlier, later: access))
      }
    }
    known.removeAll {
      $0.place == access.place && $0.kind == access.kind && clock.knows($0.moment)
    }
    if known.count >= kept { dropOldest(like: access, from: &known) }
    known.append(access)
    return races
  }

  /// The variables of an instance are gone, with what was done to them.
  mutating func forget(instance: Int64, fields: Int) {
    if accesses.isEmpty { return }
    for number in 0..<Int32(fields) {
      accesses[SharedVariable(owner: instance, number: number)] = nil
    }
  }

  /// How many accesses of one kind at one place are kept of a variable.
  static let kept = 64

  /// Makes room where as many accesses of a kind and a place are known as are kept.
  private static func dropOldest(like access: SharedAccess, from known: inout [SharedAccess]) {
    func isAlike(_ other: SharedAccess) -> Bool {
      other.place == access.place && other.kind == access.kind
    }
    guard known.count(where: isAlike) >= kept, let oldest = known.firstIndex(where: isAlike)
    else { return }
    known.remove(at: oldest)
  }

  /// Whether nothing was reported yet of a variable and a pair of places; it is from now on.
  ///
  /// Where both begin, not their lines: two statements of one line are as different as they are in two lines. And not
  /// their lengths: `list.append(x)` reads `list` and changes it, and is one place.
  mutating func isNew(_ name: String, places one: SourceRange, _ other: SourceRange) -> Bool {
    let pair = (one.lowerBound, other.lowerBound)
    return told.insert(
      ToldPair(name: name, first: min(pair.0, pair.1), second: max(pair.0, pair.1))
    )
    .inserted
  }
}
