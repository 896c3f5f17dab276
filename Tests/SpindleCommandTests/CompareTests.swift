import SpindleLanguage
import SpindleModel
import SpindleSystem
import TestSupport
import Testing

@testable import SpindleCommand

/// `spindle compare` and its variants.
@Suite struct CompareTests {
  static let trace = """
    machine { platform: .ideal; cores: 2 }
    param n = 4 in [2, 4]
    let pool = ThreadPerTask()
    main {
        for i in 0 ..< n { pool.async(name: "t\\(i)") { work(exponential(1ms)) } }
    }
    expect { count(of: "t*") == 4 }

    """

  @Test func axesMakeEveryCombination() throws {
    let axes = [
      try VariantAxis(.policy, list: "fifo, roundRobin(quantum: 1ms)", option: "--policies"),
      try VariantAxis(.replacement("pool"), list: "ThreadPool(width: 2)", option: "--replace"),
      try VariantAxis(.parameter("n"), list: "1,2", option: "--set"),
      try VariantAxis(.cores, list: "1", option: "--cores"),
    ]
    let variants = VariantAxis.variants(axes, base: Overrides())
    #expect(
      variants.map(\.label) == [
        "fifo, n=1", "fifo, n=2", "roundRobin(quantum: 1ms), n=1", "roundRobin(quantum: 1ms), n=2",
      ])
    #expect(variants[3].overrides.policy == "roundRobin(quantum: 1ms)")
    #expect(variants[3].overrides.cores == "1")
    #expect(
      variants[3].overrides.replacements == [
        Overrides.Assignment(name: "pool", value: "ThreadPool(width: 2)")
      ])
    #expect(variants[3].overrides.parameters == [Overrides.Assignment(name: "n", value: "2")])
  }

  @Test func tooManyVariantsAreRefusedBeforeTheyAreMade() throws {
    let folder = TemporaryFolder()
    let path = folder.write("h", SimulateTests.holds)
    func list(_ count: Int) -> String { (1...count).map { "\($0)" }.joined(separator: ",") }
    let call = Invocation("compare", path, "--set", "n=\(list(101))", "--cores", list(100))
    #expect(call.status == .usage)
    #expect(
      call.error.contains("101 x 100 values make more variants than the limit of 10000"),
      "\(call.error)")
    // Their product does not fit in 64 bits.
    let axes = try (0..<64).map { number in
      try VariantAxis(.parameter("p\(number)"), list: "1,2", option: "--set")
    }
    #expect(throws: CommandFailure.self) { try VariantAxis.checkCount(axes) }
  }

  @Test func labelsNameWhatVaries() throws {
    func labels(_ axes: [VariantAxis]) -> [String] {
      VariantAxis.variants(axes, base: Overrides()).map(\.label)
    }
    let pool = try VariantAxis(.replacement("pool"), list: "A, B", option: "--replace")
    let other = try VariantAxis(.replacement("other"), list: "C, D", option: "--replace")
    let cores = try VariantAxis(.cores, list: "1,2", option: "--cores")
    #expect(labels([]) == [""])
    #expect(labels([pool]) == ["A", "B"])
    #expect(
      labels([pool, other]) == [
        "pool=A, other=C", "pool=A, other=D", "pool=B, other=C", "pool=B, other=D",
      ])
    #expect(labels([cores]) == ["1 core", "2 cores"])
    let four = try VariantAxis(.cores, list: "4", option: "--cores")
    let fifo = try VariantAxis(.policy, list: "fifo", option: "--policies")
    let jobs = try VariantAxis(.parameter("jobs"), list: "-1", option: "--set")
    let single = try VariantAxis(.replacement("pool"), list: "A", option: "--replace")
    #expect(labels([four]) == ["4 cores"])
    #expect(labels([fifo]) == ["fifo"])
    #expect(labels([jobs]) == ["jobs=-1"])
    #expect(labels([fifo, single, four]) == ["fifo, A, 4 cores"])
    #expect(labels([fifo, cores]) == ["1 core", "2 cores"])
  }

  @Test func allStandsForTheListedValues() throws {
    let axis = try VariantAxis(.parameter("n"), list: "all", option: "--set")
    let listed = Parameter(name: "n", value: "4", allowed: ["2", "4"])
    let word = Parameter(name: "n", value: "\"some\"", allowed: [])
    #expect(try axis.expanded(by: [listed]).values == ["2", "4"])
    #expect(try axis.expanded(by: [word]).values == ["all"])
    #expect(try axis.expanded(by: []).values == ["all"])
  }

  @Test func allStandsForEveryPlatformAndCostProfile() throws {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", "main { work(1ms) }")
    for (option, wanted) in [
      ("--platform", ["iOS", "linux", "ideal"]), ("--costs", ["apple", "zero"]),
    ] {
      let call = Invocation("compare", path, option, "all", "--format", "csv")
      #expect(call.status == .held, "\(call.error)")
      for name in wanted { #expect(call.output.contains("\n\(name),"), "\(call.output)") }
    }
  }

  /// Of five thousand values the ends are told, and of a hundred with holes the first ones and the last.
  @Test func manyAllowedValuesAreNotListed() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "t.trace", "param n = 5 in 1 ... 5000\nmain { for i in 0 ..< n { print(i) } }")
    let call = Invocation("simulate", path, "--set", "n=6000")
    #expect(call.error.contains("'n' is a whole number from 1 to 5000\n"), "\(call.error)")
    let odd = stride(from: 1, through: 201, by: 2).map { "\($0)" }.joined(separator: ", ")
    let holes = folder.write("h.trace", "param n = 1 in [\(odd)]\nmain { work(1ms * n) }")
    #expect(
      Invocation("simulate", holes, "--set", "n=2").error.contains(
        "'n' is one of 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, … 201\n"))
    let few = folder.write("u.trace", "param n = 2 in [1, 2, 4]\nmain { work(1ms * n) }")
    #expect(Invocation("simulate", few, "--set", "n=3").error.contains("'n' is one of 1, 2, 4\n"))
  }

  /// What can't be run prints no result, with a value of its own as with all of them.
  @Test func aParameterThatIsNotThereHasNoResult() {
    let folder = TemporaryFolder()
    let path = folder.write("t.trace", "main { work(1ms) }")
    for value in ["1", "all"] {
      let call = Invocation("simulate", path, "--set", "unknown=\(value)", "--json")
      #expect(call.status == .usage && call.output == "", "\(call.output)")
    }
  }

  @Test(arguments: ["simulate", "compare"])
  func allNeedsAList(command: String) {
    let folder = TemporaryFolder()
    let call = Invocation(command, folder.write("h", SimulateTests.holds), "--set", "n=all")
    #expect(call.status == .usage)
    #expect(call.error.hasPrefix("spindle: error: '--set n=all': 'n' lists no values\n"))
  }

  /// A policy that must know what nobody can know refuses the run: its page shows no timeline of it.
  @Test func aRefusedVariantHasNoTimeline() {
    let folder = TemporaryFolder()
    let path = folder.write(
      "r.trace",
      """
      machine { platform: .ideal; cores: 1 }
      let rival = Thread(name: "rival") { work(20ms) }
      main { rival.start() }
      every(5ms, count: 3) { i in DispatchQueue.main.async { work(1ms * i) } }

      """)
    let policies = "fifo, shortestJobFirst, roundRobin"
    let page = Invocation("compare", path, "--policies", policies, "--html", "-").output
    #expect(page.contains("<h2>fifo and roundRobin</h2>"), "\(page.prefix(4_000))")
    #expect(!page.contains("<h2>fifo and shortestJobFirst</h2>"))
    #expect(page.contains("<td class=\"bad\">refused</td>"))
    #expect(page.contains("Timelines of 2 of 3 variants are shown"))
  }

  @Test func aRowForEachVariant() {
    let folder = TemporaryFolder()
    let path = folder.write("c.trace", Self.trace)
    let call = Invocation(
      "compare", path, "--replace", "pool=ThreadPerTask, ThreadPool(width: 1)", "--set", "n=all")
    #expect(call.status == .held)
    for label in ["ThreadPerTask, n=2", "ThreadPerTask, n=4", "ThreadPool(width: 1), n=4"] {
      #expect(call.output.contains(label))
    }
    #expect(call.error.isEmpty)
  }

  /// An app's queues are in its classes: one whose type is not written may be any executor.
  @Test func theQueueOfAClassIsReplaced() {
    let folder = TemporaryFolder()
    let text = """
      machine { platform: .ideal; cores: 4; costs: .zero }
      final class Loader {
          let queue = DispatchQueue(label: "loader")
          func load() { for _ in 0..<4 { queue.async(name: "part") { work(10ms) } } }
      }
      let loader = Loader()
      main { loader.load() }
      """
    let path = folder.write("c.trace", text)
    let call = Invocation(
      "compare", path, "--format", "csv", "--measure", "makespan", "--replace",
      "Loader.queue=DispatchQueue(label: \"loader\"), ThreadPool(width: 2), ThreadPerTask")
    #expect(call.status == .held, "\(call.error)")
    // One after the other, two at a time, all at once.
    for time in ["40000000", "20000000", "10000000"] {
      #expect(call.output.contains(time), "\(call.output)")
    }
    let wrong = Invocation("compare", path, "--replace", "Loader.queue=ThreadPerTask, NSLock")
    #expect(wrong.error.contains("expected an executor, found NSLock"))
  }

  /// The lock of one trace under each protocol: the answers of the traces that have the protocol in their text.
  @Test func aLockRunsUnderEachProtocol() throws {
    let folder = TemporaryFolder()
    let text = try Repository.text("Traces/textbook/pathfinder-inversion.trace")
    let call = Invocation(
      "compare", folder.write("p.trace", text), "--replace",
      "bus=none, inheritance, .immediateCeiling, NSLock(resourceProtocol: .inheritance)",
      "--measure", "ended(\"bus manager\"), ended(\"communication\")", "--format", "csv")
    #expect(call.error.isEmpty)
    let rows = call.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").suffix(2).joined(separator: " ")
    }
    #expect(
      rows == ["65000000 53000000", "15000000 65000000", "15000000 65000000", "15000000 65000000"])
    let other = Invocation(
      "compare",
      folder.write("r.trace", "let l = ReadWriteLock()\nmain { l.withReadLock { work(1ms) } }\n"),
      "--replace", "l=none, inheritance")
    #expect(other.status == .usage)
    #expect(
      other.error.hasPrefix("--replace:1:3: error: a ReadWriteLock has no resource protocol\n"))
  }

  /// The same where the lock is a property of a class: where it stands changes nothing.
  @Test func theLockOfAClassRunsUnderEachProtocol() throws {
    let folder = TemporaryFolder()
    let text = try Repository.text("Traces/textbook/pathfinder-inversion.trace")
      .replacing("bus.withLock", with: "rover.bus.withLock")
      .replacing(
        "let bus = NSLock()", with: "final class Rover { let bus = NSLock() }\nlet rover = Rover()")
    let call = Invocation(
      "compare", folder.write("p.trace", text), "--replace", "Rover.bus=none, inheritance",
      "--measure", "ended(\"bus manager\"), ended(\"communication\")", "--format", "csv")
    #expect(call.error.isEmpty)
    let rows = call.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").suffix(2).joined(separator: " ")
    }
    #expect(rows == ["65000000 53000000", "15000000 65000000"])
    let other = Invocation("compare", folder.write("p.trace", text), "--replace", "Rover.bos=none")
    #expect(other.status == .usage)
    #expect(other.error.contains("did you mean 'Rover.bus'?"))
  }

  @Test func expectationsCountOnlyOnRequest() {
    let folder = TemporaryFolder()
    let path = folder.write("c.trace", Self.trace)
    #expect(Invocation("compare", path, "--set", "n=2,4").status == .held)
    let call = Invocation("compare", path, "--set", "n=2,4", "--expect")
    #expect(call.status == .notHeld)
    #expect(call.flat.contains("n=2: \(path):7:10: not met: count(of: \"t*\") == 4 "))
    #expect(!call.flat.contains("n=4: \(path)"))
  }

  @Test func mistakesAreShownOnce() {
    let folder = TemporaryFolder()
    let call = Invocation(
      "compare", folder.write("m", SimulateTests.mistaken), "--cores", "1,2,4", "--jobs", "2")
    #expect(call.status == .traceErrors)
    #expect(call.output.isEmpty)
    #expect(call.error.split(separator: "\n").count { $0.contains(": error: ") } == 1)
    let option = Invocation(
      "compare", folder.write("h", SimulateTests.holds), "--policies", "fifo, nosuch")
    #expect(option.status == .usage)
    #expect(option.error.hasPrefix("--policies:1:1: error: unknown policy 'nosuch'"))
  }

  @Test func outputDoesNotDependOnJobs() {
    let folder = TemporaryFolder()
    let arguments = ["compare", folder.write("c", Self.trace), "--cores", "1,2", "--seeds", "5"]
    let one = Invocation(arguments + ["--jobs", "1"])
    let three = Invocation(arguments + ["--jobs", "3"])
    #expect(one.status == .held)
    #expect(one.output == three.output)
    #expect(Invocation(arguments + ["--json"]).output.hasPrefix("{"))
  }
}
