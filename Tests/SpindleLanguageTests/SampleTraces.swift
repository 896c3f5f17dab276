/// Whole traces for tests that need something to read.
enum SampleTraces {
  static let all = [
    timer, lock, queue, modules, downloads, everything,
  ]

  static let timer = #"""
    // Claim A12. A thread runs its loop in the default mode until the distant future. Its repeating timer
    // fires every 2 s, and the run does not return for that. A performed selector does end it, with true.
    trace "A timer does not end a run" { until: 12s }

    machine { platform: .iOS; cores: 2; costs: .zero }

    let worker = Thread(name: "worker") {
        let timer = Timer(timeInterval: 2s, repeats: true) { mark("do timer task") }
        RunLoop.current.add(timer, forMode: .default)
        while !isCancelled {
            mark("do other task")
            let handled = RunLoop.current.run(mode: .default, before: .distantFuture)
            mark("after run loop: \(handled)")
        }
        timer.invalidate()
        mark("finishing thread")
    }

    main {
        worker.start()
    }

    at(7s) {
        perform(on: worker) { mark("performed") }
    }

    at(9s) {
        perform(on: worker) { worker.cancel() }
    }

    expect {
        timeline == [
            0s: "do other task",
            2s: "do timer task", 4s: "do timer task", 6s: "do timer task",      // the run goes on
            7s: "performed", 7s: "after run loop: true", 7s: "do other task",
            8s: "do timer task",
            9s: "after run loop: true", 9s: "finishing thread",
        ]
        cpu(of: worker) == 0s                                                   // it slept, it did not spin
    }

    """#

  static let lock = #"""
    // Claim B9. The note's own `start` locks, and returns without unlocking when it finds itself cancelled.
    // The next to take the lock waits for ever, and the run says for whom.
    trace "An early return keeps the lock"

    let lock = NSLock()
    let queue = OperationQueue(maxConcurrentOperationCount: 1)

    let first = Operation(name: "first", isAsynchronous: true) {
        lock.lock()
        if isCancelled {
            willChangeValue(forKey: "isFinished")
            isFinished = true
            didChangeValue(forKey: "isFinished")
            return                   // the lock is still held
        }
        lock.unlock()
        finish()
    }

    let second = Operation(name: "second") {
        lock.withLock { work(1ms) }
    }

    main {
        queue.isSuspended = true
        queue.addOperation(first)
        queue.addOperation(second)
        first.cancel()
        queue.isSuspended = false
    }

    expect {
        outcome == .deadlock
        findings == [.lockHeldByEndedWork, .deadlock]
    }

    """#

  static let queue = #"""
    // Claim C6. Asynchronous work to one's own serial queue is fine; synchronous work never returns.
    trace "Sync on one's own serial queue"

    let queue = DispatchQueue(label: "com.example.serial")

    main {
        queue.async {
            queue.async { print("fine") }
            queue.sync { print("never") }
        }
    }

    expect {
        outcome == .crashed          // the real library sees this one: the caller owns the queue
        findings == [.syncOnOwnQueue]
        output == []
    }

    """#

  static let modules = #"""
    // Claim E1. Each module of an app makes threads of its own: A 8, B 6, and so on. Nobody owns the sum.
    // The same work through one pool keeps the threads few:
    //   spindle compare E1-modules.trace --replace 'background=ThreadPerTask, ThreadPool(width: 4)' --set modules=1,4,16
    trace "Modules that each make threads" { seed: 7 }

    param modules = 6
    param tasks = 8

    machine { platform: .iOS; cores: 4; memory: 1GB; costs: .apple }

    let background = ThreadPerTask(stackSize: 512KB)
    let done = DispatchGroup()

    main {
        for module in 0 ..< modules {
            for task in 0 ..< tasks {
                background.async(name: "m\(module)-\(task)", group: done) {
                    io(uniform(20ms, 120ms))
                    work(exponential(4ms))
                }
            }
        }
        _ = done.wait(timeout: .distantFuture)
        print("all done")
    }

    expect {
        output == ["all done"]
        threads.peak == modules * tasks + 1
        count(of: "m*-*") == modules * tasks
    }

    """#

  static let downloads = #"""
    // Claim E8. At most three downloads at once, six in all. The fourth reuses the first thread to fall
    // idle, the fifth the second. The sixth runs on a fourth, new thread: the third one has reported
    // isFinished, so its slot in the queue is free, but it is still tearing its operation down.
    trace "The sixth download gets a new thread" { seed: 1 }

    machine { platform: .iOS; cores: 4; costs: .apple }

    let queue = OperationQueue(maxConcurrentOperationCount: 3)
    threadNames("1403", "3307", "3603", "3d07")     // the pool's threads, in order of creation

    func download(_ name: String, _ time: Duration, teardown: Duration = 1us) {
        queue.addOperation(name: name) {
            io(time)
            work(2ms)
        } teardown: {
            work(teardown)
        }
    }

    main {
        download("0", 40ms)                     // a small picture: done first
        download("1", 60ms)
        download("2", 80ms, teardown: 30ms)     // its clean-up outlasts the queue's next start
        download("3", 200ms)
        download("4", 200ms)
        download("5", 200ms)
    }

    expect {
        thread("3") == "1403"
        thread("4") == "3307"
        thread("5") == "3d07"
        threads.created(by: queue) == 4
        running("*").peak == 3
    }

    """#

  static let everything = #"""
    trace "Everything" {
        seed: 1
        until: 60s
    }

    param images = 6
    param pool = "warm" in ["warm", "cold"]

    machine {
        cores: [.performance(2), .efficiency(4, speed: 0.4)]
        policy: .timeshare(quantum: 10ms)
    }

    let forks = [NSLock](count: 5)
    var total = 0

    func download(_ time: Duration, to target: Int = 3, done: () -> Void) -> Int? {
        guard time > 0s else { return nil }
        io(time)
        done()
        return target % 2 == 0 ? target : -target
    }

    main(.tool) {
        for i in 0 ..< images {
            let image = Thread(name: "image\(i) of \(images - 1)") { forks[i % 5].withLock { work(1.5ms) } }
            image.start()
        }
        repeat {
            total += 1; yield()
        } while total < 10 && !isCancelled || false
        do {
            throw "x"
        } catch {
            print("\(error)\n")
        }
        /* a comment
           over lines */
        var rest = (total + 2) * 3
            - 4
        if rest == 0 { rest = 1 } else if rest > 5 { /* inside */ } else { return }
        while true { break }
        _ = download(5ms, done: { mark("x") })
    }

    every(exponential(10ms), count: 3) { i in
        // only a comment
    }

    expect {
        outcome == .finished
        makespan == 400ms ± 2%
        timeline(within: 50ms) == [0s: "a", 500ms ... 1.3s: any("b", "c")]    // both
        values == [:]
    }

    """#
}
