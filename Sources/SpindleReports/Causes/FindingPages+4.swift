import SpindleModel

extension FindingPage {
  /// The pages from ignoredByRunLoop to operationMisuse, in the order of the catalogue.
  static let pages4: [Finding.Kind: FindingPage] = [
    .ignoredByRunLoop: FindingPage(
      means: """
        A run loop was asked for something that the real one takes without a word, and does \
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
    .circularDependency: FindingPage(
      means: """
        Operations depend on each other in a cycle, so that none of them ever starts.
        """,
      remedy: """
        Take one dependency out, or join what belongs together.
        """,
      trace: """
        trace "A cycle of dependencies"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = OperationQueue()
        let egg = Operation(name: "egg") { work(1ms) }
        let hen = Operation(name: "hen") { work(1ms) }

        main {
            egg.addDependency(hen)
            hen.addDependency(egg)
            queue.addOperations([egg, hen], waitUntilFinished: false)
        }

        expect {
            findings == [.circularDependency]
            state(of: egg) == .enqueued
            state(of: hen) == .enqueued
        }
        """),
    .neverFinishes: FindingPage(
      means: """
        An operation that reports for itself never reported that it has finished.
        """,
      remedy: """
        Announce isExecuting and isFinished on every way out, also when it is cancelled.
        """,
      trace: """
        trace "An operation that never reports its end"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = OperationQueue(maxConcurrentOperationCount: 1)

        main {
            queue.addOperation(
                Operation(name: "request", isAsynchronous: true) {
                    willChangeValue(forKey: "isExecuting")
                    isExecuting = true
                    didChangeValue(forKey: "isExecuting")
                    io(10ms, queue: .global()) { mark("answer") }
                })
            queue.addOperation(name: "behind") { mark("never") }
        }

        expect {
            findings == [.neverFinishes]
            timeline == [10ms: "answer"]
        }
        """),
    .waitOnOwnQueue: FindingPage(
      means: """
        An operation waits for its own queue, whose places are taken by those who wait.
        """,
      remedy: """
        Use dependencies, or another queue; don't wait inside operations.
        """,
      trace: """
        trace "A wait for one's own queue"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = OperationQueue(maxConcurrentOperationCount: 1)
        let inner = Operation(name: "inner") { work(1ms) }

        main {
            queue.addOperation(name: "outer") {
                queue.addOperation(inner)
                inner.waitUntilFinished()
                mark("never")
            }
        }

        expect {
            outcome == .deadlock
            findings == [.waitOnOwnQueue]
            timeline == []
        }
        """),
    .neverAdded: FindingPage(
      means: """
        An operation was made, and neither added to a queue nor started.
        """,
      remedy: """
        Add it to a queue, or leave it out.
        """,
      trace: """
        trace "An operation that was never added"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let queue = OperationQueue()
        let login = Operation(name: "login") { io(10ms) }
        let fetch = Operation(name: "fetch") { mark("never") }

        main {
            fetch.addDependency(login)
            queue.addOperation(fetch)
        }

        expect {
            findings == [.neverAdded]
            timeline == []
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
    .neverReleased: FindingPage(
      means: """
        Instances hold each other, each by a property, an array or a closure, and nothing else \
        holds them: no deinit runs, and what they have stays for ever. A timer that fires again and \
        again may be one of them: the run loop keeps it, and only they could stop it.
        """,
      remedy: """
        Make one reference of the cycle weak or unowned, in a closure by [weak self], or set it \
        to nil when the work is done. A timer wants invalidate() before its owner is let go of: in \
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
    .readinessNotAnnounced: FindingPage(
      means: """
        A readiness of an operation's own turned true, and nobody was told.
        """,
      remedy: """
        Send willChangeValue and didChangeValue for isReady when it changes.
        """,
      trace: """
        trace "A readiness that is not announced"

        machine { platform: .iOS; cores: 2; costs: .zero }

        var networkIsUp = false

        let queue = OperationQueue()
        let upload = Operation(name: "upload") { mark("never") }

        main {
            upload.ready(when: { networkIsUp })
            queue.addOperation(upload)
            sleep(10ms)
            networkIsUp = true
        }

        expect {
            findings == [.readinessNotAnnounced]
            timeline == []
            state(of: upload) == .enqueued
        }
        """),
    .operationMisuse: FindingPage(
      means: """
        An operation was added or started when it could not be, or its queue given what it \
        can't take.
        """,
      remedy: """
        Add each operation once, start none that is in a queue, and give a queue a limit that \
        it takes.
        """,
      trace: """
        trace "An operation in two queues"

        machine { platform: .iOS; cores: 2; costs: .zero }

        let images = OperationQueue()
        let uploads = OperationQueue()
        let resize = Operation(name: "resize") { work(1ms) }

        main {
            images.addOperation(resize)
            uploads.addOperation(resize)
            mark("never")
        }

        expect {
            outcome == .crashed
            crash.message == "Fatal error: operations finished, executing or already in a queue cannot be enqueued"
            findings == [.operationMisuse]
            timeline == []
        }
        """),
  ]
}
