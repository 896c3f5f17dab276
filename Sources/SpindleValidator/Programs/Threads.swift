import Foundation

// Threads that sleep, compute, or are made.

func sleepers(_ n: Int, _ time: Duration) {
  let done = DispatchGroup()
  for _ in 0..<n {
    done.enter()
    Thread.detachNewThread {
      sleep(time)
      done.leave()
    }
  }
  done.wait()
}

func computers(_ n: Int, _ time: Duration) {
  let done = DispatchGroup()
  for _ in 0..<n {
    done.enter()
    Thread.detachNewThread {
      work(time)
      done.leave()
    }
  }
  done.wait()
}

func inTurn(_ n: Int) {
  let ran = DispatchSemaphore(value: 0)
  for _ in 0..<n {
    Thread.detachNewThread { ran.signal() }
    ran.wait()
  }
}

func naps(_ n: Int, _ time: Duration) {
  for _ in 0..<n { sleep(time) }
}

func inPlace(_ rounds: Int, _ n: Int, _ computing: Duration) {
  for _ in 0..<rounds * n { work(computing) }
}

func onThreads(_ rounds: Int, _ n: Int, _ computing: Duration) {
  for _ in 0..<rounds { computers(n, computing) }
}

func onSleepingThreads(_ rounds: Int, _ n: Int, _ sleeping: Duration) {
  for _ in 0..<rounds { sleepers(n, sleeping) }
}
