extension LogReading {
  /// Objects that are made, and what is changed of them.
  mutating func readObject(_ line: LogLine) -> Bool {
    let words = line.step.form.split(separator: " ")
    if words.count == 3, words[0] == "makes", words[2] == "_" {
      make(String(words[1]), line)
      return true
    }
    if words.count == 2, words[0] == "makes" { return true }
    switch line.step.form {
    case "limits _":
      objects[ObjectKey(family: "operation queue", name: line.step.names[0])]?.limit =
        line.quantity("limit N")
    case "makes operation _ depend on _":
      dependencies[line.step.names[0], default: []].append(line.step.names[1])
    case "frees operation _ from _":
      let freed = line.step.names[1]
      if let index = dependencies[line.step.names[0]]?.firstIndex(of: freed) {
        dependencies[line.step.names[0]]?.remove(at: index)
      }
    case "runs queue _ on _", "runs source _ on _":
      let isQueue = line.step.form.hasPrefix("runs queue")
      let key = ObjectKey(family: isQueue ? "queue" : "source", name: line.step.names[0])
      demand(objects[key] != nil, "\(line.step.names[0]) is not there")
    case "begins sync on _": beginSync(line)
    case "ends sync on _": endSync(line)
    case "suspends queue _", "resumes queue _", "suspends source _", "resumes source _":
      demand(line.quantity("suspended N") != nil, "how often it is suspended")
    case "activates queue _", "activates source _": break
    case "begins on _": beginOnAccelerator(line)
    case "ends on _": endOnAccelerator(line)
    default: return false
    }
    return true
  }

  private mutating func make(_ kind: String, _ line: LogLine) {
    let name = line.step.names[0]
    var object = LogObject(kind: kind)
    let family: String
    switch kind {
    case "NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock", "OSAllocatedUnfairLock",
      "ReadWriteLock":
      family = "lock"
    case "DispatchSemaphore":
      family = "semaphore"
      object.count = line.quantity("count N") ?? 0
    case "DispatchGroup": family = "group"
    case "ThreadPerTask", "ThreadPool":
      family = "pool"
      object.limit = line.quantity("width N")
    case "Accelerator":
      family = "accelerator"
      object.limit = line.quantity("width N")
      demand((object.limit ?? 0) > 0, "an accelerator has no width")
    case "DispatchQueue":
      family = "queue"
      object.isSerial = line.has("serial")
      demand(object.isSerial != line.has("concurrent"), "a queue is serial or concurrent")
    case "OperationQueue":
      family = "operation queue"
      object.limit = line.quantity("limit N")
    case "Operation":
      // The number of an operation that nobody can name is used again, its place in line is not.
      family = "operation"
    case "DispatchSource": family = "source"
    default: return
    }
    let key = ObjectKey(family: family, name: name)
    demand(objects[key] == nil, "\(name) was made before")
    objects[key] = object
  }

  // MARK: Sync

  private mutating func beginSync(_ line: LogLine) {
    let name = line.step.names[0]
    let key = ObjectKey(family: "queue", name: name)
    guard var queue = objects[key] else { return }
    queue.running += 1
    demand(!queue.isSerial || queue.running == 1, "\(name) is serial and runs \(queue.running)")
    if !queue.isSerial {
      demand(!queue.hasBarrier, "\(name) runs a barrier")
      demand(!line.has("barrier") || queue.running == 1, "the barrier is not alone on \(name)")
      if line.has("barrier") { queue.hasBarrier = true }
    }
    objects[key] = queue
  }

  private mutating func endSync(_ line: LogLine) {
    let key = ObjectKey(family: "queue", name: line.step.names[0])
    objects[key]?.running -= 1
    if line.has("barrier") { objects[key]?.hasBarrier = false }
  }

  // MARK: Locks

  /// Locks, conditions, semaphores, groups.
  mutating func readLock(_ line: LogLine) -> Bool {
    switch line.step.form {
    case "locks _": acquire(line)
    case "unlocks _": release(line)
    case "does not get _", "times out at lock _", "times out at condition _",
      "times out at semaphore _", "times out at group _", "times out at work item _",
      "times out at thread _", "times out at work item":
      giveUp(line)
    case "signals condition _", "broadcasts _":
      demand(line.quantity("wakes N") != nil, "how many it wakes")
    case "passes _": count(line, "semaphore", by: -1)
    case "signals semaphore _": count(line, "semaphore", by: 1)
    case "enters _": count(line, "group", by: 1)
    case "leaves _": count(line, "group", by: -1)
    default: return false
    }
    return true
  }

