/// Statements of random programs that hand something over, or wait in tasks; the signs are those of the plain ones.
extension RandomProgram {
  /// Work that somebody else does.
  static let handovers = [
    """
    begin()
    q0.async {
        #I
        end()
    }
    """,
    """
    begin()
    q1.async(qos: .utility) {
        #I
        end()
    }
    """,
    """
    begin()
    concurrent.async {
        #I
        end()
    }
    """,
    """
    begin()
    concurrent.async(flags: .barrier) {
        #I
        end()
    }
    """,
    """
    begin()
    DispatchQueue.main.async {
        #I
        end()
    }
    """,
    """
    begin()
    q0.asyncAfter(deadline: .now() + #t) {
        #I
        end()
    }
    """,
    """
    begin()
    pool.async(name: "#n") {
        #I
        end()
    }
    """,
    """
    begin()
    stealing.async(name: "#n") {
        #I
        end()
    }
    """,
    """
    begin()
    cached.async(name: "#n") {
        #I
        end()
    }
    """,
    """
    begin()
    each.async(name: "#n") {
        #I
        end()
    }
    """,
    """
    begin()
    Thread.detachNewThread(name: "#n") {
        #T
        end()
    }
    """,
    """
    begin()
    operations.addBarrierBlock {
        #I
        end()
    }
    """,
    """
    begin()
    Task {
        #A
        end()
    }
    """,
    """
    begin()
    Task.detached {
        #A
        end()
    }
    """,
    """
    begin()
    Task(priority: .high) {
        #A
        end()
    }
    """,
    """
    begin()
    Task(priority: .background) {
        #A
        end()
    }
    """,
    """
    begin()
    let #na = Operation(queuePriority: .low) { count(#k) }
    let #nb = BlockOperation { work(#t) }
    #nb.addExecutionBlock { count(#k) }
    #nb.addDependency(#na)
    #nb.completionBlock = { end() }
    operations.addOperation(#nb)
    let #nq = OperationQueue(name: "#nq")
    #nq.addOperation(#na)
    """,
    """
    begin()
    let #n = DispatchWorkItem { @Sendable in
        #I
    }
    #n.notify(queue: leaf) { @Sendable in end() }
    q1.async(execute: #n)
    """,
    """
    begin()
    let #n = DispatchGroup()
    leaf.async(group: #n) { work(#t) }
    concurrent.async(group: #n) { count(#k) }
    #n.notify(queue: q0) { @Sendable in end() }
    """,
  ]

  /// Handlers of run loops, of sources and of operations.
  static let handlers = [
    """
    begin()
    RunLoop.main.add(Timer(timeInterval: #t, repeats: false) { timer in end() }, forMode: .common)
    """,
    """
    begin()
    RunLoop.main.perform { end() }
    CFRunLoopWakeUp(RunLoop.main)
    """,
    """
    begin()
    perform(on: Thread.main) { end() }
    """,
    """
    begin()
    performInBackground { work(#t); end() }
    """,
    """
    begin()
    io(#t, queue: q1) { end() }
    """,
    """
    begin()
    Thread.detachNewThread(name: "#n") {
        Timer.scheduledTimer(withTimeInterval: #t, repeats: true) { timer in
            count(#k)
            timer.invalidate()
        }
        CFRunLoopRun()
        end()
    }
    """,
    """
    begin()
    let #n = Operation(isAsynchronous: true) { isExecuting = true }
    #n.completionBlock = { end() }
    operations.addOperation(#n)
    Thread.detachNewThread { #n.finish() }
    """,
    """
    begin()
    let #n = DispatchQueue(label: "#n", attributes: .initiallyInactive, target: leaf)
    #n.async { end() }
    #n.activate()
    """,
    """
    begin()
    let #n = DispatchQueue(label: "#n")
    #n.suspend()
    #n.async { end() }
    work(#t)
    #n.resume()
    """,
    """
    begin()
    let #n = DispatchSource.makeTimerSource(queue: leaf)
    #n.schedule(deadline: .now() + #t, repeating: 100us, leeway: 10us)
    #n.setEventHandler { @Sendable in
        count(#k)
        #n.cancel()
    }
    #n.setCancelHandler { @Sendable in end() }
    #n.resume()
    """,
    """
    begin()
    let #n = DispatchSource.makeUserDataAddSource(queue: q0)
    #n.setEventHandler { @Sendable in
        precondition(#n.data >= 1, "nothing was added")
        #n.cancel()
    }
    #n.setCancelHandler { @Sendable in end() }
    #n.resume()
    #n.add(data: 1)
    #n.add(data: 2)
    """,
    """
    begin()
    let #np = Pipe()
    let #n = DispatchSource.makeReadSource(fileDescriptor: #np, queue: q1)
    #n.setEventHandler { @Sendable in
        precondition(#np.read(1MB) == 4KB, "a pipe lost something")
        #n.cancel()
    }
    #n.setCancelHandler { @Sendable in end() }
    #n.resume()
    #np.write(4KB)
    """,
    """
    begin()
    let #np = Process(#t)
    let #n = DispatchSource.makeProcessSource(identifier: #np, eventMask: .exit, queue: leaf)
    #n.setEventHandler { @Sendable in #n.cancel() }
    #n.setCancelHandler { @Sendable in end() }
    #n.resume()
    """,
  ]

