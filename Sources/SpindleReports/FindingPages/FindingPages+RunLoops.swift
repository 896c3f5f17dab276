import SpindleModel

extension FindingPage {
  /// Run loops and what is added to them.
  static let runLoopPages: [Finding.Kind: FindingPage] = [
    .neverFires: FindingPage(
      means: """
        A timer, a message or a request to a thread can never arrive: its run loop does not run, or \
        not in that mode; or the timer source has no reference.
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
        A source was signalled, or a block added, and its sleeping loop was never woken.
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
        A thread runs its loop repeatedly, and each run returns at once, since the mode is empty.
        """,
      remedy: """
        Add a source, port or timer before the loop runs, and stop when a run reports an \
        empty mode.
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
    .ignoredByRunLoop: FindingPage(
      means: """
        A run loop was asked for something that the real one silently accepts, and does \
        not do.
        """,
      remedy: """
        See what the explanation names: the thing belongs to another loop or mode, or is over.
        """,
      trace: """
        trace "Running another thread's loop"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let worker = Thread(name: "worker") {
            Timer.scheduledTimer(withTimeInterval: 100ms, repeats: false) { timer in mark("fired") }
            sleep(200ms)
            RunLoop.current.run()
        }

        main {
            worker.start()
            sleep(10ms)
            record("ran", worker.runLoop.run(mode: .default, before: .now() + 1s))
            mark("returned")
        }

        expect {
            findings == [.ignoredByRunLoop]
            values == ["ran": false]
            timeline == [10ms: "returned", 200ms: "fired"]
        }
        """),
  ]
}
