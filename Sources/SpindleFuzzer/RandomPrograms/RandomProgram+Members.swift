/// Statements of random programs that call what is seldom called; the signs are those of the plain ones.
extension RandomProgram {
  /// On any thread.
  static let members = [
    """
    print("a", terminator: "")
    print(["b", "a"].sorted())
    """,
    """
    let #n = DispatchSemaphore(value: 0)
    #n.signal()
    weak var #nw = #n
    print(#nw == nil)
    #n.wait()
    #n.release()
    """,
    "print(Thread.current.name, Thread.current.stackSize, Thread.current.threadPriority, Thread.isMainThread)",
    "print(Thread.current.qualityOfService, Thread.current.isExecuting, Thread.current.isCancelled)",
    """
    let #n = NSConditionLock(condition: 1)
    #n.lock(whenCondition: 1)
    #n.unlock(withCondition: 2)
    if #n.tryLock(whenCondition: 2) { #n.unlock() }
    """,
    """
    if table.tryWriteLock() {
        work(20us)
        table.unlock()
    }
    """,
    """
    begin()
    DispatchQueue.global().async { end() }
    print(q0.label, q0.qos)
    """,
    """
    begin()
    let #n = DispatchWorkItem { @Sendable in end() }
    q1.asyncAfter(deadline: .now() + 50us, execute: #n)
    """,
    """
    let #n = DispatchQueue(label: "#n", attributes: .initiallyInactive)
    #n.setTarget(queue: leaf)
    #n.setSpecific(key: "k", value: 7)
    begin()
    #n.async {
        precondition(DispatchQueue.getSpecific(key: "k") == 7, "a queue's value")
        precondition(#n.getSpecific(key: "k") == 7, "its own value")
        end()
    }
    #n.activate()
    """,
    """
    begin()
    let #n = DispatchQueue(label: "#n")
    #n.finalizer { end() }
    #n.async { dispatchPrecondition(condition: .onQueue(#n)); dispatchPrecondition(condition: .notOnQueue(leaf)) }
    #n.release()
    """,
    """
    let #n = DispatchWorkItem { @Sendable in fatalError("cancelled") }
    #n.cancel()
    precondition(#n.isCancelled, "cancelled")
    #n.perform()
    """,
    """
    begin()
    let #nb = DispatchWorkItem { @Sendable in end() }
    let #na = DispatchWorkItem { @Sendable in work(10us) }
    #na.notify(queue: leaf, execute: #nb)
    q0.async(execute: #na)
    """,
    """
    begin()
    let #ng = DispatchGroup()
    let #ni = DispatchWorkItem { @Sendable in end() }
    leaf.async(group: #ng) { work(10us) }
    #ng.notify(queue: q1, work: #ni)
    """,
    """
    begin()
    tasks.async(name: "#n") { work(20us); end() }
    """,
    "precondition(Config.shared.number == 5 && Config.limit == 3, \"static values\")",
    """
    begin()
    let #n = DispatchSource.makeMachReceiveSource(queue: leaf)
    #n.setEventHandler { @Sendable in
        precondition(#n.data == 3, "a message")
        #n.cancel()
    }
    #n.setCancelHandler { @Sendable in precondition(#n.isCancelled, "cancelled"); end() }
    #n.activate()
    #n.suspend()
    #n.send(3)
    #n.resume()
    """,
    """
    begin()
    let #n = DispatchSource.makeSignalSource(signal: .SIGUSR1, queue: q0)
    #n.setEventHandler { @Sendable in #n.cancel() }
    #n.setCancelHandler { @Sendable in end() }
    #n.resume()
    raise(.SIGUSR1)
    """,
    """
    let #n = DispatchSource.makeUserDataOrSource(queue: leaf)
    #n.setEventHandler { @Sendable in precondition(#n.data > 0, "bits") }
    #n.resume()
    #n.or(data: 4)
    """,
    """
    let #n = DispatchSource.makeUserDataReplaceSource(queue: leaf)
    #n.setEventHandler { @Sendable in precondition(#n.data > 0, "a value") }
    #n.resume()
    #n.replace(data: 4)
    """,
    """
    begin()
    let #n = Operation(name: "#n") { print(isCancelled, isExecuting); end() }
    #n.queuePriority = .high
    #n.qualityOfService = .utility
    #n.threadPriority = 0.4
    #n.name = "named"
    print(#n.name, #n.queuePriority, #n.threadPriority, #n.qualityOfService, #n.isAsynchronous, #n.isReady)
    operations.addOperation(#n)
    print(#n.isFinished, #n.isExecuting, #n.isCancelled)
    """,
    """
    begin()
    let #na = Operation { work(10us) }
    let #nb = Operation { end() }
    #nb.addDependency(#na)
    precondition(#nb.dependencies.count == 1, "dependencies")
    #nb.removeDependency(#na)
    operations.addOperation(#nb)
    #na.start()
    precondition(#na.isFinished, "started by hand")
    """,
    """
    let #n = Operation { fatalError("cancelled") }
    #n.cancel()
    #n.completionBlock = { count(1) }
    operations.addOperation(#n)
    """,
    """
    begin()
    let #n = Operation(isAsynchronous: true) {
        willChangeValue(forKey: "isExecuting")
        isExecuting = true
        didChangeValue(forKey: "isExecuting")
        work(20us)
        willChangeValue(forKey: "isFinished")
        isFinished = true
        didChangeValue(forKey: "isFinished")
        end()
    }
    operations.addOperation(#n)
    """,
    """
    begin()
    let #n = Operation { end() }
    #n.ready(when: { true })
    operations.addOperation(#n)
    """,
    """
    begin()
    let #n = OperationQueue(name: "#n", maxConcurrentOperationCount: 1)
    #n.isSuspended = true
    #n.addOperation { end() }
    #n.maxConcurrentOperationCount = 2
    #n.qualityOfService = .utility
    #n.name = "renamed"
    print(#n.operationCount, #n.operations.count, #n.maxConcurrentOperationCount, #n.isSuspended, #n.name, #n.qualityOfService)
    #n.isSuspended = false
    """,
    """
    begin()
    let #n = OperationQueue()
    #n.underlyingQueue = q1
    print(#n.underlyingQueue === q1)
    #n.async(name: "#n") { end() }
    """,
    """
    begin()
    OperationQueue.main.addOperation { precondition(OperationQueue.current === OperationQueue.main, "the main queue"); end() }
    """,
    """
    let #n = OperationQueue()
    #n.isSuspended = true
    #n.addOperation { fatalError("cancelled") }
    #n.cancelAllOperations()
    #n.isSuspended = false
    """,
  ]

