import SpindleModel

/// Waits for locks, conditions, groups and workers.
extension HangChainTests {
  static let hangsOfLocks: [Hang] = [
    Hang(
      name: "condition-behind",
      trace: """
        let c = NSCondition()
        let q = DispatchQueue(label: "q")
        var ready = false
        main {
            q.async(name: "consumer") { c.lock(); while !ready { c.wait() }; c.unlock() }
            q.async(name: "producer") { c.lock(); ready = true; c.signal(); c.unlock() }
        }
        """,
      explanation: """
        'worker-1' in 'consumer' waits for a signal of condition 'c' by 'producer', which \
        waits in queue 'q', which 'worker-1' in 'consumer' occupies: no remaining event can \
        wake it
        """),
    Hang(
      name: "condition-lock-nobody",
      trace: """
        let c = NSConditionLock(condition: 0)
        main { c.lock(whenCondition: 1) }
        """,
      explanation: """
        'main' waits for lock 'c' with condition 1, which is free with condition 0, and no \
        remaining code unlocks it: no remaining event can wake it
        """),
    Hang(
      name: "condition-lock",
      trace: """
        let c = NSConditionLock(condition: 0)
        let q = DispatchQueue(label: "q")
        main {
            q.async(name: "consumer") { c.lock(whenCondition: 1); c.unlock() }
            q.async(name: "producer") { c.lock(); c.unlock(withCondition: 1) }
        }
        """,
      explanation: """
        'worker-1' in 'consumer' waits for lock 'c' with condition 1, which is free with \
        condition 0, and would be unlocked by 'producer', which waits in queue 'q', which \
        'worker-1' in 'consumer' occupies: no remaining event can wake it
        """),
    Hang(
      name: "condition-nobody",
      trace: """
        let c = NSCondition()
        main { c.lock(); c.wait(); c.unlock() }
        """,
      explanation: """
        'main' waits for a signal of condition 'c', which no remaining code sends: no \
        remaining event can wake it
        """),
    Hang(
      name: "group-item-in-suspended",
      trace: """
        let g = DispatchGroup()
        let q = DispatchQueue(label: "q")
        main {
            q.suspend()
            q.async(name: "member", group: g) { }
            g.wait()
        }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and would be left by 'member', \
        which waits in queue 'q', which is suspended: no remaining event can wake it
        """),
    Hang(
      name: "group-behind-the-waiter",
      trace: """
        let g = DispatchGroup()
        let q = DispatchQueue(label: "q")
        main {
            q.sync {
                g.enter()
                q.async(name: "later") { g.leave() }
                g.wait()
            }
        }
        """,
      kind: .selfDeadlock,
      explanation: """
        'main' waits for group 'g', of which 'later' waits in queue 'q', which 'main' \
        occupies, which is itself
        """),
    Hang(
      name: "group-itself",
      trace: """
        let g = DispatchGroup()
        main { g.enter(); g.wait(); g.leave() }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and only the waiting code itself \
        leaves it, after this wait: no remaining event can wake it
        """),
    Hang(
      name: "group-leave-by-waiting-item",
      trace: """
        let g = DispatchGroup()
        let s = DispatchSemaphore(value: 0)
        main {
            g.enter()
            DispatchQueue.global().async(name: "member") { s.wait(); g.leave() }
            g.wait()
        }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and would be left by 'worker-1' \
        in 'member', which waits for semaphore 's'; 'worker-1' in 'member' waits for a \
        signal of semaphore 's', which no remaining code sends: no remaining event can wake \
        them
        """),
    Hang(
      name: "group-member-waits",
      trace: """
        let g = DispatchGroup()
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.global().async(name: "member", group: g) { s.wait() }
            g.wait()
        }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, by 'worker-1' in 'member'; \
        'worker-1' in 'member' waits for a signal of semaphore 's', which no remaining code \
        sends: no remaining event can wake them
        """),
    Hang(
      name: "group-nobody",
      trace: """
        let g = DispatchGroup()
        main { g.enter(); g.wait() }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and no remaining code leaves it: \
        no remaining event can wake it
        """),
    Hang(
      name: "group-thread-not-started",
      trace: """
        let g = DispatchGroup()
        let t = Thread(name: "member") { g.leave() }
        main { g.enter(); g.wait() }
        """,
      explanation: """
        'main' waits for group 'g', which is entered once, and would be left by thread \
        'member', which was never started: no remaining event can wake it
        """),
    Hang(
      name: "iterations",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.concurrentPerform(iterations: 2) { i in if i == 1 { s.wait() } }
            s.signal()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's', which only the waiting code itself \
        sends, after this wait: no remaining event can wake it
        """),
    Hang(
      name: "lock-held-by-waiter-for-semaphore",
      trace: """
        let lock = NSLock()
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.global().async(name: "owner") { lock.lock(); s.wait(); lock.unlock() }
            sleep(1ms)
            lock.lock()
            s.signal()
        }
        """,
      explanation: """
        'main' waits for lock 'lock', held by 'worker-1'; 'worker-1' in 'owner' waits for a \
        signal of semaphore 's' by 'main', which waits for lock 'lock': no remaining event \
        can wake them
        """),
    Hang(
      name: "mutual-groups",
      trace: """
        let a = DispatchGroup()
        let b = DispatchGroup()
        main {
            a.enter()
            b.enter()
            Thread.detachNewThread(name: "left") { a.wait(); b.leave() }
            Thread.detachNewThread(name: "right") { b.wait(); a.leave() }
        }
        """,
      explanation: """
        'left' waits for group 'a', which is entered once, and would be left by 'right', \
        which waits for group 'b'; 'right' waits for group 'b', which is entered once, and \
        would be left by 'left', which waits for group 'a': no remaining event can wake them
        """),
    Hang(
      name: "pool-behind-barrier",
      trace: """
        let table = DispatchQueue(label: "table", attributes: .concurrent)
        main {
            for _ in 0 ..< 70 {
                DispatchQueue.global().async(name: "caller") {
                    table.async(name: "store", flags: .barrier) { }
                    table.sync { }
                }
            }
        }
        """,
      kind: .poolExhaustion,
      explanation: """
        all 64 workers of the pool are blocked: 'worker-1' in 'caller' waits in sync for \
        queue 'table', behind the barrier 'store', which waits for a worker of the pool, \
        'worker-2' in 'caller' waits in sync for queue 'table', behind the barrier 'store', \
        which waits for a worker of the pool, and 62 more like them; 7 more items, first of \
        'com.apple.root.default-qos', need a worker to start, among them the barrier \
        'store', for which these wait
        """),
    Hang(
      name: "pool-behind-lock-of-main",
      trace: """
        let lock = NSLock()
        let ready = DispatchSemaphore(value: 0)
        main {
            lock.lock()
            for _ in 0 ..< 70 {
                DispatchQueue.global().async(name: "caller") { lock.lock(); lock.unlock() }
            }
            DispatchQueue.global().async(name: "opener") { ready.signal() }
            sleep(2s)
            ready.wait()
            lock.unlock()
        }
        """,
      kind: .poolExhaustion,
      explanation: """
        all 64 workers of the pool are blocked: 'worker-1' in 'caller' waits for lock \
        'lock', held by 'main', 'worker-2' in 'caller' waits for lock 'lock', held by \
        'main', and 62 more like them; 'main' waits for a signal of semaphore 'ready' by \
        'opener', which waits in queue 'com.apple.root.default-qos' for a worker of \
        the pool; 7 more items, first of 'com.apple.root.default-qos', need a worker to \
        start, among them 'opener', for which these wait
        """),
    Hang(
      name: "rwlock-writer",
      trace: """
        let lock = ReadWriteLock()
        let s = DispatchSemaphore(value: 0)
        main {
            Thread.detachNewThread(name: "reader") { lock.readLock(); s.wait(); lock.unlock() }
            sleep(1ms)
            Thread.detachNewThread(name: "writer") { lock.writeLock(); s.signal(); lock.unlock() }
        }
        """,
      explanation: """
        'reader' waits for a signal of semaphore 's' by 'writer', which waits for lock \
        'lock'; 'writer' waits for lock 'lock', held by 'reader' as a reader: no remaining \
        event can wake them
        """),
    Hang(
      name: "static-once",
      trace: """
        final class Store {
            static let shared = Store()
            let value: Int
            init() { s.wait(); value = 1 }
        }
        let s = DispatchSemaphore(value: 0)
        main {
            DispatchQueue.global().async(name: "first") { record("v", Store.shared.value) }
            sleep(1ms)
            record("v", Store.shared.value)
            s.signal()
        }
        """,
      explanation: """
        'main' waits for the block of 'Store.shared', which 'worker-1' runs; 'worker-1' in \
        'first' waits for a signal of semaphore 's' by 'main', which waits for once \
        'Store.shared': no remaining event can wake them
        """),
  ]
}
