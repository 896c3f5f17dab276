/// Programs in which it shows when something dies.
///
/// What they print was printed by `swiftc` 6.3.1, with `-Onone` and with `-O`.
extension TypedProgram {
  static let lifetimes = [
    lifetimesOfNames, references, lifetimesOfValues, lifetimesOfTypes, lifetimesOfPlaces,
    livesOfElements,
  ]

  static let lifetimesOfNames = TypedProgram(
    name: "names, properties, variables at the top, errors and subclasses",
    text: #"""
      class Item { let name: String; var next: Item?; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") } }
      final class Heir: Item { let own: Item; init(_ name: String, _ own: String) { self.own = Item(own); super.init(name) }; deinit { print("heir", name, terminator: "; ") } }
      struct Bad: Error {}
      final class Late { let first: Item; let second: Int; init(_ fails: Bool) throws { first = Item("first"); if fails { throw Bad() }; second = 2 }; deinit { print("- late", terminator: "; ") } }
      var shared: Item? = Item("shared")
      func make(_ name: String) -> Item { let made = Item(name); return made }
      func pair(_ a: Item, _ b: Item) -> Int { a.name.count + b.name.count }
      func early(_ n: Int) throws -> String {
        let a = Item("a")
        defer { print("defer", a.name, terminator: "; ") }
        let b = Item("b")
        if n == 0 { return b.name }
        if n == 1 { throw Bad() }
        for i in 0 ..< 3 {
          let each = Item("each \(i)")
          if i == 0 { continue }
          if i == 1 { break }
          print(each.name)
        }
        do { let inner = Item("inner"); if n == 2 { throw Bad() }; print(inner.name, terminator: "; ") } catch { print("caught", terminator: "; ") }
        return "end"
      }
      func replace(_ item: inout Item) { item = Item("new \(item.name)"); print("replaced", terminator: "; ") }
      func body() {
        do { let x = Item("x"); do { let y = Item("y"); print(x.name, y.name, terminator: "; ") }; print(x.name, terminator: "; ") }
        print("|")
        do { var x = Item("x"); x = Item("y"); print("set", terminator: "; "); x.next = Item("n"); x.next = nil; print("cleared", terminator: "; ") }
        print("|")
        print(make("m").name); print(make("o").next?.name ?? "none", make("p").name)
        do { let h = Heir("h", "own"); h.next = Item("below"); print("heir made", terminator: "; ") }
        print("|")
        do { let kept = Item("kept"); print(pair(make("q"), kept)) }
        _ = make("s"); print("dropped")
        for n in 0 ..< 4 { print(n, (try? early(n)) ?? "thrown") }
        _ = try? Late(true); print("| late"); _ = try? Late(false); print("|")
        shared = Item("other"); print("shared set"); shared?.next = Item("tail"); shared = nil; print("|")
        do { var one = Item("one"); replace(&one); print(one.name, terminator: "; ") }
        print("|")
        var chain: Item? = nil
        for i in 0 ..< 3 { let item = Item("c\(i)"); item.next = chain; chain = item }
        chain = nil
        print("|")
        let list = Item("l"); list.next = Item("l1"); list.next?.next = Item("l2"); list.next = list.next?.next; print("cut")
      }
      """#,
    output: [
      "x y; - y; x; - x; |",
      "- x; set; - n; cleared; - y; |",
      "- m; m",
      "- o; - p; none p",
      "heir made; heir h; - h; - below; - own; |",
      "- q; 5",
      "- kept; - s; dropped",
      "- b; defer a; - a; 0 b",
      "- b; defer a; - a; 1 thrown",
      "- each 0; - each 1; - inner; caught; - b; defer a; - a; 2 end",
      "- each 0; - each 1; inner; - inner; - b; defer a; - a; 3 end",
      "- first; | late",
      "- late; - first; |",
      "- shared; shared set",
      "- other; - tail; |",
      "- one; replaced; new one; - new one; |",
      "- c2; - c1; - c0; |",
      "- l1; cut",
      "- l; - l2; ",
    ])

  static let references = TypedProgram(
    name: "weak and unowned references, and lists of captures",
    text: #"""
      final class Node { let name: String; weak var parent: Node?; var children: [Node] = []; unowned let owner: Owner; init(_ name: String, _ owner: Owner) { self.name = name; self.owner = owner }; deinit { print("-", name, terminator: "; ") } }
      final class Owner { let id: Int; var act: (() -> String)?; init(_ id: Int) { self.id = id }; deinit { print("- owner", id, terminator: "; ") }
        func strong() { act = { "strong \(self.id)" } }
        func weakly() { act = { [weak self] in self.map { "weak \($0.id)" } ?? "gone" } }
        func unownedly() { act = { [unowned self] in "unowned \(self.id)" } }
      }
      protocol Delegate: AnyObject { func told(_ n: Int) -> String }
      final class Screen: Delegate { func told(_ n: Int) -> String { "screen \(n)" }; deinit { print("- screen", terminator: "; ") } }
      final class Teller { weak var delegate: (any Delegate)?; func tell(_ n: Int) -> String { delegate?.told(n) ?? "nobody" } }
      struct Ref { weak var owner: Owner? }
      func work(_ owner: Owner) -> () -> Int { { [id = owner.id, weak owner] in id + (owner?.id ?? 100) } }
      func body() {
        let root = Owner(1)
        do {
          let top = Node("top", root)
          let low = Node("low", root)
          low.parent = top
          top.children.append(low)
          print(low.parent?.name ?? "none", low.owner.id, terminator: "; ")
        }
        print("|")
        weak var seen: Owner?
        do { let two = Owner(2); seen = two; print(seen?.id ?? 0, terminator: "; ") }
        print(seen == nil)
        let teller = Teller()
        do { let screen = Screen(); teller.delegate = screen; print(teller.tell(1), terminator: "; ") }
        print(teller.tell(2))
        var later: (() -> String)?
        do { let three = Owner(3); three.weakly(); later = three.act; print(later!(), terminator: "; ") }
        print(later!())
        do { let four = Owner(4); four.unownedly(); print(four.act!(), terminator: "; ") }
        print("|")
        do { let five = Owner(5); five.strong(); print(five.act!(), terminator: "; "); five.act = nil }
        print("|")
        var refs: [Ref] = []
        do { let six = Owner(6); refs.append(Ref(owner: six)); refs.append(Ref(owner: root)); print(refs.map { $0.owner?.id ?? 0 }, terminator: "; ") }
        print(refs.map { $0.owner?.id ?? 0 })
        let add: () -> Int
        do { let seven = Owner(7); add = work(seven); print(add(), terminator: "; ") }
        print(add())
      }
      """#,
    output: [
      "top 1; - top; - low; |",
      "2; - owner 2; true",
      "screen 1; - screen; nobody",
      "weak 3; - owner 3; gone",
      "unowned 4; - owner 4; |",
      "strong 5; - owner 5; |",
      "[6, 1]; - owner 6; [0, 1]",
      "14; - owner 7; 107",
      "- owner 1; ",
    ])

  static let lifetimesOfValues = TypedProgram(
    name: "collections, cases, optionals, tuples and closures",
    text: #"""
      final class Item { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") } }
      enum Slot { case full(Item, Int), named(String), empty }
      struct Box { var item: Item?; var list: [Item] = []; mutating func clear() { item = nil; print("cleared", terminator: "; ") } }
      struct Stack<Element> { private var items: [Element] = []; var count: Int { items.count }; mutating func push(_ e: Element) { items.append(e) }; mutating func pop() -> Element? { items.popLast() } }
      final class Shelf { var slots: [String: Item] = [:]; var boxes: [Box] = []; var slot = Slot.empty; var done: [() -> Void] = []; deinit { print("- shelf", terminator: "; ") } }
      func named(_ n: Int) -> Slot { n == 0 ? .full(Item("full"), 1) : n == 1 ? .named("n") : .empty }
      func look(_ n: Int) { switch named(n) { case .full(let item, let k): print(item.name, k, terminator: "; "); case .named(let s): print(s, terminator: "; "); case .empty: print("empty", terminator: "; ") } }
      func maker(_ name: String) -> () -> String { let item = Item(name); return { item.name } }
      func twice(_ f: () -> Int) -> Int { f() + f() }
      func body() {
        var list = [Item("a"), Item("b"), Item("c")]
        print(list.remove(at: 1).name, list.count, terminator: "; ")
        list[0] = Item("d"); print("replaced", terminator: "; "); list.removeAll(); print("|")
        do { let copy: [Item] = []; do { var other = copy; other.append(Item("f")); print(copy.count, other.count, terminator: "; ") }; print("other", terminator: "; ") }
        print("|")
        do { var box = Box(item: Item("g")); let copy = box; box.clear(); print(copy.item?.name ?? "", terminator: "; "); box = copy }
        print("|")
        do { var box = Box(); box.list.append(Item("i")); print(box.list.count, terminator: "; ") }
        print("|")
        var stack = Stack<Item>(); stack.push(Item("j")); stack.push(Item("k")); print(stack.pop()?.name ?? "", stack.count); print(stack.pop()?.name ?? "", stack.count)
        let shelf = Shelf()
        shelf.slots["x"] = Item("x"); shelf.slots["y"] = Item("y"); shelf.slots["x"] = Item("x2"); shelf.slots["y"] = nil; print("set")
        shelf.boxes = [Box(item: Item("l"))]; shelf.boxes[0].item = Item("m"); print("boxed"); shelf.boxes[0].item = nil; print("|")
        shelf.slot = .full(Item("n"), 1); shelf.slot = .named("o"); print("slot")
        for n in 0 ..< 3 { look(n) }
        print("|")
        if case .full(let item, _) = named(0) { print(item.name, terminator: "; ") }
        print("|")
        do { let f = maker("p"); print(f(), terminator: "; ") }
        print("|")
        do { let q = Item("q"); shelf.done.append { print(q.name, terminator: "; ") }; shelf.done.append { print("r", terminator: "; ") } }
        for f in shelf.done { f() }
        shelf.done = []; print("|")
        do { var s: Item? = Item("s"); let set = { s = Item("t") }; set(); print(s!.name, terminator: "; "); s = nil; print("none", terminator: "; ") }
        print("|")
        do { let pair = (Item("u"), 1); let (first, _) = pair; print(first.name, terminator: "; ") }
        print("|")
        for item in [Item("v"), Item("w")] { print(item.name, terminator: "; ") }
        print("|")
        print([Item("x"), Item("y")].map { $0.name }.joined(separator: ","), [Item("z")].first?.name ?? "")
        do { let u: Item? = Item("opt"); if let u { print(u.name) } }
        print(twice { [Item("0")].count })
        do { let best = [Item("1"), Item("22")].max { $0.name.count < $1.name.count }; print(best!.name) }
        do { var kept = [1: [Item("3")]]; kept[1, default: []].append(Item("4")); kept[2, default: []].append(Item("5")); print(kept.count, kept[1]!.count)
        kept[1] = nil; print("end") }
        print("|")
      }
      """#,
    output: [
      "- b; b 2; - a; replaced; - d; - c; |",
      "0 1; - f; other; |",
      "cleared; g; - g; |",
      "1; - i; |",
      "- k; k 1",
      "- j; j 0",
      "- x; - y; set",
      "- l; boxed",
      "- m; |",
      "- n; slot",
      "full 1; - full; n; empty; |",
      "full; - full; |",
      "p; - p; |",
      "q; r; - q; |",
      "- s; t; - t; none; |",
      "u; - u; |",
      "v; w; - v; - w; |",
      "- x; - y; - z; x,y z",
      "opt",
      "- opt; - 0; - 0; 2",
      "- 1; 22",
      "- 22; 2 2",
      "- 3; - 4; end",
      "- 5; |",
      "- shelf; - x2; ",
    ])

  static let lifetimesOfTypes = TypedProgram(
    name: "generics, protocols, observers, nested optionals and trees",
    text: #"""
      protocol Named: AnyObject { var name: String { get }; func with(_ other: any Named) -> any Named }
      class Item: Named { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") }; func with(_ other: any Named) -> any Named { Item(name + other.name) }; func kind() -> String { "item" } }
      final class Sub: Item { override func kind() -> String { "sub of " + super.kind() }; deinit { print("sub", terminator: " ") } }
      final class Cell<T> { var value: T; init(_ value: T) { self.value = value }; deinit { print("- cell", terminator: "; ") } }
      struct Wrap<T> { var value: T; func mapped<U>(_ f: (T) -> U) -> Wrap<U> { Wrap<U>(value: f(value)) } }
      final class Watched { var item: Item? { willSet { print("will", newValue?.name ?? "nil", terminator: "; ") } didSet { print("did", oldValue?.name ?? "nil", terminator: "; ") } }; lazy var made: Item = Item("lazy"); subscript(i: Int) -> Item { Item("sub\(i)") }; var computed: Item { get { Item("computed") } set { item = newValue } }; deinit { print("- watched", terminator: "; ") } }
      func opt(_ n: Int) -> Item?? { if n == 0 { return nil }; if n == 1 { return .some(nil) }; return Item("nested") }
      func lists(_ n: Int) -> [Item]?? { if n == 0 { return nil }; if n == 1 { return .some(nil) }; return [Item("listed")] }
      func swapTwo<T>(_ a: inout T, _ b: inout T) { let t = a; a = b; b = t }
      func choose(_ n: Int) -> Item { let r = if n == 0 { Item("if") } else { Item("else") }; return r }
      enum E: Error { case bad(Item) }
      func thrower() throws -> Int { throw E.bad(Item("in error")) }
      indirect enum Tree { case leaf(Item), node(Tree, Tree); var count: Int { switch self { case .leaf: 1; case .node(let l, let r): l.count + r.count } } }
      func body() {
        do { let a: any Named = Item("a"); let b: any Named = Sub("b"); print(a.with(b).name, terminator: "; ") }
        print("|")
        do { let s: Item = Sub("s"); print(s.kind(), terminator: "; ") }
        print("|")
        do { let c = Cell(Item("c")); c.value = Item("d"); print(c.value.name, terminator: "; ") }
        print("|")
        do { let w = Watched(); w.item = Item("g"); w.item = Item("h"); w.computed = Item("i"); print(w.computed.name, w[3].name, w.made.name, terminator: "; "); w.item = nil }
        print("|")
        for n in 0 ..< 3 { if let x = opt(n) { print(x?.name ?? "inner nil", terminator: "; ") } else { print("outer nil", terminator: "; ") } }
        print("|")
        for n in 0 ..< 3 { print((lists(n) ?? nil)?.count ?? -1, terminator: "; ") }
        print("|")
        do { var a = Item("j"); var b = Item("k"); swapTwo(&a, &b); print(a.name, b.name, terminator: "; "); b = a }
        print("|")
        print(choose(0).name, choose(1).name)
        do { let t = Tree.node(.leaf(Item("l")), .node(.leaf(Item("m")), .leaf(Item("n")))); print(t.count, terminator: "; ") }
        print("|")
        var dict: [String: [Item]] = [:]
        for (i, k) in ["x", "y", "x"].enumerated() { dict[k, default: []].append(Item("o\(i)")) }
        print(dict["x"]!.count, dict.values.reduce(0) { $0 + $1.count }); dict["x"] = []; print("|"); dict.removeAll(); print("|")
        do { var stack: [Item?] = [nil, Item("t")]; stack[0] = stack[1]; stack[1] = nil; print(stack[0]!.name, terminator: "; "); stack.swapAt(0, 1); print(stack[1]!.name, terminator: "; ") }
        print("|")
        do { func even(_ n: Int, _ i: Item) -> Bool { n == 0 ? true : odd(n - 1, i) }; func odd(_ n: Int, _ i: Item) -> Bool { n == 0 ? false : even(n - 1, i) }; let u = Item("u"); print(even(4, u), terminator: "; ") }
        print("|")
        do { let v = Item("v"); func tell() -> String { v.name }; let f = tell; print(f(), terminator: "; ") }
        print("|")
        do { let m = Item("w").kind; print(m(), terminator: "; ") }
        print("|")
        do { let pair: (Item, [Item]) = (Item("x"), [Item("y")]); let copy = pair; print(copy.0.name, copy.1.count, terminator: "; ") }
        print("|")
      }
      """#,
    output: [
      "- ab; ab; sub - b; - a; |",
      "sub of item; sub - s; |",
      "- c; d; - cell; - d; |",
      "will g; did nil; will h; did g; - g; will i; did h; - h; - computed; - sub3; computed sub3 lazy; will nil; did i; - i; - watched; - lazy; |",
      "outer nil; inner nil; nested; - nested; |",
      "-1; -1; - listed; 1; |",
      "k j; - j; - k; |",
      "- if; - else; if else",
      "3; - l; - m; - n; |",
      "2 3",
      "- o0; - o2; |",
      "- o1; |",
      "t; t; - t; |",
      "true; - u; |",
      "v; - v; |",
      "item; - w; |",
      "x 1; - x; - y; |",
    ])

  static let lifetimesOfPlaces = TypedProgram(
    name: "subclasses, subscripts, statics, patterns and loops",
    text: #"""
      class Item { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") } }
      class Base<T> { let own: T; init(_ own: T) { self.own = own }; deinit { print("base", terminator: " ") } }
      final class Derived: Base<Item> { let extra: Item; init(_ a: String, _ b: String) { extra = Item(b); super.init(Item(a)) }; deinit { print("derived", terminator: " ") } }
      final class Plain: Base<Item> { let extra = Item("extra") }
      struct Pocket { var items: [Item] = []; var main: Item?; subscript(name: String) -> Item? { get { items.filter { $0.name == name }.first } set { if let newValue { items.append(newValue) } else { items.removeAll { $0.name == name } } } }; mutating func take() -> Item? { defer { main = nil }; return main }; var first: Item? { items.isEmpty ? nil : items[0] } }
      enum Registry { static var shared: [Item] = []; static let fixed = Item("fixed"); static func reset() { shared = [] } }
      final class Owner { var pocket = Pocket(); var table: [Int: Pocket] = [:]; var f: ((Item) -> Item)?; deinit { print("- owner", terminator: "; ") } }
      func grow(_ p: inout Pocket, _ n: String) { p.items.append(Item(n)); p.main = Item("main " + n) }
      func early(_ item: Item?) -> String { guard let item, item.name != "skip" else { return "none" }; return item.name }
      func pick(_ n: Int, _ item: Item) -> String {
        switch (n, item) { case (0, let i) where i.name == "zero": return "zero \(i.name)"; case (1...3, _): return "low"; case (_, let i): return i.name }
      }
      func compose(_ f: @escaping (Item) -> Item, _ g: @escaping (Item) -> Item) -> (Item) -> Item { { g(f($0)) } }
      func many(_ items: Item...) -> Int { items.count }
      func defaulted(_ item: Item = Item("default")) -> String { item.name }
      func tuple() -> (Item, n: Int) { (Item("tuple"), 3) }
      func body() {
        do { let d = Derived("own", "extra"); print(d.own.name, d.extra.name, terminator: "; ") }
        print("|")
        do { var p = Pocket(); grow(&p, "a"); grow(&p, "b"); print(p.items.count, terminator: "; "); p["a"] = nil; p["c"] = Item("c"); print(p.items.count, p.take()?.name ?? "none", terminator: "; "); print(p.main == nil, terminator: "; ") }
        print("|")
        do { let o = Owner(); o.pocket.main = Item("d"); o.pocket.items.append(Item("e")); let copy = o.pocket; o.pocket.main = nil; print(copy.main!.name, terminator: "; "); o.table[1] = copy; o.table[1]?.items.removeAll(); o.table[1]!.main = Item("f"); print(o.table[1]!.items.count, copy.items.count, terminator: "; ") }
        print("|")
        Registry.shared.append(Item("g")); Registry.shared.append(Registry.fixed); print(Registry.shared.count, terminator: "; "); Registry.reset(); print(Registry.fixed.name)
        print(early(nil), early(Item("skip")), early(Item("h")))
        print(pick(0, Item("zero")), pick(2, Item("low")), pick(9, Item("nine")))
        print(many(Item("j")), defaulted(), defaulted(Item("given")))
        do { let (item, n) = tuple(); print(item.name, n, terminator: "; ") }
        print(tuple().0.name, tuple().n)
        do { var list: [[Item]] = [[Item("k")], []]; list[1].append(list[0][0]); list[0] = []; print(list[1][0].name, terminator: "; "); list[1][0] = Item("l"); print("set", terminator: "; ") }
        print("|")
        do { var acts: [String: () -> String] = [:]; do { let o = Item("o"); acts["x"] = { o.name }; acts["y"] = { "plain" } }; print(acts["x"]!(), acts["y"]?() ?? "", terminator: "; "); acts["x"] = nil; print("gone", terminator: "; ") }
        print("|")
        do { var n = 0; var item: Item? = Item("p"); while let now = item { n += 1; item = n < 3 ? Item("p\(n)") : nil; print(now.name, terminator: "; ") } }
        print("|")
        do { var i = 0; repeat { let q = Item("q\(i)"); i += 1; if q.name == "q1" { continue }; print(q.name, terminator: "; ") } while i < 3 }
        print("|")
        do { let x: Item? = Item("r"); let name = x.map { $0.name } ?? "none"; print(name, x?.name.count ?? 0, terminator: "; ") }
        print("|")
      }
      """#,
    output: [
      "own extra; derived base - own; - extra; |",
      "- main a; 2; - a; - main b; 2 main b; true; - b; - c; |",
      "d; 0 1; - d; - owner; - e; - f; |",
      "2; - g; fixed",
      "- skip; - h; none none h",
      "- zero; - low; - nine; zero zero low nine",
      "- j; - default; - given; 1 default given",
      "tuple 3; - tuple; - tuple; - tuple; tuple 3",
      "k; - k; set; - l; |",
      "o plain; - o; gone; |",
      "p; - p; p1; - p1; p2; - p2; |",
      "q0; - q0; - q1; q2; - q2; |",
      "r 1; - r; |",
    ])
}
