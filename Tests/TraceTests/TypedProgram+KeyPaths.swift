/// Key paths as values, conversions of collections, and lives of elements; Swift 6.3 gave the output.
extension TypedProgram {
  static let keyPaths = TypedProgram(
    name: "key paths as values",
    text: #"""
      struct Cell { var n = 0; var tags: [String] = []; var inner = Inner() }
      struct Inner { var depth = 7; var name: String? = "in" }
      final class Node { var value = 3; var next: Node? }
      extension Array {
        func sorted<T: Comparable>(by path: KeyPath<Element, T>) -> [Element] { sorted { $0[keyPath: path] < $1[keyPath: path] } }
        func sum(_ path: KeyPath<Element, Int>) -> Int { reduce(0) { $0 + $1[keyPath: path] } }
      }
      func pick<R, V>(_ root: R, _ path: KeyPath<R, V>) -> V { root[keyPath: path] }
      struct Column<R> { let title: String; let show: KeyPath<R, String>; func text(_ r: R) -> String { "\(title)=\(r[keyPath: show])" } }
      struct Row { var a: String; var b: String }
      func body() {
        let cells = [Cell(n: 3, tags: ["a"]), Cell(n: 1), Cell(n: 2, tags: ["b", "c"])]
        let key = \Cell.n
        print(cells[0][keyPath: key], cells[1][keyPath: \.n], cells[2][keyPath: \.tags.count], cells[0][keyPath: \Cell.inner.depth])
        print(cells.sorted(by: \.n).map(\.n), cells.sorted(by: \.tags.count).map { $0.n }, cells.sum(\.n), cells.sum(\.inner.depth))
        print(pick(cells[0], \.inner.name) ?? "none", pick(Node(), \.value), pick("abc", \.count), pick([1, 2], \.first) ?? 0)
        let columns: [Column<Row>] = [Column(title: "x", show: \.a), Column(title: "y", show: \Row.b)]
        print(columns.map { $0.text(Row(a: "1", b: "2")) })
        let f: (Cell) -> Int = \.n
        print(f(cells[0]), cells.map(\.self).count, cells.filter { $0[keyPath: key] > 1 }.count)
        let paths = [\Inner.depth, \Inner.depth]
        print(paths.map { Inner()[keyPath: $0] })
        let w: WritableKeyPath<Cell, Int> = \.n
        print(cells[2][keyPath: w], cells[0].inner[keyPath: \.depth], cells.compactMap(\.inner.name).count)
      }
      """#,
    output: [
      #"3 1 2 7"#,
      #"[1, 2, 3] [1, 3, 2] 6 21"#,
      #"in 3 3 1"#,
      #"["x=1", "y=2"]"#,
      #"3 3 2"#,
      #"[7, 7]"#,
      #"2 7 3"#,
    ])

  static let livesOfElements = TypedProgram(
    name: "elements of a sequence of a program",
    text: #"""
      final class Item { let n: Int; init(_ n: Int) { self.n = n }; deinit { print("- \(n)", terminator: "; ") } }
      struct Maker: Sequence { let count: Int; func makeIterator() -> It { It(left: count) } }
      struct It: IteratorProtocol { var left: Int; mutating func next() -> Item? { if left == 0 { return nil }; left -= 1; return Item(left) } }
      final class Shelf: Sequence { var items: [Item] = [Item(10), Item(11)]; func makeIterator() -> IndexingIterator<[Item]> { items.makeIterator() }; deinit { print("- shelf", terminator: "; ") } }
      func body() {
        print(Maker(count: 3).map { $0.n })
        print(Maker(count: 2).filter { $0.n > 0 }.count)
        do { let kept = Array(Maker(count: 2)); print(kept.count, terminator: "; ") }
        print("|")
        for x in Maker(count: 3) where x.n != 1 { print(x.n, terminator: "; ") }
        print("|")
        if let f = Maker(count: 3).first(where: { $0.n == 1 }) { print(f.n, terminator: "; ") }
        print("|")
        do { let s = Shelf(); print(s.reduce(0) { $0 + $1.n }, terminator: "; "); s.items.removeLast() }
        print("|")
        do { var d: [String: Item?] = ["a": Item(20), "b": nil]; d["b"] = Item(21); d["a"] = nil; print(d.count, terminator: "; "); d["b"] = .some(nil); print("set", terminator: "; ") }
        print("|")
        do { var d: [Int?: Item] = [nil: Item(30), 1: Item(31)]; d[nil] = Item(32); d[1] = nil; print(d.values.map { $0.n }, terminator: "; ") }
        print("|")
        do { let any = AnySequence(Maker(count: 1)); print(any.map { $0.n }, terminator: "; ") }
        print("|")
        var it = Maker(count: 2).makeIterator()
        while let x = it.next() { print(x.n, terminator: "; ") }
        print("|")
      }
      """#,
    output: [
      #"- 2; - 1; - 0; [2, 1, 0]"#,
      #"- 0; - 1; 1"#,
      #"2; - 1; - 0; |"#,
      #"2; - 2; - 1; 0; - 0; |"#,
      #"- 2; 1; - 1; |"#,
      #"21; - 11; - shelf; - 10; |"#,
      #"- 20; 1; - 21; set; |"#,
      #"- 30; - 31; [32]; - 32; |"#,
      #"- 0; [0]; |"#,
      #"1; - 1; 0; - 0; |"#,
    ])

  static let dictionaryConversions = TypedProgram(
    name: "dictionaries and arrays as those of other values",
    text: #"""
      protocol P { var t: String { get } }
      struct W: P, Hashable { var n = 1; var t: String { "w\(n)" } }
      class A { var x = 1; func f() -> String { "a" } }
      final class B: A { override func f() -> String { "b" }; deinit { print("- b", terminator: "; ") } }
      func show(_ d: [Int: any P]) -> [String] { d.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value.t)" } }
      func show(_ d: [String: A]) -> [String] { d.sorted { $0.key < $1.key }.map { $0.key + $0.value.f() } }
      func body() {
        let w = [1: W(), 2: W(n: 5)]
        print(show(w))
        let p: [Int: any P] = w
        print(p.count, p[2]?.t ?? "none")
        let d: [Int: any P] = Dictionary(uniqueKeysWithValues: [0, 5].map { ($0, W(n: $0)) })
        print(show(d))
        do { let b = ["k": B(), "l": B()]; print(show(b)); let a: [String: A] = b; print(a["k"] === b["k"], terminator: "; ") }
        print("|")
        let o: [String: Int?] = ["a": 1]
        let plain = ["x": 1]; let wide: [String: Int?] = plain
        print(o["a"] as Any, wide["x"] as Any, wide["y"] as Any)
        let all: [any P] = Array(Set([W(n: 3)]))
        print(all.map(\.t))
        let anys: [String: Any] = ["n": 1, "t": "x"]
        print(anys["n"] as? Int ?? 0, anys["t"] as? String ?? "")
      }
      """#,
    output: [
      #"["1w1", "2w5"]"#,
      #"2 w5"#,
      #"["0w0", "5w5"]"#,
      #"["kb", "lb"]"#,
      #"true; - b; - b; |"#,
      #"Optional(Optional(1)) Optional(Optional(1)) nil"#,
      #"["w3"]"#,
      #"1 x"#,
    ])
}
