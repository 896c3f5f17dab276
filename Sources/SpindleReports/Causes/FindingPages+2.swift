import SpindleModel

extension FindingPage {
  /// The pages from stackSizeIgnored to poolExhaustion, in the order of the catalogue.
  static let pages2: [Finding.Kind: FindingPage] = [
    .stackSizeIgnored: FindingPage(
      means: """
        A stack size was set that the library does not take: it was ignored or changed.
        """,
      remedy: """
        Give a multiple of the page size, at least the least size of the platform, and before \
        the thread starts.
        """,
      trace: """
        trace "A stack size that is ignored"

        param pages = 3

        machine { platform: .iOS; cores: 1; costs: .zero }

        let worker = Thread(name: "worker") { }

        main {
            worker.stackSize = pages * 4KB
            record("stack", worker.stackSize)
            worker.start()
        }

        expect {
            values == ["stack": 512KB]
            findings == [.stackSizeIgnored]
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
    .memoryPressure: FindingPage(
      means: """
        More memory is in use than the machine has.
        """,
      remedy: """
        Have less under way at one time, and free what is not needed any more.
        """,
      trace: """
        trace "One megabyte too much"

        machine { platform: .ideal; cores: 1; memory: 64MB }

        main {
            allocate(65MB)
            work(1ms)
            free(65MB)
        }

        expect {
            memory.peak == 65MB
            findings == [.memoryPressure]
        }
        """),
    .livelock: FindingPage(
      means: """
        Virtual time stood still until the limit of steps, while instructions were run again and \
        again: a loop that neither works nor waits and has no end, or one of far too many turns, \
        such as an array of a thousand million elements.
        """,
      remedy: """
        Let the loop do work, wait for something, or end sooner.
        """,
      trace: """
        trace "livelock"
        machine { cores: 1; costs: .zero }
        main { while true { } }
        """),
    .neverStarted: FindingPage(
      means: """
        A thread object was made and never started.
        """,
      remedy: """
        Call start(), or leave the thread out.
        """,
      trace: """
        trace "A thread that is never started"

        machine { platform: .ideal; cores: 1 }

        let worker = Thread(name: "worker") { mark("never") }

        main {
            record("finished", worker.isFinished)
        }

        expect {
            timeline == []
            findings == []
            values == ["finished": false]
        }
        """),
    .unbalancedGroup: FindingPage(
      means: """
        A group was entered more often than left: whoever waits for it waits for ever.
        """,
      remedy: """
        Leave on every way out: defer { group.leave() }, or hand the group to async.
        """,
      trace: """
        trace "A group that is left too seldom"

        machine { platform: .ideal; cores: 1 }

        let group = DispatchGroup()

        main {
            group.enter()
            group.enter()
            group.leave()
        }

        expect {
            findings == [.unbalancedGroup]
        }
        """),
    .unbalancedLeave: FindingPage(
      means: """
        A group was left more often than entered, which crashes.
        """,
      remedy: """
        Enter before the work is handed over, and leave once for each time.
        """,
      trace: """
        trace "A group that is left too often"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let group = DispatchGroup()
        let queue = DispatchQueue(label: "queue")

        main {
            group.enter()
            queue.async(name: "success") {
                work(10ms)
                group.leave()
            }
            queue.async(name: "failure") {
                work(10ms)
                group.leave()
            }
            group.notify(queue: .main) { mark("notified") }
        }

        expect {
            outcome == .crashed
            crash.message == "BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_group_leave()"
            findings == [.unbalancedLeave]
            timeline == [10ms: "notified"]
            makespan == 20ms
        }
        """),
    .syncOnOwnQueue: FindingPage(
      means: """
        sync was called on a queue by the item that the queue runs: libdispatch crashes there.
        """,
      remedy: """
        Call the function itself when you are on the queue already, or use async.
        """,
      trace: """
        trace "Sync on one's own queue"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = DispatchQueue(label: "settings")

        func save() {
            queue.sync { work(1ms) }
        }

        main {
            queue.async(name: "change") {
                work(1ms)
                save()
            }
        }

        expect {
            outcome == .crashed
            crash.message
                == "BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread"
            findings == [.syncOnOwnQueue]
            makespan == 1ms
        }
        """),
    .syncCycle: FindingPage(
      means: """
        Threads wait in sync for queues of each other, which the library never notices.
        """,
      remedy: """
        Let sync go one way between queues, and use async for the other.
        """,
      trace: """
        trace "Two queues that wait for each other"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let accounts = DispatchQueue(label: "accounts")
        let journal = DispatchQueue(label: "journal")

        main {
            accounts.async(name: "booking") {
                work(1ms)
                journal.sync { mark("never") }
            }
            journal.async(name: "report") {
                work(1ms)
                accounts.sync { mark("never") }
            }
        }

        expect {
            outcome == .deadlock
            findings == [.syncCycle]
            timeline == []
        }
        """),
    .poolExhaustion: FindingPage(
      means: """
        Every worker of the pool waits for work that needs a worker.
        """,
      remedy: """
        Don't wait in items for other items of the same pool; use notify, dependencies, or a \
        queue with a limit.
        """,
      trace: """
        trace "A pool that waits for its sixty-fifth worker"

        machine { platform: .iOS; cores: 12; costs: .zero }

        let gate = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "queue", attributes: .concurrent)

        main {
            for i in 0 ..< 64 {
                queue.async(name: "waiter \\(i)") { gate.wait() }
            }
            queue.async(name: "opener") {
                for _ in 0 ..< 64 {
                    gate.signal()
                }
            }
        }

        expect {
            outcome == .deadlock
            findings == [.poolExhaustion]
            threads.peak == 65
            running("waiter *").peak == 64
        }
        """),
  ]
}
