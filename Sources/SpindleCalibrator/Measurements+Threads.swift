import Dispatch
import Foundation

/// What threads cost: making, ending, waking and moving them, and letting them sleep.
extension Round {
  /// How much longer two threads compute for some milliseconds on two cores than one does for a moment in which nothing
  /// comes between.
  mutating func share() {
    let (moment, steps, times) = (Samples(40), 50_000, 400)
    // Each begins with what the one before came to, so that all have to be done, one after the other.
    var last: UInt64 = 1
    for index in 0..<moment.count {
      let start = CalibrationHost.now()
      last = CalibrationHost.compute(steps, from: last)
      moment[index] = CalibrationHost.now() - start
    }
    let (took, done, first) = (Samples(2), DispatchGroup(), last)
    for index in 0..<2 {
      done.enter()
      Thread.detachNewThread {
        let start = CalibrationHost.now()
        let last = CalibrationHost.compute(times * steps, from: first)
        took[index] = last == 0 ? 0 : CalibrationHost.now() - start
        done.leave()
      }
    }
    done.wait()
    let whole = (took[0] + took[1]) / 2
    self["hostShare"] = max(0, whole / (median(moment) * Double(times)) - 1) * 1_000_000
  }

  /// A thread is made on one core, where it runs as soon as its maker waits.
  mutating func threads() {
    let (made, entered, count) = (Samples(4), Samples(4), samples(200))
    let (make, entry, cycle) = (Samples(count), Samples(count), Samples(count + 1))
    CalibrationHost.onThread(core: 0) {
      let ran = DispatchSemaphore(value: 0)
      for index in 0..<count {
        let start = CalibrationHost.now()
        cycle[index] = start
        Thread.detachNewThread {
          entered[0] = CalibrationHost.now()
          ran.signal()
        }
        made[0] = CalibrationHost.now()
        ran.wait()
        (make[index], entry[index]) = (made[0] - start, entered[0] - start)
      }
      cycle[count] = CalibrationHost.now()
    }
    let whole = (cycle[count] - cycle[0]) / Double(count)
    let anywhere = Self.threadsInTurn(4 * count)
    let (maker, until) = (median(make), median(entry))
    let change = self["contextSwitch"]
    self["threadCreate"] = maker
    // Where the system may use both cores it does, now and then, and each round takes longer.
    self["threadStart"] = max(0, until - maker - change + max(0, anywhere - whole))
    // The rest of a round: it signals, ends, and its maker goes on.
    self["threadEnd"] = max(0, whole - until - self["wake"] - change)
  }

  /// How long a thread takes that is made, signals and ends before the next one is made, wherever the system has it run.
  private static func threadsInTurn(_ count: Int) -> Double {
    let ran = DispatchSemaphore(value: 0)
    let start = CalibrationHost.now()
    for _ in 0..<count {
      Thread.detachNewThread { ran.signal() }
      ran.wait()
    }
    return (CalibrationHost.now() - start) / Double(count)
  }

  /// Threads that all live, so that none finds the stack of another one: what their maker computes for each on one core,
  /// and what all of them do wherever the system has them run.
  ///
  /// Two cores that change one address space take much longer than one does: they interrupt each other, and what
  /// describes it goes to and fro between their caches.
  mutating func stacks() {
    let count = samples(200)
    let pinned = Self.sleepingThreads(count, core: 0)
    let free = Self.sleepingThreads(count, core: nil)
    self["freshStack"] = max(0, pinned[0] - self["threadCreate"])
    // Besides, each begins, waits, is woken and ends, gives pages back and unmaps its stack while others run.
    let usual = self["threadStart"] + self["threadEnd"] + self["wake"] + 2 * self["contextSwitch"]
    let leaving = self["stackFree"] + 2 * self["shootdown"]
    self["stackFault"] = max(0, free[1] - pinned[0] - usual - leaving)
  }

  /// What the maker of threads that wait for each other, and end, computes for each, and what all compute.
  private static func sleepingThreads(_ count: Int, core: Int?) -> Samples {
    let used = Samples(2)
    CalibrationHost.onThread(core: core) {
      let (gate, done) = (DispatchSemaphore(value: 0), DispatchGroup())
      let (start, all) = (CalibrationHost.threadTime(), CalibrationHost.processTime())
      for _ in 0..<count {
        done.enter()
        Thread.detachNewThread {
          gate.wait()
          done.leave()
        }
      }
      used[0] = (CalibrationHost.threadTime() - start) / Double(count)
      for _ in 0..<count { gate.signal() }
      done.wait()
      // Until the last one has ended.
      CalibrationHost.rest(5_000_000)
      used[1] = (CalibrationHost.processTime() - all) / Double(count)
    }
    return used
  }

