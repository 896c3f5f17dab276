import SpindleModel

/// Walks the whole state and names the offender; slow, for tests and `--check-invariants`.
extension Interpreter {
  /// Stops with a message when the state contradicts itself.
  func checkInvariants() {
    var (ready, idle, live) = (0, 0, 0)
    for core in process.kernel.cores.ids {
      let thread = process.kernel.cores[core].thread
      demand(
        (thread.isNone) == process.kernel.idleCores.contains(process.kernel.cores[core].rank),
        "core \(core.index) has thread \(thread.index), and the set of idle ones says otherwise")
      if thread.isNone {
        idle += 1
        continue
      }
      let record = process.kernel.threads[thread]
      demand(
        record.state == .running && CoreID(record.core) == core,
        "core \(core.index) has thread \(thread.index), which is \(record.state)")
    }
    for thread in process.kernel.threads.ids {
      let record = process.kernel.threads[thread]
      if process.kernel.isWithPolicy(thread) { ready += 1 }
      if record.state == .ready || record.state == .running || record.state == .waiting {
        live += 1
      }
      demand(
        (record.core >= 0) == (record.state == .running),
        "thread \(thread.index) is \(record.state) and has core \(record.core)")
      demand(
        record.work >= 0 && record.overhead >= 0, "thread \(thread.index) has negative work left")
      demand(record.readyTotal >= 0 && record.cpu >= 0, "thread \(thread.index) has negative times")
      demand(
        record.itemKind >= 0 || record.itemGroup < 0,
        "thread \(thread.index) runs no item and is in group \(record.itemGroup)")
      // Who ends plainly skips whatever else the end of an item brings with it.
      demand(
        !record.flags.contains(.endsPlainly) || record.itemGroup < 0 && !process.kernel.hasCosts,
        "thread \(thread.index) ends plainly, and its end has more to do")
    }
    demand(
      ready == process.kernel.readyCount,
      "\(ready) threads are ready, \(process.kernel.readyCount) counted")
    demand(
      idle == process.kernel.idleCount,
      "\(idle) cores are idle, \(process.kernel.idleCount) counted")
    demand(
      live == process.kernel.liveCount, "\(live) threads live, \(process.kernel.liveCount) counted")
    process.kernel.checkQuanta()
    process.kernel.checkStacks()
    demand(process.kernel.memory.used >= 0, "memory in use is negative")
    threads.checkThreads(process.kernel)
    locks.checkLocks(process.kernel)
    semaphores.checkSemaphores(process.kernel)
    executors.checkExecutors(process.kernel)
    checkPriorities()
    sources.checkSources(process)
    life.checkApp()
    accelerators.checkAccelerators(process.kernel)
    operations.checkOperations(process)
    dispatch.checkQueues(process)
    runLoops.checkRunLoops(process)
    concurrency.checkTasks(process)
  }
}
