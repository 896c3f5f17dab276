/// Programs that fail under an order which hangs on something else than the object that a call names, and near misses.
enum HiddenOrders {
  static let all = conditions + groups + items + queues + ends + tasks

  static let conditions = [
    ChoicePointTests.Case(
      name: "a signal that wakes the one that came later",
      text: """
        let c = NSCondition()
        var tickets = 0
        var go = 0
        var first = 0
        main(.tool) {
            let a = Thread(name: "a") { c.lock(); tickets += 1; c.wait(); if first == 0 { first = 1 }; c.unlock() }
            let b = Thread(name: "b") { c.lock(); while tickets == 0 { c.unlock(); sleep(1ms); c.lock() }; tickets += 1; c.wait(); if first == 0 { first = 2 }; c.unlock() }
            a.start(); b.start()
            c.lock(); while tickets < 2 { c.unlock(); sleep(1ms); c.lock() }
            c.signal(); c.unlock()
            sleep(5ms)
            c.lock(); c.signal(); c.unlock()
            a.join(); b.join()
        }
        expect { value(first) == 1 }
        """,
      line: "\"b\" locks c time 2 before \"a\" locks c time 2"),
    ChoicePointTests.Case(
      name: "a thread that locks before the one that was woken",
      text: """
        let c = NSCondition()
        var items = 0
        var waiting = 0
        var low = 0
        main(.tool) {
            let a = Thread(name: "a") { c.lock(); waiting = 1; if items == 0 { c.wait() }; items -= 1; if items < 0 { low = 1 }; c.unlock() }
            let b = Thread(name: "b") { c.lock(); if items > 0 { items -= 1 }; c.unlock() }
            a.start()
            c.lock(); while waiting == 0 { c.unlock(); sleep(1ms); c.lock() }
            items = 1
            c.signal(); c.unlock()
            b.start()
            a.join(); b.join()
        }
        expect { value(low) == 0 }
        """,
      line: "\"b\" locks c before \"a\" locks c time 2"),
  ]

  static let groups = [
    ChoicePointTests.Case(
      name: "two items that follow a group",
      text: """
        var log = 0
        main(.tool) {
            let g = DispatchGroup()
            let d = DispatchGroup()
            let q = DispatchQueue(label: "q")
            g.enter()
            d.enter(); d.enter()
            let a = Thread(name: "a") { g.notify(queue: q) { log = log * 10 + 1; d.leave() } }
            let b = Thread(name: "b") { sleep(1ms); g.notify(queue: q) { log = log * 10 + 2; d.leave() } }
            a.start(); b.start()
            a.join(); b.join()
            g.leave()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: "\"b\" notifies g before \"a\" notifies g"),
    ChoicePointTests.Case(
      name: "an item that follows a group, behind another one",
      text: """
        var log = 0
        main(.tool) {
            let g = DispatchGroup()
            let d = DispatchGroup()
            let q = DispatchQueue(label: "q")
            g.enter()
            d.enter(); d.enter()
            g.notify(queue: q) { log = log * 10 + 1; d.leave() }
            let a = Thread(name: "a") { g.leave() }
            let b = Thread(name: "b") { sleep(1ms); q.async { log = log * 10 + 2; d.leave() } }
            a.start(); b.start()
            a.join(); b.join()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: "\"b\" submits q before \"a\" leaves g"),
    ChoicePointTests.Case(
      name: "a wait that comes before an item enters the group",
      text: """
        var done = 0
        var seen = 0
        main(.tool) {
            let g = DispatchGroup()
            let q = DispatchQueue(label: "q")
            let a = Thread(name: "a") { q.async(group: g) { sleep(1ms); done = 1 } }
            let b = Thread(name: "b") { sleep(1ms); g.wait(); seen = done }
            a.start(); b.start()
            a.join(); b.join()
        }
        expect { value(seen) == 1 }
        """,
      line: "\"b\" waits g before \"a\" submits q"),
    ChoicePointTests.Case(
      name: "an item that leaves the group before the next one enters",
      text: """
        var early = 0
        var second = 0
        main(.tool) {
            let g = DispatchGroup()
            let q = DispatchQueue(label: "q", attributes: .concurrent)
            g.enter()
            let w = Thread(name: "w") { g.wait(); if second == 0 { early = 1 } }
            w.start()
            q.async(group: g) { work(10us) }
            g.leave()
            q.async(group: g) { second = 1 }
            w.join()
        }
        expect { value(early) == 0 }
        """,
      line: "\"q.async\" leaves g before \"main\" submits q time 2"),
    ChoicePointTests.Case(
      name: "a wait for a group that is too long",
      text: """
        var late = 0
        main(.tool) {
            let g = DispatchGroup()
            g.enter()
            let a = Thread(name: "a") { g.leave() }
            a.start()
            if g.wait(timeout: .now() + 5ms) == .timedOut { late = 1 }
            a.join()
        }
        expect { value(late) == 0 }
        """,
      line: "\"main\" waits g before \"a\" leaves g"),
    ChoicePointTests.Case(
      name: "two items that one thread lets follow a group",
      text: """
        var log = 0
        main(.tool) {
            let g = DispatchGroup()
            let d = DispatchGroup()
            let q = DispatchQueue(label: "q")
            d.enter()
            d.enter()
            let a = Thread(name: "a") { g.notify(queue: q) { log = log * 10 + 1; d.leave() } }
            let b = Thread(name: "b") { g.notify(queue: q) { log = log * 10 + 2; d.leave() } }
            g.enter()
            a.start()
            a.join()
            b.start()
            b.join()
            g.leave()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: nil),
  ]

  static let items = [
    ChoicePointTests.Case(
      name: "what follows a work item, behind another one",
      text: """
        var log = 0
        main(.tool) {
            let d = DispatchGroup()
            let q = DispatchQueue(label: "q")
            d.enter(); d.enter()
            let w = DispatchWorkItem(name: "w") { work(10us) }
            w.notify(queue: q) { log = log * 10 + 1; d.leave() }
            DispatchQueue.global().async(execute: w)
            let b = Thread(name: "b") { sleep(1ms); q.async { log = log * 10 + 2; d.leave() } }
            b.start()
            b.join()
            d.wait()
        }
        expect { value(log) == 12 }
        """,
      line: "\"b\" submits q before \"w\" finishes w"),
    ChoicePointTests.Case(
      name: "a wait for a work item that is too long",
      text: """
        var late = 0
        main(.tool) {
            let w = DispatchWorkItem(name: "w") { work(10us) }
            DispatchQueue.global().async(execute: w)
            if w.wait(timeout: .now() + 5ms) == .timedOut { late = 1 }
        }
        expect { value(late) == 0 }
        """,
      line: "\"main\" waits w before \"w\" begins w"),
  ]
}
