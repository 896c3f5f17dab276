/// A program of tasks, actors, queues, operations and locks, made from a seed, whose output no timing decides.
///
/// What runs at the same time only adds to a sum, and is waited for before the sum is printed. What is printed at once
/// is on one serial queue, in a chain of operations, or read from a stream. Waits end: each is for work that waits for
/// nothing that comes later.
package struct TaskProgram {
  let seed: Int
  /// Makes the numbers that the work is about; only these names are in its scope.
  var values: ValueProgram
  /// Functions that block, which asynchronous code calls.
  var declarations = ""
  var body = ""

  /// The name of the function that prints.
  package var entry: String { "body\(seed)" }

  /// Makes the program of a seed.
  package init(seed: Int) {
    self.seed = seed
    values = ValueProgram(numbersOf: seed)
    declarations = values.declarations + common
    for _ in 0...(2 + values.random.below(4)) { body += step() }
  }

  /// The whole text, which prints by a call of `entry`.
  package var text: String { declarations + "func \(entry)() async {\n\(body)}\n" }

  mutating func below(_ limit: Int) -> Int { values.random.below(limit) }
  mutating func fresh(_ stem: String) -> String { values.fresh(stem) }

  /// A number from the names in scope, small and without calls.
  mutating func number() -> String { values.stored(.int, 2) }

  /// Makes something with another number in scope.
  mutating func with<Value>(_ name: String, _ make: (inout Self) -> Value) -> Value {
    values.scope.append(ProgramVariable(name: name, type: .int))
    defer { values.scope.removeLast() }
    return make(&self)
  }

  /// What all programs have.
  private var common: String {
    """
    enum Oops\(seed): Error { case bad(Int), late }
    final class Cell\(seed): @unchecked Sendable {
      private let lock = NSLock()
      private var total = 0
      private var lines: [String] = []
      func add(_ n: Int) { lock.lock(); total += n; lock.unlock() }
      func note(_ line: String) { lock.withLock { lines.append(line) } }
      var sum: Int { lock.withLock { total } }
      var all: [String] { lock.withLock { lines } }
    }
    actor Counter\(seed) {
      private(set) var total = 0
      private var seen: [Int] = []
      func add(_ n: Int) -> Int { total += n; seen.append(n); return n }
      func slowly(_ n: Int) async { await Task.yield(); total += n }
      var sorted: [Int] { seen.sorted() }
      nonisolated func doubled(_ n: Int) -> Int { n * 2 }
    }
    @MainActor final class Screen\(seed) {
      var shown = 0
      func show(_ n: Int) { shown = (shown + n) % 1000 }
    }
    struct Countdown\(seed): AsyncSequence {
      typealias Element = Int
      let from: Int
      struct Iterator: AsyncIteratorProtocol {
        var left: Int
        mutating func next() async -> Int? {
          guard left > 0 else { return nil }
          await Task.yield()
          left -= 1
          return left
        }
      }
      func makeAsyncIterator() -> Iterator { Iterator(left: from) }
    }
    enum Local\(seed) { @TaskLocal static var depth = 1 }
    func later\(seed)(_ n: Int) async -> Int { await Task.yield(); return n }
    func risky\(seed)(_ n: Int) async throws -> Int {
      if n % 3 == 0 { throw Oops\(seed).bad(n) }
      await Task.yield()
      return n + 1
    }

    """
  }

  // MARK: Numbers that are waited for

  /// An asynchronous expression of a number.
  mutating func awaited(_ depth: Int) -> String {
    if depth <= 0 { return "await later\(seed)(\(number()))" }
    let less = depth - 1
    switch below(16) {
    case 0: return "await later\(seed)(\(number()))"
    case 1: return "await Task { \(awaited(less)) }.value"
    case 2: return "await Task.detached { \(awaited(less)) }.value"
    case 3:
      return
        "await Task(priority: .\(values.random.pick(["low", "medium", "high"]))) { \(awaited(less)) }.value"
    case 4, 5: return group(less)
    case 6: return "((try? await risky\(seed)(\(number()))) ?? \(number()))"
    case 7:
      return "await withCheckedContinuation { (end: CheckedContinuation<Int, Never>) in "
        + "DispatchQueue.global().async { [n = \(number())] in end.resume(returning: n) } }"
    case 8: return "await MainActor.run { \(number()) }"
    case 9:
      return
        "await Local\(seed).$depth.withValue(\(2 + below(5))) { await later\(seed)(Local\(seed).depth + \(number())) }"
    case 10: return "\(blocking(less))"
    case 11: return "await Countdown\(seed)(from: \(1 + below(4))).reduce(0) { $0 + $1 }"
    case 12:
      return "await Countdown\(seed)(from: \(2 + below(4))).\(sequence()).reduce(\(below(9)), +)"
    case 13: return "Counter\(seed)().doubled(\(number()))"
    case 14: return "((try? await Task { try await risky\(seed)(\(number())) }.value) ?? -1)"
    default:
      return
        "await { (n: Int) async -> Int in let m = \(with("n") { $0.awaited(less) }); return m + n }(\(number()))"
    }
  }

  private mutating func sequence() -> String {
    values.random.pick([
      "map { $0 * 3 }", "filter { $0 % 2 == 0 }", "prefix(2)", "dropFirst()",
      "map { await later\(seed)($0 + 1) }", "compactMap { $0 > 1 ? $0 : nil }",
    ])
  }

  private mutating func group(_ depth: Int) -> String {
    let name = fresh("i")
    let work = with(name) { $0.awaited(depth - 1) }
    let count = 1 + below(4)
    let adds = "for \(name) in 0..<\(count) { group.addTask { (\(work)) % 1000 } }"
    switch below(3) {
    case 0:
      return
        "await withTaskGroup(of: Int.self) { group in \(adds); return await group.reduce(0, +) }"
    case 1:
      return
        """
        await withTaskGroup(of: Int.self) { group in \(adds); var sum = 0; for await one in group { sum += one }
        return sum }
        """
    default:
      return
        "await withTaskGroup(of: Int.self, returning: Int.self) { group in \(adds); var sum = 0; "
        + "while let one = await group.next() { sum += one }; return sum }"
    }
  }

  /// A call of a function that blocks, which is declared for it.
  mutating func blocking(_ depth: Int) -> String {
    let name = fresh("part") + "n\(seed)"
    let argument = number()
    let outer = values.scope
    values.scope = [ProgramVariable(name: "n", type: .int)]
    let lines = parallel()
    values.scope = outer
    declarations += "func \(name)(_ n: Int) -> Int {\n\(lines)}\n"
    return "\(name)(\(argument))"
  }
}

extension ValueProgram {
  /// Makes numbers alone: nothing is declared but a generic structure.
  init(numbersOf seed: Int) {
    self.init(empty: seed)
    declareStack()
  }
}
