import SpindleModel

/// Signals that would come from items of queues.
extension HangChainTests {
  static let hangsOfQueues: [Hang] = [
    Hang(
      name: "semaphore-array",
      trace: """
        let q = DispatchQueue(label: "q")
        let all = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        main {
            q.async(name: "waiter") { all[1].wait() }
            q.async(name: "opener") { for s in all { s.signal() } }
        }
        """,
      explanation: """
        'worker-1' in 'waiter' waits for a signal of semaphore 'DispatchSemaphore-2' by \
        'opener', which waits in queue 'q', which 'worker-1' in 'waiter' occupies: no \
        remaining event can wake it
        """),
    Hang(
      name: "semaphore-behind-barrier",
      trace: """
        let q = DispatchQueue(label: "q", attributes: .concurrent)
        let s = DispatchSemaphore(value: 0)
        main {
            q.async(name: "reader") { s.wait() }
            q.async(name: "barrier", flags: .barrier) { }
            q.async(name: "opener") { s.signal() }
        }
        """,
      explanation: """
        'worker-1' in 'reader' waits for a signal of semaphore 's' by 'opener', which waits \
        in queue 'q', which 'worker-1' in 'reader' occupies: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-behind-in-queue",
      trace: """
        let q = DispatchQueue(label: "q")
        let s = DispatchSemaphore(value: 0)
        main {
            q.async(name: "waiter") { s.wait() }
            q.async(name: "opener") { s.signal() }
        }
        """,
      explanation: """
        'worker-1' in 'waiter' waits for a signal of semaphore 's' by 'opener', which waits \
        in queue 'q', which 'worker-1' in 'waiter' occupies: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-behind-lock",
      trace: """
        let lock = NSLock()
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.global().async(name: "first") { lock.lock(); s.wait(); lock.unlock() }
            sleep(1ms)
            DispatchQueue.global().async(name: "second") { lock.lock(); s.signal(); lock.unlock() }
        }
        """,
      explanation: """
        'worker-1' in 'first' waits for a signal of semaphore 's' by 'worker-2' in 'second', \
        which waits for lock 'lock'; 'worker-2' in 'second' waits for lock 'lock', held by \
        'worker-1': no remaining event can wake them
        """),
    Hang(
      name: "semaphore-in-actor",
      trace: """
        actor Store {
            func load() { s.wait() }
            func done() { s.signal() }
        }
        let s = DispatchSemaphore(value: 0)
        let store = Store()
        main {
            Task.detached(name: "loader") { await store.load() }
            Task.detached(name: "finisher") { work(1ms); await store.done() }
        }
        """,
      explanation: """
        'worker-1' in 'loader' waits for a signal of semaphore 's' by 'finisher', which \
        waits for its turn on actor 'store', which 'loader' occupies: no remaining event can \
        wake it
        """),
    Hang(
      name: "semaphore-in-property",
      trace: """
        final class Loader {
            private let done = DispatchSemaphore(value: 0)
            private let queue = DispatchQueue(label: "loader")
            func load() {
                queue.async(name: "load") { self.fetch(); self.done.wait() }
            }
            private func fetch() { queue.async(name: "fetched") { self.finish() } }
            private func finish() { done.signal() }
        }
        let loader = Loader()
        main { loader.load() }
        """,
      explanation: """
        'worker-1' in 'load' waits for a signal of semaphore 'done' by 'fetched', which \
        waits in queue 'loader', which 'worker-1' in 'load' occupies: no remaining event can \
        wake it
        """),
    Hang(
      name: "semaphore-in-sync",
      trace: """
        let q = DispatchQueue(label: "q")
        let s = DispatchSemaphore(value: 0)
        main(.tool) {
            q.sync {
                q.async(name: "opener") { s.signal() }
                s.wait()
            }
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which waits in queue 'q', \
        which 'main' occupies: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-inactive",
      trace: """
        let q = DispatchQueue(label: "q", attributes: .initiallyInactive)
        let s = DispatchSemaphore(value: 0)
        main {
            q.async(name: "opener") { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which waits in queue 'q', \
        which was never activated: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-main-queue",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.main.async(name: "opener") { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which waits in queue \
        'com.apple.main-thread', which 'main' occupies: no remaining event can wake it; \
        meanwhile the main thread can't run the item that waits in the main queue
        """),
    Hang(
      name: "semaphore-nested-submit",
      trace: """
        let q = DispatchQueue(label: "q")
        let r = DispatchQueue(label: "r")
        let s = DispatchSemaphore(value: 0)
        main {
            q.async(name: "waiter") { s.wait() }
            q.async(name: "starter") { r.async(name: "opener") { s.signal() } }
        }
        """,
      explanation: """
        'worker-1' in 'waiter' waits for a signal of semaphore 's' by 'starter', which waits \
        in queue 'q', which 'worker-1' in 'waiter' occupies: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-nobody",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main { s.wait() }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which no remaining code sends: no \
        remaining event can wake it
        """),
    Hang(
      name: "semaphore-notify-of-group",
      trace: """
        let g = DispatchGroup()
        let s = DispatchSemaphore(value: 0)
        main {
            g.enter()
            g.notify(queue: .global()) { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'g.notify:6', which is submitted once \
        group 'g' is empty, and no remaining code leaves it: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-source-suspended",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeUserDataAddSource(queue: .global())
        main {
            source.setEventHandler { s.signal() }
            source.add(data: 1)
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by the handler of source 'source', which \
        is suspended: no remaining event can wake it
        """),
    Hang(
      name: "semaphore-suspended",
      trace: """
        let q = DispatchQueue(label: "q")
        let s = DispatchSemaphore(value: 0)
        main {
            q.suspend()
            q.async(name: "opener") { s.signal() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'opener', which waits in queue 'q', \
        which is suspended: no remaining event can wake it
        """),
  ]
}
