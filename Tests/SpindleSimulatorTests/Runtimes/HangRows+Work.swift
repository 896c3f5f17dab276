import SpindleModel

/// Waits for work: for items, operations, threads and queues.
extension HangChainTests {
  static let hangsOfWork: [Hang] = [
    Hang(
      name: "item-in-suspended",
      trace: """
        let q = DispatchQueue(label: "q")
        let item = DispatchWorkItem(name: "item") { }
        main { q.suspend(); q.async(execute: item); item.wait() }
        """,
      explanation: """
        'main' waits for work item 'item', which has not run: 'item', which waits in queue \
        'q', which is suspended: no remaining event can wake it
        """),
    Hang(
      name: "item-never-submitted",
      trace: """
        let item = DispatchWorkItem(name: "item") { }
        main { item.wait() }
        """,
      explanation: """
        'main' waits for work item 'item', which has not run, and no remaining code submits \
        it: no remaining event can wake it
        """),
    Hang(
      name: "item-submitted-by-blocked",
      trace: """
        let q = DispatchQueue(label: "q")
        let item = DispatchWorkItem(name: "item") { }
        main {
            DispatchQueue.main.async(name: "submitter") { q.async(execute: item) }
            item.wait()
        }
        """,
      explanation: """
        'main' waits for work item 'item', which has not run, and would be submitted by \
        'submitter', which waits in queue 'com.apple.main-thread', which 'main' occupies: no \
        remaining event can wake it; meanwhile the main thread can't run the item that waits \
        in the main queue
        """),
    Hang(
      name: "join-not-started",
      trace: """
        let t = Thread(name: "worker") { }
        main(.tool) { t.join() }
        """,
      explanation: """
        'main' waits for the end of thread 'worker', which was never started, and no \
        remaining code starts it: no remaining event can wake it
        """),
    Hang(
      name: "join-of-waiting",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let t = Thread(name: "worker") { s.wait() }
        main(.tool) { t.start(); t.join(); s.signal() }
        """,
      explanation: """
        'worker' waits for a signal of semaphore 's' by 'main', which joins 'worker'; 'main' \
        waits for the end of thread 'worker': no remaining event can wake them
        """),
    Hang(
      name: "operation-that-reports-for-itself",
      trace: """
        final class Upload: Operation {
            override var isAsynchronous: Bool { true }
            override func start() { tickets.async(name: "done") { self.finish() } }
        }
        let tickets = DispatchQueue(label: "tickets")
        let uploads = OperationQueue()
        main(.tool) {
            let upload = Upload()
            tickets.suspend()
            uploads.addOperation(upload)
            upload.waitUntilFinished()
        }
        """,
      explanation: """
        'main' waits until operation 'Upload' is finished, which never reported that it is, \
        and would be reported by 'done', which waits in queue 'tickets', which is suspended: \
        no remaining event can wake it
        """),
    Hang(
      name: "operation-wait-dependency-not-added",
      trace: """
        let queue = OperationQueue()
        main(.tool) {
            let first = BlockOperation(name: "first") { }
            let second = BlockOperation(name: "second") { }
            second.addDependency(first)
            queue.addOperation(second)
            second.waitUntilFinished()
        }
        """,
      explanation: """
        'main' waits until operation 'second' is finished, which waits for 'first', which is \
        in no queue and was not started: no remaining event can wake it
        """),
    Hang(
      name: "operations-suspended",
      trace: """
        let queue = OperationQueue()
        main(.tool) {
            queue.isSuspended = true
            queue.addOperation(name: "one") { }
            queue.waitUntilAllOperationsAreFinished()
        }
        """,
      explanation: """
        'main' waits until operation 'one' of 'queue' is finished, which is in 'queue', \
        which is suspended: no remaining event can wake it
        """),
    Hang(
      name: "perform-on-blocked-main",
      trace: """
        let s = DispatchSemaphore(value: 0)
        main {
            Thread.detachNewThread(name: "asker") {
                perform(on: Thread.main, waitUntilDone: true) { }
                s.signal()
            }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'asker', which waits for a perform of \
        'main'; 'asker' waits until 'main' has performed its request in the common modes: no \
        remaining event can wake them
        """),
    Hang(
      name: "run-loop-never-runs",
      trace: """
        let s = DispatchSemaphore(value: 0)
        let worker = Thread(name: "worker") { s.wait() }
        main {
            worker.start()
            perform(on: worker) { s.signal() }
        }
        """,
      explanation: """
        'worker' waits for a signal of semaphore 's' by a block in the run loop of 'worker', \
        which waits for semaphore 's': no remaining event can wake it
        """),
    Hang(
      name: "sync-inactive-behind",
      trace: """
        let q = DispatchQueue(label: "q", attributes: .initiallyInactive)
        main {
            DispatchQueue.main.async(name: "activator") { q.activate() }
            q.sync { }
        }
        """,
      explanation: """
        'main' waits in sync for queue 'q', which was never activated, and would be \
        activated by 'activator', which waits in queue 'com.apple.main-thread', which 'main' \
        occupies: no remaining event can wake it; meanwhile the main thread can't run the \
        item that waits in the main queue
        """),
    Hang(
      name: "sync-occupied",
      trace: """
        let q = DispatchQueue(label: "q")
        let s = DispatchSemaphore(value: 0)
        main {
            q.async(name: "owner") { s.wait() }
            sleep(1ms)
            q.sync { }
            s.signal()
        }
        """,
      explanation: """
        'main' waits in sync for queue 'q', which 'worker-1' in 'owner' runs; 'worker-1' in \
        'owner' waits for a signal of semaphore 's' by 'main', which waits in sync for queue \
        'q': no remaining event can wake them
        """),
    Hang(
      name: "sync-suspended-nobody",
      trace: """
        let q = DispatchQueue(label: "q")
        main { q.suspend(); q.sync { } }
        """,
      explanation: """
        'main' waits in sync for queue 'q', which is suspended, and no remaining code \
        resumes it: no remaining event can wake it
        """),
    Hang(
      name: "sync-suspended-resume-itself",
      trace: """
        let q = DispatchQueue(label: "q")
        main { q.suspend(); q.sync { }; q.resume() }
        """,
      explanation: """
        'main' waits in sync for queue 'q', which is suspended, and only the waiting code \
        itself resumes it, after this wait: no remaining event can wake it
        """),
  ]
}
