import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle compare --until-precision`, and anomalies.
@Suite struct PrecisionTests {
  /// One piece of work with a mean of `mean`, drawn alike in all variants.
  static let drawn = """
    machine { platform: .ideal; cores: 1; costs: .zero }
    param mean = 10ms
    param extra = 0ms
    main { work(mean + uniform(0ms, 10ms)); work(extra + uniform(0ms, 1ms)) }

    """
  /// Nine tasks in a list, T9 after T1 and T5 to T8 after T4.
  ///
  /// On three processors they end at 12, on four at 15, and on three with a unit less of each at 13. T1
  /// takes a thousandth more, so that T9 does not come before T7 at one instant.
  /// Source: Graham, "Bounds on multiprocessing timing anomalies", 1969.
  static let graham = """
    param processors = 3
    param shorter = 0ms
    machine { platform: .ideal; cores: processors; costs: .zero }
    let queue = OperationQueue(maxConcurrentOperationCount: processors)
    main {
        let t1 = BlockOperation(name: "T1") { work(3001us - shorter) }
        let t2 = BlockOperation(name: "T2") { work(2ms - shorter) }
        let t3 = BlockOperation(name: "T3") { work(2ms - shorter) }
        let t4 = BlockOperation(name: "T4") { work(2ms - shorter) }
        let t5 = BlockOperation(name: "T5") { work(4ms - shorter) }
        let t6 = BlockOperation(name: "T6") { work(4ms - shorter) }
        let t7 = BlockOperation(name: "T7") { work(4ms - shorter) }
        let t8 = BlockOperation(name: "T8") { work(4ms - shorter) }
        let t9 = BlockOperation(name: "T9") { work(9ms - shorter) }
        t9.addDependency(t1)
        t5.addDependency(t4)
        t6.addDependency(t4)
        t7.addDependency(t4)
        t8.addDependency(t4)
        queue.addOperations([t1, t2, t3, t4, t5, t6, t7, t8, t9], waitUntilFinished: false)
    }

    """
  /// Two workers, one list: X and Y begin at once, S1 and S2 wait for X, and L for Y.
  ///
  /// X takes 2 ms, so that Y is over first, and L begins at 1.5 ms beside S1 and S2 one after the other:
  /// they end at 2 + 5 + 5 ms. On cores that are twice as fast X takes 1 ms, S1 and S2 get both workers, and
  /// L begins when S1 is over: at 1 + 5 ms, for 10.
  static let fasterIsLater = """
    param speed = 1.0
    machine { platform: .ideal; cores: [.performance(2, speed: speed)]; costs: .zero }
    let queue = OperationQueue(maxConcurrentOperationCount: 2)
    main {
        let x = BlockOperation(name: "X") { work(2ms) }
        let y = BlockOperation(name: "Y") { io(1500us) }
        let s1 = BlockOperation(name: "S1") { io(5ms) }
        let s2 = BlockOperation(name: "S2") { io(5ms) }
        let l = BlockOperation(name: "L") { io(10ms) }
        s1.addDependency(x)
        s2.addDependency(x)
        l.addDependency(y)
        queue.addOperations([x, y, s1, s2, l], waitUntilFinished: false)
    }

    """
  private let folder = TemporaryFolder()

  private func compare(_ trace: String, _ arguments: String...) -> Invocation {
    Invocation(["compare", folder.write("p.trace", trace)] + arguments)
  }

  @Test func seedsAreAddedUntilItIsPreciseEnough() {
    // What both draw cancels, so that eight seeds are enough for any difference.
    let paired = compare(
      PrecisionTests.drawn, "--set", "mean=10ms,12ms", "--until-precision", "1%")
    #expect(paired.status == .held, "\(paired.error)")
    #expect(paired.output.contains("Means over 8 seeds"), "\(paired.output)")
    #expect(paired.output.contains("8 were enough"))
    // One variant alone: a standard deviation of 2.9 in 15.5 ms needs 2.83 * 0.187 / sqrt(n) <= 5%, more than
    // 112 seeds, so 128 of those that one looks at.
    let alone = compare(PrecisionTests.drawn, "--until-precision", "5%")
    #expect(alone.output.contains("Means over 128 seeds"), "\(alone.output)")
    let bound = compare(PrecisionTests.drawn, "--until-precision", "5%", "--seeds", "16")
    #expect(bound.output.contains("16 were not enough"), "\(bound.output)")
  }

  @Test func aWithAIsExactlyZero() {
    let call = compare(
      PrecisionTests.drawn, "--set", "extra=0ms,0us", "--until-precision", "1%", "--format", "json")
    #expect(call.output.contains("\"difference\": 0,"), "\(call.output)")
    #expect(!call.output.contains("\"isDifferent\": true"))
  }

  @Test(arguments: ["2", "0%", "-1%", "101%", "1.2345%", "x%", "1.%"])
  func precisionIsAPercentage(text: String) {
    let call = compare(PrecisionTests.drawn, "--until-precision=\(text)")
    #expect(call.status == .usage)
    #expect(call.error.contains("'--until-precision' needs a percentage, as 2% or 0.5%"))
  }

  /// The output with each break of a line as a space.
  private static func words(_ call: Invocation) -> String {
    call.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func moreCoresAndLessWorkMayTakeLonger() {
    let cores = compare(PrecisionTests.graham, "--set", "processors=3,4", "--measure", "makespan")
    #expect(cores.status == .held, "\(cores.error)")
    #expect(
      PrecisionTests.words(cores).contains(
        "Anomaly: with more cores it takes longer, processors=4: 15ms, and processors=3: 12ms."),
      "\(cores.output)")
    let shorter = compare(PrecisionTests.graham, "--set", "shorter=0ms,1ms")
    #expect(
      PrecisionTests.words(shorter).contains(
        "Anomaly: with less work it takes longer, shorter=1ms: 13ms, and shorter=0ms: 12ms."),
      "\(shorter.output)")
    // Where each task waits instead of working, on as many workers, it is the same list.
    let graham = PrecisionTests.graham.replacing("{ work(", with: "{ io(")
    let waiting = compare(graham, "--set", "shorter=0ms,1ms")
    #expect(
      PrecisionTests.words(waiting).contains(
        "Anomaly: with less io it takes longer, shorter=1ms: 13ms, and shorter=0ms: 12ms."),
      "\(waiting.output)")
    // Less of one and more of the other are not shorter tasks.
    let mixed = graham.replacing(
      "T9\") { io(9ms - shorter) }", with: "T9\") { work(9ms + shorter) }")
    let other = compare(mixed, "--set", "shorter=0ms,1ms")
    #expect(other.output.contains("12ms") && !other.output.contains("Anomaly"), "\(other.output)")
    for faster in [
      compare(PrecisionTests.fasterIsLater, "--set", "speed=2.0,1.0"),
      compare(
        PrecisionTests.fasterIsLater, "--cores", "[.performance(2)],[.performance(2, speed: 2.0)]"),
    ] {
      let words = PrecisionTests.words(faster)
      #expect(words.contains("Anomaly: on a faster machine it takes longer, "), "\(words)")
      #expect(words.contains(": 16ms, and ") && words.contains(": 12ms."), "\(words)")
    }
    let fixed = PrecisionTests.graham.replacing(
      "maxConcurrentOperationCount: processors", with: "maxConcurrentOperationCount: 3")
    let none = compare(fixed, "--cores", "3,4")
    #expect(!none.output.contains("Anomaly"), "\(none.output)")
  }

  /// A sweep says it too, and its parts on many machines say the same.
  @Test func sweepsTellAnomalies() {
    let path = folder.write("s.trace", PrecisionTests.graham)
    let base = ["sweep", path, "--over", "shorter=0ms,1ms", "--over", "processors=3,4"]
    let whole = Invocation(base)
    let words = PrecisionTests.words(whole)
    #expect(
      words.contains(
        "Anomaly: with more cores it takes longer, shorter=0ms, processors=4: 15ms, and "
          + "shorter=0ms, processors=3: 12ms."), "\(whole.output)")
    #expect(
      words.contains(
        "Anomaly: with less work it takes longer, shorter=1ms, processors=3: 13ms, and "
          + "shorter=0ms, processors=3: 12ms."), "\(whole.output)")
    let parts = (1...3).map { folder["\($0)"] }
    for (number, part) in parts.enumerated() {
      let call = Invocation(base + ["--shard", "\(number + 1)/3", "--output", part])
      #expect(call.status == .held, "\(call.error)")
    }
    #expect(Invocation(["merge"] + parts).output == whole.output)
    #expect(!Invocation(base + ["--format", "csv"]).output.contains("Anomaly"))
  }
}
