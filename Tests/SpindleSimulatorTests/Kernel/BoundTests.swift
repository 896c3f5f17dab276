import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// No duration, size or cost that a trace can have makes a sum overflow.
@Suite struct BoundTests {
  /// A bit of everything that costs something.
  private static let busy = """
    let serial = DispatchQueue(label: "serial")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let operations = OperationQueue(maxConcurrentOperationCount: 2)
    let pool = ThreadPool(width: 3)
    let lock = NSLock()
    let semaphore = DispatchSemaphore(value: 1)
    let group = DispatchGroup()
    main {
        for i in 0 ..< 4 {
            serial.async(group: group) { lock.lock(); work(1ms); lock.unlock() }
            concurrent.async(group: group) { semaphore.wait(); io(1ms); semaphore.signal() }
            operations.addOperation { work(100000h) }
            pool.async(group: group) { sleep(1ms); yield() }
            Thread.detachNewThread { work(100000h); RunLoop.current.run(until: .now() + 5ms) }
        }
        Timer.scheduledTimer(withTimeInterval: 100000h, repeats: true) { _ in work(1us) }
        perform(afterDelay: 1ms) { mark("x") }
        autorelease(1073741824GB)
        _ = group.wait(timeout: .now() + 1s)
    }
    every(1ms, count: 3) { concurrent.async(flags: .barrier) { work(1us) } }
    """

  private static func costs(_ format: ValueFormat, _ value: String) -> [String] {
    MachineCatalog.catalogue.costs[0].parameters.filter { $0.format == format }
      .map { "\($0.label): \(value)" }
  }

  private static let largest = costs(.duration, "100000h") + costs(.size, "1073741824GB")

  /// Each cost at its largest, and all of them at once.
  static let settings = largest + [largest.joined(separator: ", ")]

  @Test("costs may be as large as a trace can write", arguments: settings)
  func largestCosts(setting: String) throws {
    var limits = RunLimits()
    limits.steps = Effort.count(2_500, whole: 30_000)
    limits.checksInvariants = true
    for policy in ["timeshare(quantum: 1us)", "roundRobin(quantum: 1us)"] {
      let run = TestRun(
        """
        trace "dear" { until: 100000h }
        machine { platform: .macOS; cores: 2; costs: .apple(\(setting)); policy: .\(policy) }
        \(Self.busy)
        """, limits: limits, writesLog: false)
      #expect(run.messages == [])
      #expect(run.record != nil)
    }
  }

  @Test("what is slowest, and what pages most, takes longer than any run")
  func slowestWork() throws {
    for machine in [
      "platform: .ideal; cores: [.efficiency(2, speed: 0.000000001)]",
      "platform: .linux; memory: 1B; costs: .zero",
    ] {
      let run = TestRun(
        """
        trace "slow" { until: 100000h }
        machine { \(machine) }
        main { allocate(1073741824GB); work(100000h) }
        """)
      #expect(run.messages == [])
      #expect(run.record?.outcome.kind == .finished)
      #expect(run.record?.makespan == Instant(Nanoseconds.longest.rawValue))
    }
  }

  /// 64 cores that work for as long as a run can last have worked for more than 64 bits hold.
  @Test func manyCoresWorkForLong() throws {
    let run = TestRun(
      """
      trace "all of them" { until: 100000h }
      machine { platform: .ideal; cores: 64 }
      let lock = NSLock()
      main {
          for i in 0 ..< 63 { Thread.detachNewThread { work(100000h) } }
          for i in 0 ..< 64 { Thread.detachNewThread { lock.lock(); sleep(100000h) } }
          work(100000h)
      }
      """)
    #expect(run.metrics?.utilization == Percentage(hundredths: 10_000))
  }

  @Test(
    "what is computed too long or too large crashes",
    arguments: [
      ("sleep(long)", "sleep needs a duration of at most 100,000h"),
      ("work(long)", "work needs a duration of at most 100,000h"),
      ("io(long)", "io needs a duration of at most 100,000h"),
      ("work(none - 1s)", "work needs a duration that is not negative"),
      ("io(long, queue: .main) { }", "io needs a duration of at most 100,000h"),
      ("allocate(large)", "allocate needs a size of at most 1 EB"),
      ("autorelease(large)", "autorelease needs a size of at most 1 EB"),
      ("pipe.write(large)", "a pipe needs a size of at most 1 EB"),
    ])
  func computedValues(call: String, message: String) {
    let run = TestRun(
      """
      machine { platform: .macOS; costs: .zero }
      let pipe = Pipe()
      main {
          var long = 100000h
          var large = 1073741824GB
          var none = 0s
          long = long + 1ns
          large = large + 1B
          \(call)
          print(none)
      }
      """)
    #expect(run.messages == [])
    #expect(run.record?.outcome.kind == .crashed)
    #expect(run.record?.outcome.message == "Fatal error: \(message)")
  }

  /// A process has addresses for 1 EB, in however many pieces it asks for more.
  @Test(arguments: ["allocate(1073741824GB)", "autorelease(1073741824GB)"])
  func memoryHasAnEnd(call: String) {
    let run = TestRun(
      "machine { platform: .linux; costs: .zero }\nmain { for i in 0 ..< 20 { \(call) } }")
    #expect(run.record?.outcome.kind == .crashed)
    #expect(
      run.record?.outcome.message
        == "Fatal error: a process has addresses for 1 EB, and more is in use")
  }

  /// A timer that ought to have fired since the beginning of time has fired as often as a number can say.
  @Test func firingsWithoutNumber() {
    let run = TestRun(
      """
      machine { platform: .macOS; costs: .zero }
      let source = DispatchSource.makeTimerSource(queue: .main)
      main {
          sleep(1ms)
          source.setEventHandler { mark("\\(source.data)"); source.cancel() }
          source.schedule(deadline: .distantPast, repeating: 1ns)
          source.resume()
      }
      expect { timeline == [1ms: "9223372036854775807"] }
      """)
    #expect(run.messages == [])
    #expect(run.verdicts.allSatisfy { $0.holds }, "\(run.verdicts)")
  }
}
