@testable import SpindleLanguage
import SpindleModel
import Testing

/// Which unit is proposed for a number without one, for all that takes a time or a size.
@Suite struct BareNumberTests {
  /// What takes a time or a size: the word that a call or an assignment has in front of the number.
  struct Place: Hashable, Comparable {
    var word: String
    var isSize: Bool

    static func < (a: Place, b: Place) -> Bool { (a.word, "\(a.isSize)") < (b.word, "\(b.isSize)") }
  }

  static var places: Set<Place> {
    let vocabulary = Vocabulary.standard
    var found: Set<Place> = []
    func note(_ word: String, _ type: ValueType) {
      switch type.unwrapped {
      case .duration, .instant: found.insert(Place(word: word, isSize: false))
      case .size: found.insert(Place(word: word, isSize: true))
      default: break
      }
    }
    func note(_ members: [Member]) {
      for member in members {
        for formal in member.formals { note(formal.label?.text ?? member.name, formal.type) }
      }
    }
    let tables = [vocabulary.free] + vocabulary.types.map(\.statics) + vocabulary.instances
    for type in vocabulary.types { note(type.initializers) }
    for table in tables {
      note(table.names.flatMap { table.overloads($0) ?? [] })
      for name in table.names {
        if let property = table.property(name), property.set != nil { note(name, property.type) }
      }
    }
    return found
  }

  /// The unit of a whole number, and why it is that one.
  ///
  /// Who adds something that takes a time or a size adds its row here, and where Swift counts it in seconds
  /// its word in `BareNumber.seconds`.
  static let units: [(unit: String, why: String, words: [String])] = [
    (
      "s", "Foundation's TimeInterval and Date, and POSIX's sleep, count seconds",
      [
        "afterDelay", "before", "fire", "fireAt", "fireDate", "forTimeInterval", "interval",
        "sleep",
        "timeInterval", "tolerance", "until", "withTimeInterval",
      ]
    ),
    ("s", "CFTimeInterval is in seconds", ["CFRunLoopRunInMode"]),
    (
      "s", "'.now() + 1' adds seconds to a DispatchTime, and leeways are as intervals",
      ["deadline", "wallDeadline", "leeway", "repeating", "timeout", "wallTimeout"]
    ),
    ("s", "a Duration's shortest spelling is '.seconds(1)'", ["for"]),
    ("s", "how long a worker without work stays", ["keepAlive"]),
    ("us", "what an accelerator does by the way", ["launch"]),
    (
      "ms", "a trace's own, and short",
      [
        "Process", "choice", "computation", "constraint", "exponential", "io", "jitter", "normal",
        "offset", "pareto", "period", "separation", "uniform", "work",
      ]
    ),
    (
      "B", "Swift's sizes count bytes",
      ["allocate", "autorelease", "bandwidth", "bytes", "free", "read", "stackSize", "write"]
    ),
  ]

  @Test func eachHasItsUnit() {
    var left = Self.places
    for row in Self.units {
      for word in row.words {
        let place = Place(word: word, isSize: row.unit == "B")
        #expect(left.remove(place) != nil, "nothing takes a time or a size behind '\(word)'")
        let type: ValueType = place.isSize ? .size : .duration
        #expect(BareNumber.unit(of: type, for: word) == row.unit, "\(word): \(row.why)")
      }
    }
    #expect(left.sorted() == [], "which unit has a number behind these?")
  }

  @Test func aSizeWithAPointIsNoNumberOfBytes() {
    #expect(BareNumber.unit(of: .size, for: "allocate", isWhole: false) == "KB")
    #expect(BareNumber.unit(of: .size, for: "memory") == "MB")
  }

  @Test(arguments: [
    ("usleep(1500)", "sleep(1500us)"), ("usleep(n)", "sleep(1us * n)"),
    ("usleep(useconds_t(n * 1000))", "sleep(1us * (n * 1000))"),
    ("nanosleep(500)", "sleep(500ns)"), ("nanosleep(n + 1)", "sleep(1ns * (n + 1))"),
    ("work(n)", "'1ms * n'"), ("allocate(n)", "'1B * n'"), ("sleep(n + 1)", "'1s * (n + 1)'"),
    ("let d = 0.5; sleep(d)", "'1s * d'"), ("let d = 0.5; if now - now > d { }", "'1s * d'"),
    ("sleep(2)", "'2s'"), ("allocate(1048576)", "'1048576B'"), ("work(5)", "'5ms'"),
    ("let t = Timer(timeInterval: 60, repeats: true) { _ in }; t.tolerance = 0.1", "'0.1s'"),
    ("let s = DispatchSemaphore(value: 0); _ = s.wait(timeout: 5)", "'.now() + 5s'"),
    ("let s = DispatchSemaphore(value: 0); _ = s.wait(wallTimeout: 5)", "'.now() + 5s'"),
    ("let delay: Duration = 5; print(delay)", "'5ms'"), ("io(0.2)", "'0.2ms'"),
    ("func spin(_ d: Duration) { work(d) }; spin(2)", "'2ms'"),
    ("func f() -> Duration { return 0 }; work(f())", "'0s'"),
    ("var d = 1ms; d += 1; work(d)", "'1ms'"),
  ])
  func itIsProposed(statement: String, proposal: String) {
    let compiled = CompilerSupport.report("main { let n = 1; \(statement); print(n) }")
    #expect(compiled.contains(proposal), "\(compiled)")
  }

  /// In Swift a TimeInterval is a Double, and what takes one takes a number of seconds.
  @Test(arguments: [
    "Thread.sleep(forTimeInterval: 0.5)", "RunLoop.main.run(until: Date() + 1)",
    "DispatchQueue.main.asyncAfter(deadline: .now() + 3) { }",
    "let d = 0.5; DispatchQueue.main.asyncAfter(deadline: .now() + d * 2) { }",
    "let delays: [TimeInterval] = [0.1s, 2]; print(delays[0] + 1)",
    "let least: TimeInterval? = nil; print(least ?? 3)",
    "if Date().timeIntervalSince(.now()) > 0.016 { print(n) }",
    "let delay: TimeInterval = 1s; print(min(delay * 2, 60), max(0, delay), delay - 1)",
    "func wait(atMost s: TimeInterval) { print(s) }; wait(atMost: 2)",
  ])
  func aTimeIntervalIsANumberOfSeconds(statement: String) {
    #expect(CompilerSupport.report("main { let n = 1; \(statement); print(n) }") == "ok")
  }

  @Test(arguments: [
    ("1073741824", "1GB"), ("8_589_934_592", "8GB"), ("1048577", "1048577B"),
    ("1_000_000", "1000000B"), ("100000", "100000MB"), ("512", "512MB"),
  ])
  func aLargeMemoryIsInBytes(number: String, proposal: String) {
    let compiled = CompilerSupport.report("machine { memory: \(number) }\nmain { }")
    #expect(compiled.contains("did you mean '\(proposal)'?"), "\(compiled)")
  }
}
