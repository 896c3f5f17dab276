import SpindleModel

/// Signals that would come from elsewhere.
extension HangChainTests {
  static let hangsOfSemaphores: [Hang] = [
    Hang(
      name: "semaphore-itself",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main { s.wait(); s.signal() }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which only the waiting code itself \
        sends, after this wait: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-operation-dependency",
      trace: """
        let queue = OperationQueue()
        let s = DispatchSemaphore(value: 0)
        main {
            let first = BlockOperation(name: "first") { s.wait() }
            let second = BlockOperation(name: "second") { s.signal() }
            second.addDependency(first)
            queue.addOperation(first)
            queue.addOperation(second)
        }
        """,
      explanation: """
        'worker-1' in 'first' waits for a signal of semaphore 's' by 'second', which waits \
        for 'first', which 'worker-1' runs: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-operation-place",
      trace: """
        let queue = OperationQueue()
        let s = DispatchSemaphore(value: 0)
        main {
            queue.maxConcurrentOperationCount = 1
            queue.addOperation(name: "waiter") { s.wait() }
            queue.addOperation(name: "opener") { s.signal() }
        }
        """,
      explanation: """
        'worker-1' in 'waiter' waits for a signal of semaphore 's' by 'opener', which waits \
        for a place in 'queue' that 'waiter' has, which 'worker-1' runs: no remaining event \
        can wake it
        """),
    Hang(
      name: "semaphore-operation-suspended",
      trace: """
        let queue = OperationQueue()
        let s = DispatchSemaphore(value: 0)
        main {
            queue.isSuspended = true
            queue.addOperation(name: "opener") { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which is in 'queue', which \
        is suspended: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-pool-full",
      trace: """
        let pool = ThreadPool(width: 2)
        let s = DispatchSemaphore(value: 0)
        main {
            for i in 0 ..< 2 { pool.async(name: "waiter") { s.wait() } }
            pool.async(name: "opener") { s.signal(); s.signal() }
        }
        """,
      explanation: """
        'pool-1' waits for a signal of semaphore 's' by 'opener', which waits for a thread \
        of pool 'pool'; 'pool-2' waits for a signal of semaphore 's' by 'opener', which \
        waits for a thread of pool 'pool': no remaining event can wake them
        """),
    Hang(
      name: "semaphore-pool-of-tasks",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main {
            for _ in 0 ..< 4 { Task.detached(name: "waiter") { s.wait() } }
            Task.detached(name: "opener") { for _ in 0 ..< 4 { s.signal() } }
        }
        """,
      explanation: """
        'worker-1' in 'waiter' waits for a signal of semaphore 's' by 'opener', which waits \
        for a thread of the pool; 'worker-2' in 'waiter' waits for a signal of semaphore 's' \
        by 'opener', which waits for a thread of the pool; 'worker-3' in 'waiter' waits for \
        a signal of semaphore 's' by 'opener', which waits for a thread of the pool; \
        'worker-4' in 'waiter' waits for a signal of semaphore 's' by 'opener', which waits \
        for a thread of the pool: no remaining event can wake them
        """),
    Hang(
      name: "semaphore-stored-closure",
      trace: """
        final class Button {
            var onTap: (() -> Void)?
        }
        let button = Button()
        let s = DispatchSemaphore(value: 0)
        main {
            button.onTap = { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by the closure in 'onTap', which no \
        remaining code calls: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-task-main-actor",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main {
            Task(name: "opener") { @MainActor in s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which waits for the main \
        actor, whose thread 'main' waits for semaphore 's': no remaining event can wake it; \
        meanwhile the main thread can't run the item that waits in the main queue, a piece \
        of the main actor's code: a 'Task' created by main is on the main actor, one created \
        by 'Task.detached' is not
        """),
    Hang(
      name: "semaphore-thread-not-started",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let opener = Thread(name: "opener") { s.signal() }
        main { s.wait() }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by thread 'opener', which was never \
        started: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-timer-of-silent-loop",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let worker = Thread(name: "worker") {
            let timer = Timer(timeInterval: 100ms, repeats: false) { _ in s.signal() }
            RunLoop.current.add(timer, forMode: .default)
            s.wait()
        }
        main { worker.start() }
        """,
      explanation: """
        'worker' waits for a signal of semaphore 's' by 'timer' in the run loop of 'worker', \
        which waits for semaphore 's': no remaining event can wake it
        """),
    Hang(
      name: "semaphore-two-threads",
      trace: """
        let a = DispatchSemaphore(value: 0)
        let b = DispatchSemaphore(value: 0)
        main {
            Thread.detachNewThread(name: "left") { a.wait(); b.signal() }
            Thread.detachNewThread(name: "right") { b.wait(); a.signal() }
        }
        """,
      explanation: """
        'left' waits for a signal of semaphore 'a' by 'right', which waits for semaphore \
        'b'; 'right' waits for a signal of semaphore 'b' by 'left', which waits for \
        semaphore 'a': no remaining event can wake them
        """),
  ]
}
