import SpindleModel

/// What memory costs: how much is in use, and pages that are touched for the first time.
extension Kernel {
  /// Takes or gives back memory, and notes what is in use now.
  @inline(__always)
  mutating func changeMemory(by bytes: Int64) {
    if bytes != 0 { noteMemory(bytes) }
  }

  /// Takes or gives back memory of the program's heap, which keeps what it has been given once: who takes more than there
  /// ever was touches pages that the process has not had yet, and pays for them behind what it does.
  @inline(__always)
  mutating func changeHeap(by bytes: Int64, _ thread: ThreadID) {
    changeMemory(by: bytes)
    if costs.pageFault > .zero { touchPages(bytes, thread) }
  }

  @inline(never)
  private mutating func touchPages(_ bytes: Int64, _ thread: ThreadID) {
    let pages = heap.change(by: bytes)
    if pages == 0 || thread.isNone || threads[thread].state != .running { return }
    let (cost, overflow) = costs.pageFault.rawValue.multipliedReportingOverflow(by: pages)
    let most = ThreadRecord.mostRemaining
    threads.at(thread).charge(overflow ? most : min(cost, most))
  }

  private mutating func noteMemory(_ bytes: Int64) {
    if bytes > 0 { memory.take(bytes) } else { memory.give(-bytes) }
    demand(memory.used >= 0, "\(-bytes) bytes are given back, and \(memory.used) are left in use")
    record(.memoryChanged, thread: .none, value: memory.used)
    if memory.isExceeded && !machine.killsOverMemory && !hasTold(.memoryPressure) {
      report(
        .memoryPressure, thread: .none, places: [],
        FindingText.memoryPressure(used: ByteCount(memory.used), size: ByteCount(memory.size)))
    }
  }
}
