import SpindleModel

extension FindingPage {
  /// The pages from barrierOnGlobalQueue to spinningRunLoop, in the order of the catalogue.
  static let pages3: [Finding.Kind: FindingPage] = [
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
    .neverResumed: FindingPage(
      means: """
        A queue or source was suspended, inactive, or allowed to start nothing, and something \
        waited for it at the end.
        """,
      remedy: """
        Resume or activate it as often as it was suspended.
        """,
      trace: """
        trace "A source that nobody resumes"

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
    .semaphoreInversion: FindingPage(
      means: """
        An urgent thread waited for a signal of less urgent work: a semaphore has no owner to \
        lend priority to.
        """,
      remedy: """
        Wait with a lock or sync, which lend, or give both sides one quality of service.
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
            mark("main goes on")
        }

        expect {
            timeline == [110ms: "main goes on"]
            findings == [.semaphoreInversion]
        }
        """),
    .mainQueueNotDrained: FindingPage(
      means: """
        Items were handed to the main queue, and nobody drains it.
        """,
      remedy: """
        Run the main run loop, or call dispatchMain().
        """,
      trace: """
        trace "A main queue that nobody drains"

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
        A real-time thread was not done within its constraint after a wake.
        """,
      remedy: """
        Do less in a period, or tell the system a longer computation; wait for no lock of \
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
    .neverFires: FindingPage(
      means: """
        A timer, a message or something that a thread was asked for can never come: its run \
        loop does not run, or not in that mode; or nobody keeps the timer source.
        """,
      remedy: """
        Add it to a loop that runs, in a mode that it runs in, such as .common; keep a timer \
        source in a property.
        """,
      trace: """
        trace "A perform on a thread that runs no loop"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let worker = Thread(name: "worker") {
            io(500ms)
        }

        main {
            worker.start()
            perform(on: worker) { mark("never") }
        }

        expect {
            findings == [.neverFires]
            timeline == []
        }
        """),
    .signalledNotWoken: FindingPage(
      means: """
        A source was signalled, or a block handed over, and its sleeping loop was never woken.
        """,
      remedy: """
        Call CFRunLoopWakeUp, or RunLoop's perform, which wakes it.
        """,
      trace: """
        trace "Signalled, not woken"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let source = Source { mark("never") }

        let worker = Thread(name: "worker") {
            RunLoop.current.add(source, forMode: .default)
            CFRunLoopRun()
        }

        main {
            worker.start()
        }

        at(1s) {
            source.signal()
        }

        expect {
            findings == [.signalledNotWoken]
            timeline == []
        }
        """),
    .spinningRunLoop: FindingPage(
      means: """
        A thread runs its loop again and again, and each run returns at once, since nothing is \
        in the mode.
        """,
      remedy: """
        Add a source, port or timer before the loop runs, and stop when a run says that \
        nothing is there.
        """,
      trace: """
        trace "A loop around an empty run loop"

        machine { platform: .iOS; cores: 2; costs: .zero }

        var done = false

        let worker = Thread(name: "worker") {
            while !done {
                _ = RunLoop.current.run(mode: .default, before: .distantFuture)
                work(100us)
            }
            mark("worker ends")
        }

        main {
            worker.start()
        }

        at(19.95ms) {
            done = true
        }

        expect {
            findings == [.spinningRunLoop]
            timeline == [20ms: "worker ends"]
            cpu(of: worker) == 20ms
        }
        """),
  ]
}
