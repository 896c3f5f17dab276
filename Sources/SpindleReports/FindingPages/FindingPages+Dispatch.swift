import SpindleModel

extension FindingPage {
  /// Dispatch queues, groups and sources.
  static let dispatchPages: [Finding.Kind: FindingPage] = [
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
    .poolAtRest: FindingPage(
      means: """
        On Linux all workers of a global queue were blocked with items queued: nothing happened \
        until libdispatch's monitor, which looks once a second, added a worker.
        """,
      remedy: """
        Don't wait in items for other items of the same pool: use a completion handler, notify or \
        a barrier by sync, which its caller runs.
        """,
      trace: """
        trace "Callers that wait for another worker"

        machine { platform: .linux; cores: 2; costs: .zero }

        let table = DispatchQueue(label: "table", attributes: .concurrent)

        main {
            for i in 0 ..< 5 {
                DispatchQueue.global().async(name: "caller \\(i)") {
                    table.async(flags: .barrier) { mark("written") }
                    table.sync { mark("read") }
                }
            }
        }

        expect {
            findings == [.poolAtRest]
            makespan == 4s
        }
        """),
    .barrierOnGlobalQueue: FindingPage(
      means: """
        A barrier was asked for on a global queue, where it means nothing.
        """,
      remedy: """
        Make a concurrent queue of your own: barriers hold there.
        """,
      trace: """
        trace "A barrier on a global queue"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = DispatchQueue.global()

        main {
            for i in 0 ..< 2 {
                queue.async(name: "writer \\(i)", flags: .barrier) { work(10ms) }
            }
        }

        expect {
            running("writer *").peak == 2
            makespan == 10ms
            findings == [.barrierOnGlobalQueue]
        }
        """),
    .mainQueueNotDrained: FindingPage(
      means: """
        Items were submitted to the main queue, which is never drained.
        """,
      remedy: """
        Run the main run loop, or call dispatchMain().
        """,
      trace: """
        trace "A main queue that is never drained"

        machine { platform: .macOS; cores: 2; costs: .zero }

        main(.tool) {
            DispatchQueue.global().async(name: "load") {
                work(10ms)
                DispatchQueue.main.async { mark("never") }
            }
            sleep(100ms)
            mark("end")
        }

        expect {
            timeline == [100ms: "end"]
            findings == [.mainQueueNotDrained]
        }
        """),
    .neverResumed: FindingPage(
      means: """
        A queue or source was suspended, inactive, or allowed to start nothing, and something \
        waited for it at the end.
        """,
      remedy: """
        Resume or activate it as often as it was suspended.
        """,
      trace: """
        trace "A source that is never resumed"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = DispatchQueue(label: "queue")
        let source = DispatchSource.makeUserDataAddSource(queue: queue)

        main {
            source.setEventHandler { mark("never") }
            source.add(data: 1)
        }

        expect {
            findings == [.neverResumed]
            timeline == []
        }
        """),
    .overResume: FindingPage(
      means: """
        A queue or source was resumed more often than suspended, which crashes.
        """,
      remedy: """
        Keep suspend and resume in pairs, in one place.
        """,
      trace: """
        trace "A source that is resumed too often"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let timer = DispatchSource.makeTimerSource(queue: .main)

        func pause() {
            timer.suspend()
        }

        func play() {
            timer.resume()
        }

        main {
            timer.schedule(deadline: .now() + 100ms, repeating: 100ms)
            timer.setEventHandler { mark("tick") }
            play()
            pause()
            play()
            mark("playing")
            play()
            mark("never")
        }

        expect {
            outcome == .crashed
            crash.message == "BUG IN CLIENT OF LIBDISPATCH: Over-resume of an object"
            findings == [.overResume]
            timeline == [0s: "playing"]
        }
        """),
    .unbalancedGroup: FindingPage(
      means: """
        A group was entered more often than left: its waiters wait forever.
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
        Enter before the work is submitted, and leave once for each time.
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
  ]
}
