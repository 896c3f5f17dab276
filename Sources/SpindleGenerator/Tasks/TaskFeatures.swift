extension ProgramFeature {
  /// Tasks, actors and streams: statements of asynchronous code, which print what does not depend on timing.
  static let tasks: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let (s\(d.name), feed\(d.name)) = AsyncStream.makeStream(of: Int.self)
        let reader\(d.name) = Task { var all: [Int] = []; for await one in s\(d.name) { all.append(one) }; return all }
        for n in 0..<\(d.small + 1) { feed\(d.name).yield((\(d.number)) % 100 + n) }
        feed\(d.name).finish()
        print(await reader\(d.name).value)
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func numbers\(d.name)(_ count: Int) -> AsyncThrowingStream<Int, any Error> {
          AsyncThrowingStream { feed in
            for n in 0..<count { feed.yield(n) }
            if count > 2 { feed.finish(throwing: Oops\(d.seed).bad(count)) } else { feed.finish() }
          }
        }
        """,
        """
        do { for try await n in numbers\(d.name)(\(d.small + 1)) { print("n", n) } } catch { print("ended by", error) }
        let first\(d.name) = try? await numbers\(d.name)(\(d.small)).first { $0 > 0 }
        print(first\(d.name) as Any)
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        actor Account\(d.name) {
          private(set) var balance: Int
          init(_ balance: Int) { self.balance = balance }
          func take(_ n: Int) throws -> Int {
            guard n <= balance else { throw Oops\(d.seed).bad(n - balance) }
            balance -= n
            return balance
          }
          func move(_ n: Int, to other: Account\(d.name)) async throws { _ = try take(n); await other.add(n) }
          func add(_ n: Int) { balance += n }
          subscript(n: Int) -> Int { balance * n }
        }
        """,
        """
        let a\(d.name) = Account\(d.name)(abs(\(d.number)) % 50), b\(d.name) = Account\(d.name)(0)
        for n in [5, 20, 40] { do { try await a\(d.name).move(n, to: b\(d.name)) } catch { print("refused", error) } }
        print(await a\(d.name).balance, await b\(d.name).balance, await b\(d.name)[\(d.small)])
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        @globalActor actor Store\(d.name) { static let shared = Store\(d.name)() }
        enum Shelf\(d.name) { @Store\(d.name) static var stock = \(d.small + 2) }
        @Store\(d.name) func sell\(d.name)() -> Int? {
          guard Shelf\(d.name).stock > 0 else { return nil }
          Shelf\(d.name).stock -= 1
          return Shelf\(d.name).stock
        }
        """,
        """
        let sold\(d.name) = await withTaskGroup(of: Int.self) { group in
          for _ in 0..<4 { group.addTask { await sell\(d.name)() == nil ? 0 : 1 } }
          return await group.reduce(0, +)
        }
        print("sold", sold\(d.name), await Shelf\(d.name).stock)
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let found\(d.name) = await withTaskGroup(of: Int?.self) { group in
          for n in 0..<4 {
            group.addTask { n == \(d.small) ? n : (try? await Task.sleep(for: .seconds(60))) == nil ? nil : -1 }
          }
          for await one in group { if let one { group.cancelAll(); return one } }
          return -1
        }
        print("found", found\(d.name))
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        do {
          let n\(d.name) = try await withCheckedThrowingContinuation { (c: CheckedContinuation<Int, any Error>) in
            DispatchQueue.global().async {
              if \(d.small) > 1 { c.resume(throwing: Oops\(d.seed).bad(\(d.small))) }
              else { c.resume(returning: \(d.small)) }
            }
          }
          print("resumed", n\(d.name))
        } catch { print("thrown", error) }
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        struct Lazy\(d.name) {
          var base: Int
          var later: Int { get async { await Task.yield(); return base + 1 } }
          var risky: Int { get async throws { if base % 2 == 0 { throw Oops\(d.seed).late }; return base } }
        }
        func apply\(d.name)<T>(_ n: Int, _ work: (Int) async throws -> T) async rethrows -> [T] {
          var made: [T] = []
          for i in 0..<n { made.append(try await work(i)) }
          return made
        }
        """,
        """
        let l\(d.name) = Lazy\(d.name)(base: (\(d.number)) % 10)
        print(await l\(d.name).later, (try? await l\(d.name).risky) ?? -1)
        print(await apply\(d.name)(\(d.small)) { i in await later\(d.seed)(i * 2) })
        do { print(try await apply\(d.name)(3) { i in try await risky\(d.seed)(i + 1) }) } catch { print("no", error) }
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        "",
        """
        let outer\(d.name) = Task { () -> [Bool] in
          async let one = later\(d.seed)(1)
          let inner = Task { Task.isCancelled }
          let child = await withTaskGroup(of: Bool.self) { group in
            group.addTask { Task.isCancelled }
            let added = group.addTaskUnlessCancelled { true }
            return await group.reduce(added) { $0 && $1 }
          }
          return [Task.isCancelled, await inner.value, child, await one == 1]
        }
        if \(d.small) > 1 { outer\(d.name).cancel() }
        _ = await outer\(d.name).value
        print(outer\(d.name).isCancelled, await outer\(d.name).value.count)
        """)
    },
  ]

  /// Queues, operations and locks: functions that block.
  static let queues: [Made] = [
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func part\(d.name)(_ n: Int) -> Int {
          let queue = OperationQueue()
          queue.maxConcurrentOperationCount = 2
          let cell = Cell\(d.seed)()
          for i in 0..<3 { queue.addOperation { cell.add(i + n % 10) } }
          queue.addBarrierBlock { cell.note("before \\(cell.sum)") }
          queue.addOperation { cell.note("after") }
          queue.waitUntilAllOperationsAreFinished()
          print(cell.all, queue.operationCount)
          return cell.sum
        }
        """,
        "print(part\(d.name)(\(d.number)))")
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func part\(d.name)(_ n: Int) {
          let key = DispatchSpecificKey<Int>()
          let queue = DispatchQueue(label: "keyed"), inner = DispatchQueue(label: "inner", target: queue)
          queue.setSpecific(key: key, value: n % 100)
          print(DispatchQueue.getSpecific(key: key) as Any, inner.sync { DispatchQueue.getSpecific(key: key) } as Any)
          let item = DispatchWorkItem { print("item", DispatchQueue.getSpecific(key: key) ?? -1) }
          inner.async(execute: item)
          item.wait()
          let late = DispatchWorkItem { print("never") }
          queue.suspend()
          queue.async(execute: late)
          late.cancel()
          queue.resume()
          print(late.wait(timeout: .now() + 5) == .success, late.isCancelled)
        }
        """,
        "part\(d.name)(\(d.number))")
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        final class Step\(d.name): Operation, @unchecked Sendable {
          let n: Int
          var made = 0
          init(_ n: Int) { self.n = n }
          override func main() {
            if isCancelled { return }
            made = n
          }
        }
        """,
        """
        let first\(d.name) = Step\(d.name)(1), second\(d.name) = Step\(d.name)(\(d.small))
        print(first\(d.name).isReady, second\(d.name).isFinished, first\(d.name).made)
        second\(d.name).addDependency(first\(d.name))
        print(second\(d.name).isReady, second\(d.name).dependencies.count)
        first\(d.name).cancel()
        print(first\(d.name).isCancelled, first\(d.name).isReady)
        """)
    },
    { (d: Names) -> ProgramFeature in
      ProgramFeature(
        """
        func part\(d.name)(_ n: Int) -> String {
          let group = DispatchGroup(), queue = DispatchQueue(label: "group")
          let cell = Cell\(d.seed)()
          for i in 0..<3 { queue.async(group: group) { cell.note("\\(i)") } }
          let ended = group.wait(timeout: .now() + 10) == .success
          let gate = DispatchSemaphore(value: 1)
          let taken = gate.wait(timeout: .now() + 1) == .success
          let both = taken && gate.wait(timeout: .now() + .milliseconds(5)) == .timedOut
          gate.signal()
          let box = NSRecursiveLock()
          return box.withLock { box.withLock { cell.all.joined() } } + "\\(ended) \\(both) \\(n % 3)"
        }
        """,
        "print(part\(d.name)(\(d.number)))")
    },
  ]
}
