/// Programs about keys, sequences and names of types, whose output Swift 6.3 gave.
extension TypedProgram {
  static let ofKinds = [
    optionalValues, optionalKeys, chains, ownSequences, nestedErrors, genericNames, associatedTypes,
    headers, keyPaths,
    dictionaryConversions,
  ]

  static let optionalValues = TypedProgram(
    name: "dictionaries of optionals",
    text: #"""
      final class C { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("gone", n) } }
      struct S: Equatable { var a: Int?; var b: [String: Int?] }
      func body() {
        var d: [String: Int?] = ["a": 1, "b": nil]
        print(d.count, d["a"] as Any, d["b"] as Any, d["c"] as Any)
        print(d["b"] == nil, d["c"] == nil, d["b"]! == nil)
        d["c"] = .some(nil)
        d["a"] = nil
        print(d.count, d.keys.sorted(), d.values.filter { $0 == nil }.count)
        d.updateValue(nil, forKey: "z"); d.updateValue(5, forKey: "y")
        for (k, v) in d.sorted(by: { $0.key < $1.key }) { print(k, v as Any) }
        if let known = d["y"], let value = known { print("y", value) }
        switch d["z"] { case .none: print("missing"); case .some(nil): print("nil there"); case .some(let n?): print(n) }
        print(d.removeValue(forKey: "z") as Any, d.removeValue(forKey: "z") as Any)
        d["y", default: nil] = 9
        d["w", default: 4]? += 1
        print(d["y"] as Any, d["w"] as Any, d == ["b": nil, "c": nil, "y": 9, "w": 5])
        d["y"]? = 10
        print(d.mapValues { ($0 ?? 0) + 1 }.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" })
        print(d.compactMapValues { $0 }.keys.sorted())
        var e: [Int: C?] = [1: C(1), 2: nil]
        e[2] = C(2)
        e[1] = .some(nil)
        print("set")
        e[2] = nil
        print(e.count, e[1] as Any == nil)
        let one = ["k": nil as Int?]
        print(one)
        let s = S(a: nil, b: ["q": nil, "r": 2])
        print(s == S(a: nil, b: ["r": 2, "q": nil]), s == S(a: nil, b: ["r": 2]))
        let nested: [Int: [Int: Bool?]] = [1: [2: true, 3: nil]]
        print(nested[1]?[3] as Any, nested[1]?[2] as Any, nested[4]?[2] as Any)
        let g = Dictionary(uniqueKeysWithValues: [1, 2].map { ($0, $0 == 1 ? nil : "x") })
        print(g[1] as Any, g[2] as Any, g[1]! == nil)
      }
      """#,
    output: [
      #"2 Optional(Optional(1)) Optional(nil) nil"#,
      #"false true true"#,
      #"2 ["b", "c"] 2"#,
      #"b nil"#,
      #"c nil"#,
      #"y Optional(5)"#,
      #"z nil"#,
      #"y 5"#,
      #"nil there"#,
      #"Optional(nil) nil"#,
      #"Optional(Optional(9)) Optional(Optional(5)) true"#,
      #"["b1", "c1", "w6", "y11"]"#,
      #"["w", "y"]"#,
      #"gone 1"#,
      #"set"#,
      #"gone 2"#,
      #"1 false"#,
      #"["k": nil]"#,
      #"true false"#,
      #"Optional(nil) Optional(Optional(true)) nil"#,
      #"Optional(nil) Optional(Optional("x")) true"#,
    ])

  static let optionalKeys = TypedProgram(
    name: "optionals as keys and elements of sets",
    text: #"""
      struct P: Hashable { var a: Int?; var b: String }
      enum K: Hashable { case one, two(Int) }
      func body() {
        var s: Set<Int?> = [1, nil, 3]
        print(s.count, s.contains(nil), s.contains(2), s.contains(3))
        print(s.insert(nil), s.insert(7).inserted, s.remove(nil) as Any, s.contains(nil), s.count)
        s.insert(nil)
        print(s.map { $0 ?? -1 }.sorted(), Array(s).count, s == [nil, 1, 3, 7])
        print(s.union([9, nil]).count, s.intersection([nil, 3]).count, s.subtracting([nil]).count)
        for x in s where x == nil { print("nil is in it", x as Any) }
        var d: [String?: Int] = ["a": 1, nil: 2]
        d["b"] = 3
        print(d[nil] ?? 0, d["a"] ?? 0, d[.none] as Any, d.count)
        d[nil] = nil
        print(d.count, d.keys.map { $0 ?? "-" }.sorted(), d[nil] as Any)
        d[nil, default: 5] += 1
        print(d[nil] ?? 0, d.removeValue(forKey: nil) as Any, d.removeValue(forKey: nil) as Any)
        for (k, v) in d.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) { print(k as Any, v) }
        var e: [P?: [Int]] = [P(a: 1, b: "x"): [1], nil: []]
        e[P(a: 1, b: "x")]?.append(2); e[nil]?.append(3); e[P(a: nil, b: "y"), default: []].append(4)
        print(e[P(a: 1, b: "x")] ?? [], e[nil] ?? [], e[P(a: nil, b: "y")] ?? [], e.count)
        let f: Set<K?> = [.one, .two(2), nil, .two(2)]
        print(f.count, f.contains(.two(2)), f.contains(.two(3)), f.contains(nil))
        let g = Dictionary(grouping: [1, 2, 3]) { $0 > 2 ? nil : $0 % 2 }
        print(g[nil] ?? [], g[1] ?? [], g[0] ?? [])
        let h: [Int??: Int] = [nil: 1, .some(nil): 2, 3: 3]
        print(h.count, h[nil] ?? 0, h[.some(nil)] ?? 0, h[3] ?? 0)
        print(["k" as String?: 1], Set([nil as Int?]), [Set([4 as Int?])])
      }
      """#,
    output: [
      #"3 true false true"#,
      #"(inserted: false, memberAfterInsert: nil) true Optional(nil) false 3"#,
      #"[-1, 1, 3, 7] 4 true"#,
      #"5 2 3"#,
      #"nil is in it nil"#,
      #"2 1 Optional(2) 3"#,
      #"2 ["a", "b"] nil"#,
      #"6 Optional(6) nil"#,
      #"Optional("a") 1"#,
      #"Optional("b") 3"#,
      #"[1, 2] [3] [4] 3"#,
      #"3 true false true"#,
      #"[3] [1] [2]"#,
      #"3 1 2 3"#,
      #"[Optional("k"): 1] [nil] [Set([Optional(4)])]"#,
    ])

  static let chains = TypedProgram(
    name: "chains through optionals of optionals",
    text: #"""
      struct B { var c: Int; var d: Int? }
      func body() {
        var d: [String: Int?] = ["y": 1]
        d["y"]?? += 1
        let e: [Int: B?] = [1: B(c: 2, d: 5)]
        print(d["y"] as Any, e[1]??.c ?? 0, e[1]??.d ?? 7, e[2]??.c ?? 8)
        let x: Int? = nil, y = 3
        print(x ?? y, x ?? 4, (x) ?? y)
        var b: B?? = .some(.some(B(c: 1, d: nil)))
        b??.c = 9
        print(b??.c as Any)
        let list: [Int??] = [1, nil, .some(nil)]
        for case let n?? in list { print(n) }
      }
      """#,
    output: [
      #"Optional(Optional(2)) 2 5 8"#,
      #"3 4 3"#,
      #"Optional(9)"#,
      #"1"#,
    ])

  static let ownSequences = TypedProgram(
    name: "sequences of a program, and iterators",
    text: #"""
      struct Countdown: Sequence { let from: Int; func makeIterator() -> CountIterator { CountIterator(n: from) } }
      struct CountIterator: IteratorProtocol { var n: Int; mutating func next() -> Int? { if n == 0 { return nil }; n -= 1; return n + 1 } }
      struct Self1: Sequence, IteratorProtocol { var n: Int; mutating func next() -> String? { if n == 0 { return nil }; n -= 1; return "s\(n)" } }
      final class Chain: Sequence { let items: [Int]; init(_ i: [Int]) { items = i }; func makeIterator() -> AnyIterator<Int> { var k = 0; return AnyIterator { k += 1; return k <= self.items.count ? self.items[k - 1] : nil } } }
      struct Node<T>: Sequence { var list: [T]; func makeIterator() -> IndexingIterator<[T]> { list.makeIterator() } }
      func total<S: Sequence>(_ s: S) -> Int where S.Element == Int { var t = 0; for x in s { t += x }; return t }
      func firsts<S: Sequence>(_ s: S) -> [S.Element] { Array(s.prefix(2)) }
      func body() {
        let c = Countdown(from: 4)
        print(c.map { $0 * 2 }, c.filter { $0 > 2 }, c.compactMap { $0 > 1 ? "\($0)" : nil })
        print(Array(c.prefix(2)), Array(c.dropFirst()), Array(c.prefix { $0 > 2 }), Array(c.drop { $0 > 2 }))
        print(c.reduce(0, +), c.reduce(into: [Int]()) { $0.append($1) }, c.contains { $0 == 3 }, c.contains(3), c.first { $0 < 3 } ?? 0)
        print(c.allSatisfy { $0 > 0 }, c.min() ?? 0, c.max() ?? 0, c.min { $0 > $1 } ?? 0)
        print(c.flatMap { [$0, $0] }, c.sorted(), c.sorted { $0 < $1 }, Array(c.reversed()))
        c.forEach { print($0, terminator: " ") }; print()
        for (i, x) in c.enumerated() { print(i, x, terminator: ";") }; print()
        print(c.suffix(2), c.dropLast(), Array(c), Set(c).count, zip(c, ["a", "b"]).map { "\($0)\($1)" })
        print(total(c), total([1, 2]), total(1 ... 3), total(Set([5])), total(Chain([7, 8])))
        print(firsts(c), firsts("xyz"), firsts(Self1(n: 3)), firsts([1.5]))
        print(Self1(n: 2).map { $0 + "!" }, Self1(n: 3).joined(separator: "-"))
        print(Chain([3, 4]).map { $0 + 1 }, Node(list: ["q"]).map { $0 })
        var it = [1, 2].makeIterator()
        while let x = it.next() { print(x) }
        var own = c.makeIterator()
        print(own.next() ?? 0, own.next() ?? 0)
        let any = AnySequence(c); print(any.map { $0 }, AnySequence { CountIterator(n: 2) }.map { $0 })
        var list = [9]; list.append(contentsOf: c); list += Array(c); print(list)
        print(Dictionary(grouping: c) { $0 % 2 }[0] ?? [], Dictionary(uniqueKeysWithValues: c.map { ($0, 1) }).count)
        print(c.elementsEqual([4, 3, 2, 1]), c.starts(with: [4]))
        for x in Self1(n: 2) where x != "s0" { print(x) }
      }
      """#,
    output: [
      #"[8, 6, 4, 2] [4, 3] ["4", "3", "2"]"#,
      #"[4, 3] [3, 2, 1] [4, 3] [2, 1]"#,
      #"10 [4, 3, 2, 1] true true 2"#,
      #"true 1 4 4"#,
      #"[4, 4, 3, 3, 2, 2, 1, 1] [1, 2, 3, 4] [1, 2, 3, 4] [1, 2, 3, 4]"#,
      #"4 3 2 1 "#,
      #"0 4;1 3;2 2;3 1;"#,
      #"[2, 1] [4, 3, 2] [4, 3, 2, 1] 4 ["4a", "3b"]"#,
      #"10 3 6 5 15"#,
      #"[4, 3] ["x", "y"] ["s2", "s1"] [1.5]"#,
      #"["s1!", "s0!"] s2-s1-s0"#,
      #"[4, 5] ["q"]"#,
      #"1"#,
      #"2"#,
      #"4 3"#,
      #"[4, 3, 2, 1] [2, 1]"#,
      #"[9, 4, 3, 2, 1, 4, 3, 2, 1]"#,
      #"[4, 2] 4"#,
      #"true true"#,
      #"s1"#,
    ])

  static let nestedErrors = TypedProgram(
    name: "errors in other values",
    text: #"""
      enum Oops: Error { case bad(Int), cold }
      struct Refused: Error { let why: String }
      struct Plain: Error {}
      final class Ref: Error { }
      enum Wrap { case one(any Error), two(Oops), three(Refused) }
      func body() {
        let errors: [any Error] = [Oops.bad(1), Oops.cold, Refused(why: "x"), Plain(), CancellationError()]
        for e in errors {
          let r: Result<Int, any Error> = .failure(e)
          print(r, e, Wrap.one(e))
          let o: (any Error)? = e
          print(o as Any, (1, e), "\(e)")
        }
        print(errors)
        let s: Result<Int, Oops> = .failure(.cold)
        print(s, Wrap.two(.bad(2)), Wrap.three(Refused(why: "q")))
        let t: Result<String, any Error> = .success("a")
        print(t)
      }
      """#,
    output: [
      #"failure(main.Oops.bad(1)) bad(1) one(main.Oops.bad(1))"#,
      #"Optional(main.Oops.bad(1)) (1, main.Oops.bad(1)) bad(1)"#,
      #"failure(main.Oops.cold) cold one(main.Oops.cold)"#,
      #"Optional(main.Oops.cold) (1, main.Oops.cold) cold"#,
      #"failure(main.Refused(why: "x")) Refused(why: "x") one(main.Refused(why: "x"))"#,
      #"Optional(main.Refused(why: "x")) (1, main.Refused(why: "x")) Refused(why: "x")"#,
      #"failure(main.Plain()) Plain() one(main.Plain())"#,
      #"Optional(main.Plain()) (1, main.Plain()) Plain()"#,
      #"failure(Swift.CancellationError()) CancellationError() one(Swift.CancellationError())"#,
      #"Optional(Swift.CancellationError()) (1, Swift.CancellationError()) CancellationError()"#,
      #"[main.Oops.bad(1), main.Oops.cold, main.Refused(why: "x"), main.Plain(), Swift.CancellationError()]"#,
      #"failure(main.Oops.cold) two(main.Oops.bad(2)) three(main.Refused(why: "q"))"#,
      #"success("a")"#,
    ])

  static let genericNames = TypedProgram(
    name: "generic types by their names",
    text: #"""
      struct Pair<A, B> { var a: A; var b: B }
      struct Outer<T> { struct In { var t: T }; struct Gen<U> { var u: U } }
      final class Box<T> { var t: T; init(_ t: T) { self.t = t } }
      enum Opt<T> { case some(T), none }
      struct P: Hashable { var x = 1 }
      func body() {
        let p = Pair(a: 1, b: "x")
        print(p, [p], (p, 1), Optional(p) as Any)
        print(Pair(a: [1], b: ["k": 2.5]), Pair(a: Optional(1), b: Set<Int>()), Pair(a: (1, "q"), b: P()))
        print(Pair(a: p, b: Opt.some(1)), Outer<Int>.In(t: 3), Outer<Int>.Gen<String>(u: "s"))
        print(Opt.some(p), [Opt<Int>.none], Opt.some("q"))
        print("\(p)", String(describing: p))
        print(Pair(a: { (n: Int) in n + 1 }(2), b: 1 as Any), Pair(a: true, b: 1.5))
        print([Pair(a: P(), b: Duration.seconds(1))].count, Pair<Int, any Error>.self, Pair<P, [String?]>.self)
        print(type(of: p), type(of: Box(1)), type(of: Outer<Int>.In(t: 1)))
      }
      """#,
    output: [
      #"Pair<Int, String>(a: 1, b: "x") [main.Pair<Swift.Int, Swift.String>(a: 1, b: "x")] (main.Pair<Swift.Int, Swift.String>(a: 1, b: "x"), 1) Optional(main.Pair<Swift.Int, Swift.String>(a: 1, b: "x"))"#,
      #"Pair<Array<Int>, Dictionary<String, Double>>(a: [1], b: ["k": 2.5]) Pair<Optional<Int>, Set<Int>>(a: Optional(1), b: Set([])) Pair<(Int, String), P>(a: (1, "q"), b: main.P(x: 1))"#,
      #"Pair<Pair<Int, String>, Opt<Int>>(a: main.Pair<Swift.Int, Swift.String>(a: 1, b: "x"), b: main.Opt<Swift.Int>.some(1)) In(t: 3) Gen<String>(u: "s")"#,
      #"some(main.Pair<Swift.Int, Swift.String>(a: 1, b: "x")) [main.Opt<Swift.Int>.none] some("q")"#,
      #"Pair<Int, String>(a: 1, b: "x") Pair<Int, String>(a: 1, b: "x")"#,
      #"Pair<Int, Any>(a: 3, b: 1) Pair<Bool, Double>(a: true, b: 1.5)"#,
      #"1 Pair<Int, Error> Pair<P, Array<Optional<String>>>"#,
      #"Pair<Int, String> Box<Int> In"#,
    ])

  static let associatedTypes = TypedProgram(
    name: "associated types by first values, and conditional conformances",
    text: #"""
      protocol Store { associatedtype Item; var items: [Item] { get set }; static var title: String { get } }
      extension Store { mutating func keep(_ item: Item) { items.append(item) }; var last: Item? { items.last } }
      struct Numbers: Store { var items: [Int] = []; static let title = "numbers" }
      struct Words: Store { var items = ["w"]; static var title: String { "words" } }
      func fill<S: Store>(_ s: inout S, _ item: S.Item) -> String { s.keep(item); return "\(S.title) \(s.items.count)" }
      struct Pair<A, B> { var a: A; var b: B; func swapped() -> Pair<B, A> { Pair<B, A>(a: b, b: a) } }
      extension Pair: Equatable where A: Equatable, B: Equatable {}
      extension Pair: Hashable where A: Hashable, B: Hashable {}
      enum Opt<T> { case some(T), none }
      extension Opt: Equatable where T: Equatable {}
      func body() {
        var a = Numbers(), b = Words()
        print(fill(&a, 3), fill(&b, "x"), a.last ?? 0, b.last ?? "")
        let q = Pair(a: 1, b: "z")
        print(q == q.swapped().swapped(), q == Pair(a: 2, b: "z"), Set([q, q]).count)
        print(Opt.some(3) == .some(3), Opt<Int>.none == .some(1))
      }
      """#,
    output: [
      #"numbers 1 words 2 3 x"#,
      #"true false 1"#,
      #"true false"#,
    ])

  static let headers = TypedProgram(
    name: "closures in the headers of statements",
    text: #"""
      func f(_ g: () -> Bool) -> Bool { g() }
      let a = [1, 2, 3]
      func g(_ n: Int, _ f: () -> Int) -> Int { n + f() }
      func body() {
        for x in a.map { $0 + 1 } where x > 2 { print(x) }
        for x in a.filter { $0 > 1 } { print(x) }
        if a.contains { $0 > 1 } { print("a") }
        if a.contains { $0 > 1 }, a.count > 1 { print("b") }
        if a.contains { $0 > 1 } && a.count > 1 { print("c") }
        if a.map { $0 }.count > 1 { print("d") }
        switch a.first { $0 > 1 } ?? 0 { case 2: print("e"); default: print("f") }
        while a.contains { $0 > 5 } { print("g") }
        guard a.contains { $0 > 1 } , true else { fatalError() }
        if f { true } { print("h") }
        if let y = a.first { $0 > 1 } { print("k", y) }
        if a.count == 3 { print("l") }
        (1 + 2).description.count
        if a.isEmpty { print("m") }
        [1].forEach { print($0) }
        if a.contains { $0 > 1 } == true { print("n") }
        if a.map { $0 }[0] == 1 { print("o") }
        if a.contains { $0 > 1 } as Bool { print("p") }
        if a.contains { $0 > 1 } ? true : false { print("q") }
        if g(1) { 2 } == 3 { print("r") }
        for i in 0 ..< g(1) { 2 } { print("s", i) }
        var it = 0
        repeat { it += 1 } while a.contains { $0 > it }
        print("t", it)
      }
      """#,
    output: [
      #"3"#,
      #"4"#,
      #"2"#,
      #"3"#,
      #"a"#,
      #"b"#,
      #"c"#,
      #"d"#,
      #"e"#,
      #"h"#,
      #"k 2"#,
      #"l"#,
      #"1"#,
      #"n"#,
      #"o"#,
      #"p"#,
      #"q"#,
      #"r"#,
      #"s 0"#,
      #"s 1"#,
      #"s 2"#,
      #"t 3"#,
    ])
}
