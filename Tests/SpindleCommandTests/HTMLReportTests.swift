import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

/// `--html`: the page holds what the run was, needs nothing else, and is as large as it may be.
@Suite struct HTMLReportTests {
  private static let trace = """
    trace "Stutter <b> & more"
    machine { platform: .iOS; cores: 2; costs: .apple }
    let lock = NSLock()
    let pool = ThreadPool(width: 3)
    let q = DispatchQueue(label: "</script><script>alert(1)</script>")
    main {
        for i in 0 ..< 40 {
            pool.async(name: "job\\(i)") {
                io(exponential(2ms))
                lock.lock()
                work(exponential(1ms))
                lock.unlock()
            }
        }
        q.async(name: "x") { work(3ms) }
        lock.lock()
        work(5ms)
        lock.unlock()
    }
    expect { threads.peak <= 1 }
    """

  private static func page(_ trace: String, _ arguments: String...) -> String {
    let environment = HostEnvironment(standardInput: Array(trace.utf8))
    return Invocation(["simulate", "-", "--html", "-"] + arguments, environment: environment).output
  }

  /// The picture without a script: a mark is as high as the share of its time in which a thread ran.
  @Test func theOverviewShowsShares() throws {
    func heights(_ length: String) -> Set<Int> {
      let page = HTMLReportTests.page(
        """
        machine { platform: .ideal; cores: 1; costs: .zero }
        let pool = ThreadPool(width: 1)
        main { }
        arrivals(every: 10ms, count: 4000) { i in pool.async(name: "tick") { work(\(length)) } }

        """)
      // Of running, which is the class that has a height of 12 where it is all of the time.
      let path = page.firstMatch(of: /<path class="s0" d="([^"]*)"/).map { String($0.1) } ?? ""
      return Set(path.matches(of: /v-([0-9]+)h/).compactMap { Int($0.1) })
    }
    #expect(heights("100us") == [3])
    #expect(heights("5ms") == [6])
    #expect(heights("10ms") == [12])
  }

  /// Why a thread had no core, as 'explain' says it: the first come is the more urgent one.
  @Test func thePageSaysByWhatThePolicyDecided() {
    let page = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: 1; costs: .zero; policy: .fixedPriority }
      main {
          DispatchQueue.global(qos: .userInitiated).async(name: "decode") { work(40ms) }
          Thread.detachNewThread(name: "late") { work(60ms) }
      }

      """)
    #expect(page.contains("policy fixedPriority prefers 'decode' by priority, 37 against 31"))
  }

  /// What went wrong comes first, then the timeline, then causes and numbers.
  @Test func detailsFollowTheTimeline() {
    let page = HTMLReportTests.page(HTMLReportTests.trace)
    let parts = [
      "What went wrong", "<section id=\"timeline\">", "Why it took as long as it did",
      "<section id=\"numbers\">",
    ].map { page.firstRange(of: $0)?.lowerBound }
    #expect(!parts.contains(nil))
    #expect(
      zip(parts, parts.dropFirst()).allSatisfy { $0.0 ?? page.endIndex < $0.1 ?? page.startIndex })
  }

  /// What an expectation that is not met has told is not told again behind the timeline, and the top says how many are not.
  @Test func aCauseIsToldOnce() {
    func page(_ expectations: String) -> String {
      HTMLReportTests.page(
        """
        machine { platform: .iOS; cores: 1; costs: .zero }
        main(.tool) { work(20ms) }
        expect { \(expectations) }
        """)
    }
    let other = page("threads.peak == 2; makespan == 20ms")
    #expect(other.contains("<p class=\"bad\">finished; 1 of 2 expectations not met</p>"))
    #expect(other.contains("Critical path: why the run took 20ms"))
    let told = page("makespan < 10ms")
    #expect(told.contains("<p class=\"bad\">finished; 1 of 1 expectation not met</p>"))
    #expect(told.contains("not met: ") && !told.contains("Critical path: why the run took"))
    #expect(page("makespan == 20ms").contains("<p class=\"good\">finished</p>"))
  }

  /// The waits of a deadlock have no length: the page reports their number beside the lengths of the others.
  @Test func waitsWithoutAnEndAreCounted() {
    let page = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: 1; costs: .zero }
      let gate = DispatchSemaphore(value: 0)
      main { gate.wait() }
      """)
    #expect(page.contains("<th>not over at the end</th>"))
    #expect(page.contains("<td>gate</td><td data-value=\"0\">0</td><td data-value=\"1\">1</td>"))
    #expect(!HTMLReportTests.page(HTMLReportTests.trace).contains("<th>not over at the end</th>"))
  }

  /// One of something is singular; a hang that a finding has told is told once, and no stall is that is not seen.
  @Test func wordsFollowTheirNumbers() {
    let hang = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: 1; costs: .zero }
      main { work(300ms) }
      expect { makespan == 300ms }
      """)
    #expect(hang.contains("of the core used") && hang.contains("thread at a time"))
    #expect(!hang.contains("Longest stall of the main thread"))
    let short = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      main { work(10ms) }
      expect { makespan == 10ms }
      """)
    #expect(short.contains("The expectation is met, and nothing was found."))
    #expect(!short.contains("Longest stall of the main thread"))
    let stall = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: 2; costs: .zero }
      main { work(20ms) }
      """)
    #expect(stall.contains("Longest stall of the main thread, 20ms"))
  }

  /// Cores of several kinds have their kind and speed beside their number.
  @Test func coresAreLabelled() {
    let page = HTMLReportTests.page(
      """
      machine { platform: .iOS; cores: [.performance(1), .efficiency(1, speed: 0.5)]; costs: .zero }
      main { work(10ms) }
      """)
    #expect(page.contains("<td>core 0 P</td>") && page.contains("<td>core 1 E 0.5</td>"))
  }

  @Test func theDataAddUpToTheMetrics() throws {
    let environment = HostEnvironment(standardInput: Array(HTMLReportTests.trace.utf8))
    let json = Invocation(["simulate", "-", "--json"], environment: environment).output
    let columns = try ReportData(page: HTMLReportTests.page(HTMLReportTests.trace)).columns
    let kinds = try #require(columns["states.kind"])
    let lengths = try #require(columns["states.length"])
    var (busy, cost) = ([Int64](repeating: 0, count: 2), [Int64](repeating: 0, count: 2))
    let runs = zip(kinds, lengths).filter { $0.0 == 0 }.map { $0.1 }
    for (index, length) in runs.enumerated() {
      let core = Int(try #require(columns["runs.core"]?[index]))
      let own = try #require(columns["runs.cost"]?[index])
      busy[core] += length - own
      cost[core] += own
    }
    #expect(HTMLReportTests.numbers("busyNanoseconds", json) == busy)
    #expect(HTMLReportTests.numbers("overheadNanoseconds", json) == cost)
    // The longest item of each kind.
    let waits = try #require(columns["items.wait"])
    let services = try #require(columns["items.service"])
    let longest = zip(waits, services).map { $0 + $1 }.max()
    // The first is of all items together.
    #expect(HTMLReportTests.numbers("maxNanoseconds", json).max() == longest)
    #expect(
      columns["threads.time"]?.count == Int(HTMLReportTests.numbers("threadsCreated", json)[0]))
    #expect(columns["items.number"]?.count == 41)
  }

  /// The states of a thread are its whole life, without a gap.
  @Test func statesAreWholeLives() throws {
    let columns = try ReportData(page: HTMLReportTests.page(HTMLReportTests.trace)).columns
    let counts = try #require(columns["states.count"])
    var (index, time) = (0, Int64(0))
    for (thread, count) in counts.enumerated() {
      for place in 0..<Int(count) {
        let gap = try #require(columns["states.gap"]?[index])
        if place > 0 { #expect(gap == 0) }
        time += gap
        if place == 0 { #expect(time == columns["threads.time"]?[thread]) }
        time += try #require(columns["states.length"]?[index])
        index += 1
      }
      #expect(time == columns["threads.end"]?[thread])
    }
    #expect(counts.count == 5)
  }

  @Test func thePageNeedsNothingElse() {
    let page = HTMLReportTests.page(HTMLReportTests.trace)
    #expect(page == HTMLReportTests.page(HTMLReportTests.trace))
    for word in ["http://", "https://", " src=", "url(", "@import", "fetch(", "XMLHttp"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
    // What is in a trace is never markup: data, its text and names among them.
    #expect(!page.contains("alert(1)"))
    #expect(page.contains("<h1>Stutter &lt;b&gt; &amp; more</h1>"))
    #expect(page.contains("not met: "))
    #expect(page.contains("<h2>Why it took as long as it did</h2>"))
  }

  @Test func itKeepsWithinItsSizeAndSaysWhatIsLeftOut() throws {
    let trace = """
      trace "Long"
      machine { cores: 2; costs: .zero }
      let pool = ThreadPool(width: 4)
      main { for i in 0 ..< 7_000 { pool.async(name: "job\\(i)") { io(exponential(2ms)); work(exponential(1ms)) } } }
      """
    let small = HTMLReportTests.page(trace, "--html-size", "300KB")
    #expect(small.utf8.count <= 300 << 10)
    #expect(small.utf8.count > 200_000, "there is room for more than \(small.utf8.count) bytes")
    #expect(small.contains("This file holds every step of"))
    let data = try ReportData(page: small)
    let parts = try #require(data.columns["coarse.live"]?.count)
    #expect(data.columns["coarse.cores"]?.count == 2 * parts)
    let whole = HTMLReportTests.page(trace)
    #expect(!whole.contains("This file holds every step of"))
    #expect(try ReportData(page: whole).columns["items.number"]?.count == 7_000)
    // What is asked for is kept.
    let asked = HTMLReportTests.page(trace, "--html-size", "300KB", "--window", "2s...2.1s")
    let windows = try #require(asked.utf8.count <= 300 << 10 ? ReportData(page: asked).head : nil)
    #expect(windows.contains("2000000000,") && windows.contains("2100000000"))
  }

  @Test func comparedRunsStandOnOneAxis() throws {
    let folder = TemporaryFolder()
    let path = folder.write(
      "a.trace",
      """
      trace "Two"
      param n = 1
      machine { cores: 1; costs: .zero }
      let pool = ThreadPool(width: 2)
      main { for i in 0 ..< 3 { pool.async(name: "job\\(i)") { work(n * 10ms) } } }
      """)
    let call = Invocation("compare", path, "--set", "n=1,2", "--html", folder["a.html"])
    #expect(call.status == .held)
    let page = try #require(folder.read("a.html"))
    // Three items of 10 or of 20 ms on one core: the last ends at 30 or 60 ms.
    #expect(page.contains("<td>job2</td><td>30ms</td><td>60ms</td><td>+30ms</td>"))
    #expect(page.contains("They part at"))
    #expect(try ReportData(page: page).head.contains("\"label\": \"n=2\""))
  }

  @Test(
    "mistakes are told",
    arguments: [
      (["--html-size", "1MB"], "'--html-size' needs '--html FILE'"),
      (["--html", "a", "--html-size", "20MB"], "needs a size from 300KB to 10MB"),
      (["--html", "a", "--window", "3ms"], "'--window' needs two moments such as 180ms...260ms"),
      (["--html", "a", "--window", "5ms...3ms"], "'--window' needs two moments"),
      (["--html", "-", "--json"], "'--json' and '--html -' both write to standard output"),
      (["--html", ""], "'--html' needs a file"),
    ])
  func mistakesAreTold(arguments: [String], message: String) {
    let environment = HostEnvironment(standardInput: Array(HTMLReportTests.trace.utf8))
    let call = Invocation(["simulate", "-"] + arguments, environment: environment)
    #expect(call.status == .usage)
    #expect(call.error.contains(message), "\(call.error)")
  }

  @Test func noInputIsWrittenOver() {
    let folder = TemporaryFolder()
    let path = folder.write("a.trace", HTMLReportTests.trace)
    for command in ["simulate", "compare"] {
      let call = Invocation(command, path, "--html", path)
      #expect(call.status == .noOutput)
      #expect(folder.read("a.trace") == HTMLReportTests.trace)
    }
  }

  /// The values of a member of JSON, in order.
  private static func numbers(_ name: String, _ json: String) -> [Int64] {
    json.split(separator: "\n").filter { $0.contains("\"\(name)\": ") }.compactMap { line in
      line.split(separator: " ").last.flatMap { Int64($0.filter { $0.isNumber }) }
    }
  }
}
