/// Programs with queues, tasks and objects of the library in which it shows when something dies.
///
/// What they print was printed by `swiftc` 6.3.1, with `-Onone` and with `-O`.
extension TypedProgram {
  static let suspendingLifetimes = [
    lifetimesOfClosures, lifetimesOfObjects, lifetimesOfTasks, lifetimesOfFunctions,
  ]

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

  static let lifetimesOfTasks = TypedProgram(
    name: "actors, tasks, groups, streams and errors",
    text: #"""
      final class Item: Sendable { let name: String; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") } }
      struct Bad: Error {}
      actor Store { private var items: [String: Item] = [:]; var last: Item?
        func put(_ item: Item) { items[item.name] = item; last = item }
        func take(_ name: String) -> Item? { last = nil; return items.removeValue(forKey: name) }
        func load(_ name: String) async throws -> Item { if let known = items[name] { return known }; let made = Item(name); if name == "bad" { throw Bad() }; items[name] = made; return made }
        deinit { print("- store", terminator: "; ") }
      }
      @MainActor final class Model { var items: [Item] = []; var task: Task<Void, Never>?
        func start(_ store: Store) { task = Task { [weak self] in let item = try? await store.load("m"); self?.items.append(item!) } }
        func wait() async { await task?.value }
      }
      final class Chain { var handlers: [(Item) -> Void] = []; func on(_ f: @escaping (Item) -> Void) -> Chain { handlers.append(f); return self }; func fire(_ item: Item) { handlers.forEach { $0(item) } }; deinit { print("- chain", terminator: "; ") } }
      func retry<T: Sendable>(_ times: Int, _ body: @Sendable (Int) async throws -> T) async throws -> T { for i in 0 ..< times { do { return try await body(i) } catch { print("retry", i, terminator: "; ") } }; return try await body(times) }
      func consume(_ items: [Item]) async -> Int { var n = 0; for item in items { await Task.yield(); n += item.name.count }; return n }
      func body() async {
        do { let store = Store(); await store.put(Item("a")); await store.put(Item("b")); print(await store.take("a")?.name ?? "none", terminator: "; "); print(await store.last == nil, terminator: "; ") }
        print("|")
        do { let store = Store(); print(try await store.load("c").name, terminator: "; "); _ = try await store.load("bad") } catch { print("error", terminator: "; ") }
        print("|")
        do { let store = Store(); let model = await Model(); await model.start(store); await model.wait(); print(await model.items.count, terminator: "; ") }
        print("|")
        do { let item = try await retry(2) { i in let made = Item("try \(i)"); if i < 2 { throw Bad() }; return made }; print(item.name, terminator: "; ") } catch { print("failed") }
        print("|")
        print(await consume([Item("x"), Item("yy")]))
        await withTaskGroup(of: Item.self) { group in
          for n in 0 ..< 3 { group.addTask { Item("g") } }
          var found = 0
          while let next = await group.next() { found += next.name.count }
          print(found, terminator: "; ")
        }
        print("|")
        do { let (stream, input) = AsyncStream.makeStream(of: Item.self); let reader = Task { var names: [String] = []; for await item in stream { names.append(item.name) }; return names }; input.yield(Item("p")); input.yield(Item("q")); input.finish(); print(await reader.value.count, terminator: "; ") }
        print("|")
        do { let lock = DispatchQueue(label: "l"); let item = Item("r"); let name = lock.sync { () -> String in let inner = Item("s"); return inner.name + item.name }; print(name, terminator: "; ") }
        print("|")
        let result = await Task { () throws -> Item in throw Bad() }.result
        switch result { case .success(let item): print(item.name); case .failure: print("failure", terminator: "; ") }
        print("|")
      }
      """#,
    output: [
      "- a; a; true; - store; - b; |",
      "c; - bad; - store; - c; error; |",
      "1; - store; - m; |",
      "- try 0; retry 0; - try 1; retry 1; try 2; - try 2; |",
      "- x; - yy; 3",
      "- g; - g; - g; 3; |",
      "- p; - q; 2; |",
      "- s; sr; - r; |",
      "failure; |",
    ])

  static let lifetimesOfFunctions = TypedProgram(
    name: "functions of bodies, wrappers, results and switches",
    text: #"""
      final class Item: @unchecked Sendable { let name: String; var other: Item?; init(_ name: String) { self.name = name }; deinit { print("-", name, terminator: "; ") } }
      final class Box<T> { weak var seen: Item?; var make: (() -> T)?; let value: T; init(_ value: T) { self.value = value }; deinit { print("- box", terminator: "; ") } }
      struct Counter { var item: Item?; var n = 0; mutating func bump() { n += 1; if n == 2 { item = nil } } }
      final class Owner { var counter = Counter(item: Item("counted")); var list: [Counter] = []; var value: Item { get { Item("got") } set { counter.item = newValue } }; deinit { print("- owner", terminator: "; ") } }
      @propertyWrapper struct Logged { private var stored: Item; init(wrappedValue: Item) { stored = wrappedValue }; var wrappedValue: Item { get { stored } set { print("set", newValue.name, terminator: "; "); stored = newValue } } }
      func rec(_ n: Int, _ item: Item) -> Int { n == 0 ? item.name.count : rec(n - 1, item) }
      func fall(_ n: Int) { switch n { case 0: let a = Item("case 0"); print(a.name, terminator: "; "); fallthrough; case 1: let b = Item("case 1"); print(b.name, terminator: "; "); default: print("default", terminator: "; ") } }
      func result(_ n: Int) -> Result<Item, any Error> { n == 0 ? .success(Item("ok")) : .failure(CancellationError()) }
      func autoclosed(_ text: @autoclosure () -> String, _ runs: Bool) -> String { runs ? text() : "not run" }
      func body() async {
        do {
          let item = Item("a")
          func ping(_ n: Int) -> String { n == 0 ? item.name : pong(n - 1) }
          func pong(_ n: Int) -> String { n == 0 ? item.name : ping(n - 1) }
          print(ping(3), terminator: "; ")
        }
        print("|")
        do { let item = Item("b"); func own(_ n: Int) -> Int { n == 0 ? item.name.count : own(n - 1) }; let queue = DispatchQueue(label: "q"); queue.async { print(own(2), terminator: "; ") }; queue.sync {} }
        print("|")
        do { let one = Item("one"); let two = one; func tell() -> String { one.name + two.name }; print(tell(), two.name, one.name, terminator: "; ") }
        print("|")
        let count: (Int) -> Int
        do { let item = Item("escaped"); func down(_ n: Int) -> Int { n == 0 ? item.name.count : up(n - 1) }; func up(_ n: Int) -> Int { n == 0 ? -1 : down(n - 1) }; count = down }
        print(count(2), count(3), terminator: "; ")
        print("|")
        do { let box = Box(Item("c")); box.seen = box.value; box.make = { Item("made") }; print(box.seen!.name, box.make!().name, terminator: "; ") }
        print("|")
        do { let owner = Owner(); owner.counter.bump(); owner.counter.n += 1; owner.counter.item = Item("d"); owner.list.append(owner.counter); owner.list[0].item = nil; print(owner.counter.item!.name, terminator: "; "); owner.value = Item("e"); print(owner.value.name, terminator: "; ") }
        print("|")
        do { print(rec(3, Item("f")), terminator: "; ") }
        fall(0); fall(1); print("|")
        if case .success(let item) = result(0) { print(item.name, terminator: "; ") }
        print((try? result(0).get())?.name ?? "none", (try? result(1).get())?.name ?? "none")
        do { let g = Item("g"); print(autoclosed("\(g.name)!", true), autoclosed(Item("h").name, false), terminator: "; ") }
        print("|")
        do { let a = Item("i"); let b = Item("j"); a.other = b; b.other = a; print(a.other!.name, terminator: "; "); b.other = nil }
        print("|")
        do { var items: [Item] = []; for i in 0 ..< 3 { items.append(Item("k\(i)")) }; items.removeFirst(); print("removed", terminator: "; "); items.removeLast(); print(items.count, terminator: "; "); items.insert(Item("l"), at: 0); print(items.map { $0.name }, terminator: "; "); items = [] }
        print("|")
        do { let f: () -> () -> String = { let o = Item("o"); return { o.name } }; print(f()(), terminator: "; ") }
        print("|")
        var shared: Item? = Item("p")
        let get = { shared }
        print(get()!.name, terminator: "; "); shared = nil; print(get() == nil)
        do { let d: [String: Item] = ["q": Item("q")]; for (k, v) in d { print(k, v.name, terminator: "; ") }; if let q = d["q"] { print(q.name, terminator: "; ") } }
        print("|")
        do { let optional: Item? = Item("r"); switch optional { case .some(let r) where r.name == "x": print("x"); case let r?: print(r.name, terminator: "; "); case nil: print("nil") } }
        print("|")
      }
      """#,
    output: [
      "a; - a; |",
      "1; - b; |",
      "oneone one one; - one; |",
      "7 -1; |",
      "- made; c made; - box; - c; |",
      "- counted; d; - d; - got; got; - owner; - e; |",
      "- f; 1; case 0; - case 0; case 1; - case 1; case 1; - case 1; |",
      "ok; - ok; - ok; ok none",
      "g! not run; - g; |",
      "j; - i; - j; |",
      "- k0; removed; - k2; 1; [\"l\", \"k1\"]; - l; - k1; |",
      "- o; o; |",
      "p; - p; true",
      "q q; q; - q; |",
      "r; - r; |",
      "- escaped; ",
    ])
}
