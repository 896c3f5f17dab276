/// Those of queues, ends and tasks.
extension HiddenOrders {
  static let queues = [
    ChoicePointTests.Case(
      name: "two queues with one target",
      text: """
        var log = 0
        main(.tool) {
            let d = DispatchGroup()
            let c = DispatchQueue(label: "c")
            let a = DispatchQueue(label: "a", target: c)
            let b = DispatchQueue(label: "b", target: c)
            d.enter(); d.enter()
            let s = Thread(name: "s") { a.async { log = log * 10 + 1; d.leave() } }
            let t = Thread(name: "t") { sleep(1ms); b.async { log = log * 10 + 2; d.leave() } }
            s.start(); t.start()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: "\"t\" submits b before \"s\" submits a"),
    ChoicePointTests.Case(
      name: "the handler of a source behind another item",
      text: """
        var log = 0
        main(.tool) {
            let d = DispatchGroup()
            let q = DispatchQueue(label: "q")
            let s = DispatchSource.makeUserDataAddSource(queue: q)
            d.enter(); d.enter()
            s.setEventHandler { log = log * 10 + 1; d.leave() }
            s.activate()
            let t = Thread(name: "t") { s.add(data: 1) }
            let u = Thread(name: "u") { sleep(1ms); q.async { log = log * 10 + 2; d.leave() } }
            t.start(); u.start()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: "\"u\" submits q before \"t\" merges s"),
    ChoicePointTests.Case(
      name: "two blocks of a run loop",
      text: """
        var log = 0
        main {
            let t = Thread(name: "t") { RunLoop.main.perform { log = log * 10 + 1 } }
            let u = Thread(name: "u") { sleep(2ms); RunLoop.main.perform { log = log * 10 + 2 } }
            t.start(); u.start()
            sleep(10ms)
        }
        expect { value(log) == 12 }
        """,
      line: "\"u\" submits main before \"t\" submits main"),
    ChoicePointTests.Case(
      name: "two items of one thread for queues with one target",
      text: """
        var log = 0
        main(.tool) {
            let d = DispatchGroup()
            let c = DispatchQueue(label: "c")
            let a = DispatchQueue(label: "a", target: c)
            let b = DispatchQueue(label: "b", target: c)
            d.enter()
            d.enter()
            a.async { log = log * 10 + 1; d.leave() }
            b.async { log = log * 10 + 2; d.leave() }
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: nil),
  ]

  static let ends = [
    ChoicePointTests.Case(
      name: "a thread that has not ended",
      text: """
        var seen = 1
        main(.tool) {
            let a = Thread(name: "a") { work(10us) }
            a.start()
            sleep(1ms)
            if !a.isFinished { seen = 0 }
            a.join()
        }
        expect { value(seen) == 1 }
        """,
      line: "\"main\" asks a before \"a\" finishes a"),
    ChoicePointTests.Case(
      name: "an operation that has not ended",
      text: """
        var seen = 1
        main(.tool) {
            let q = OperationQueue()
            let a = BlockOperation(name: "a") { work(10us) }
            q.addOperation(a)
            sleep(1ms)
            if !a.isFinished { seen = 0 }
            q.waitUntilAllOperationsAreFinished()
        }
        expect { value(seen) == 1 }
        """,
      line: "\"main\" asks a before \"a\" finishes a"),
    ChoicePointTests.Case(
      name: "an operation that is still in its queue",
      text: """
        var seen = 0
        main(.tool) {
            let q = OperationQueue()
            q.addOperation { work(10us) }
            sleep(1ms)
            seen = q.operationCount
            q.waitUntilAllOperationsAreFinished()
        }
        expect { value(seen) == 0 }
        """,
      line: "\"main\" asks q before \"BlockOperation-1\" finishes \"BlockOperation-1\""),
    ChoicePointTests.Case(
      name: "a thread that was joined",
      text: """
        var seen = 1
        main(.tool) {
            let a = Thread(name: "a") { work(10us) }
            a.start()
            a.join()
            if !a.isFinished { seen = 0 }
        }
        expect { value(seen) == 1 }
        """,
      line: nil),
  ]

  static let tasks = [
    ChoicePointTests.Case(
      name: "the results of children in the order in which they end",
      text: """
        var log = 0
        main(.tool) {
            await withTaskGroup(of: Int.self) { group in
                group.addTask { work(10us); return 1 }
                group.addTask { work(1ms); return 2 }
                for await r in group { log = log * 10 + r }
            }
        }
        expect { value(log) == 12 }
        """,
      line:
        "\"group.addTask#2\" finishes \"group of main\" before \"group.addTask\" finishes \"group of main\""
    ),
    ChoicePointTests.Case(
      name: "two tasks of the main actor",
      text: """
        var log = 0
        main {
            let t = Thread(name: "t") { Task { @MainActor in log = log * 10 + 1 } }
            let u = Thread(name: "u") { sleep(2ms); Task { @MainActor in log = log * 10 + 2 } }
            t.start(); u.start()
        }
        expect { value(log) == 12 }
        """,
      line: "\"u\" submits MainActor before \"t\" submits MainActor"),
    ChoicePointTests.Case(
      name: "a task of the main actor behind an item of the main queue",
      text: """
        var log = 0
        main {
            let t = Thread(name: "t") { Task { @MainActor in log = log * 10 + 1 } }
            let u = Thread(name: "u") { sleep(2ms); DispatchQueue.main.async { log = log * 10 + 2 } }
            t.start(); u.start()
        }
        expect { value(log) == 12 }
        """,
      line: "\"u\" submits \"com.apple.main-thread\" before \"t\" submits MainActor"),
    ChoicePointTests.Case(
      name: "two calls of an actor",
      text: """
        actor Log { var n = 0
            func add(_ x: Int) { n = n * 10 + x }
        }
        var seen = 0
        main(.tool) {
            let log = Log()
            let a = Task.detached { await log.add(1) }
            let b = Task.detached { try? await Task.sleep(for: 1ms); await log.add(2) }
            await a.value
            await b.value
            seen = await log.n
        }
        expect { value(seen) == 12 }
        """,
      line: "\"b\" hops log before \"a\" hops log"),
    ChoicePointTests.Case(
      name: "a cancellation before a handler is there",
      text: """
        var called = 0
        main(.tool) {
            let t = Task.detached { await withTaskCancellationHandler { work(10us) } onCancel: { called = 1 } }
            let c = Task.detached { try? await Task.sleep(for: 5ms); t.cancel() }
            await t.value
            await c.value
        }
        expect { value(called) == 0 }
        """,
      line: "\"c\" cancels t before \"t\" changes t"),
    ChoicePointTests.Case(
      name: "children whose results are added up",
      text: """
        var sum = 0
        main(.tool) {
            await withTaskGroup(of: Int.self) { group in
                group.addTask { work(10us); return 1 }
                group.addTask { work(1ms); return 2 }
                for await r in group { sum += r }
            }
        }
        expect { value(sum) == 3 }
        """,
      line: nil),
  ]
}
