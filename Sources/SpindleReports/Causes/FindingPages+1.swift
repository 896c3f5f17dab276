import SpindleModel

extension FindingPage {
  /// The pages from deadlock to killedAtExit, in the order of the catalogue.
  static let pages1: [Finding.Kind: FindingPage] = [
    .deadlock: FindingPage(
      means: """
        Threads wait for each other in a cycle, or for something that nobody will do: none of \
        them can ever go on.
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
        A thread took a second lock while it had a first one, and another thread took them the \
        other way round, or several did so in a ring. A queue is such a lock, too: an item of a \
        serial queue, or the main thread, has it, and sync takes it. In this run they did not \
        meet. With another timing each has its first lock and waits for the next one's, for ever.
        """,
      remedy: """
        Take locks in one order everywhere, give the first one back before you call what locks by \
        itself, and hand over with async where nothing needs the result at once. Where no order is \
        natural, put one lock around both, or try the second one and begin anew when it is taken.
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
        A thread ended while it had a lock: nobody else can take it any more.
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
        A condition was signalled when nobody waited, and somebody waited for it afterwards: a \
        signal is not kept.
        """,
      remedy: """
        Keep what is waited for in a variable, and wait in a loop: while !ready { \
        condition.wait() }, both under the lock.
        """,
      trace: """
        trace "A signal that nobody heard"

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
        An urgent thread waited for a lock whose owner is less urgent and got no core, since \
        others ran.
        """,
      remedy: """
        Use a lock that lends priority, hold it for less time, or give those who share it one \
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
    .mainThreadHang: FindingPage(
      means: """
        The main thread could not answer for 250 ms or more: an app stutters or seems dead. Many short \
        items one behind the other count together, as in main.longestStall.
        """,
      remedy: """
        Move work off the main thread and come back with DispatchQueue.main.async; never wait \
        there for a lock, a sync or input.
        """,
      trace: """
        trace "250 ms on the main thread"

        machine { platform: .iOS; cores: 1; costs: .zero }

        main {
            work(250ms)
        }

        expect {
            main.longestStall == 250ms
            findings == [.mainThreadHang]
        }
        """),
    .starvation: FindingPage(
      means: """
        A thread that could run got no core for 10 s or more, since more urgent ones had them.
        """,
      remedy: """
        Give urgent work to fewer threads, let it wait now and then, or raise the one that \
        starves.
        """,
      trace: """
        trace "Eleven seconds without a core"

        machine { platform: .ideal; cores: 1; policy: .fixedPriority }

        let low = Thread(name: "low", threadPriority: 0.2) { work(1ms) }
        let high = Thread(name: "high", threadPriority: 0.4) { work(11s) }

        main {
            low.start()
            high.start()
        }

        expect {
            started("low") == 11s
            findings == [.starvation]
        }
        """),
    .threadExplosion: FindingPage(
      means: """
        There were far more threads than cores could use: each takes memory, and switching \
        takes time.
        """,
      remedy: """
        Hand work to a queue with a limit, or to a pool; don't block in items of a concurrent \
        queue.
        """,
      trace: """
        trace "Two hundred threads for four cores"

        machine { platform: .iOS; cores: 4; costs: .zero }

        let background = ThreadPerTask(stackSize: 512KB)

        main {
            for number in 0 ..< 200 {
                background.async(name: "request \\(number)") {
                    io(100ms)
                    work(1ms)
                }
            }
        }

        expect {
            threads.peak == 201
            findings == [.threadExplosion]
        }
        """),
    .threadLimit: FindingPage(
      means: """
        The process reached its limit of threads, and could start no more.
        """,
      remedy: """
        Use a pool of a fixed width, or a semaphore that limits how many are under way.
        """,
      trace: """
        trace "More threads than a process may have"

        machine { platform: .ideal; cores: 1; threadLimit: 8 }

        main {
            for number in 0 ..< 10 {
                Thread.detachNewThread(name: "waiting \\(number)") { sleep(10ms) }
            }
        }

        expect {
            outcome == .crashed
            findings == [.threadLimit]
            threads.peak == 8
        }
        """),
    .killedAtExit: FindingPage(
      means: """
        A thread was at work, was ready or waited when the process ended, and was killed. A worker that \
        had nothing of the program in hand is none of them.
        """,
      remedy: """
        Wait for what must be done before exit, with a group or a join.
        """,
      trace: """
        trace "Killed at work"

        machine { platform: .ideal; cores: 2 }

        main(.tool) {
            Thread.detachNewThread(name: "writer") {
                work(10ms)
                mark("never")
            }
            work(2ms)
        }

        expect {
            findings == []
            timeline == []
            makespan == 2ms
        }
        """),
  ]
}
