/// Programs in which it shows when something dies.
///
/// What they print was printed by `swiftc` 6.3.1, with `-Onone` and with `-O`.
extension TypedProgram {
  static let lifetimes = [lifetimesOfNames, references, lifetimesOfValues]
  static let suspendingLifetimes = [lifetimesOfClosures, lifetimesOfObjects]

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

  static let lifetimesOfClosures = TypedProgram(
    name: "closures of queues, tasks, groups and continuations",
    text: #"""
      final class Page: Sendable { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") }
        func show() { print("shows", name, terminator: "; ") }
        func later(_ queue: DispatchQueue) { queue.async { self.show() } }
        func weakly(_ queue: DispatchQueue) { queue.async { [weak self] in guard let self else { print("nobody", terminator: "; "); return }; self.show() } }
      }
      struct Failure: Error {}
      final class Timer2 { var action: (@Sendable () -> Void)?; func fire() { action?() }; deinit { print("- timer", terminator: "; ") } }
      func give(_ name: String) async -> Page { Page(name) }
      func fail(_ page: Page) async throws -> Page { if page.name == "bad" { throw Failure() }; return page }
      func run<T>(_ body: () throws -> T) rethrows -> T { try body() }
      func numbers() -> [Int] { func up(_ n: Int) -> [Int] { n == 0 ? [] : up(n - 1) + [n] }; return up(3) }
      func body() async {
        let queue = DispatchQueue(label: "q")
        do { let page = Page("a"); page.later(queue); queue.sync {} }
        print("|")
        queue.suspend()
        do { let page = Page("b"); page.weakly(queue) }
        queue.resume(); queue.sync {}
        print("|")
        do { let page = await give("c"); print(page.name, terminator: "; ") }
        print("|")
        print(await give("d").name)
        do { _ = try await fail(Page("bad")); print("never") } catch { print("caught", terminator: "; ") }
        print((try? await fail(Page("e")))?.name ?? "none")
        do { let task = Task { Page("f") }; let page = await task.value; print(page.name, terminator: "; ") }
        print("|")
        do {
          let page = Page("g")
          let task = Task { [weak page] in page?.name ?? "gone" }
          print(await task.value, page.name, terminator: "; ")
        }
        print("|")
        do { async let one = give("h"); print(await one.name, terminator: "; ") }
        print("|")
        let sum = await withTaskGroup(of: Page.self) { group in
          group.addTask { Page("i") }
          var total = 0
          for await page in group { total += page.name.count }
          return total
        }
        print(sum)
        do { let timer = Timer2(); do { let page = Page("j"); timer.action = { page.show() } }; timer.fire(); timer.action = nil; print("cleared", terminator: "; ") }
        print("|")
        print(run { Page("k").name }, (try? run { () throws -> String in let page = Page("l"); if page.name == "l" { throw Failure() }; return page.name }) ?? "thrown")
        let page: Page = await withCheckedContinuation { c in c.resume(returning: Page("m")) }
        print(page.name, numbers())
      }
      """#,
    output: [
      "shows a; - a; |",
      "- b; nobody; |",
      "c; - c; |",
      "- d; d",
      "- bad; caught; - e; e",
      "f; - f; |",
      "g g; - g; |",
      "h; - h; |",
      "- i; 1",
      "shows j; - j; cleared; - timer; |",
      "- k; - l; k thrown",
      "m [1, 2, 3]",
      "- m; ",
    ])

  static let lifetimesOfObjects = TypedProgram(
    name: "work items, operations, groups, locks and streams",
    text: #"""
      final class Page: Sendable { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") }; func show() { print("shows", name, terminator: "; ") } }
      final class Holder { weak var group: DispatchGroup?; unowned let lock: NSLock; init(_ lock: NSLock) { self.lock = lock }; func locked() -> Int { lock.withLock { 1 } } }
      func body() async {
        do { let page = Page("a"); let item = DispatchWorkItem { page.show() }; item.cancel(); print("cancelled", terminator: "; ") }
        print("|")
        do { let page = Page("b"); let item = DispatchWorkItem { page.show() }; item.perform(); print("performed", terminator: "; ") }
        print("|")
        do { let page = Page("c"); let operation = BlockOperation { page.show() }; print(operation.isFinished, terminator: "; ") }
        print("|")
        let lock = NSLock()
        let holder = Holder(lock)
        do { let group = DispatchGroup(); holder.group = group; print(holder.group === group, holder.locked(), terminator: "; ") }
        print(holder.group == nil)
        weak var item: DispatchWorkItem?
        do { let made = DispatchWorkItem {}; item = made; print(item === made, made.isCancelled, terminator: "; ") }
        print(item == nil)
        do {
          let stream = AsyncStream<Int> { input in
            input.onTermination = { _ in print("terminated", terminator: "; ") }
            input.yield(1)
          }
          for await n in stream { print(n, terminator: "; "); break }
        }
        print("|")
        do {
          let pages = AsyncStream<Page> { input in input.yield(Page("d")); input.yield(Page("e")); input.finish() }
          for await page in pages { page.show() }
        }
        print("|")
        let queue = DispatchQueue(label: "q")
        do { let page = Page("f"); let group = DispatchGroup(); group.enter(); queue.async { page.show(); group.leave() }; group.wait() }
        queue.sync {}
        print("|")
        print(lock.try())
      }
      """#,
    output: [
      "cancelled; - a; |",
      "shows b; performed; - b; |",
      "false; - c; |",
      "true 1; true",
      "true false; true",
      "1; terminated; |",
      "shows d; - d; shows e; - e; |",
      "shows f; - f; |",
      "true",
    ])
}
