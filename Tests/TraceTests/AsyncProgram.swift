/// Programs of Swift concurrency whose output Swift 6.3 gave: each was compiled by `swiftc` and run.
///
/// Each declares an asynchronous function `body` that prints.
extension TypedProgram {
  static let suspending = [
    tasks, actors, streams, operators, tupleResults, streamRoom, suspendedChanges, typeNames,
    failingInitialisers, ownAsyncSequences,
  ]

  static let tasks = TypedProgram(
    name: "tasks, cancellation and async let",
    text: #"""
      enum Oops: Error { case bad(Int), cold }
      struct Page<Content> { let number: Int; let content: Content }
      func load(_ n: Int) async -> Page<String> { try? await Task.sleep(nanoseconds: 1_000); return Page(number: n, content: "page \(n)") }
      func risky(_ n: Int) async throws -> Int { if n > 2 { throw Oops.bad(n) }; await Task.yield(); return n * 2 }
      func twice<T>(_ work: () async throws -> T) async rethrows -> (T, T) { (try await work(), try await work()) }
      struct Source { var next = 0; var later: Int { get async { await Task.yield(); return next + 1 } } }
      func body() async {
          let page = await load(3)
          print(page.number, page.content)
          let pair = await twice { await load(1).number }
          print(pair.0 + pair.1)
          for n in 2 ... 3 { do { print(try await risky(n)) } catch Oops.bad(let n) { print("bad", n) } catch { print("other") } }
          print((try? await risky(1)) ?? -1, (try? await risky(9)) ?? -1)
          let task = Task { try await risky(2) }
          print(try! await task.value)
          let failed = Task { () async throws -> Int in try await risky(5) }
          switch await failed.result { case .success(let n): print(n); case .failure(let error): print("failed", error) }
          let sleeper = Task { () -> String in
              do { try await Task.sleep(for: .seconds(100)); return "slept" } catch is CancellationError { return "cancelled \(Task.isCancelled)" } catch { return "?" }
          }
          sleeper.cancel()
          print(await sleeper.value)
          let checked = Task { () -> Int in try Task.checkCancellation(); return 1 }
          checked.cancel()
          print(((try? await checked.value) == nil) || true, checked.isCancelled)
          async let one = load(1)
          async let two = risky(2)
          let sum = await one.number + ((try? await two) ?? 0)
          print(sum)
          let source = Source(next: 4)
          print(await source.later)
          let named = Task(name: "worker") { Task.name ?? "none" }
          print(await named.value)
          let low = Task(priority: .low) { 7 }
          print(await low.value)
          defer { print("end") }
          func local(_ n: Int) async -> Int { await load(n).number + 1 }
          print(await local(6))
          var total = 0
          let add = { (n: Int) async -> Void in total += await load(n).number }
          await add(2); await add(3)
          print(total)
          let text = await withTaskCancellationHandler { await load(8).content } onCancel: { print("never") }
          print(text)
      }
      """#,
    output: [
      "3 page 3",
      "2",
      "4",
      "bad 3",
      "2 -1",
      "4",
      "failed bad(5)",
      "cancelled true",
      "true true",
      "5",
      "5",
      "worker",
      "7",
      "7",
      "5",
      "page 8",
      "end",
    ])

  static let actors = TypedProgram(
    name: "actors, global actors and isolated parameters",
    text: #"""
      actor Account {
          private(set) var balance: Int
          let owner: String
          private var log: [String] = []
          init(owner: String, balance: Int = 0) { self.owner = owner; self.balance = balance }
          func deposit(_ n: Int) { balance += n; log.append("+\(n)") }
          func withdraw(_ n: Int) throws -> Int { guard n <= balance else { throw Refused(missing: n - balance) }; balance -= n; return balance }
          func move(_ n: Int, to other: Account) async throws { _ = try withdraw(n); await other.deposit(n) }
          var summary: String { "\(owner): \(balance) \(log)" }
          nonisolated var label: String { "account of \(owner)" }
          subscript(n: Int) -> String { log[n] }
      }
      struct Refused: Error { let missing: Int }
      @globalActor actor Store { static let shared = Store(); }
      enum Shelf { @Store static var stock = 5 }
      @Store func sell() -> Int { Shelf.stock -= 1; return Shelf.stock }
      @MainActor final class Model { var title = "none"; var count = 0; func rename(_ t: String) { title = t; count += 1 }; nonisolated func plain() -> Int { 42 } }
      protocol Worker { func work() async -> String }
      struct Plain: Worker { func work() async -> String { "plain" } }
      actor Busy: Worker { var n = 0; func work() -> String { n += 1; return "busy \(n)" } }
      func audit(_ account: isolated Account) -> Int { account.deposit(1); return account.balance }
      @MainActor func show(_ model: Model) -> String { model.rename("shown"); return model.title }
      func run(_ workers: [any Worker]) async -> [String] { var all: [String] = []; for w in workers { all.append(await w.work()) }; return all }
      func body() async {
          let a = Account(owner: "ann", balance: 10), b = Account(owner: "bob")
          await a.deposit(5)
          do { try await a.move(12, to: b) } catch { print("no") }
          do { try await a.move(12, to: b) } catch let refused as Refused { print("missing", refused.missing) } catch { print("?") }
          print(await a.summary, await b.balance, a.label, await a[0])
          print(await audit(b), await b.balance)
          print(await sell(), await sell(), await Shelf.stock)
          let model = await Model()
          print(await show(model), await model.title, await model.count, model.plain())
          await MainActor.run { model.count += 10 }
          let after = await MainActor.run { model.count }
          print(after)
          print(await run([Plain(), Busy(), Plain()]))
          let busy = Busy()
          _ = await busy.work()
          print(await busy.work(), await busy.n)
          let tasks = (1 ... 3).map { n in Task { await a.deposit(n) } }
          for task in tasks { await task.value }
          print(await a.balance)
          let onMain = Task { @MainActor in model.rename("task"); return model.title }
          print(await onMain.value)
          let rename: @MainActor (String) -> Void = { model.rename($0) }
          await rename("closure")
          print(await model.title)
      }
      """#,
    output: [
      "missing 9",
      "ann: 3 [\"+5\"] 12 account of ann +5",
      "13 13",
      "4 3 3",
      "shown shown 1 42",
      "11",
      "[\"plain\", \"busy 1\", \"plain\"]",
      "busy 2 2",
      "9",
      "task",
      "closure",
    ])

  static let streams = TypedProgram(
    name: "groups, streams, continuations and locks",
    text: #"""
      struct Lost: Error {}
      final class Box: Sendable { let n = Mutex(0); func add(_ k: Int) { n.withLock { $0 += k } }; var value: Int { n.withLock { $0 } } }
      enum Context { @TaskLocal static var id = 0 }
      struct Countdown: AsyncSequence {
          let from: Int
          struct AsyncIterator: AsyncIteratorProtocol { var n: Int; mutating func next() async -> Int? { if n == 0 { return nil }; n -= 1; return n + 1 } }
          func makeAsyncIterator() -> AsyncIterator { AsyncIterator(n: from) }
      }
      func legacy(_ n: Int, _ done: @escaping @Sendable (Int) -> Void) { Task { done(n * 10) } }
      func modern(_ n: Int) async -> Int { await withCheckedContinuation { c in legacy(n) { c.resume(returning: $0) } } }
      func failing() async throws -> Int { try await withCheckedThrowingContinuation { c in c.resume(throwing: Lost()) } }
      func body() async {
          let sum = await withTaskGroup(of: Int.self) { group in
              for n in 1 ... 4 { group.addTask { n * n } }
              var sum = 0
              for await n in group { sum += n }
              return sum
          }
          print(sum)
          let total = await withTaskGroup(of: Int.self) { group in for n in 1 ... 3 { group.addTask { n } }; return await group.reduce(0, +) }
          print(total)
          do {
              try await withThrowingTaskGroup(of: Int.self) { group in
                  group.addTask { throw Lost() }
                  _ = try await group.next()
                  print("not here")
              }
          } catch { print("lost", error is Lost) }
          let box = Box()
          await withDiscardingTaskGroup { group in for n in 1 ... 5 { group.addTask { box.add(n) } } }
          print(box.value)
          let (numbers, input) = AsyncStream.makeStream(of: Int.self)
          for n in 1 ... 3 { input.yield(n) }
          input.finish()
          for await n in numbers where n != 2 { print("got", n) }
          let letters = AsyncThrowingStream<String, any Error> { c in c.yield("a"); c.yield("b"); c.finish(throwing: Lost()) }
          do { for try await l in letters { print(l) } } catch { print("stream", error is Lost) }
          let newest = AsyncStream(Int.self, bufferingPolicy: .bufferingNewest(2)) { c in for n in 1 ... 5 { c.yield(n) }; c.finish() }
          var kept: [Int] = []
          for await n in newest { kept.append(n) }
          print(kept)
          print(await modern(4))
          do { print(try await failing()) } catch { print("failed") }
          for await n in Countdown(from: 3) { print(n, terminator: " ") }
          print()
          print(Context.id)
          await Context.$id.withValue(7) { print(Context.id, await Task { Context.id }.value, await Task.detached { Context.id }.value) }
          print(Context.id)
          var iterator = Countdown(from: 2).makeAsyncIterator()
          while let n = await iterator.next() { print("by hand", n) }
      }
      """#,
    output: [
      "30",
      "6",
      "lost true",
      "15",
      "got 1",
      "got 3",
      "a",
      "b",
      "stream true",
      "[4, 5]",
      "40",
      "failed",
      "3 2 1 ",
      "0",
      "7 7 0",
      "0",
      "by hand 2",
      "by hand 1",
    ])
}
