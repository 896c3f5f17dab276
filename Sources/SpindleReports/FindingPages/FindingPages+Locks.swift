import SpindleModel

extension FindingPage {
  /// Locks, conditions, semaphores and shared variables.
  static let lockPages: [Finding.Kind: FindingPage] = [
    .deadlock: FindingPage(
      means: """
        Threads wait for each other in a cycle, or for something that never happens: none of \
        them can ever continue. Of what has no owner, such as a semaphore, the finding names the \
        code that would end the wait and where it waits itself, or says that no remaining code would.
        """,
      remedy: """
        Take locks in one order everywhere, hold no lock while you wait for something else, \
        and give waits that may fail a limit.
        """,
      trace: """
        trace "Two locks in opposite orders"

        machine { platform: .ideal; cores: 2 }

        let accounts = NSLock()
        let journal = NSLock()

        main {
            Thread.detachNewThread(name: "booking") {
                accounts.lock()
                work(1ms)
                journal.lock()
                journal.unlock()
                accounts.unlock()
            }
            Thread.detachNewThread(name: "report") {
                journal.lock()
                work(1ms)
                accounts.lock()
                accounts.unlock()
                journal.unlock()
            }
        }

        expect {
            outcome == .deadlock
            findings == [.deadlock]
        }
        """),
    .selfDeadlock: FindingPage(
      means: """
        A thread waits for itself: for a lock that it has, or for its own end.
        """,
      remedy: """
        Don't take a lock that you have; split the function that locks from the one that \
        works, or use a recursive lock where that is meant.
        """,
      trace: """
        trace "A lock taken twice"

        machine { platform: .ideal; cores: 1 }

        let lock = NSLock()

        main {
            Thread.detachNewThread(name: "careless") {
                lock.lock()
                lock.lock()
                mark("never")
            }
        }

        expect {
            outcome == .deadlock
            findings == [.selfDeadlock]
            timeline == []
        }
        """),
    .lockOrderInversion: FindingPage(
      means: """
        A thread acquired a second lock while it owned a first one, and another thread acquired \
        them in the opposite order, or several did so in a cycle. A queue is such a lock, too: an \
        item of a serial queue, or the main thread, owns it, and sync acquires it. In this run \
        they did not meet. With other timing each owns its first lock and waits forever.
        """,
      remedy: """
        Acquire locks in one order everywhere, release the first one before calls that lock, and \
        submit with async where the result is not needed at once. Where no order is natural, put \
        one lock around both, or try the second one and start again if it is owned.
        """,
      trace: """
        trace "Two transfers that did not meet"

        machine { platform: .ideal; cores: 2 }

        let savings = NSLock()
        let current = NSLock()

        main {
            Thread.detachNewThread(name: "deposit") {
                savings.lock()
                current.lock()
                current.unlock()
                savings.unlock()
            }
            Thread.detachNewThread(name: "withdrawal") {
                sleep(1ms)
                current.lock()
                savings.lock()
                savings.unlock()
                current.unlock()
            }
        }

        expect {
            outcome == .finished
            findings == [.lockOrderInversion]
        }
        """),
    .lockHeldByEndedWork: FindingPage(
      means: """
        A thread ended while it owned a lock: no other thread can acquire it.
        """,
      remedy: """
        Unlock on every way out: withLock, or defer behind lock().
        """,
      trace: """
        trace "A lock kept by a thread that has ended"

        machine { platform: .ideal; cores: 2 }

        let lock = NSLock()

        func read(_ found: Bool) {
            lock.lock()
            work(1ms)
            guard found else { return }
            lock.unlock()
        }

        main {
            Thread.detachNewThread(name: "early return") { read(false) }
            Thread.detachNewThread(name: "next") { read(true) }
        }

        expect {
            outcome == .deadlock
            findings == [.lockHeldByEndedWork, .deadlock]
        }
        """),
    .lostWakeup: FindingPage(
      means: """
        A condition was signalled without waiters, and a thread waited for it afterwards: a \
        signal is not kept.
        """,
      remedy: """
        Keep what is waited for in a variable, and wait in a loop: while !ready { \
        condition.wait() }, both under the lock.
        """,
      trace: """
        trace "A lost signal"

        machine { platform: .ideal; cores: 2 }

        let ready = NSCondition()

        main {
            Thread.detachNewThread(name: "maker") {
                work(1ms)
                ready.lock()
                ready.signal()
                ready.unlock()
            }
            Thread.detachNewThread(name: "user") {
                work(2ms)
                ready.lock()
                ready.wait()
                ready.unlock()
                mark("never")
            }
        }

        expect {
            outcome == .deadlock
            findings == [.lostWakeup, .deadlock]
            timeline == []
        }
        """),
    .priorityInversion: FindingPage(
      means: """
        An urgent thread waited for a lock whose owner has a lower priority and was not \
        scheduled, since others ran.
        """,
      remedy: """
        Use a lock with priority inheritance, hold it for less time, or give its users one \
        quality of service.
        """,
      trace: """
        trace "The middle one keeps the first one waiting"

        machine { platform: .ideal; cores: 1; policy: .fixedPriority }

        let lock = NSLock()
        let low = Thread(name: "low", threadPriority: 0.2) { lock.withLock { work(4ms) } }
        let medium = Thread(name: "medium", threadPriority: 0.3) { work(20ms) }
        let high = Thread(name: "high", threadPriority: 0.4) { lock.withLock { work(1ms) } }

        main {
            low.start()
        }

        at(1ms) {
            high.start()
            medium.start()
        }

        expect {
            ended("high") == 25ms
            findings == [.priorityInversion]
        }
        """),
    .semaphoreInversion: FindingPage(
      means: """
        An urgent thread waited for a signal of less urgent work: a semaphore has no owner that \
        could inherit priority.
        """,
      remedy: """
        Wait with a lock or sync, which donate priority, or give both sides one quality of service.
        """,
      trace: """
        trace "Main waits for background work, by a semaphore"

        machine { platform: .iOS; cores: 1; costs: .zero }

        let low = DispatchQueue(label: "low", qos: .background)
        let ready = DispatchSemaphore(value: 0)

        main {
            low.async(name: "prepare") {
                work(10ms)
                ready.signal()
            }
            sleep(until: 5ms)
            DispatchQueue.global(qos: .userInitiated).async(name: "thumbnails") { work(100ms) }
            ready.wait()
            mark("main continues")
        }

        expect {
            timeline == [110ms: "main continues"]
            findings == [.semaphoreInversion]
        }
        """),
    .unlockByOther: FindingPage(
      means: """
        Something was unlocked by a thread that does not have it.
        """,
      remedy: """
        Unlock on the thread that locked; to signal from one thread to another use a \
        semaphore.
        """,
      trace: """
        trace "Unlocked by another thread"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let lock = NSLock()

        main {
            Thread.detachNewThread(name: "owner") {
                lock.lock()
                work(2ms)
                lock.unlock()
            }
            Thread.detachNewThread(name: "other") {
                work(1ms)
                lock.unlock()
            }
        }

        expect {
            findings == [.unlockByOther]
        }
        """),
    .dataRace: FindingPage(
      means: """
        A variable was used by two threads, queues or tasks, one of which changed it, and nothing \
        says which comes first: on two cores they may come at once, and in Swift that is \
        undefined.
        """,
      remedy: """
        Take the same lock around both, let one serial queue or actor do both, or let the one \
        wait for the other: join, a group, await. On a concurrent queue of one's own, submit what \
        writes with 'flags: .barrier', and read in its 'sync'.
        """,
      trace: """
        trace "A counter of two threads"

        machine { platform: .iOS; cores: 2; costs: .zero }

        var count = 0

        main {
            for name in ["left", "right"] {
                Thread.detachNewThread(name: name) {
                    for _ in 0 ..< 3 {
                        work(1ms)
                        count += 1
                    }
                }
            }
        }

        expect {
            findings == [.dataRace]
            value(count) == 3
        }
        """),
  ]
}
