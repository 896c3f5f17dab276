extension LogReading {
  /// What threads do with cores.
  mutating func readThread(_ line: LogLine) -> Bool {
    switch line.step.form {
    case "is created", "is created by _", "is created for _", "is created by _ for _": create(line)
    case "is ready": wake(line)
    case "runs": run(line)
    case "is preempted", "yields": preempt(line)
    case "ends", "is killed": end(line)
    case "cancels thread _", "has priority N": break
    case "is a real-time thread", "is an ordinary thread again": changeRealtime(line)
    case "misses its deadline":
      numbers.missedDeadlines += 1
      numbers.greatestLateness = max(numbers.greatestLateness, line.quantity("late by N") ?? 0)
    case "drops its job at the deadline": numbers.missedDeadlines += 1
    case "waits for io", "sleeps", "joins _", "idles in its run loop", "is idle",
      "is idle in pool _", "waits for lock _", "waits for condition _", "waits for semaphore _",
      "waits for group _", "waits for a perform of _", "waits for operation _",
      "waits for the operations of _", "waits in sync for queue _", "waits for work item _",
      "waits for work item", "waits for the other iterations", "waits for the address space",
      "waits for the list of stacks", "waits for once _",
      "waits for its next job", "waits for accelerator _", "waits for the status of task _",
      "is held before _":
      block(line)
    default: return false
    }
    return true
  }

  private mutating func create(_ line: LogLine) {
    guard let subject = line.subject else { return violate("the world is not created") }
    demand(threads[subject] == nil && !ended.contains(subject), "\(subject) was there before")
    demand(
      subject.ordinal == 1
        || ended.contains(LogName(text: subject.text, ordinal: subject.ordinal - 1))
        || threads[LogName(text: subject.text, ordinal: subject.ordinal - 1)] != nil,
      "\(subject) is not the next of its name")
    var thread = LogThread()
    thread.inLineSince = line.time
    if line.step.form.hasPrefix("is created by") {
      demand(threads[line.step.names[0]] != nil, "\(line.step.names[0]) is not there")
    }
    thread.stack = line.quantity("stack N") ?? 0
    thread.isMain = line.has("main thread")
    if thread.isMain { stallSince = line.time }
    threads[subject] = thread
    numbers.threadsCreated += 1
    numbers.threadsLive += 1
    numbers.threadsPeak = max(numbers.threadsPeak, Int64(threads.count))
    reserved += thread.stack
    numbers.reservedPeak = max(numbers.reservedPeak, reserved)
    if line.step.form.hasSuffix("for _"), let executor = line.step.names.last {
      addWorker(of: executor)
    }
    makeReady(subject)
    numbers.entries += 1
  }

  private mutating func addWorker(of executor: LogName) {
    let key = ObjectKey(family: "pool", name: executor)
    guard var pool = objects[key], let limit = pool.limit else { return }
    pool.workers += 1
    // Two pools of one name are one to the threads.
    let isOnly =
      objects[ObjectKey(family: "pool", name: LogName(text: executor.text, ordinal: 2))] == nil
    demand(!isOnly || pool.workers <= limit, "pool \(executor) has \(pool.workers) workers")
    objects[key] = pool
  }

  mutating func makeReady(_ name: LogName) {
    guard threads[name] != nil else { return }
    readyCount += 1
    readyOrder += 1
    numbers.schedulingEvents += 1
    threads[name]?.state = .ready
    threads[name]?.readyOrder = readyOrder
    if frame.policy == "fifo" { fifo.append(readyOrder) }
  }

  private mutating func wake(_ line: LogLine) {
    guard let subject = line.subject, let thread = threads[subject] else { return }
    demand(thread.state == .waiting, "\(subject) does not wait")
    if thread.awaitsFirst { return noteFirstJob(subject) }
    if let until = thread.until {
      // While the machine sleeps, and for who sleeps then, time stands still.
      let isAwake = slept == 0 && sleepSince == nil
      demand(line.time == until || !isAwake, "\(subject) was to wake at \(until)")
      threads[subject]?.until = nil
    }
    if let waker = line.name("woken by _") {
      // A thread's end wakes those who wait for it.
      demand(threads[waker] != nil || ended.contains(waker), "\(waker) is not there")
    }
    makeReady(subject)
    threads[subject]?.inLineSince = line.time
    if thread.isMain && stallSince == nil { stallSince = line.time }
    noteWake(subject)
  }

  /// A real-time thread that gets ready by a wake has a deadline.
  private mutating func noteWake(_ name: LogName) {
    guard let thread = threads[name], thread.isRealtime, thread.awaitsWake else { return }
    threads[name]?.awaitsWake = false
    numbers.deadlines += 1
  }

  private mutating func noteFirstJob(_ name: LogName) {
    threads[name]?.awaitsFirst = false
    numbers.schedulingEvents -= 1
    makeReady(name)
    noteWake(name)
  }

  private mutating func run(_ line: LogLine) {
    guard let subject = line.subject, let core = line.core, core < cores.count else {
      return violate("there is no such core")
    }
    // A log does not say when a new thread gets ready for the first time.
    if threads[subject]?.awaitsFirst == true { noteFirstJob(subject) }
    guard let thread = threads[subject] else { return violate("\(subject) is not there") }
    demand(thread.state == .ready, "\(subject) is not ready")
    demand(cores[core] == nil, "core \(core) has a thread")
    if frame.policy == "fifo" {
      let first = fifoTaken < fifo.count ? fifo[fifoTaken] : -1
      demand(first == thread.readyOrder, "\(subject) is not the first in line")
      fifoTaken += 1
    }
    let isSwitch = lastOnCore[core] != subject
    demand(line.has("switch") == isSwitch, "whether it is a switch")
    if isSwitch {
      if coreWasPreempted[core] {
        numbers.switchesForced += 1
      } else {
        numbers.switchesVoluntary += 1
      }
    }
    let isMigration = thread.lastCore >= 0 && thread.lastCore != core
    let isFar = line.has("migration to another cluster")
    demand((line.has("migration") || isFar) == isMigration, "whether it is a migration")
    if isMigration { numbers.migrations += 1 }
    if isFar { numbers.clusterMigrations += 1 }
    if let refill = line.quantity("refills N") {
      let hasRun = thread.lastCore >= 0
      demand(refill > 0 && hasRun && (isMigration || isSwitch), "whether caches are cold")
      numbers.cacheRefills += 1
      numbers.cacheRefillTime += refill
    }
    readyCount -= 1
    numbers.schedulingEvents += 1
    (cores[core], lastOnCore[core]) = (subject, subject)
    threads[subject]?.state = .running
    threads[subject]?.inLineSince = nil
    threads[subject]?.core = core
    threads[subject]?.lastCore = core
    threads[subject]?.since = line.time
    threads[subject]?.sleptBefore = slept
  }

  /// A thread loses its core: what it worked there, and what was overhead.
  private mutating func leave(_ line: LogLine, preempted: Bool) {
    guard let subject = line.subject, let thread = threads[subject] else { return }
    demand(thread.state == .running, "\(subject) does not run")
    guard thread.state == .running else { return }
    let core = thread.core
    let worked = line.quantity("worked N") ?? 0
    let asleep = sleepSince.map { line.time - max($0, thread.since) } ?? 0
    let held = line.time - thread.since - (slept - thread.sleptBefore) - asleep
    demand(worked <= held, "\(subject) worked for \(worked) and had the core for \(held)")
    numbers.cores[core].busy += worked
    numbers.cores[core].overhead += held - worked
    numbers.schedulingEvents += 1
    (cores[core], coreWasPreempted[core]) = (nil, preempted)
    threads[subject]?.processor += worked
    threads[subject]?.core = -1
  }

  private mutating func preempt(_ line: LogLine) {
    guard let subject = line.subject else { return }
    leave(line, preempted: line.step.form == "is preempted")
    makeReady(subject)
    numbers.entries += 1
  }

  private mutating func block(_ line: LogLine) {
    guard let subject = line.subject else { return }
    leave(line, preempted: false)
    threads[subject]?.state = .waiting
    let isOver = line.step.form == "waits for its next job"
    if threads[subject]?.doesJobs == false || isOver { threads[subject]?.awaitsWake = true }
    switch line.step.form {
    case "idles in its run loop":
      if threads[subject]?.isMain == true && line.name("mode _") == nil { endStall(at: line.time) }
    case "sleeps", "waits for io":
      let slack = line.step.form == "sleeps" ? frame.timerSlack : 0
      threads[subject]?.until = line.quantity("until N").map { $0 + slack }
      // Who sleeps until the distant future says no end.
      let hasEnd = line.has("until N") || line.step.form == "sleeps"
      demand(hasEnd, "\(subject) waits for ever")
    case "waits for lock _", "waits for semaphore _":
      let lock = line.step.names[0].text
      if threads[subject]?.lock == lock { return }
      threads[subject]?.lock = lock
      threads[subject]?.lockSince = line.time
      numbers.locks[lock, default: LogLockNumbers()].waits += 1
    default: break
    }
  }

  private mutating func end(_ line: LogLine) {
    guard let subject = line.subject, let thread = threads[subject] else { return }
    if line.core != nil {
      leave(line, preempted: false)
    } else {
      demand(line.step.form == "is killed", "\(subject) ends without a core")
      if thread.state == .ready { readyCount -= 1 }
    }
    if thread.isMain {
      endStall(at: line.time)
    } else {
      numbers.processor.append(threads[subject]?.processor ?? 0)
    }
    if let lock = thread.lock { numbers.locks[lock]?.add(line.time - thread.lockSince) }
    if line.step.form == "ends" { numbers.threadsLive -= 1 }
    reserved -= thread.stack
    threads[subject] = nil
    ended.insert(subject)
  }

  private mutating func changeRealtime(_ line: LogLine) {
    guard let subject = line.subject, let thread = threads[subject] else { return }
    let isRealtime = line.step.form == "is a real-time thread"
    if isRealtime && !thread.isRealtime { numbers.realtimeThreads += 1 }
    threads[subject]?.isRealtime = isRealtime
    threads[subject]?.awaitsWake = line.has("from its next wake on")
    if line.has("for each job") {
      // It has been made, and waits for the first one.
      threads[subject]?.doesJobs = true
      threads[subject]?.awaitsFirst = true
      threads[subject]?.awaitsWake = true
      threads[subject]?.state = .waiting
      readyCount -= thread.state == .ready ? 1 : 0
      return
    }
    // One that has just been made is ready, which counts as a wake.
    if thread.state == .ready { noteWake(subject) }
  }
}
