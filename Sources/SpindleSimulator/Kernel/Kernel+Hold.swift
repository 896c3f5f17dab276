import SpindleModel

/// What keeps all threads from the cores: the machine sleeps, or the app is suspended.
struct KernelHold: BitwiseCopyable {
  /// Whether the system has suspended the app: its timers go on, its threads do not.
  var isSuspended = false {
    didSet { if isSuspended { wasSuspended = true } }
  }
  /// Whether it ever has.
  private(set) var wasSuspended = false
  /// Whether the machine sleeps: its timers and devices stand still as well.
  private(set) var isAsleep = false
  /// When the machine fell asleep, and when it wakes.
  private(set) var began: Int64 = 0
  private(set) var wake: Int64 = 0
  /// How long it slept before, in all.
  private(set) var slept: Int64 = 0
  /// What is planned for its waking.
  var plan = Plan.Index.none

  /// Whether threads were held up some time.
  var wasOn: Bool { wasSuspended || isAsleep || slept > 0 }
  /// Whether no thread gets a core.
  @inline(__always) var isOn: Bool { isSuspended || isAsleep }

  /// When something comes that is due at `time` of a machine that is not asleep.
  func delayed(_ time: Int64, from now: Int64) -> Int64 { later(time, by: wake - now) }

  /// The machine sleeps until `time`.
  mutating func sleep(from now: Int64, until time: Int64) {
    demand(time >= now, "the machine sleeps from \(now)ns until \(time)ns")
    if !isAsleep { began = now }
    (isAsleep, wake) = (true, time)
  }

  /// The machine wakes; returns how long it slept.
  mutating func end(at now: Int64) -> Int64 {
    isAsleep = false
    slept += now - began
    return now - began
  }

  /// While the events of the machine are moved, none is delayed.
  mutating func pause() { isAsleep = false }
}

/// A moment that comes later by a duration; the end of time stays where it is.
private func later(_ time: Int64, by duration: Int64) -> Int64 {
  let (sum, overflow) = time.addingReportingOverflow(duration)
  return overflow ? Int64.max : sum
}

extension Kernel {
  /// How long the machine has been awake: what its timers count.
  ///
  /// Source: swift-corelibs-libdispatch:src/shims/time.h, _dispatch_uptime.
  var uptime: Int64 { (hold.isAsleep ? hold.began : now) - hold.slept }

  /// The system suspends the app, or lets it go on.
  mutating func setSuspended(_ isSuspended: Bool) {
    demand(
      hold.isSuspended != isSuspended, "the app is suspended, or goes on, for the second time")
    hold.isSuspended = isSuspended
  }

  /// The machine sleeps for a while: whatever it would have done comes later by as much.
  ///
  /// Only the world outside goes on. Work that cores do stops where it is. A machine that sleeps
  /// already sleeps until the later end. Linear in the number of events.
  mutating func fallAsleep(for duration: Int64) {
    if !unwatched.isEmpty { watchQuanta() }
    demand(duration >= 0, "the machine sleeps for \(duration)ns")
    let end = later(now, by: duration)
    var delay = end - now
    if hold.isAsleep {
      delay = end - hold.wake
      if delay <= 0 { return }
      cancel(plan: hold.plan)
    } else {
      for core in cores.ids where !cores[core].thread.isNone { settleEarly(core) }
    }
    let began = hold.isAsleep ? hold.began : now
    hold.pause()
    moveEvents(by: delay)
    hold.plan = plan(.machineWakes, 0, at: end, isWorld: true)
    hold.sleep(from: began, until: end)
  }

  /// Moves all that is due, except what the world outside does, to later.
  private mutating func moveEvents(by delay: Int64) {
    var events: [ScheduledEvent] = []
    while let event = queue.pop() { events.append(event) }
    storage.give(.events, queue.bytesTaken)
    queue = EventQueue(storage, sizes)
    for var event in events {
      if event.rawKind != DueKind.arrival.rawValue { event.time = later(event.time, by: delay) }
      queue.push(event)
    }
    for index in chores.indices {
      let chore = chores[index]
      chores[index] = Chore(
        time: later(chore.time, by: delay), kind: chore.kind, object: chore.object,
        number: chore.number)
    }
  }

  /// The machine wakes: to its threads it is as if no time had passed.
  ///
  /// Returns how long it slept.
  mutating func wakeUp() -> Int64 {
    demand(hold.isAsleep && hold.wake == now, "the machine wakes at \(now)ns, not \(hold.wake)ns")
    let began = hold.began
    let length = hold.end(at: now)
    breakWork()
    for core in cores.ids where !cores[core].thread.isNone {
      cores.writable[core].dispatched += length
      cores.writable[core].came += length
      // What was scheduled before may still be in the queue.
      cores.writable[core].turn = 0
      cores.writable[core].quantumEnd = later(cores[core].quantumEnd, by: length)
    }
    for thread in threads.ids {
      let record = threads[thread]
      let isIdle = record.state == .waiting && record.reason == .idleWorker
      if record.state == .ready || isIdle {
        threads.writable[thread].since += now - max(record.since, began)
      }
    }
    return length
  }
}
