/// Classes of operations, and what was once wrong in silence: each was compiled by `swiftc` 6.3.1 and run on Linux.
extension TypedProgram {
  static let ofOperations = [operations, scopes]

  static let operations = TypedProgram(
    name: "classes of operations",
    text: #"""
      class Step: Operation, @unchecked Sendable {
        var log: [String] = []
        let o: String
        init(_ o: String) { self.o = o; super.init() }
        override func main() { log.append("main \(o)"); print("main", o, isCancelled) }
        override func cancel() { print("cancel", o); super.cancel() }
      }
      final class Second: Step, @unchecked Sendable {
        override func main() { super.main(); print("second", log.count) }
      }
      class Own: Operation, @unchecked Sendable {
        override func start() { print("start", isExecuting); super.start() }
        override func main() { print("own main", isExecuting) }
      }
      class Late: Operation, @unchecked Sendable {
        var ready = false
        override var isReady: Bool { ready && super.isReady }
      }
      func body() {
        let first = Step("a"), second = Second("b")
        second.addDependency(first)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.addOperations([second, first], waitUntilFinished: true)
        print(first.log + second.log, second.dependencies.count, first.isFinished)
        let gone = Step("c")
        gone.cancel()
        queue.addOperations([gone], waitUntilFinished: true)
        print(gone.isCancelled, gone.log)
        queue.addOperations([Own()], waitUntilFinished: true)
        let late = Late()
        print(late.isReady)
        late.ready = true
        print(late.isReady)
        let all: [Operation] = [first, late]
        print(all.count, all[0] === first, all.map { $0.isFinished })
        print(String(format: "%.2f of %d %@", 2.346, 7, "x"), "hello wORLD".capitalized)
      }
      """#,
    output: [
      "main a false", "main b false", "second 1", "[\"main a\", \"main b\"] 1 true", "cancel c",
      "true []", "start false", "own main true", "false", "true", "2 true [true, false]",
      "2.35 of 7 x Hello World",
    ])

  static let scopes = TypedProgram(
    name: "scopes, captures and changes in place",
    text: #"""
      final class O { let s: String; init(_ s: String) { self.s = s }; deinit { print("-", s) } }
      class Root { var r = 1; init(_ n: Int) { r = n } }
      class Middle: Root { var m = [2]; let o = O("middle") }
      final class Leaf: Middle { let own: Int; override init(_ n: Int) { own = n * 2; super.init(n) } }
      func shadow(_ a: Int?, _ b: Int?) -> String {
        if let a, a > 5 { return "large \(a)" } else if let a = a, a == 3 { return "three" } else if let b { return "b \(b)" }
        return "\(a == nil) \(b == nil)"
      }
      func counters() -> [() -> Int] {
        var all: [() -> Int] = []
        for i in 0 ..< 2 { var n = i * 10; all.append { n += 1; return n } }
        return all
      }
      func load(_ n: Int) throws -> Int { if n < 0 { throw CancellationError() }; return n }
      func set(_ n: Int) -> Int { let x: Int; do { x = try load(n) } catch { x = -1 }; return x }
      struct Shelf {
        var o: O?
        var rows = [[1, 2], [3]]
        mutating func drop() { o = nil; print("dropped") }
      }
      final class Room { var shelf = Shelf(o: O("room")); var list = [Shelf(o: O("list"))]; var other: Shelf? = Shelf(o: O("other")) }
      struct Bad: Error {}
      func typed(_ n: Int) throws(Bad) -> Int { if n > 0 { throw .init() }; return n }
      func body() {
        let leaf = Leaf(4)
        print(leaf.r, leaf.m, leaf.own)
        print(shadow(7, nil), shadow(3, 1), shadow(nil, 2), shadow(nil, nil))
        for f in counters() { print(f(), f()) }
        print(set(3), set(-3))
        let room = Room()
        room.shelf.drop()
        room.list[0].drop()
        room.other?.drop()
        room.other!.o = O("new")
        room.other?.drop()
        var (i, a) = (0, [1, 2, 3])
        (i, a[i]) = (2, 9)
        print(i, a)
        a.forEach { if $0 == 9 { a.append(5) }; print($0) }
        print(a.count, (1 ... 4).count, [1, 2].map(String.init), (0 ..< 3).last ?? -1)
        print((try? typed(1)) ?? -1, (try? typed(0)) ?? -1)
        var text: String! = "implicit"
        print(text.count, text + "!")
        text = nil
        print(text == nil, 3 != nil, 4 ?? 5)
        for n in 1... where n % 2 == 0 { if n > 5 { break }; print(n) }
        print("end")
      }
      """#,
    output: [
      "4 [2] 8", "large 7 three b 2 true true", "1 2", "11 12", "3 -1", "- room", "dropped",
      "- list", "dropped", "- other", "dropped", "- new", "dropped", "2 [9, 2, 3]", "9", "2", "3",
      "4 4 [\"1\", \"2\"] 2", "-1 0", "8 implicit!", "true true 4", "2", "4", "end", "- middle",
    ])
}
