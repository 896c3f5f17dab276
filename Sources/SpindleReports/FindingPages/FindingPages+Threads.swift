import SpindleModel

extension FindingPage {
  /// Threads, memory and the machine.
  static let threadPages: [Finding.Kind: FindingPage] = [
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
    .overload: FindingPage(
      means: """
        More work arrived from outside than was served: what waits grows as long as that lasts, and with it every \
        latency. A percentile of such a run says how long the run was, and not how good the design is.
        """,
      remedy: """
        Serve more (more threads for work that waits, more cores for work that computes, less work for each), let \
        less arrive, or refuse what can't be served in time. 'spindle sweep' finds the rate from which on it happens.
        """,
      trace: """
        trace "400 arrive in a second, and 250 are served"

        machine { platform: .ideal; cores: 1; costs: .zero }

        let pool = ThreadPool(width: 1)

        main { }

        arrivals(every: 2500us, count: 200) { i in
            pool.async(name: "request") { work(4ms) }
        }

        expect {
            findings == [.overload]
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
        A thread was running, runnable or blocked when the process ended, and was killed. Idle \
        workers do not count.
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
        Virtual time did not advance until the step limit, while instructions repeated: a loop that neither works nor waits and has no end, or one of far too many turns, \
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
    .neverReleased: FindingPage(
      means: """
        Instances retain each other, each by a property, an array or a closure, and nothing else \
        retains them: no deinit runs, and what they retain leaks. A repeating timer may be one of \
        them: the run loop retains it, and only they could stop it.
        """,
      remedy: """
        Make one reference of the cycle weak or unowned, in a closure by [weak self], or set it \
        to nil when the work is done. A timer needs invalidate() before its owner is released: in \
        the deinit that is too late, since it never runs.
        """,
      trace: """
        trace "A screen whose closure holds it"

        machine { platform: .iOS; cores: 2; costs: .zero }

        final class Screen {
            var onDone: (() -> Void)?
            func show() { onDone = { self.close() } }
            func close() { mark("closed") }
            deinit { mark("gone") }
        }

        main {
            let screen = Screen()
            screen.show()
            screen.onDone?()
        }

        expect {
            findings == [.neverReleased]
            timeline == [0s: "closed"]
        }
        """),
    .realtimeRefused: FindingPage(
      means: """
        A thread asked to be real-time in a way that the system refuses.
        """,
      remedy: """
        Keep computation within constraint and constraint within period, as the limits of the \
        system say.
        """,
      trace: """
        trace "A real-time thread that is refused"

        param computation = 51ms

        machine { platform: .iOS; cores: 1; costs: .zero }

        let other = Thread(name: "other") { work(5ms) }
        let audio = Thread(name: "audio") {
            Thread.current.realtime(period: 100ms, computation: computation, constraint: 100ms)
            sleep(1ms)
            work(1ms)
        }

        main {
            audio.start()
            other.start()
        }

        expect {
            findings == [.realtimeRefused]
            ended("audio") == 6ms
        }
        """),
    .deadlineMissed: FindingPage(
      means: """
        A real-time thread exceeded its constraint after a wake-up.
        """,
      remedy: """
        Do less in a period, or declare a longer computation; wait for no lock of \
        ordinary threads.
        """,
      trace: """
        trace "A deadline that is missed"

        param length = 6ms

        machine { platform: .iOS; cores: 1; costs: .zero }

        let audio = Thread(name: "audio") {
            Thread.current.realtime(period: 10ms, computation: 2ms, constraint: 5ms)
            sleep(10ms)
            work(length)
        }

        main {
            audio.start()
        }

        expect {
            findings == [.deadlineMissed]
        }
        """),
  ]
}
