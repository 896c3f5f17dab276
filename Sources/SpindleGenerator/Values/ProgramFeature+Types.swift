extension ProgramFeature {
  /// Enumerations with raw values, nested types, static members, subscripts, operators and observers.
  static let types: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        enum E\(d.name): Int, CaseIterable { case low = 1, middle, high = \(d.small + 7)
        var next: E\(d.name) { E\(d.name)(rawValue: rawValue + 1) ?? .low } }
        """,
        """
        print(E\(d.name).allCases.map(\\.rawValue), E\(d.name)(rawValue: \(d.number)) as Any, E\(d.name).middle.next,
          E\(d.name).high.next.rawValue)
        for one in E\(d.name).allCases where one != .middle { print(one, terminator: " ") }
        print()
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        enum E\(d.name): String { case first, second = "2nd"; static let usual = E\(d.name).second
        static func named(_ t: String) -> Self? { Self(rawValue: t) } }
        """,
        """
        print(E\(d.name).first.rawValue, E\(d.name).usual.rawValue, E\(d.name).named(\(d.text)) as Any,
          E\(d.name).named("first") == .first)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Point\(d.name): Comparable, CustomStringConvertible {
          var x: Int, y: Int
          static let zero = Point\(d.name)(x: 0, y: 0)
          static func + (a: Self, b: Self) -> Self { Self(x: (a.x + b.x) % 1000, y: (a.y + b.y) % 1000) }
          static prefix func - (a: Self) -> Self { Self(x: -a.x, y: -a.y) }
          static func += (a: inout Self, b: Self) { a = a + b }
          static func < (a: Self, b: Self) -> Bool { (a.x, a.y) < (b.x, b.y) }
          var description: String { "<\\(x) \\(y)>" }
        }
        """,
        """
        var p\(d.name) = Point\(d.name)(x: (\(d.number)) % 100, y: \(d.small)) + .zero
        p\(d.name) += -Point\(d.name)(x: 1, y: 2)
        print(p\(d.name), p\(d.name) < .zero, max(p\(d.name), .zero), [p\(d.name), .zero].sorted(),
          p\(d.name) == p\(d.name) + .zero)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Grid\(d.name) {
          private var cells = [[1, 2], [3, 4]]
          subscript(row: Int, column: Int) -> Int {
            get { cells[row][column] }
            set { cells[row][column] = newValue % 1000 }
          }
          subscript(name: String) -> [Int] { name == "first" ? cells[0] : cells[1] }
          mutating func each(_ change: (inout Int) -> Void) {
            for r in cells.indices { for c in cells[r].indices { change(&cells[r][c]) } }
          }
        }
        """,
        """
        var g\(d.name) = Grid\(d.name)()
        g\(d.name)[1, 0] += \(d.number)
        g\(d.name)[0, 1] = g\(d.name)[1, 1] * \(d.small)
        g\(d.name).each { $0 -= 1 }
        print(g\(d.name)["first"], g\(d.name)["x"], g\(d.name)[0, 0])
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Outer\(d.name) {
          struct Inner { var n = \(d.small); var twice: Int { n * 2 } }
          enum Mode { case on, off(Int) }
          var inner = Inner()
          var mode = Mode.on
          lazy var slow: [Int] = { print("made"); return [inner.n] }()
          static var count = 0
          init() { Self.count += 1 }
          init(n: Int) { self.init(); inner.n = n; mode = .off(n) }
        }
        """,
        """
        var o\(d.name) = Outer\(d.name)(n: (\(d.number)) % 50)
        o\(d.name).inner.n += 1
        print(o\(d.name).slow, o\(d.name).inner.twice, o\(d.name).slow.count, Outer\(d.name).count)
        if case .off(let n) = o\(d.name).mode { print("off", n) }
        _ = Outer\(d.name)()
        print(Outer\(d.name).count, Outer\(d.name).Inner().n)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        final class Watched\(d.name) {
          var n = 0 { willSet { print("will", newValue) } didSet { if n > 5 { n = 5 } } }
          var half: Int { get { n / 2 } set { n = newValue * 2 } }
          weak var other: Watched\(d.name)?
          static func make(_ n: Int) -> Watched\(d.name) { let w = Watched\(d.name)(); w.n = n; return w }
        }
        """,
        """
        let w\(d.name) = Watched\(d.name).make((\(d.number)) % 10)
        w\(d.name).half = \(d.small)
        w\(d.name).other = w\(d.name)
        w\(d.name).other?.n += 1
        print(w\(d.name).n, w\(d.name).half, w\(d.name).other === w\(d.name))
        """
      )
    },
  ]

  /// Generic functions, types and extensions.
  static let generics: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func largest\(d.name)<T: Comparable>(_ items: [T], or standard: T) -> T { var best = standard
        for one in items where one > best { best = one }; return best }
        """,
        """
        print(largest\(d.name)(\(d.list), or: \(d.small)), largest\(d.name)([0.5], or: 0))
        print(largest\(d.name)([\(d.text), "m"], or: ""))
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Pair\(d.name)<A, B> { var a: A; var b: B
        func swapped() -> Pair\(d.name)<B, A> { Pair\(d.name)<B, A>(a: b, b: a) } }
        extension Pair\(d.name): Equatable where A: Equatable, B: Equatable {}
        extension Pair\(d.name) where A == Int { var sum: Int { a + 1 } }
        """,
        """
        let q\(d.name) = Pair\(d.name)(a: (\(d.number)) % 100, b: \(d.text))
        print(q\(d.name), q\(d.name).swapped().a, q\(d.name).sum, q\(d.name) == q\(d.name).swapped().swapped())
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func grouped\(d.name)<S: Sequence, K: Hashable>(_ s: S, by key: (S.Element) -> K) -> [K: [S.Element]] {
          var made: [K: [S.Element]] = [:]; for one in s { made[key(one), default: []].append(one) }; return made }
        """,
        """
        let d\(d.name) = grouped\(d.name)(\(d.list)) { $0 % 2 == 0 }
        print(d\(d.name)[true] ?? [], d\(d.name)[false, default: []].count, grouped\(d.name)(\(d.text)) {
          $0 == "a" }[false]?.count ?? 0)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        indirect enum Tree\(d.name)<T> { case leaf, node(Tree\(d.name)<T>, T, Tree\(d.name)<T>) }
        extension Tree\(d.name) where T: Comparable {
          func adding(_ t: T) -> Tree\(d.name)<T> {
            switch self {
            case .leaf: return .node(.leaf, t, .leaf)
            case let .node(l, v, r): return t < v ? .node(l.adding(t), v, r) : .node(l, v, r.adding(t))
            }
          }
          var items: [T] { switch self { case .leaf: []; case let .node(l, v, r): l.items + [v] + r.items } }
        }
        """,
        """
        print(\(d.list).reduce(Tree\(d.name).leaf) { $0.adding($1) }.items)
        print(Tree\(d.name)<String>.leaf.adding(\(d.text)).items)
        """
      )
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        final class Cache\(d.name)<Key: Hashable, Value> {
          private var known: [Key: Value] = [:]
          private(set) var misses = 0
          func value(_ key: Key, make: (Key) throws -> Value) rethrows -> Value {
            if let one = known[key] { return one }
            misses += 1
            let one = try make(key)
            known[key] = one
            return one
          }
        }
        """,
        """
        let c\(d.name) = Cache\(d.name)<Int, String>()
        for key in \(d.list) + [1, 1] { print(c\(d.name).value(key % 3) { "v\\($0)" }, terminator: ",") }
        print(c\(d.name).misses, (try? c\(d.name).value(9) { _ in throw Oops\(d.seed).worse }) ?? "failed")
        """
      )
    },
  ]
}