  /// On threads that may wait for a worker.
  static let membersOfThreads = [
    "sleep(until: now + 50us)",
    """
    let #n = Thread(name: "#n") { work(60us); if !Thread.current.isCancelled { work(40us) } }
    #n.name = "renamed"
    #n.stackSize = 64KB
    #n.qualityOfService = .utility
    #n.start()
    #n.cancel()
    _ = #n.join(timeout: .now() + 1s)
    print(#n.isFinished)
    """,
    """
    begin()
    Thread.detachNewThread(name: "#n") {
        Thread.current.realtime(period: 10ms, computation: 100us, constraint: 5ms)
        work(90us)
        end()
        Thread.exit()
    }
    """,
    """
    begin()
    let #n = Thread(name: "#n", period: 1ms, computation: 60us, deadline: 1ms, jobs: 2, joinable: true) { job in work(50us) }
    #n.start()
    #n.join()
    end()
    """,
    """
    begin()
    let #n = Thread(name: "#n", separation: 1ms, computation: 60us, deadline: 5ms) { job in work(50us); end() }
    #n.start()
    #n.releaseJob()
    sleep(100us)
    #n.cancel()
    """,
    """
    begin()
    Thread.detachNewThread(name: "#n") {
        Thread.current.niceValue = 5
        precondition(Thread.current.niceValue == 5, "nice")
        Thread.current.setScheduling(.fifo, priority: 3)
        work(40us)
        Thread.current.setScheduling(.other)
        end()
    }
    """,
    "print(Thread.current.threadDictionary[\"k\"] ?? -1)",
    """
    condition.lock()
    while !opened { condition.wait() }
    condition.unlock()
    """,
    """
    let #n = DispatchGroup()
    leaf.async(group: #n) { work(10us) }
    #n.wait()
    """,
    """
    let #n = DispatchWorkItem { @Sendable in count(2) }
    leaf.sync(execute: #n)
    """,
    """
    let #n = Operation { work(20us) }
    operations.addOperation(#n)
    #n.waitUntilFinished()
    """,
    """
    let #n = OperationQueue()
    #n.addOperation { work(20us) }
    #n.waitUntilAllOperationsAreFinished()
    """,
    """
    let #n = RunLoop.current.observe(.allActivities, repeats: false) { activity in work(1us) }
    let #nt = Timer(timeInterval: 50us, repeats: false) { timer in work(1us) }
    RunLoop.current.add(#nt, forMode: .default)
    print(RunLoop.current.limitDate(forMode: .default) == nil, RunLoop.current.currentMode == nil)
    RunLoop.current.run(mode: .default, before: .now() + 200us)
    print(#n.isValid)
    #n.invalidate()
    #nt.invalidate()
    """,
    """
    let #n = Source { work(2us) }
    RunLoop.current.add(#n, forMode: .default)
    #n.signal()
    CFRunLoopRunInMode(.default, 100us, true)
    precondition(#n.isValid, "valid")
    RunLoop.current.remove(#n, forMode: .default)
    #n.invalidate()
    """,
    """
    let #n = Port { message in work(2us) }
    RunLoop.current.add(#n, forMode: .default)
    #n.send("hello")
    RunLoop.current.run(mode: .default, before: .now() + 100us)
    print(#n.isValid)
    #n.invalidate()
    """,
    """
    let #n = Timer(timeInterval: 1h, repeats: true, tolerance: 1ms) { timer in count(3) }
    RunLoop.current.add(#n, forMode: .default)
    #n.fire()
    #n.fireDate = .now() + 2h
    #n.tolerance = 2ms
    print(#n.isValid, #n.timeInterval, #n.tolerance, #n.fireDate > now)
    #n.invalidate()
    """,
    """
    perform(afterDelay: 1h) { work(1us) }
    cancelPreviousPerforms()
    """,
    """
    CFRunLoopAddCommonMode(RunLoop.current, RunLoop.Mode("own"))
    let #n = Timer(timeInterval: 30us, repeats: false) { timer in CFRunLoopStop(RunLoop.current) }
    RunLoop.current.add(#n, forMode: .default)
    CFRunLoopRunInMode(.default, 1ms, false)
    #n.invalidate()
    """,
    """
    begin()
    io(50us, runLoop: RunLoop.main) { end() }
    """,
    "print(Thread.current.runLoop === RunLoop.current)",
  ]

  /// On the main thread.
  static let membersOfMain = [
    "RunLoop.main.track(for: 50us)",
    "machine.sleep(for: 300us)",
    """
    let #n = app.beginBackgroundTask { count(4) }
    work(20us)
    app.endBackgroundTask(#n)
    """,
  ]
}
