import SpindleModel

extension FindingPage {
  /// Operations and their queues.
  static let operationPages: [Finding.Kind: FindingPage] = [
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
        An asynchronous operation never announced that it has finished. Setting its state \
        is not enough: its queue learns of the end by the announcement only.
        """,
      remedy: """
        Announce isExecuting and isFinished on every way out, also when it is cancelled: \
        'willChangeValue(forKey:)' before the change, 'didChangeValue(forKey:)' behind it.
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
    .readinessNotAnnounced: FindingPage(
      means: """
        An operation's own readiness became true without an announcement.
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
