import Testing

extension WarningTests {
  static let kinds = names + results + ways + objects + calls

  private static func unused(_ name: String) -> String { "'\(name)' is never used" }
  private static func lost(_ name: String) -> String {
    "the result of '\(name)' is not used; write '_ = …' to drop it"
  }

  static let names = [
    Kind("a 'let'", unused("a"), "let ⟨a⟩ = 1", silent: "let a = 1\nprint(a)"),
    Kind(
      "a 'let' that a closure uses", unused("b"),
      "let a = 1\nlet ⟨b⟩ = 2\nDispatchQueue.main.async { print(a) }",
      silent: "let a = 1\nDispatchQueue.main.async { print(a) }"),
    Kind("a 'var'", unused("n"), "var ⟨n⟩ = 1", silent: "var n = 1\nn += 1\nprint(n)"),
    Kind(
      "what gets its value later", "'n' is set, and never read", "let ⟨n⟩: Int\nn = 1",
      silent: "let n: Int\nn = 1\nprint(n)"),
    Kind(
      "part of a tuple", unused("b"), "let (a, ⟨b⟩) = (1, 2)\nprint(a)",
      silent: "let (a, _) = (1, 2)\nprint(a)"),
    Kind(
      "what a condition binds", unused("n"), "if let ⟨n⟩ = Int(\"1\") { print(1) }",
      silent: "if let n = Int(\"1\") { print(n) }"),
    Kind(
      "what a pattern binds", unused("code"), top: "enum Answer { case failed(Int), done }",
      "let answer = Answer.failed(1)\nswitch answer { case .failed(let ⟨code⟩): print(1)\ncase .done: break }",
      silent:
        "let answer = Answer.failed(1)\nswitch answer { case .failed(let code): print(code)\ncase .done: break }"
    ),
    Kind(
      "the whole value of a 'switch'", unused("n"),
      "switch Int(\"1\") { case let ⟨n⟩?: print(1)\ncase nil: break }",
      silent: "switch Int(\"1\") { case let n?: print(n)\ncase nil: break }"),
    Kind(
      "what a handler catches", unused("bad"), top: "enum Bad: Error { case luck }",
      "do { throw Bad.luck } catch let ⟨bad⟩ as Bad { print(1) } catch { print(2) }",
      silent: "do { throw Bad.luck } catch let bad as Bad { print(bad) } catch { print(2) }"),
    Kind(
      "what only a 'where' uses", unused("b"), top: "enum Pair { case both(Int, Int) }",
      "switch Pair.both(1, 2) { case .both(let a, let ⟨b⟩) where a > 1: print(1)\ncase .both: break }",
      silent:
        "switch Pair.both(1, 2) { case .both(let a, let b) where a > b: print(1)\ncase .both: break }"
    ),
    Kind(
      "a 'var' that is set", "'n' is set, and never read", "var ⟨n⟩ = 0\nn = 1",
      silent: "var n = 0\nn = 1\nprint(n)"),
    Kind(
      "a 'var' that is counted up", "'n' is set, and never read", "var ⟨n⟩ = 0\nn += 1",
      silent: "var n = 0\nDispatchQueue.main.async { n += 1 }"),
    Kind(
      "an object that is let go of", "'held' is set, and never read", top: "final class Model { }",
      "var ⟨held⟩ = 1\nheld = 2", silent: "var held: Model? = Model()\nheld = nil"),
  ]

  static let results = [
    Kind("a value", "this value is not used", "⟨1 + 2⟩", silent: "_ = 1 + 2"),
    Kind(
      "a name alone", "this value is not used", "let a = 1\n⟨a⟩", silent: "let a = 1\n_ = a"),
    Kind(
      "a property", "this value is not used", "let a = [1]\n⟨a.count⟩",
      silent: "let a = [1]\nprint(a.count)"),
    Kind(
      "a function", lost("make"), top: "func make() -> Int { 1 }", "⟨make⟩()",
      silent: "_ = make()\nprint(make())"),
    Kind(
      "one that says so", lost("make"),
      top: "func make() -> Int { 1 }\n@discardableResult func take() -> Int { 1 }",
      "take()\n⟨make⟩()", silent: "take()\n_ = make()"),
    Kind(
      "a method", lost("next"), top: "final class Counter { func next() -> Int { 1 } }",
      "Counter().⟨next⟩()", silent: "_ = Counter().next()"),
    Kind(
      "a method in a chain", lost("next"),
      top: "final class Counter { func next() -> Int { 1 } }",
      "let counter: Counter? = Counter()\ncounter?.⟨next⟩()",
      silent: "let counter: Counter? = Counter()\n_ = counter?.next()"),
    Kind(
      "a closure", lost("make"), "let make = { 1 }\n⟨make⟩()",
      silent: "let make = { print(1) }\nmake()"),
    Kind(
      "what the library gives", lost("wait"), "DispatchGroup().⟨wait⟩(timeout: .now())",
      silent: "_ = DispatchGroup().wait(timeout: .now())\nDispatchGroup().wait()"),
    Kind(
      "a collection", lost("map"), "let a = [1]\na.⟨map⟩ { $0 + 1 }",
      silent: "var a = [1]\na.removeLast()\na.append(2)\nprint(a)"),
    Kind(
      "what 'try?' gives", lost("try?"),
      top: "@discardableResult func make() throws -> Int { 1 }", "⟨try?⟩ make()",
      silent: "_ = try? make()\ntry! make()"),
    Kind(
      "what 'try!' is in front of", lost("make"), top: "func make() throws -> Int { 1 }",
      "try! ⟨make⟩()", silent: "_ = try! make()"),
    Kind(
      "nothing, or nothing or nil", lost("make"), top: "func make() -> Int { 1 }",
      "try? say()\n⟨make⟩()\nfunc say() throws { print(1) }",
      silent: "try? say()\nprint(make())\nfunc say() throws { print(1) }"),
    Kind(
      "a thread", "this thread is never started: nothing keeps it", "⟨Thread⟩ { }",
      silent: "Thread.detachNewThread { }\nThread { }.start()"),
    Kind(
      "a work item", "this work item is never run: nothing keeps it", "⟨DispatchWorkItem⟩ { }",
      silent: "DispatchWorkItem { }.perform()"),
    Kind(
      "a source", "this source is never resumed: nothing keeps it",
      "DispatchSource.⟨makeTimerSource⟩()", silent: "DispatchSource.makeTimerSource().resume()"),
  ]
}
