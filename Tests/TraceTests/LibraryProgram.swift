/// Programs of the library's types: each was compiled by `swiftc` 6.3.1 and run.
extension TypedProgram {
  static let keys = TypedProgram(
    name: "keys and members of several parts",
    text: #"""
      struct Cell: Hashable { let id: Int; let width: Int }
      struct Mod: Hashable { let n: Int; static func == (a: Mod, b: Mod) -> Bool { a.n % 10 == b.n % 10 }; func hash(into h: inout Hasher) { h.combine(n % 10) } }
      enum Route: Hashable { case home, item(Int), pair(String, Int) }
      func body() {
        var d: [Cell: Int] = [:]
        d[Cell(id: 1, width: 2)] = 5
        d[Cell(id: 1, width: 3)] = 6
        d[Cell(id: 1, width: 2), default: 0] += 10
        print(d[Cell(id: 1, width: 2)] ?? 0, d.count, d[Cell(id: 9, width: 9)] as Any)
        d[Cell(id: 1, width: 2)] = nil
        print(d.count, d)
        var s: Set<Route> = [.home, .item(1), .item(1), .pair("a", 2)]
        print(s.count, s.contains(.pair("a", 2)), s.contains(.item(2)))
        s.insert(.item(1)); s.remove(.home)
        print(s.count)
        var m: [Mod: String] = [:]
        m[Mod(n: 3)] = "a"; m[Mod(n: 13)] = "b"
        print(m.count, m[Mod(n: 23)] ?? "-")
        var l: [[Int]: Int] = [[1, 2]: 3]
        l[[1, 2]]! += 1
        print(l[[1, 2]] ?? 0)
        let g = Dictionary(grouping: [1, 2, 3, 4], by: { Cell(id: $0 % 2, width: 0) })
        print(g[Cell(id: 1, width: 0)] ?? [])
      }
      """#,
    output: [
      "15 2 nil", "1 [main.Cell(id: 1, width: 3): 6]", "3 true false", "2", "1 b", "4", "[1, 3]",
    ])

  static let operators = TypedProgram(
    name: "operators of asynchronous sequences",
    text: #"""
      struct Trouble: Error {}
      func numbers() -> AsyncStream<Int> { AsyncStream { c in for n in 1 ... 6 { c.yield(n) }; c.finish() } }
      func body() async {
        for await x in numbers().filter({ $0 % 2 == 0 }).map({ $0 * 10 }) { print(x) }
        for await s in numbers().map({ "n\($0)" }).prefix(2) { print(s) }
        for await s in numbers().compactMap({ $0 > 4 ? "big \($0)" : nil }) { print(s) }
        for await s in numbers().drop(while: { $0 < 5 }) { print(s) }
        for await s in numbers().prefix(while: { $0 < 3 }) { print(s) }
        for await s in numbers().dropFirst(5) { print(s) }
        print(await numbers().map { $0 + 1 }.reduce(0, +))
        print(await numbers().allSatisfy { $0 > 0 }, await numbers().contains { $0 == 9 })
        do {
          for try await x in numbers().map({ n throws -> Int in if n == 3 { throw Trouble() }; return n }) { print(x) }
        } catch { print("caught") }
        let doubled = numbers().map { n async -> Int in await io(1ms); return n * 2 }
        var it = doubled.makeAsyncIterator()
        print(await it.next() ?? 0, await it.next() ?? 0)
      }
      """#,
    output: [
      "20", "40", "60", "n1", "n2", "big 5", "big 6", "5", "6", "1", "2", "6", "27", "true false",
      "1", "2", "caught", "2 4",
    ])

  static let tupleResults = TypedProgram(
    name: "results that are tuples, and cases whose type is found later",
    text: #"""
      enum Color { case red, green, blue }
      func same<T: Equatable>(_ a: T, _ b: T) -> Bool { a == b }
      func body() async {
          await withTaskGroup(of: (name: String, Int).self) { group in
              group.addTask { await io(20ms); return ("a", 2) }
              group.addTask { await io(10ms); return ("b", 1) }
              for await (name, size) in group { print(name, size) }
          }
          let c = Color.green
          print([.red, .green].contains(c), same(.red, c))
          let t: (Int, String).Type = (Int, String).self
          _ = t
          if [.blue, c].first == c { print("first") }
          print([Color.red, .green].count)
      }
      """#,
    output: ["b 1", "a 2", "true false", "2"])

  static let streamRoom = TypedProgram(
    name: "what yield says of the room of a stream",
    text: #"""
      func show<T>(_ r: AsyncStream<T>.Continuation.YieldResult) {
        switch r {
        case .enqueued(let n): print(n == Int.max ? "all" : "\(n)")
        case .dropped(let x): print("dropped \(x)")
        case .terminated: print("over")
        @unknown default: print("?")
        }
      }
      func body() async {
        let (a, i) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(2))
        show(i.yield(1)); show(i.yield(2)); show(i.yield(3))
        let (b, j) = AsyncStream.makeStream(of: String.self)
        show(j.yield("x"))
        j.finish()
        show(j.yield("y"))
        let (c, k) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(0))
        show(k.yield(7))
        if case .dropped = k.yield(8) { print("gone") }
        let (d, l) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(3))
        let t = Task { for await x in d { print("got", x); break } }
        try? await Task.sleep(nanoseconds: 20_000_000)
        show(l.yield(5))
        await t.value
        l.yield(with: .success(3))
        for await x in a { print(x); if x == 3 { break } }
        withExtendedLifetime((b, c)) {}
      }
      """#,
    output: ["1", "0", "dropped 1", "all", "over", "dropped 7", "gone", "3", "got 5", "2", "3"])

  static let suspendedChanges = TypedProgram(
    name: "values that change themselves after a suspension",
    text: #"""
      enum Light {
        case off, loading, done
        mutating func turn(_ next: Light) async { await Task.yield(); self = next }
      }
      struct Meter { var n = 0; mutating func add(_ k: Int) async -> Int { await Task.yield(); n += k; return n } }
      func body() async {
        func change(_ next: Light) async -> Light { var light = Light.off; await light.turn(next); return light }
        async let a = change(.loading)
        async let b = change(.done)
        print(await a, await b)
        var meter = Meter()
        let seen = await meter.add(2)
        print(seen, await meter.add(3), meter.n)
      }
      """#,
    output: ["loading done", "2 5 5"])

  static let typeNames = TypedProgram(
    name: "names of types",
    text: #"""
      struct Trouble: Error {}
      enum Fault: Error { case big(Int), small }
      protocol P {}
      struct A: P { var x = 1 }
      class B: P { var y = 2; init() {} }
      class C: B {}
      struct Box<T> { let t: T }
      func name<T>(_ x: T) -> String { "\(type(of: x))" }
      func body() async {
        for n in 0 ..< 4 {
          do {
            if n == 0 { throw Trouble() }
            if n == 1 { throw Fault.big(1) }
            if n == 2 { try Task.checkCancellation(); throw CancellationError() }
            throw Fault.small
          } catch { print(type(of: error)) }
        }
        let ps: [any P] = [A(), B(), C()]
        for p in ps { print(type(of: p)) }
        let b: B = C()
        print(type(of: b), type(of: 1), type(of: "a"), type(of: [1]), type(of: ["a": 1.5]), name(Box(t: 1)), name((1, "x")), name(Optional(2)))
      }
      """#,
    output: [
      "Trouble", "Fault", "CancellationError", "Fault", "A", "B", "C",
      "C Int String Array<Int> Dictionary<String, Double> Box<Int> (Int, String) Optional<Int>",
    ])

  static let order = TypedProgram(
    name: "closures in front of the variables that they use",
    text: #"""
      let show = { print(stage, late) }
      var stage = 5
      let late = [1, 2].count
      struct Meter { static let shown = { print(Meter.factor, stage) }; static var factor = 2 }
      func body() {
        show()
        stage += 1
        Meter.factor += 1
        show()
        Meter.shown()
      }
      """#,
    output: ["5 2", "6 2", "3 6"])
}
