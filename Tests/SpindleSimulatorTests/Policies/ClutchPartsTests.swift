import SpindleModel
import Testing

@testable import SpindleSimulator

/// The parts of XNU's clutch and edge, rule by rule.
///
/// Times are in microseconds unless they say otherwise.
@Suite struct ClutchPartsTests {
  private static let us: Int64 = 1_000

  /// sched_clutch.c: which base priorities are of a class, its latency, warp and quanta.
  @Test func classesAreThoseOfTheSource() {
    let expected: [(ClutchBucket, ClosedRange<Int>, [Int64])] = [
      (.foreground, 38...63, [0, 8_000, 10_000, 10_000, 10_000]),
      (.userInitiated, 32...37, [37_500, 4_000, 8_000, 10_000, 37_500]),
      (.standard, 21...31, [75_000, 2_000, 6_000, 10_000, 75_000]),
      (.utility, 5...20, [150_000, 1_000, 4_000, 4_000, 150_000]),
      (.background, 0...4, [250_000, 0, 2_000, 2_000, 250_000]),
    ]
    #expect(expected.map(\.0) == ClutchBucket.allCases)
    for (bucket, priorities, numbers) in expected {
      for priority in priorities { #expect(ClutchBucket(priority: priority) == bucket) }
      let found = [
        bucket.latency, bucket.warp, bucket.quantum(isLong: false), bucket.quantum(isLong: true),
        bucket.patience,
      ]
      #expect(found == numbers.map { $0 * Self.us }, "\(bucket)")
    }
  }

  /// What a clock is told and asked, one word each: `+DF@0` a class gets ready, `-DF@5` it has no thread any more,
  /// `DF@3` the choice then, `DF<FG@3` that with a thread of the class foreground running, `DF!` if it is only
  /// asked, and `=` behind it when the running thread goes on.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: String

    init(_ claim: String, _ script: String) { (testDescription, self.script) = (claim, script) }
  }

  private static let classes: [Substring: ClutchBucket] = [
    "FG": .foreground, "IN": .userInitiated, "DF": .standard, "UT": .utility, "BG": .background,
  ]

  /// Times in tenths of a millisecond.
  static let rows = [
    Row("the earliest deadline is next: 75 ms before 150", "+UT@0 +DF@0 DF@0"),
    // UT's deadline is 1500, DF's 1000 + 750: UT is earlier, but DF has warp, 2 ms from then on.
    Row("a higher class goes first by its warp", "+UT@0 +DF@1000 DF@1000 DF@1019 UT@1020"),
    // From 102 ms on UT is starving, for its quantum of 4 ms; then its deadline is 106 + 150 and DF is served
    // in its turn.
    Row(
      "and then the lower one starves no more for one quantum",
      "+UT@0 +DF@1000 DF@1000 UT@1020 UT@1059 DF@1060 DF@1100"),
    // DF's deadline is 1060 + 750 = 1810 and UT's 2560. At 1900 it is served in its turn, so it has warp again.
    Row(
      "a class that was served in its turn has its warp again",
      "+UT@0 +DF@1000 DF@1000 UT@1020 DF@1060 DF@1900 DF@2600 DF@2619"),
    Row("the background has no warp", "+BG@0 BG@0"),
    // A window that was opened ends when it ends, even if the class was away meanwhile.
    Row(
      "what is left of warp is lost when its window is over",
      "+BG@0 +FG@3000 FG@3000 -FG@3010 +FG@3200 BG@3200"),
    Row(
      "but within the window it counts",
      "+BG@0 +FG@3000 FG@3000 -FG@3010 +FG@3020 FG@3079 BG@3080"),
    // IN ran from 0 on: its deadline is 375, when it was served in its turn, which is earlier than 1500.
    Row("a running thread's class counts with its deadline", "+IN@0 IN@0 -IN@0 +UT@10 IN<IN@80="),
    // At 120 ms that is renewed, to 157.5, later than UT's 151: at 160 ms IN goes on by its warp of 4 ms.
    Row(
      "a running thread may use its warp",
      "+IN@0 IN@0 -IN@0 +UT@10 IN<IN@1200= IN<IN@1600= IN<IN@1639= UT<IN@1640"),
    Row("nobody waits: the running thread goes on", "BG<BG@5="),
    Row("a thread with an earlier deadline takes the core", "+BG@0 BG@0 -BG@0 +FG@1 FG<BG@1!"),
    Row("equal deadlines: the higher class", "+DF@0 +IN@375 IN@375"),
  ]

