import Foundation

// What a program has done that has run for a while.

/// Uses threads, locks, queues and operations once or twice, so that their code is loaded, stacks of threads are there to
/// be used again and the pool has its first workers; and lets `rest` pass, until all of that is idle.
func warmUp(_ rest: Duration) {
  let done = DispatchGroup()
  let lock = NSLock()
  let condition = NSCondition()
  let semaphore = DispatchSemaphore(value: 0)
  for _ in 0..<4 {
    done.enter()
    Thread.detachNewThread {
      lock.lock()
      lock.unlock()
      semaphore.signal()
      semaphore.wait()
      condition.lock()
      condition.broadcast()
      condition.unlock()
      sleep(rest)
      done.leave()
    }
  }
  done.wait()
  let queue = DispatchQueue(label: "warm", attributes: .concurrent)
  for _ in 0..<4 { queue.async(group: done) {} }
  done.wait()
  let serial = DispatchQueue(label: "serial")
  serial.async {}
  serial.sync {}
  DispatchQueue.concurrentPerform(iterations: 4) { _ in }
  let operations = OperationQueue()
  for _ in 0..<4 { operations.addOperation {} }
  operations.waitUntilAllOperationsAreFinished()
  sleep(rest)
}