  /// Waits of tasks.
  static let awaits = [
    "await ledger.enter()",
    "await ledger.later(#t)",
    "await MainActor.run { count(#k) }",
    """
    let #n = Task { work(#t); return #k }
    count(await #n.value)
    """,
    """
    let #n = Task { try await Task.sleep(for: 1h) }
    #n.cancel()
    _ = await #n.result
    """,
    """
    await withCheckedContinuation { c in
        leaf.async {
            work(#t)
            c.resume()
        }
    }
    """,
    """
    let (#ns, #ni) = AsyncStream.makeStream(of: Int.self)
    Task.detached {
        for n in 0 ..< 3 { #ni.yield(n) }
        #ni.finish()
    }
    var #n = 0
    for await n in #ns { #n += n }
    precondition(#n == 3, "a stream lost something")
    """,
    "await withTaskExecutorPreference(q0) { try? await io(#t) }",
    "await withTaskCancellationHandler { await Task.yield() } onCancel: { fatalError(\"nobody cancels\") }",
  ]

  /// Children of tasks.
  static let children = [
    """
    await withTaskGroup(of: Int.self) { group in
        for n in 0 ..< 2 {
            group.addTask {
    #A
    return n
            }
        }
        var #n = 0
        for await n in group { #n += 1 }
        precondition(#n > 0, "no child came")
    }
    """,
    """
    async let #na = ledger.entries
    async let #nb = ledger.entries
    let (#nx, #ny) = (await #na, await #nb)
    precondition(#nx >= 0 && #ny >= 0, "an actor forgot")
    """,
    """
    await withDiscardingTaskGroup { group in
        group.addTask {
    #A
    }
    }
    """,
  ]

  /// What tasks call seldom.
  static let membersInTasks = [
    """
    let #n = Task {
        if now > .distantPast { throw "away" }
        return 1
    }
    switch await #n.result {
    case .success: fatalError("nothing was thrown")
    case .failure: count(5)
    }
    """,
    """
    let #n = Task(name: "#n", priority: .low) { print(Task.name ?? "", Task.currentPriority, Task.basePriority ?? .medium, Task.isCancelled) }
    #n.escalatePriority(to: .high)
    await #n.value
    print(#n.isCancelled)
    """,
    """
    do {
        try Task.checkCancellation()
        try await Task.sleep(until: .now + .microseconds(50))
    } catch { count(6) }
    """,
    "await MainActor.run { MainActor.assertIsolated() }",
    """
    await Context.$id.withValue(7) {
        precondition(Context.id == 7, "a task's value")
        await Task.yield()
    }
    """,
    "await withTaskPriorityEscalationHandler { await Task.yield() } onPriorityEscalated: { old, new in work(1us) }",
    """
    await withTaskGroup(of: Int.self) { group in
        group.addTask { 1 }
        group.addTaskUnlessCancelled { 2 }
        group.addImmediateTask { 3 }
        precondition(!group.isCancelled && !group.isEmpty, "a group")
        await group.waitForAll()
    }
    """,
    """
    await withTaskGroup(of: Int.self) { group in
        group.addTask { await Task.yield(); return 1 }
        group.cancelAll()
        await group.next()
    }
    """,
    """
    do {
        try await withCheckedThrowingContinuation { c in leaf.async { c.resume(throwing: "away") } }
    } catch { count(6) }
    """,
    """
    let #n: Int? = nil
    for await v in AsyncStream(unfolding: { #n }) { fatalError("an empty stream has \\(v)") }
    """,
    """
    let (#ns, #ni) = AsyncThrowingStream.makeStream(of: Int.self)
    #ni.onTermination = { reason in work(1us) }
    #ni.yield(1)
    #ni.finish(throwing: "away")
    do { for try await v in #ns { count(v) } } catch { count(6) }
    """,
    "await posted.enter()",
    """
    let #n = Task { 5 }
    count(await #n.result.get())
    """,
  ]
}
