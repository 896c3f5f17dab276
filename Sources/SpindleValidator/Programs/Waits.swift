import Foundation

// Threads that wait for each other: locks, queues, semaphores, barriers, buffers, timers.

func lock(_ threads: Int, _ rounds: Int, _ hold: Duration, _ outside: Duration) {
  let lock = NSLock()
  let done = DispatchGroup()
  for _ in 0..<threads {
    done.enter()
    Thread.detachNewThread {
      for _ in 0..<rounds {
        work(outside)
        lock.lock()
        work(hold)
        lock.unlock()
      }
      done.leave()
    }
  }
  done.wait()
}

func syncs(_ threads: Int, _ rounds: Int, _ hold: Duration, _ outside: Duration) {
  let queue = DispatchQueue(label: "queue")
  let done = DispatchGroup()
  for _ in 0..<threads {
    done.enter()
    Thread.detachNewThread {
      for _ in 0..<rounds {
        work(outside)
        queue.sync { work(hold) }
      }
      done.leave()
    }
  }
  done.wait()
}

func emptySyncs(_ n: Int) {
  let queue = DispatchQueue(label: "queue")
  for _ in 0..<n { queue.sync {} }
}

func emptyBlocks(_ n: Int) {
  let queue = DispatchQueue(label: "queue")
  for _ in 0..<n { queue.async {} }
  queue.sync {}
}

func pipeline(_ n: Int, _ first: Duration, _ second: Duration, _ third: Duration) {
  let a = DispatchQueue(label: "a")
  let b = DispatchQueue(label: "b")
  let c = DispatchQueue(label: "c")
  let done = DispatchGroup()
  for _ in 0..<n {
    done.enter()
    a.async {
      work(first)
      b.async {
        work(second)
        c.async {
          work(third)
          done.leave()
        }
      }
    }
  }
  done.wait()
}

func pingPong(_ rounds: Int) {
  let ping = DispatchSemaphore(value: 0)
  let pong = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  done.enter()
  Thread.detachNewThread {
    for _ in 0..<rounds {
      ping.wait()
      pong.signal()
    }
    done.leave()
  }
  for _ in 0..<rounds {
    ping.signal()
    pong.wait()
  }
  done.wait()
}

final class Turnstile: @unchecked Sendable {
  let condition = NSCondition()
  var arrived = 0
  var turn = 0

  func pass(_ count: Int) {
    condition.lock()
    let mine = turn
    arrived += 1
    if arrived == count {
      arrived = 0
      turn += 1
      condition.broadcast()
    } else {
      while turn == mine { condition.wait() }
    }
    condition.unlock()
  }
}

func barrier(_ threads: Int, _ rounds: Int, _ computing: Duration) {
  let turnstile = Turnstile()
  let done = DispatchGroup()
  for _ in 0..<threads {
    done.enter()
    Thread.detachNewThread {
      for _ in 0..<rounds {
        work(computing)
        turnstile.pass(threads)
      }
      done.leave()
    }
  }
  done.wait()
}

func buffer(_ n: Int, _ room: Int, _ making: Duration, _ using: Duration) {
  let free = DispatchSemaphore(value: room)
  let full = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  done.enter()
  Thread.detachNewThread {
    for _ in 0..<n {
      full.wait()
      work(using)
      free.signal()
    }
    done.leave()
  }
  for _ in 0..<n {
    free.wait()
    work(making)
    full.signal()
  }
  done.wait()
}

func delays(_ n: Int, _ period: Duration) {
  let queue = DispatchQueue(label: "queue")
  let done = DispatchGroup()
  for i in 1...n {
    done.enter()
    queue.asyncAfter(deadline: .now() + period * i) { done.leave() }
  }
  done.wait()
}
