import SpindleModel

/// How long each thread will compute until it waits: known ahead, or guessed from what it did before.
///
/// The guess is the exponential average of Silberschatz, Galvin, Gagne, *Operating System Concepts*, chapter 5:
/// after a burst of length t the next one is taken to be `weight` t + (1 − `weight`) times the guess
/// before. The first is `guess`. Lengths are rounded to nanoseconds.
struct BurstLengths {
  /// The parameters of a policy that knows or guesses.
  static let predicted = MachineCatalogue.Parameter.truth("predicted", false)
  static let weight = MachineCatalogue.Parameter.decimal(
    "weight", FixedDecimal(billionths: 500_000_000),
    FixedDecimal(billionths: 0)...FixedDecimal(billionths: FixedDecimal.scale))
  static let guess = MachineCatalogue.Parameter.duration("guess", .milliseconds(10))

  private struct Burst {
    /// What was known or guessed of its length.
    var length: Int64
    /// How much of it is done, where it was guessed.
    var done: Int64 = 0
  }

  /// Whether lengths are guessed; otherwise they are known.
  let isPredicted: Bool
  private let weight: Int64
  private let first: Int64
  private var bursts: ContiguousArray<Burst> = []

  /// What a policy is given.
  init(_ values: PolicyValues) {
    isPredicted = values.isOn(Self.predicted)
    weight = values.decimal(Self.weight).billionths
    first = values.duration(Self.guess).rawValue
  }

  /// A thread exists.
  mutating func admit(_ thread: ThreadID) {
    demand(thread.index >= 0, "thread \(thread.index) is admitted")
    while bursts.count <= Int(thread.index) { bursts.append(Burst(length: first)) }
    bursts[Int(thread.index)] = Burst(length: first)
  }

  /// The rest of a thread's burst is known.
  mutating func know(_ thread: ThreadID, _ work: Nanoseconds) {
    check(thread)
    demand(!isPredicted && work >= .zero, "thread \(thread.index) has \(work) ahead of it")
    bursts[Int(thread.index)] = Burst(length: work.rawValue)
  }

  /// A thread has had a core.
  mutating func ran(_ thread: ThreadID, for time: Nanoseconds) {
    check(thread)
    if isPredicted { bursts[Int(thread.index)].done += time.rawValue }
  }

  /// A thread has waited: another burst begins.
  mutating func begin(_ thread: ThreadID) {
    check(thread)
    if !isPredicted { return }
    let old = bursts[Int(thread.index)]
    let sum =
      Int128(old.done) * Int128(weight)
      + Int128(old.length) * Int128(FixedDecimal.scale - weight)
    let length = (sum + Int128(FixedDecimal.scale / 2)) / Int128(FixedDecimal.scale)
    bursts[Int(thread.index)] = Burst(length: Int64(length))
  }

  /// What is left of a thread's burst, when it has had so much more of it than was told; not below 0.
  func rest(of thread: ThreadID, after more: Int64 = 0) -> Int64 {
    check(thread)
    let burst = bursts[Int(thread.index)]
    return max(0, burst.length - burst.done - (isPredicted ? more : 0))
  }

  private func check(_ thread: ThreadID) {
    demand(
      thread.index >= 0 && Int(thread.index) < bursts.count,
      "thread \(thread.index) is scheduled by its burst and was not admitted")
  }
}
