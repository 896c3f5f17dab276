/// Programs whose output Swift 6.3 gave: each was compiled by `swiftc` and run.
struct TypedProgram: Sendable {
  let name: String
  /// Declarations, with a function `body` that prints.
  let text: String
  /// What it prints, line by line.
  let output: [String]

  static let all = [values, places, errors, keys, order, anyValues] + ofOperations + ofKinds

  static let values = TypedProgram(
    name: "values, generics, protocols, subclasses and closures",
    text: #"""
      struct Point: Hashable { var x = 0; var y = 0; func moved(by d: Int) -> Point { Point(x: x + d, y: y + d) }; mutating func shift() { x += 1; y += 10 } }
      enum Shape { case circle(Double), box(w: Int, h: Int), empty }
      func area(_ s: Shape) -> Int { switch s { case .circle: return 3; case .box(let w, let h) where w > 10: return w; case .box(let w, let h): return w * h; case .empty: return 0 } }
      struct Stack<T> { private var items: [T] = []; mutating func push(_ t: T) { items.append(t) }; mutating func pop() -> T? { items.popLast() }; var count: Int { items.count }; subscript(i: Int) -> T { get { items[i] } set { items[i] = newValue } } }
      protocol Animal { var name: String { get }; func speak() -> String }
      extension Animal { func twice() -> String { speak() + speak() } }
      struct Dog: Animal { let name: String; func speak() -> String { "w" } }
      struct Cat: Animal { var name = "cat"; func speak() -> String { "m" } }
      class Base { var n = 1; init() {}; func f() -> Int { n }; func g() -> Int { f() * 2 } }
      class Sub: Base { var extra = 5; override func f() -> Int { super.f() + extra } }
      enum Oops: Error { case bad(Int), worse }
      func risky(_ n: Int) throws -> Int { if n > 2 { throw Oops.bad(n) }; if n < 0 { throw Oops.worse }; return n }
      func swapped<A, B>(_ p: (A, B)) -> (B, A) { (p.1, p.0) }
      func apply<T>(_ n: Int, _ f: (Int) throws -> T) rethrows -> [T] { var r: [T] = []; for i in 0 ..< n { r.append(try f(i)) }; return r }
      func body() {
        var p = Point(x: 1, y: 2)
        p.shift(); p.x *= 3
        print(p, p.moved(by: 2), p == Point(x: 6, y: 12))
        print(area(.circle(1)), area(.box(w: 2, h: 3)), area(.box(w: 11, h: 3)), area(.empty))
        var s = Stack<Int>()
        s.push(1); s.push(2); s.push(3)
        s[0] = 9
        print(s.pop() ?? 0, s.count, s[0])
        let animals: [any Animal] = [Dog(name: "rex"), Cat()]
        for a in animals { print(a.name, a.speak(), a.twice()) }
        let b: Base = Sub()
        print(b.f(), b.g(), Base().g())
        for i in [1, 3, -1] { do { print(try risky(i)) } catch Oops.bad(let n) where n > 1 { print("bad", n) } catch { print("other", error) } }
        print((try? risky(5)) ?? -1, (try? risky(2)) ?? -1)
        print(swapped((1, "a")), apply(3) { $0 * $0 }, apply(2) { "n\($0)" })
        var grid = [[1, 2], [3, 4]]
        grid[1][0] += 10; grid.append([5]); grid[2].append(6)
        print(grid, grid.map { $0.reduce(0, +) }, grid.flatMap { $0 }.filter { $0 % 2 == 0 })
        var d = ["a": [1], "b": []]
        d["a", default: []].append(2); d["c", default: []].append(3); d["b"] = nil
        print(d.keys.sorted(), d["a"]!, d["c"]?.first ?? 0, d["zz"] == nil)
        let words = "the quick fox"
        print(words.count, words.hasPrefix("the"), words.uppercased())
        var counter = 0
        let inc = { (by: Int) -> Int in counter += by; return counter }
        _ = inc(2); print(inc(3), counter)
        let opt: Int?? = .some(nil)
        print(opt == nil, Optional(3).map { $0 + 1 } ?? 0)
        outer: for i in 0 ... 3 { for j in 0 ... 3 { if j == 2 { continue outer }; if i == 2 { break outer }; print(i, j, terminator: ";") } }
        print()
        let t = (name: "x", n: 3); print(t.name, t.n, t)
        let sorted = [3, 1, 2].sorted { $0 > $1 }; print(sorted, sorted.min()!, sorted.max()!, sorted.contains(2), sorted.firstIndex(of: 1)!)
        for (i, w) in ["a", "b"].enumerated() { print(i, w) }
        print(Set([1, 2, 2]).count, [1, 2, 3].prefix(2), Array([1, 2, 3].dropFirst()), [1, 2, 3].reversed() as [Int], zip([1, 2], ["a", "b"]).map { "\($0)\($1)" })
        defer { print("end") }
        let x = 7; let kind = if x > 5 { "big" } else { "small" }; print(kind, x.isMultiple(of: 7), Int("42")! + 1, String(7) + "!", max(3, 9), abs(-4))
        func fact(_ n: Int) -> Int { n <= 1 ? 1 : n * fact(n - 1) }
        print(fact(5))
      }
      """#,
    output: [
      #"Point(x: 6, y: 12) Point(x: 8, y: 14) true"#,
      #"3 6 11 0"#,
      #"3 2 9"#,
      #"rex w ww"#,
      #"cat m mm"#,
      #"6 12 2"#,
      #"1"#,
      #"bad 3"#,
      #"other worse"#,
      #"-1 2"#,
      #"("a", 1) [0, 1, 4] ["n0", "n1"]"#,
      #"[[1, 2], [13, 4], [5, 6]] [3, 17, 11] [2, 4, 6]"#,
      #"["a", "c"] [1, 2] 3 true"#,
      #"13 true THE QUICK FOX"#,
      #"5 5"#,
      #"false 4"#,
      #"0 0;0 1;1 0;1 1;"#,
      #"x 3 (name: "x", n: 3)"#,
      #"[3, 2, 1] 1 3 true 2"#,
      #"0 a"#,
      #"1 b"#,
      #"2 [1, 2] [2, 3] [3, 2, 1] ["1a", "2b"]"#,
      #"big true 43 7! 9 4"#,
      #"120"#,
      #"end"#,
    ])

  static let places = TypedProgram(
    name: "places, operators, extensions, sequences and patterns",
    text: #"""
      final class Node { let v: Int; var next: Node?; init(_ v: Int) { self.v = v } }
      final class Counter { private(set) var hits = 0; var log: [String] = []; let limit: Int; init(limit: Int) { self.limit = limit }
        func hit(_ s: String) throws -> Int { guard hits < limit else { throw CountError.full(limit: limit) }; hits += 1; log.append(s); return hits }
        var summary: String { log.joined(separator: ",") + "/\(hits)" }
        static func make() -> Counter { Counter(limit: 2) } }
      enum CountError: Error, Equatable { case full(limit: Int) }
      enum Level: Int, CaseIterable, Comparable { case low = 1, mid = 5, high; static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue } }
      enum Dir: String { case up, down = "d" }
      struct Matrix { var rows: [[Int]]; subscript(r: Int, c: Int) -> Int { get { rows[r][c] } set { rows[r][c] = newValue } }
        mutating func scale(_ k: Int) { for r in rows.indices { for c in rows[r].indices { rows[r][c] *= k } } } }
      struct Vec { var x: Int, y: Int; static func + (a: Vec, b: Vec) -> Vec { Vec(x: a.x + b.x, y: a.y + b.y) }; static prefix func - (a: Vec) -> Vec { Vec(x: -a.x, y: -a.y) }
        static func += (a: inout Vec, b: Vec) { a = a + b } }
      struct Cell { var n = 0; var inner = Vec(x: 0, y: 0) }
      final class Box<T> { var value: T; init(_ value: T) { self.value = value }; func map<U>(_ f: (T) -> U) -> Box<U> { Box<U>(f(value)) } }
      extension Array where Element == Int { func total() -> Int { reduce(0, +) }; var evens: [Int] { filter { $0 % 2 == 0 } } }
      extension Int { var doubled: Int { self * 2 }; func times(_ f: () -> Void) { for _ in 0 ..< self { f() } } }
      struct Countdown: Sequence, IteratorProtocol { var n: Int; mutating func next() -> Int? { if n == 0 { return nil }; n -= 1; return n + 1 } }
      func maxOf<T: Comparable>(_ xs: [T]) -> T? { var best: T? = nil; for x in xs { if let b = best { if x > b { best = x } } else { best = x } }; return best }
      func bump(_ n: inout Int, _ list: inout [Int]) { n += 1; list.append(n) }
      func swapEnds<T>(_ a: inout [T]) { if a.count > 1 { a.swapAt(0, a.count - 1) } }
      func first<S: Sequence>(_ s: S, where f: (S.Element) -> Bool) -> S.Element? { for x in s { if f(x) { return x } }; return nil }
      func body() {
        let a = Node(1); a.next = Node(2); a.next?.next = Node(3)
        var sum = 0; var cur: Node? = a
        while let n = cur { sum += n.v; cur = n.next }
        print(sum, a.next!.next!.v, a.next?.next?.next == nil)
        let c = Counter.make()
        do { print(try c.hit("a"), try c.hit("b")); print(try c.hit("c")) } catch let e as CountError { print("caught", e, e == .full(limit: 2)) } catch { print("?") }
        print(c.summary)
        print(Level.allCases.map(\.rawValue), Level.high > .low, Level(rawValue: 5)!, Level(rawValue: 9) == nil, Level.allCases.max()!)
        print(Dir(rawValue: "d")!, Dir.up.rawValue)
        var m = Matrix(rows: [[1, 2], [3, 4]])
        m[0, 1] = 7; m[1, 0] += 5; m.scale(2); print(m.rows, m[1, 1])
        var v = Vec(x: 1, y: 2) + -Vec(x: 4, y: 5); v += Vec(x: 1, y: 1); print(v.x, v.y)
        var cells = [Cell(), Cell(n: 3)]
        cells[cells.count - 1].n += 4; cells[0].inner.x = 9; let copy = cells; cells[0].inner.y += 2
        print(cells[0].inner, copy[0].inner.y, cells[1].n)
        print(Box(3).map { "n\($0)" }.value, Box([1, 2]).value.total())
        print([1, 2, 3, 4].evens, 4.doubled)
        var ticks = 0; 3.times { ticks += 1 }; print(ticks)
        for x in Countdown(n: 3) { print(x, terminator: " ") }; print()
        print(maxOf([3, 9, 2])!, maxOf(["b", "z", "a"])!, maxOf([Int]()) == nil)
        var n = 1; var list = [0]; bump(&n, &list); bump(&list[0], &list2.value); print(n, list, list2.value)
        var names = ["x", "y", "z"]; swapEnds(&names); print(names)
        print(first([1, 5, 8]) { $0 > 4 } ?? 0)
        let fs: [(Int) -> Int] = [{ $0 + 1 }, { $0 * 10 }]
        print(fs.map { $0(5) }, fs.reduce(2) { $1($0) })
        let groups = Dictionary(grouping: [1, 2, 3, 4, 5]) { $0 % 2 == 0 ? "even" : "odd" }
        print(groups["even"]!, groups["odd"]!.count, groups.mapValues(\.count).values.reduce(0, +))
        var total = 0
        for case let x? in [1, nil, 3] { total += x }
        for i in stride(from: 10, to: 0, by: -4) { total += i }
        print(total)
        switch (3, "a") { case (1...3, let s) where s == "a": print("in", s); case (_, _): print("out") }
        let r: Result<Int, CountError> = .failure(.full(limit: 1))
        switch r { case .success(let n): print(n); case .failure(let e): print("f", e) }
        if case .failure(.full(let l)) = r { print("limit", l) }
        let s = "ab"; var rep = ""; for i in 0..<3 { rep += "\(s)\(i)" }; print(rep, rep.count, s < "b")
        let nested: [String: [String: Int]] = ["a": ["x": 1]]; print(nested["a"]?["x"] ?? 0, nested["b"]?["x"] ?? -1)
        var opt: Int? = 5; if let o = opt.take() { print(o, opt as Any) }
        let u: UInt8 = 250; print(u, Int(u) + 10, UInt64(3) * 1_000)
        print((1...5).contains(3), (0..<4).map { $0 * $0 }, (1...3).reversed() as [Int], Array(1...3))
        print([3, 1, 2].sorted(), ["b", "a"].sorted(by: >), [1, 2, 3].allSatisfy { $0 > 0 }, [1, 2].contains { $0 == 2 })
        label: do { if n > 0 { break label }; print("no") }
        guard let last = list.last, last > 0 else { print("none"); return }
        print("last", last)
      }
      let list2 = Box([7])
      """#,
    output: [
      #"6 3 true"#,
      #"1 2"#,
      #"caught full(limit: 2) true"#,
      #"a,b/2"#,
      #"[1, 5, 6] true mid true high"#,
      #"down up"#,
      #"[[2, 14], [16, 8]] 8"#,
      #"-2 -2"#,
      #"Vec(x: 9, y: 2) 0 7"#,
      #"n3 3"#,
      #"[2, 4] 8"#,
      #"3"#,
      #"3 2 1 "#,
      #"9 z true"#,
      #"2 [1, 2] [7, 1]"#,
      #"["z", "y", "x"]"#,
      #"5"#,
      #"[6, 50] 30"#,
      #"[2, 4] 3 5"#,
      #"22"#,
      #"in a"#,
      #"f full(limit: 1)"#,
      #"limit 1"#,
      #"ab0ab1ab2 9 true"#,
      #"1 -1"#,
      #"5 nil"#,
      #"250 260 3000"#,
      #"true [0, 1, 4, 9] [3, 2, 1] [1, 2, 3]"#,
      #"[1, 2, 3] ["b", "a"] true true"#,
      #"last 2"#,
    ])

  static let errors = TypedProgram(
    name: "errors with values of their own",
    text: #"""
      struct Missing: Error { let name: String; var places = [1, 2] }
      enum Refused: Error { case full(limit: Int), closed }
      func first<T>(_ list: [T], or error: any Error) throws -> T { guard let one = list.first else { throw error }; return one }
      func pick(_ n: Int) throws -> Int {
        if n == 0 { throw Missing(name: "key") }
        if n == 1 { throw Refused.full(limit: 3) }
        if n == 2 { return try first([], or: Refused.closed) }
        return n
      }
      func body() {
        for n in 0..<4 { do { print(try pick(n)) } catch { print("caught", error) } }
        do { _ = try pick(0) } catch let missing as Missing { print(missing.name, missing.places) } catch { print("?") }
      }
      """#,
    output: [
      #"caught Missing(name: "key", places: [1, 2])"#,
      #"caught full(limit: 3)"#,
      #"caught closed"#,
      #"3"#,
      #"key [1, 2]"#,
    ])
}
