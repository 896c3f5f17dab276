import SpindleModel

/// Waits that code would have ended which is past or was skipped, or which something else has to call.
extension HangChainTests {
  static let hangsOfPastCode: [Hang] = [
    Hang(
      name: "past-branch",
      trace: """
        let s = DispatchSemaphore(value: 0)
        var isReady = false
        main {
            DispatchQueue.global().async(name: "job") { if isReady { s.signal() } }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which no remaining code sends (the code \
        that could have is past, or was skipped): no remaining event can wake it
        """),
    Hang(
      name: "past-early-return",
      trace: """
        let g = DispatchGroup()
        func load(_ page: Int) { if page == 2 { return }; g.leave() }
        main {
            for page in 0 ..< 3 {
                g.enter()
                DispatchQueue.global().async(name: "page\\(page)") { load(page) }
            }
            g.wait()
        }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and no remaining code leaves it \
        (the code that could have is past, or was skipped): no remaining event can wake it
        """),
    Hang(
      name: "past-local-semaphore",
      trace: """
        main {
            let s = DispatchSemaphore(value: 0)
            let item = DispatchWorkItem(name: "opener") { s.signal() }
            item.cancel()
            DispatchQueue.global().async(execute: item)
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which no remaining code sends (the code \
        that could have is past, or was skipped): no remaining event can wake it
        """),
    Hang(
      name: "past-other-semaphore",
      trace: """
        main {
            let s = DispatchSemaphore(value: 0)
            let other = DispatchSemaphore(value: 0)
            DispatchQueue.global().async(name: "job") { other.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which no remaining code sends: no \
        remaining event can wake it
        """),
    Hang(
      name: "past-stream",
      trace: """
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        main(.tool) {
            Task.detached(name: "producer") { for i in 0 ..< 3 { feed.yield(i) } }
            for await x in stream { record("x\\(x)", x) }
        }
        """,
      explanation: """
        'main' waits for an element of stream 'AsyncStream-1', and no remaining code feeds it \
        (the code that could have is past, or was skipped): no remaining event can wake it
        """),
    Hang(
      name: "semaphore-taken-by-ended-item",
      trace: """
        let slots = DispatchSemaphore(value: 1)
        main {
            DispatchQueue.global().async(name: "first") { slots.wait() }
            sleep(1ms)
            slots.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 'slots' (acquired last by 'worker-1'), which no \
        remaining code sends: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-taken-by-itself",
      trace: """
        let turns = DispatchSemaphore(value: 1)
        func inner() { turns.wait(); turns.signal() }
        main { turns.wait(); inner(); turns.signal() }
        """,
      explanation: """
        'main' waits for a signal of semaphore 'turns' (acquired last by 'main'), which only \
        the waiting code itself sends, after this wait: no remaining event can wake it
        """),
    Hang(
      name: "semaphores-as-forks",
      trace: """
        let forks = [DispatchSemaphore(value: 1), DispatchSemaphore(value: 1), DispatchSemaphore(value: 1)]
        main {
            for i in 0 ..< 3 {
                Thread.detachNewThread(name: "P\\(i)") {
                    forks[i].wait()
                    sleep(1ms)
                    forks[(i + 1) % 3].wait()
                    forks[i].signal()
                    forks[(i + 1) % 3].signal()
                }
            }
        }
        """,
      explanation: """
        'P0' waits for a signal of semaphore 'DispatchSemaphore-2' by 'P1', which waits for \
        semaphore 'DispatchSemaphore-3'; 'P1' waits for a signal of semaphore \
        'DispatchSemaphore-3' by 'P2', which waits for semaphore 'DispatchSemaphore-1'; 'P2' \
        waits for a signal of semaphore 'DispatchSemaphore-1' by 'P0', which waits for \
        semaphore 'DispatchSemaphore-2': no remaining event can wake them
        """),
    Hang(
      name: "lock-kept-by-ended-item",
      trace: """
        let lock = NSLock()
        main {
            DispatchQueue.global().async(name: "first") { lock.lock() }
            sleep(1ms)
            lock.lock()
        }
        """,
      explanation: """
        'main' waits for lock 'lock', held by 'worker-1', which is idle since the code that \
        acquired it has ended: no remaining event can wake it
        """),
  ]

  static let hangsOfUncalledCode: [Hang] = [
    Hang(
      name: "completion-of-itself",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let queue = OperationQueue()
        main {
            let load = BlockOperation(name: "load") { s.wait() }
            load.completionBlock = { s.signal() }
            queue.addOperation(load)
        }
        """,
      explanation: """
        'worker-1' in 'load' waits for a signal of semaphore 's' by the completion block of \
        operation 'load', which 'worker-1' runs: no remaining event can wake it
        """),
    Hang(
      name: "deinit-of-referenced",
      trace: """
        let s = DispatchSemaphore(value: 0)
        final class Connection { deinit { s.signal() } }
        var connection: Connection? = Connection()
        main { s.wait(); connection = nil }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by the 'deinit' of 'Connection', to which a \
        reference remains: no remaining event can wake it
        """),
    Hang(
      name: "cancellation-behind-the-wait",
      trace: """
        final class Box { var c: CheckedContinuation<Void, Never>? }
        let box = Box()
        main(.tool) {
            let t = Task(name: "load") {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { box.c = $0 }
                } onCancel: {
                    box.c?.resume()
                }
            }
            await t.value
            t.cancel()
        }
        """,
      kind: .continuationNeverResumed,
      explanation: """
        'load' waits for a continuation that was never resumed and never will be, and would be \
        resumed by the cancellation handler of task 'load', which is not cancelled; 'main' \
        waits for 'load'
        """),
    Hang(
      name: "notify-behind-own-leave",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let g = DispatchGroup()
        let q = DispatchQueue(label: "q")
        main {
            g.enter()
            g.notify(name: "done", queue: q) { s.signal() }
            s.wait()
            g.leave()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'done', which is submitted once group \
        'g' is empty, and only the waiting code itself leaves it, after this wait: no \
        remaining event can wake it
        """),
  ]
}
