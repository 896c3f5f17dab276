extension ProgramFeature {
  /// Closures that capture, that are given, kept and composed, and autoclosures.
  static let closures: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func counter\(d.name)(from start: Int, by step: Int = 1) -> () -> Int { var n = start; return { n += step
        return n } }
        """,
        """
        let one\(d.name) = counter\(d.name)(from: (\(d.number)) % 100)
        let two\(d.name) = counter\(d.name)(from: 0, by: \(d.small))
        print(one\(d.name)(), one\(d.name)(), two\(d.name)(), two\(d.name)(), one\(d.name)())
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "func compose\(d.name)<A, B, C>(_ f: @escaping (A) -> B, _ g: @escaping (B) -> C) -> (A) -> C { { g(f($0)) } }",
        """
        let f\(d.name) = compose\(d.name)({ (n: Int) in n % 7 }, { "<\\($0)>" })
        print(f\(d.name)(\(d.number)), [1, 9].map(f\(d.name)), compose\(d.name)(f\(d.name), \\.count)(\(d.small)))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func twice\(d.name)(_ n: inout Int, _ change: (inout Int) throws -> Void) rethrows { try change(&n)
        try change(&n) }
        """,
        """
        var n\(d.name) = (\(d.number)) % 50
        twice\(d.name)(&n\(d.name)) { $0 += \(d.small) }
        do { try twice\(d.name)(&n\(d.name)) { if $0 > 20 { throw Oops\(d.seed).bad($0) }
        $0 *= 3 } } catch { print("caught", error) }
        print(n\(d.name))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func all\(d.name)(_ numbers: Int..., named label: String = "sum", then done: ((Int) -> Void)? = nil) {
          let s = numbers.reduce(0, +) % 1000; print(label, s); done?(s) }
        """,
        """
        all\(d.name)(\(d.number), \(d.small))
        all\(d.name)(1, named: \(d.text)) { print("then", $0) }
        var seen\(d.name): [Int] = []
        all\(d.name)(then: { seen\(d.name).append($0) })
        print(seen\(d.name))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "func lazily\(d.name)(_ test: Bool, _ value: @autoclosure () -> Int) -> Int { test ? value() : -1 }",
        """
        var hits\(d.name) = 0
        func hit\(d.name)() -> Int { hits\(d.name) += 1; return hits\(d.name) }
        print(lazily\(d.name)(\(d.small) > 1, hit\(d.name)()))
        print(lazily\(d.name)(true, hit\(d.name)() + \(d.small)), hits\(d.name))
        let handlers\(d.name): [(String, (Int) -> Int)] = [("up", { $0 + 1 }), ("down", {
          [hits\(d.name)] in $0 - hits\(d.name) })]
        hits\(d.name) += 10
        print(handlers\(d.name).map { "\\($0.0) \\($0.1(\(d.small)))" })
        """
      )
    },
  ]

  /// Associated types, subclasses behind protocols, hashing of one's own, and extensions of library types.
  static let protocols: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        protocol Store\(d.name) { associatedtype Item; var items: [Item] { get set }; static var title: String { get } }
        extension Store\(d.name) { mutating func keep(_ item: Item) { items.append(item) }
        var last: Item? { items.last } }
        struct Numbers\(d.name): Store\(d.name) { var items: [Int] = []; static let title = "numbers" }
        struct Words\(d.name): Store\(d.name) { var items = [\"w\"]; static var title: String { "words" } }
        func fill\(d.name)<S: Store\(d.name)>(_ s: inout S, _ item: S.Item) -> String { s.keep(item)
        return "\\(S.title) \\(s.items.count)" }
        """,
        """
        var a\(d.name) = Numbers\(d.name)(), b\(d.name) = Words\(d.name)()
        print(fill\(d.name)(&a\(d.name), \(d.number)), fill\(d.name)(&b\(d.name), \(d.text)), a\(d.name).last ?? 0,
          b\(d.name).last ?? "")
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        protocol Visitor\(d.name): AnyObject { func visit(_ n: Int) -> Bool }
        class Base\(d.name): Visitor\(d.name) { var seen: [Int] = []; func visit(_ n: Int) -> Bool { seen.append(n)
        return n < limit }; var limit: Int { 10 } }
        final class Sub\(d.name): Base\(d.name) { override var limit: Int { super.limit + \(d.small) }
        override func visit(_ n: Int) -> Bool { super.visit(n * 2) } }
        """,
        """
        let v\(d.name): [any Visitor\(d.name)] = [Base\(d.name)(), Sub\(d.name)()]
        for n in \(d.list).prefix(3) { print(v\(d.name).map { $0.visit(n % 20) }) }
        if let sub = v\(d.name)[1] as? Sub\(d.name) {
          print("sub", sub.seen.count, sub is Base\(d.name), v\(d.name)[0] is Sub\(d.name)) }
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Tag\(d.name): Hashable { let text: String; init(_ text: String) { self.text = text.lowercased() }
          static func == (a: Self, b: Self) -> Bool { a.text.count == b.text.count }
          func hash(into hasher: inout Hasher) { hasher.combine(text.count) } }
        """,
        """
        var t\(d.name) = [Tag\(d.name)("AB"): 1]
        t\(d.name)[Tag\(d.name)("cd"), default: 0] += 1
        t\(d.name)[Tag\(d.name)(\(d.text) + "abc")] = \(d.small)
        print(t\(d.name).count, t\(d.name)[Tag\(d.name)("xy")] ?? 0, Set([Tag\(d.name)("a"), Tag\(d.name)("B")]).count)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        extension Array where Element == Int { func total\(d.name)() -> Int { reduce(0, +) % 1000 }
        var middle\(d.name): Int? { isEmpty ? nil : self[count / 2] } }
        extension Int { func clamped\(d.name)(_ r: ClosedRange<Int>) -> Int {
          Swift.min(Swift.max(self, r.lowerBound), r.upperBound) } }
        extension String { mutating func double\(d.name)() { self += self } }
        """,
        """
        var s\(d.name) = String((\(d.text)).prefix(3))
        s\(d.name).double\(d.name)()
        print(\(d.list).total\(d.name)(), \(d.list).middle\(d.name) ?? -1)
        print((\(d.number)).clamped\(d.name)(0...\(d.small + 1)),
          s\(d.name))
        """
      )
    },
  ]

  /// Patterns in every place, and branches that are values.
  static let patterns: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let k\(d.name) = switch (\(d.number)) % 5 { case 0: "zero"; case let n where n < 0: "minus \\(n)"
        case 1, 2: "few"; default: "many" }
        let i\(d.name) = if k\(d.name).count > 4 { 1 } else if \(d.small) > 2 { 2 } else { 3 }
        print(k\(d.name), i\(d.name))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let o\(d.name): [Int?] = [nil, 4] + \(d.list).map { $0 > 3 ? $0 : nil }
        for case let n? in o\(d.name) where n % 2 == 0 { print("even", n) }
        for (at, one) in o\(d.name).enumerated() { guard case .some(let n) = one else { print(at, "none"); continue }
        print(at, n) }
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        var rest\(d.name) = Array((\(d.list)).prefix(5))
        while let last = rest\(d.name).popLast(), last != \(d.small) { print("took", last) }
        print(rest\(d.name).count)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let t\(d.name) = (n: (\(d.number)) % 10, s: \(d.text), b: \(d.small) > 1)
        switch t\(d.name) { case (0, _, _): print("zero"); case (let n, "", true): print("empty", n)
        case (1...4, let s, _): print("low", s); case let (n, s, b): print(n, s, b) }
        let (a\(d.name), _, c\(d.name)) = t\(d.name)
        print(a\(d.name), c\(d.name), t\(d.name).s.isEmpty)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let any\(d.name): [Any] = [\(d.small), \(d.text), 2.5, true, [1, 2], Optional(3) as Any]
        for one in any\(d.name) { switch one { case let n as Int where n > 1: print("int", n)
        case is Int: print("small"); case let s as String: print("text", s); case let d as Double: print(d)
        case let b as Bool: print(b); default: print("other") } }
        """
      )
    },
  ]

  /// Changes of a part of a part, and the order in which operands are looked at.
  static let places: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Cell\(d.name) { var n = 0; var tags: [String] = []; mutating func up(_ by: Int) -> Int { n += by
        return n } }
        """,
        """
        var cells\(d.name) = [Cell\(d.name)(), Cell\(d.name)(n: \(d.small))]
        cells\(d.name)[1].n += (\(d.number)) % 100
        cells\(d.name)[0].tags.append(\(d.text))
        let up\(d.name) = cells\(d.name)[1].up(2) + cells\(d.name)[0].up(3)
        for at in cells\(d.name).indices { cells\(d.name)[at].tags += ["t\\(at)"] }
        print(up\(d.name), cells\(d.name), cells\(d.name).map(\\.tags.count))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        var table\(d.name): [String: [Int]] = ["a": \(d.list)]
        table\(d.name)["a"]?.append(\(d.number))
        table\(d.name)["b", default: []] += [\(d.small)]
        table\(d.name)["a"]![0..<0] = [7]
        if var first = table\(d.name)["a"]?.first { first += 1; print(first) }
        print(table\(d.name).keys.sorted(), table\(d.name)["a"]?.prefix(2) ?? [], table\(d.name)["z"]?.count as Any)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "func pair\(d.name)(_ a: inout Int, _ b: inout [Int]) -> Int { defer { a += 1 }; b.append(a); return a }",
        """
        var left\(d.name) = (n: \(d.small), list: [0])
        let r\(d.name) = pair\(d.name)(&left\(d.name).n, &left\(d.name).list)
        var grid\(d.name) = [[1], [2, 3]]
        var more\(d.name) = [4]
        let q\(d.name) = pair\(d.name)(&grid\(d.name)[1][0], &more\(d.name))
        swap(&grid\(d.name)[0], &left\(d.name).list)
        print(r\(d.name), q\(d.name), left\(d.name), grid\(d.name), more\(d.name))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        var log\(d.name) = ""
        func note\(d.name)(_ n: Int) -> Int { log\(d.name) += "\\(n)"; return n }
        var items\(d.name) = [5, 6, 7]
        items\(d.name)[note\(d.name)(1)] += note\(d.name)(2) * note\(d.name)(\(d.small))
        let ok\(d.name) = note\(d.name)(0) > 0 && note\(d.name)(9) > 0 || note\(d.name)(3) > 0
        do { defer { print("deferred", log\(d.name)) }; defer { log\(d.name) += "d" }
        items\(d.name).swapAt(note\(d.name)(0), note\(d.name)(2)) }
        print(items\(d.name), ok\(d.name), log\(d.name), [note\(d.name)(4), note\(d.name)(5)].count)
        """
      )
    },
  ]
}
