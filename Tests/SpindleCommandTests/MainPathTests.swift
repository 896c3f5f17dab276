import SpindleSystem
import Testing

@testable import SpindleCommand

/// The critical path goes on where the main thread idles: to what it was woken for.
@Suite struct MainPathTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// The path on a machine without costs, with `(…)` for each place.
    let path: String

    init(_ name: String, _ path: String, _ text: String) {
      (testDescription, self.path, self.text) = (name, path, text)
    }
  }

  /// Each of them takes what its parts take by hand, one after another.
  static let rows = [
    Row(
      "the last of a group", "0..30ms: 'long' (…) 30ms",
      """
      main(.tool) {
          await withTaskGroup(of: Void.self) { group in
              group.addTask(name: "short") { work(1ms) }
              group.addTask(name: "long") { work(30ms) }
          }
      }
      """),
    Row(
      "the later one of two in turn", "0..30ms: 'first' (…) 10ms; then 'second' (…) 20ms",
      """
      machine { cores: 1 }
      main(.tool) {
          await withTaskGroup(of: Void.self) { group in
              group.addTask(name: "first") { work(10ms) }
              group.addTask(name: "second") { work(20ms) }
          }
      }
      """),
    Row(
      "an async let", "0..30ms: 'slow' (…) 30ms",
      """
      func take(_ time: Duration) async { work(time) }
      main { Task(name: "load") { async let slow: Void = take(30ms); await slow } }
      """),
    Row(
      "the value of a task, and then work of its own", "0..33ms: 'slow' (…) 30ms; then 'main' 3ms",
      """
      main(.tool) { let slow = Task.detached(name: "slow") { work(30ms) }; await slow.value; work(3ms) }
      """),
    Row(
      "a call of an actor", "0..30ms: 'main' 30ms",
      "actor A { func take() { work(30ms) } }\nlet a = A()\nmain(.tool) { await a.take() }"),
    Row(
      "an input", "0..33ms: 'main' 33ms (3ms work, 30ms for io at …)",
      "main(.tool) { await io(30ms); work(3ms) }"),
    Row(
      "an element of a stream", "0..30ms: 'maker' (…) 30ms",
      """
      main(.tool) {
          let numbers = AsyncStream<Int> { input in
              Task.detached(name: "maker") { work(30ms); input.yield(1); input.finish() }
          }
          for await _ in numbers { }
      }
      """),
    Row(
      "a continuation that an item resumes", "0..31ms: 'old' (…) 30ms; then 'load' (…) 1ms",
      """
      main {
          Task(name: "load") {
              await withCheckedContinuation { c in
                  DispatchQueue.global().async(name: "old") { work(30ms); c.resume() }
              }
              work(1ms)
          }
      }
      """),
    Row(
      "a model that awaits what is on no actor",
      "0..123ms: 'load' (…) 123ms (23ms work, 100ms for io at …)",
      """
      @MainActor class Model {
          func load() async { let n = await fetch(); work(3ms); print(n) }
          nonisolated func fetch() async -> Int { await io(100ms); work(20ms); return 3 }
      }
      let model = Model()
      main { Task(name: "load") { await model.load() } }
      """),
    Row(
      "a timer",
      "0..52ms: 'main' idle for 50ms, until timer 'Timer-1' (…) was due; then timer 'Timer-1' (…) 2ms",
      "main { Timer.scheduledTimer(withTimeInterval: 50ms, repeats: false) { _ in work(2ms) } }"),
    Row(
      "an item for later",
      "0..52ms: 'main' idle for 50ms, until 'late' (…) was due; then 'late' (…) 2ms",
      "main { DispatchQueue.main.asyncAfter(deadline: .now() + 50ms, name: \"late\") { work(2ms) } }"
    ),
    Row(
      "what the world hands over",
      "0..51ms: 'main' idle for 50ms, until 'tap' (…) came; then 'tap' (…) 1ms",
      """
      main { }
      every(50ms, count: 1) { DispatchQueue.main.async(name: "tap") { work(1ms) } }
      """),
  ]

  private func told(_ text: String, costs: String) -> String {
    let trace = """
      machine { platform: .iOS; cores: 2; costs: .\(costs) }
      \(text.replacing("machine { cores: 1 }\n", with: ""))
      expect { makespan <= 1us }
      """
    let cores = text.hasPrefix("machine { cores: 1 }") ? "cores: 1;" : "cores: 2;"
    let environment = HostEnvironment(
      variables: ["COLUMNS": "400"],
      standardInput: Array(trace.replacing("cores: 2;", with: cores).utf8))
    let call = Invocation("simulate", "-", environment: environment)
    #expect(call.status == .notHeld, "\(call.error)")
    return call.output
  }

  /// A text with `(…)` for each place in it, and `at …` for the place of a wait.
  private static func withoutPlaces(_ text: String) -> String {
    text.replacing(#/\(\d+:\d+\)/#, with: "(…)").replacing(#/ at \d+:\d+/#, with: " at …")
  }

  @Test(arguments: rows)
  func leadsToWhatMainWasWokenFor(_ row: Row) {
    let told = MainPathTests.withoutPlaces(told(row.text, costs: "zero"))
    #expect(told.contains("  \(row.path)\n"), "\(told)")
  }

  /// With costs more threads wake each other on the way, and the parts add up, or the run would end.
  @Test(arguments: rows.prefix(9))
  func idlesNowhereWhereTasksAre(_ row: Row) {
    let told = told(row.text, costs: "apple")
    #expect(told.contains("  makespan was"), "\(told)")
    #expect(!told.contains("idle for") && !told.contains("the run tells nothing"), "\(told)")
  }

  /// A worker on the path between its items is one thread: it is counted how often, not how many there are.
  @Test func aThreadByItselfIsOne() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "kinds.trace",
      """
      machine {
          platform: .iOS; cores: [.performance(1), .efficiency(2, speed: 0.4)]; policy: .edge
      }
      let jobs = DispatchQueue(label: "jobs", qos: .utility, attributes: .concurrent)
      main { }
      arrivals(every: 5ms, count: 100) { i in jobs.async(name: "job\\(i)") { work(4ms) } }

      """)
    let call = Invocation("explain", path, "--critical-path")
    #expect(call.output.contains(#/'worker-2' \d+ times, \d/#), "\(call.output)")
    #expect(!call.output.contains(#/\d 'worker-/#), "\(call.output)")
  }
}
