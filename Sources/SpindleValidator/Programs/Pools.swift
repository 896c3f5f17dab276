import Foundation

// Items of the global queues, of queues of one's own, and of operation queues.

func poolSleeping(_ n: Int, _ time: Duration) {
  let done = DispatchGroup()
  for _ in 0..<n {
    DispatchQueue.global().async(group: done) { sleep(time) }
  }
  done.wait()
}

func poolComputing(_ n: Int, _ time: Duration) {
  let done = DispatchGroup()
  for _ in 0..<n {
    DispatchQueue.global().async(group: done) { work(time) }
  }
  done.wait()
}

func poolMixed(_ n: Int, _ sleeping: Duration, _ computing: Duration) {
  let done = DispatchGroup()
  for _ in 0..<n {
    DispatchQueue.global().async(group: done) {
      sleep(sleeping)
      work(computing)
    }
  }
  done.wait()
}

func serialQueues(_ queues: Int, _ n: Int, _ time: Duration) {
  let done = DispatchGroup()
  for q in 0..<queues {
    let queue = DispatchQueue(label: "queue \(q)")
    for _ in 0..<n { queue.async(group: done) { sleep(time) } }
  }
  done.wait()
}

func onQueue(_ rounds: Int, _ n: Int, _ computing: Duration) {
  let done = DispatchGroup()
  let queue = DispatchQueue(label: "queue", attributes: .concurrent)
  for _ in 0..<rounds {
    for _ in 0..<n { queue.async(group: done) { work(computing) } }
    done.wait()
  }
}

func onSleepingQueue(_ rounds: Int, _ n: Int, _ sleeping: Duration) {
  let done = DispatchGroup()
  let queue = DispatchQueue(label: "queue", attributes: .concurrent)
  for _ in 0..<rounds {
    for _ in 0..<n { queue.async(group: done) { sleep(sleeping) } }
    done.wait()
  }
}

func perform(_ rounds: Int, _ n: Int, _ computing: Duration) {
  for _ in 0..<rounds {
    DispatchQueue.concurrentPerform(iterations: n) { _ in work(computing) }
  }
}

func performUneven(_ n: Int, _ unit: Duration) {
  DispatchQueue.concurrentPerform(iterations: n) { i in work(unit * (1 + i * 7 % 13)) }
}

func fork(_ depth: Int, _ leaf: Duration, _ done: DispatchGroup) {
  if depth == 0 {
    work(leaf)
    return
  }
  for _ in 0..<2 {
    DispatchQueue.global().async(group: done) { fork(depth - 1, leaf, done) }
  }
}

func forkJoin(_ depth: Int, _ leaf: Duration) {
  let done = DispatchGroup()
  fork(depth, leaf, done)
  done.wait()
}

func operations(_ n: Int, _ limit: Int, _ sleeping: Duration, _ computing: Duration) {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = limit
  for _ in 0..<n {
    queue.addOperation {
      sleep(sleeping)
      work(computing)
    }
  }
  queue.waitUntilAllOperationsAreFinished()
}

func emptyOperations(_ n: Int, _ limit: Int) {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = limit
  for _ in 0..<n { queue.addOperation {} }
  queue.waitUntilAllOperationsAreFinished()
}