  /// Steps came again and again, in rounds.
  mutating func repeatSteps(_ line: LogLine) {
    let (steps, times) = (line.quantity("steps N") ?? 0, line.quantity("times N") ?? 0)
    demand(steps > 0 && steps <= lastSteps.count, "\(steps) steps are repeated")
    demand(times > 0, "steps are repeated \(times) times")
    for step in lastSteps.suffix(Int(max(0, steps))) where step.step.form == "locks _" {
      numbers.locks[step.step.names[0].text, default: LogLockNumbers()].acquisitions += times
    }
  }

  private mutating func acquire(_ line: LogLine) {
    let name = line.step.names[0]
    numbers.locks[name.text, default: LogLockNumbers()].acquisitions += 1
    giveUp(line)
    let key = ObjectKey(family: "lock", name: name)
    guard let subject = line.subject, var lock = objects[key] else { return }
    if line.has("for reading") {
      demand(lock.owner == nil, "\(name) belongs to \(lock.owner ?? subject)")
      lock.readers[subject, default: 0] += 1
    } else {
      let mayAgain = lock.kind == "NSRecursiveLock" && lock.owner == subject
      demand(lock.owner == nil || mayAgain, "\(name) belongs to \(lock.owner ?? subject)")
      demand(lock.readers.isEmpty, "\(name) has readers")
      lock.owner = subject
      lock.depth += 1
    }
    objects[key] = lock
  }

  private mutating func release(_ line: LogLine) {
    let key = ObjectKey(family: "lock", name: line.step.names[0])
    guard let subject = line.subject, var lock = objects[key] else { return }
    // Who has no hold gives back that of another one.
    let reader =
      lock.readers[subject] == nil ? lock.readers.keys.min { "\($0)" < "\($1)" } : subject
    if let reader, let held = lock.readers[reader] {
      lock.readers[reader] = held > 1 ? held - 1 : nil
    } else {
      lock.depth -= 1
      if lock.depth <= 0 { (lock.owner, lock.depth) = (nil, 0) }
    }
    objects[key] = lock
  }

  /// A wait for a lock or semaphore is over, whether the thread got it or not.
  private mutating func giveUp(_ line: LogLine) {
    guard let subject = line.subject, let lock = threads[subject]?.lock else { return }
    numbers.locks[lock]?.add(line.time - (threads[subject]?.lockSince ?? line.time))
    threads[subject]?.lock = nil
  }

  /// A semaphore's or group's count changes by one; a signal that lets one pass leaves it.
  private mutating func count(_ line: LogLine, _ family: String, by change: Int64) {
    let name = line.step.names[0]
    let count = line.quantity("count N") ?? -1
    if line.step.form == "passes _" {
      numbers.locks[name.text, default: LogLockNumbers()].acquisitions += 1
      giveUp(line)
    }
    let key = ObjectKey(family: family, name: name)
    guard let before = objects[key]?.count else { return }
    let isHandedOn = family == "semaphore" && count == before
    demand(count == before + change || isHandedOn, "the count of \(name) was \(before)")
    demand(count >= 0, "the count of \(name) is negative")
    objects[key]?.count = count
  }
}

/// Requests of accelerators: no more at once than it is wide, each for as long as was said.
extension LogReading {
  private mutating func beginOnAccelerator(_ line: LogLine) {
    guard let subject = line.subject, let length = line.quantity("for N") else {
      return violate("a request has a thread and a length")
    }
    let key = ObjectKey(family: "accelerator", name: line.step.names[0])
    guard var device = objects[key] else { return violate("\(key.name) is not there") }
    demand(threads[subject]?.state == .waiting, "\(subject) begins and does not wait")
    demand(device.requests[subject] == nil, "\(subject) has two requests")
    device.requests[subject] = LogObject.Request(since: line.time, length: length)
    demand(Int64(device.requests.count) <= device.limit ?? 0, "\(key.name) has more than its width")
    objects[key] = device
  }

  private mutating func endOnAccelerator(_ line: LogLine) {
    let key = ObjectKey(family: "accelerator", name: line.step.names[0])
    guard let subject = line.subject,
      let request = objects[key]?.requests.removeValue(forKey: subject)
    else { return violate("nothing began that ends here") }
    demand(
      line.time - request.since == request.length
        && line.quantity("after N") ?? 0 >= request.length,
      "\(subject) asked for \(request.length)")
  }
}