  /// What unmapping a stack takes whose first pages were touched, alone and while another core runs the program, which
  /// must forget them.
  mutating func unmapping() {
    let count = samples(200)
    let alone = Self.unmap(count)
    let (isThere, isOver, done) = (Samples(1), Samples(1), DispatchGroup())
    done.enter()
    Thread.detachNewThread {
      CalibrationHost.pin(to: 1)
      isThere[0] = 1
      while isOver[0] == 0 { _ = CalibrationHost.now() }
      done.leave()
    }
    while isThere[0] == 0 { CalibrationHost.rest(100_000) }
    let beside = Self.unmap(count)
    isOver[0] = 1
    done.wait()
    self["stackFree"] = median(alone)
    self["shootdown"] = max(0, median(beside) - median(alone))
  }

  private static func unmap(_ count: Int) -> Samples {
    let took = Samples(count)
    CalibrationHost.onThread(core: 0) {
      for index in 0..<count { took[index] = CalibrationHost.unmapStack() }
    }
    return took
  }

  /// Two threads on one core that yield to each other, and two that wake each other.
  mutating func switches() {
    let (count, took) = (samples(5_000), Samples(2))
    CalibrationHost.onThread(core: 0) {
      let (begin, done) = (DispatchSemaphore(value: 0), DispatchGroup())
      for index in 0..<2 {
        done.enter()
        Thread.detachNewThread {
          begin.wait()
          let start = CalibrationHost.now()
          for _ in 0..<count { sched_yield() }
          took[index] = (CalibrationHost.now() - start) / Double(2 * count)
          done.leave()
        }
      }
      begin.signal()
      begin.signal()
      done.wait()
    }
    self["contextSwitch"] = max(took[0], took[1])
    let way = pingPong(samples(2_000))
    self["wake"] = max(0, way - self["contextSwitch"])
  }

  private func pingPong(_ count: Int) -> Double {
    let took = Samples(1)
    CalibrationHost.onThread(core: 0) {
      let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        for _ in 0..<count {
          ping.wait()
          pong.signal()
        }
      }
      let start = CalibrationHost.now()
      for _ in 0..<count {
        ping.signal()
        pong.wait()
      }
      took[0] = (CalibrationHost.now() - start) / Double(2 * count)
    }
    return took[0]
  }

  /// A thread on an idle core is woken from another core, when that has been idle for a moment and for a while: what that
  /// takes the waker, and until it runs.
  mutating func wakes() {
    let (soon, late) = (wakes(samples(300), after: 40_000), wakes(samples(60), after: 1_000_000))
    self["interrupt"] = max(0, soon.paid - self["wake"])
    // A timer, which no other core sends, has shown what leaving idle takes after a millisecond.
    self["deepIdle"] = max(0, late.until - soon.until)
    self["idleExit"] = max(0, self["idleExit"] - self["deepIdle"])
    self["interruptDelay"] = max(0, soon.until - self["wake"] - self["idleExit"])
  }

  private func wakes(_ count: Int, after idle: Double) -> (paid: Double, until: Double) {
    let (from, paid, to) = (Samples(count), Samples(count), Samples(count))
    let (go, done) = (DispatchSemaphore(value: 0), DispatchGroup())
    done.enter()
    Thread.detachNewThread {
      CalibrationHost.pin(to: 1)
      for index in 0..<count {
        go.wait()
        to[index] = CalibrationHost.now()
      }
      done.leave()
    }
    CalibrationHost.onThread(core: 0) {
      for index in 0..<count {
        // Beside the time that the other thread takes to run and to go to sleep.
        let end = CalibrationHost.now() + idle + 20_000
        while CalibrationHost.now() < end {}
        from[index] = CalibrationHost.now()
        go.signal()
        paid[index] = CalibrationHost.now()
      }
    }
    done.wait()
    return (from.median(to: paid), from.median(to: to))
  }

  /// How late sleeps end, as the system likes it and with as little slack as it may have.
  mutating func sleeps() {
    let count = samples(40)
    let (usual, exact, yields) = (Samples(count), Samples(count), samples(5_000))
    let (call, used) = (Samples(1), Samples(1))
    CalibrationHost.onThread(core: 1) {
      Self.sleep(usual)
      CalibrationHost.setSlack(1)
      let time = CalibrationHost.threadTime()
      Self.sleep(exact)
      used[0] = (CalibrationHost.threadTime() - time) / Double(count)
      CalibrationHost.setSlack(0)
      let start = CalibrationHost.now()
      for _ in 0..<yields { sched_yield() }
      call[0] = (CalibrationHost.now() - start) / Double(yields)
    }
    let (late, least) = (median(usual), median(exact))
    self["systemCall"] = call[0]
    self["timerSlack"] = max(0, late - least)
    // The thread goes to sleep, and comes back, by a switch each.
    self["timer"] = max(0, (used[0] - call[0] - 2 * self["contextSwitch"]) / 2)
    self["idleExit"] = max(0, least - call[0] - 2 * self["timer"])
  }

  private static func sleep(_ late: Samples) {
    for index in 0..<late.count {
      let start = CalibrationHost.now()
      CalibrationHost.rest(1_000_000)
      late[index] = CalibrationHost.now() - start - 1_000_000
    }
  }

  private func median(_ values: Samples) -> Double {
    Spread((0..<values.count).map { values[$0] }).median
  }
}
