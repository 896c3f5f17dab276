import Dispatch
import Foundation

/// What the libraries cost: locks, queues, operations and run loops.
extension Round {
  /// The middle of what one of `count` calls takes, over some times so many.
  private func each(_ count: Int, _ body: (Int) -> Void) -> Double {
    let start = CalibrationHost.now()
    body(count)
    return (CalibrationHost.now() - start) / Double(count)
  }

  mutating func pages() { self["pageFault"] = CalibrationHost.touchPages(samples(1_024)) }

  mutating func locks() {
    let (lock, semaphore) = (NSLock(), DispatchSemaphore(value: 0))
    let count = samples(100_000)
    self["lock"] =
      each(count) {
        for _ in 0..<$0 {
          lock.lock()
          lock.unlock()
        }
      } / 2
    self["semaphore"] =
      each(count) {
        for _ in 0..<$0 {
          semaphore.signal()
          semaphore.wait()
        }
      } / 2
  }

  /// Blocks that wait until the queue is resumed, and blocks that are taken while others are handed over.
  mutating func queues() {
    let queue = DispatchQueue(label: "calibration")
    let count = samples(20_000)
    self["sync"] = each(count) { for _ in 0..<$0 { queue.sync {} } } / 2
    queue.suspend()
    self["enqueue"] = each(count) { for _ in 0..<$0 { queue.async {} } }
    let start = CalibrationHost.now()
    queue.resume()
    queue.sync {}
    self["dequeue"] = (CalibrationHost.now() - start) / Double(count)
    // Whether the worker keeps up with who hands over differs from time to time, by a factor of five.
    let beside = Spread(
      (0..<5).map { _ in
        CalibrationHost.rest(5_000_000)
        return each(2 * count) {
          for _ in 0..<$0 { queue.async {} }
          queue.sync {}
        }
      })
    self["lineTransfer"] = max(0, beside.median - max(self["enqueue"], self["dequeue"]))
  }

  /// Operations that wait until their queue is resumed, and operations that two cores start one beside the other while
  /// a third thread adds them: what each core pays then beyond its part is what both take from each other.
  mutating func operations() {
    let queue = OperationQueue()
    let count = samples(1_000)
    var (adding, running, beside): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<5 {
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = true
      adding.append(each(count) { for _ in 0..<$0 { queue.addOperation {} } })
      let start = CalibrationHost.now()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      running.append((CalibrationHost.now() - start) / Double(count))
      queue.maxConcurrentOperationCount = 4
      beside.append(
        each(count) {
          for _ in 0..<$0 { queue.addOperation {} }
          queue.waitUntilAllOperationsAreFinished()
        })
    }
    // Often two workers take turns, though one may run at a time; that is part of it.
    let (add, run) = (Spread(adding).median, Spread(running).median)
    self["operationAdd"] = max(0, add - self["enqueue"])
    self["operationRun"] = max(0, run - self["enqueue"] - self["dequeue"])
    if ProcessInfo.processInfo.activeProcessorCount < 2 { return }
    self["operationTransfer"] = max(0, Spread(beside).median - (add + run) / 2)
  }

  mutating func runLoops() {
    let count = samples(1_000)
    let mode = RunLoop.Mode("calibration")
    self["runLoopRun"] = each(count) {
      for _ in 0..<$0 { _ = RunLoop.main.run(mode: mode, before: .distantPast) }
    }
    let pass = each(count) {
      for _ in 0..<$0 {
        DispatchQueue.main.async {}
        _ = RunLoop.main.run(mode: .default, before: .distantPast)
      }
    }
    self["runLoopPass"] = max(0, pass - self["enqueue"] - self["dequeue"] - self["runLoopRun"])
  }
}