  @Test("a clock chooses as XNU does", arguments: rows)
  func clock(row: Row) throws {
    var clock = ClutchClock(longQuanta: false)
    for word in row.script.split(separator: " ") {
      let parts = word.split(separator: "@")
      let isKept = word.hasSuffix("=")
      let takes = !word.hasSuffix("!") && !isKept
      let digits = parts[1].filter { $0.isNumber }
      let time = try #require(Int64(digits)) * 100_000
      let names = parts[0].drop { $0 == "+" || $0 == "-" }.split(separator: "<")
      let bucket = try #require(Self.classes[names[0]])
      if word.hasPrefix("+") {
        clock.begin(bucket, at: time)
      } else if word.hasPrefix("-") {
        clock.end(bucket, at: time)
      } else {
        let previous = names.count > 1 ? Self.classes[names[1]] : nil
        let choice = clock.choose(previous: previous, takes: takes, at: time)
        #expect(
          choice?.bucket == bucket && choice?.isPrevious == isKept, "\(word) of \(row.script)")
      }
    }
  }

  /// sched_clutch_interactivity_from_cpu_data: above half for who blocks more, below for who computes more;
  /// of more than half a second a tenth counts.
  @Test(arguments: [
    // 0 of 500 ms: 8 + 8.
    (0, 16),
    // 25 of 50: 8 + 8 x 25 / 50 = 12.
    (250, 12),
    // 50 of 50 is not more blocked than used: 8 x 50 / 50.
    (500, 8),
    // 100 of 50: 8 x 50 / 100.
    (1_000, 4),
    // 1,000 of 50: 8 x 50 / 1,000 = 0.4.
    (10_000, 0),
  ])
  func scores(used: Int64, score: Int) {
    var groups = ClutchGroups(longQuanta: false)
    groups.begin(0)
    groups.charge(0, .standard, used * 1_000_000)
    #expect(groups.score(0, .standard, load: 0, at: 1) == score)
  }

  /// A group of the class default that waits while one waits gains a point in each 75 + 6 ms.
  @Test func waitingMakesAGroupInteractive() {
    var groups = ClutchGroups(longQuanta: false)
    groups.begin(0)
    let ms: Int64 = 1_000_000
    groups.charge(0, .standard, 1_000 * ms)
    // 100 of 50 ms: 4.
    #expect(groups.score(0, .standard, load: 1, at: ms) == 4)
    groups.wait(0, .standard, at: ms)
    #expect(groups.score(0, .standard, load: 1, at: 81 * ms) == 4)
    // Use is 8 x 50 x 100 / (8 x 50 + 100) = 80 ms: a score of 8 x 50 / 80 = 5.
    #expect(groups.score(0, .standard, load: 1, at: 82 * ms) == 5)
    // Two points more: 8 x 50 x 80 / (8 x 50 + 80 x 2) = 57.14: 8 x 50 / 57.14 = 7.00 and a bit less.
    #expect(groups.score(0, .standard, load: 1, at: 244 * ms) == 7)
  }

  /// A group that waits for no core gains nothing, however long others of its class wait.
  @Test func whoDoesNotWaitGainsNothing() {
    var groups = ClutchGroups(longQuanta: false)
    groups.begin(0)
    let ms: Int64 = 1_000_000
    groups.charge(0, .standard, 1_000 * ms)
    // 100 of 50 ms: 8 x 50 / 100 = 4, now and later.
    #expect(groups.score(0, .standard, load: 1, at: ms) == 4)
    #expect(groups.score(0, .standard, load: 1, at: 1_000 * ms) == 4)
  }

  /// Blocked is a group from when its last thread waits until one is ready again.
  @Test func blockingCountsFromItsBegin() {
    var groups = ClutchGroups(longQuanta: false)
    groups.begin(0)
    let ms: Int64 = 1_000_000
    groups.charge(0, .standard, 1_000 * ms)
    // 100 of 50 ms: 8 x 50 / 100 = 4.
    #expect(groups.score(0, .standard, load: 0, at: ms) == 4)
    groups.run(0, .standard, at: 100 * ms)
    groups.stop(0, .standard, at: 200 * ms)
    groups.run(0, .standard, at: 230 * ms)
    // 30 ms more: 8 x 80 / 100 = 6.4.
    #expect(groups.score(0, .standard, load: 0, at: 231 * ms) == 6)
  }

  /// What has not run has used nothing, so that no tick ages it.
  @Test func aNewThreadHasUsedNothing() {
    var thread = ClutchThread()
    #expect(!thread.isAging)
    thread.shift = 0
    #expect(thread.charge() == 0 && thread.usage == 0)
  }

  /// sched_thread_mode_demote: DEPRESSPRI, which is MINPRI and so 0, until it may be real-time again.
  @Test func aDemotedThreadIsBelowAllOthers() {
    var thread = ClutchThread()
    thread.setRealtime(isDemoted: true)
    #expect(thread.base == 0 && thread.priority == 0 && !thread.isAbove)
    #expect(thread.bucket == ClutchBucket(priority: 0))
    thread.setRealtime(isDemoted: false)
    #expect(thread.base == 63 && thread.priority == 97 && thread.isAbove)
  }

  /// What use costs: nothing up to one thread more than cores; then less its logarithm, in nanoseconds.
  @Test(arguments: [(1, -1), (2, -1), (3, 23), (4, 23), (5, 22), (9, 21), (255, 17), (4_000, 17)])
  func use(threads: Int, shift: Int) {
    var groups = ClutchGroups(longQuanta: false)
    groups.begin(0)
    for _ in 0..<threads { groups.run(0, .standard, at: 0) }
    groups.settle(0, .standard, tick: 1, cores: 2)
    #expect(groups.shift(0, .standard) == Int8(shift))
    // Once for each tick.
    for _ in 0..<8 { groups.run(0, .standard, at: 0) }
    groups.settle(0, .standard, tick: 1, cores: 2)
    #expect(groups.shift(0, .standard) == Int8(shift))
  }

  /// sched_update_pset_load_average: 0 until there are as many threads as cores, then at once.
  @Test func aClusterIsIdleUntilItIsFull() {
    var load = EdgeLoad()
    load.update([0, 0, 1, 0, 0], urgent: 0, cores: 2, at: 0)
    #expect(ClutchBucket.allCases.map(load.latency) == [0, 0, 0, 0, 0])
    load.update([0, 1, 1, 0, 0], urgent: 0, cores: 2, at: 0)
    // Higher classes do not wait for lower ones.
    #expect(ClutchBucket.allCases.map(load.latency) == [0, 0, 1, 1, 1])
    load.update([0, 0, 1, 0, 0], urgent: 1, cores: 2, at: 0)
    #expect(ClutchBucket.allCases.map(load.latency) == [0, 0, 1, 1, 1])
    load.update([0, 0, 1, 0, 0], urgent: 0, cores: 2, at: 0)
    #expect(load.latency(.standard) == 0)
  }

  /// The averages of 10 ms: after 10 ms half of the old value is left.
  @Test func loadsAreAverages() {
    var load = EdgeLoad()
    let ms: Int64 = 1_000_000
    load.update([0, 0, 4, 0, 0], urgent: 0, cores: 1, at: 0)
    // 6 ms each: (1 us x 10 + 6,000 us x 10) / 20 = 3,000 us.
    load.ran(.standard, for: 6 * ms, at: 10 * ms)
    #expect(load.latency(.standard) == 4 * 3_000)
    // From 4 to 2: (4 x 10 + 2 x 10) / 20 = 3.
    load.update([0, 0, 2, 0, 0], urgent: 0, cores: 1, at: 10 * ms)
    #expect(load.latency(.standard) == 3 * 3_000)
    // Another moment later nothing has changed: no time has passed.
    load.update([0, 0, 9, 0, 0], urgent: 0, cores: 1, at: 10 * ms)
    #expect(load.latency(.standard) == 3 * 3_000)
    #expect(load.depth(.standard) == 9 && load.depth(.userInitiated) == 0)
  }

  @Test func listsAreLists() {
    var lists = ThreadLists(count: 2)
    lists.insert(3, 0)
    lists.insert(1, 0, atFront: true)
    lists.insert(2, 1)
    lists.insert(0, 0)
    #expect(lists.first(0) == 1 && lists.next(1) == 3 && lists.next(3) == 0 && lists.next(0) == nil)
    #expect(lists.remove(3) == 0 && lists.next(1) == 0 && lists.list(of: 3) == nil)
    #expect(lists.remove(1) == 0 && lists.remove(1) == nil && lists.first(0) == 0)
    #expect(lists.remove(0) == 0 && lists.first(0) == nil && lists.first(1) == 2)
  }
}
