/// A second simulator, written from the documentation alone and as plainly as possible: lists that
/// are searched, priorities that are computed anew, nothing remembered that can be found out.
///
/// It knows the machine `.ideal` with the policies of `SmallMachine`; threads, locks, conditions,
/// semaphores, groups, pools and dispatch queues. It shares no code with Spindle, which has to agree
/// with it.
final class ReferenceSimulator {
  let machine: SmallMachine
  let program: SmallProgram
  var code = ReferenceCode()
  var now = 0
  var events: [ReferenceEvent] = []
  var eventCount = 0
  var threads: [ReferenceThread] = []
  /// Which thread each core runs, and which it ran last.
  var running: [Int?]
  var lastRun: [Int?]
  /// The ready threads; who is put before the others has a place below all, else above all.
  var line: [Int] = []
  var (lowestPlace, highestPlace) = (0, 0)
  /// Whether a thread has become ready since it was last looked for one to give way.
  var hasArrival = false

  var locks = Array(
    repeating: ReferenceLock(), count: SmallProgram.locks + SmallProgram.conditions)
  var conditions: [[Int]] = Array(repeating: [], count: SmallProgram.conditions)
  var semaphores: [ReferenceSemaphore]
  var groups = Array(repeating: ReferenceGroup(), count: SmallProgram.groups)
  var pools: [ReferencePool]
  var queues: [ReferenceQueue]
  /// What waits for a worker of the dispatch pool, and the pool.
  var roots: [ReferenceRootEntry] = []
  var idleWorkers: [Int] = []
  var workerCount = 0

  var observed = SeenRun()

  init(_ program: SmallProgram) {
    self.program = program
    machine = program.machine
    running = Array(repeating: nil, count: machine.cores)
    lastRun = running
    semaphores = program.semaphores.map { ReferenceSemaphore(value: $0) }
    pools = program.pools.map { ReferencePool(room: $0) }
    queues = program.queues.map {
      ReferenceQueue(isConcurrent: $0.isConcurrent, quality: $0.quality.rawValue)
    }
    for thread in program.threads.indices {
      let body = code.add(program.threads[thread].body)
      let made = make(
        .body("t\(thread)"), priority: Self.priority(tenths: program.threads[thread].priority))
      threads[made].frames = [ReferenceThread.Frame(code: body, end: .thread)]
    }
  }

  /// 15 to 47, so that 0.5 is 31, rounded to the nearest.
  static func priority(tenths: Int) -> Int { 15 + (32 * tenths + 5) / 10 }

  /// Of a worker, by the class of service.
  static func priority(of quality: Int) -> Int { [4, 20, 31, 37, 46][quality] }

  // MARK: Time

  /// Runs the program and says what was seen.
  func run() -> SeenRun {
    let main = make(.main, priority: 31)
    threads[main].frames = [ReferenceThread.Frame(code: code.add(program.main), end: .main)]
    for arrival in program.world {
      let body = code.add(arrival.body)
      add(.world, at: arrival.time, .arrival(body))
    }
    getReady(main)
    repeat {
      // What is raised at this instant for a class that is past waits for the next round.
      for kind in [ReferenceEvent.Class.completion, .world, .timer, .scheduling] {
        takeAll(kind)
      }
      schedule()
      now = events.map { $0.time }.reduce(nextPoint ?? .max) { min($0, $1) }
    } while !events.isEmpty
    let stuck = threads.contains { thread in
      guard thread.state == .waiting else { return false }
      switch thread.reason {
      case .nothing, .time: return false
      case .lock, .semaphore, .group, .condition, .join, .sync: return true
      }
    }
    observed.outcome = stuck ? "deadlock" : "finished"
    return observed
  }

  /// Takes what is due now in one class, in the order in which it was scheduled.
  private func takeAll(_ kind: ReferenceEvent.Class) {
    while let index = events.indices.filter({ events[$0].time == now && events[$0].kind == kind })
      .min(by: { events[$0].number < events[$1].number })
    {
      take(events.remove(at: index))
    }
  }

  private func take(_ event: ReferenceEvent) {
    switch event.action {
    case .arrival(let body): act(code.bodies[body])
    case .done(let thread):
      reckon(thread)
      precondition(threads[thread].work == 0 && threads[thread].cost == 0)
      threads[thread].work = nil
      advance(thread)
    case .wake(let thread): getReady(thread)
    case .limit(let thread): giveUp(thread)
    case .turnEnds(let thread): endTurn(thread)
    }
  }

  func add(
    _ kind: ReferenceEvent.Class, at time: Int, _ action: ReferenceEvent.Action
  ) {
    eventCount += 1
    precondition(eventCount < 100_000, "a small program goes on for ever")
    events.append(
      ReferenceEvent(time: time, kind: kind, number: eventCount, action: action))
  }

  /// Takes back the events of a thread that `isMeant` names.
  func cancel(_ isMeant: (ReferenceEvent.Action) -> Bool) {
    events.removeAll { isMeant($0.action) }
  }

  // MARK: Threads

  func make(_ role: ReferenceThread.Role, priority: Int) -> Int {
    threads.append(ReferenceThread(role: role, priority: priority))
    return threads.count - 1
  }

  /// Puts a thread behind all others.
  func getReady(_ thread: Int) {
    threads[thread].state = .ready
    threads[thread].reason = .nothing
    putBehind(thread)
    line.append(thread)
    hasArrival = true
    noteReady(thread)
  }

  /// Takes a thread's core away, since it can't go on.
  func leaveCore(_ thread: Int) {
    if threads[thread].state == .running {
      countUse(thread)
      threads[thread].left = now
    }
    running = running.map { $0 == thread ? nil : $0 }
    threads[thread].turn = nil
    cancel { if case .turnEnds(thread) = $0 { true } else { false } }
  }

  func block(_ thread: Int, _ reason: ReferenceThread.Reason) {
    leaveCore(thread)
    threads[thread].state = .waiting
    threads[thread].reason = reason
    threads[thread].gaveUp = false
  }

  /// The priority with what is inherited from those who wait, along a chain of up to ten locks.
  func priority(_ thread: Int, hops: Int = 10) -> Int {
    guard machine.inherits && hops > 0 else { return threads[thread].priority }
    let waiters = locks.filter { $0.owner == thread }.flatMap { $0.waiters }
    return waiters.map { priority($0, hops: hops - 1) }.reduce(threads[thread].priority, max)
  }

  /// A thread whose claim has changed begins anew with that, and a ready one goes behind its equals.
  func settlePriorities() {
    for thread in line where claim(thread) != threads[thread].lineClaim {
      putBehind(thread)
      threads[thread].turnPoints = nil
      noteReady(thread)
    }
    for case let thread? in running where claim(thread) != threads[thread].lineClaim {
      threads[thread].turnPoints = nil
      threads[thread].lineClaim = claim(thread)
    }
  }

  func putBehind(_ thread: Int) {
    highestPlace += 1
    threads[thread].place = highestPlace
    threads[thread].lineClaim = claim(thread)
  }

  // MARK: Scheduling

  /// Who runs next.
  private var first: Int? {
    line.min { a, b in
      if goesBefore(a, b) { return true }
      return goesBefore(b, a) ? false : threads[a].place < threads[b].place
    }
  }

  /// Gives out idle cores, then lets threads give way.
  func schedule() {
    while let thread = first {
      if let core = idleCore(for: thread) {
        give(core, to: thread)
      } else if let victim = victim(of: thread), let core = running.firstIndex(of: victim) {
        stop(victim)
        lowestPlace -= 1
        threads[victim].place = lowestPlace
        give(core, to: thread)
      } else {
        break
      }
    }
    hasArrival = false
  }

  /// The core on which it ran last, where that is idle, or else the first of its cluster, or of all.
  private func idleCore(for thread: Int) -> Int? {
    let idle = running.indices.filter { running[$0] == nil }
    guard let last = threads[thread].lastCore else { return idle.first }
    if idle.contains(last) { return last }
    return idle.first { cluster($0) == cluster(last) } ?? idle.first
  }

  private func cluster(_ core: Int) -> Int { core / machine.clusterSize }

  /// What a thread pays for caches that have nothing of it.
  private func refill(_ core: Int, _ thread: Int) -> Int {
    guard let last = threads[thread].lastCore else { return 0 }
    if last != core {
      return machine.coldCache + (cluster(last) == cluster(core) ? 0 : machine.clusterMigration)
    }
    let isWarm = lastRun[core] == thread || now - threads[thread].left < machine.cacheWarmth
    return isWarm ? 0 : machine.coldCache
  }

  /// The least urgent thread that runs, where it is less urgent.
  private func victim(of thread: Int) -> Int? {
    guard isPreempting && (hasArrival || !machine.policy.isOracle) else { return nil }
    let least = running.compactMap { $0 }.min { goesBefore($1, $0) }
    guard let least, goesBefore(thread, least) else { return nil }
    return least
  }

  private func give(_ core: Int, to thread: Int) {
    noteChosen(thread)
    line.removeAll { $0 == thread }
    threads[thread].state = .running
    running[core] = thread
    if lastRun[core] != thread { threads[thread].cost += machine.contextSwitch }
    if let last = threads[thread].lastCore, last != core {
      threads[thread].cost += machine.migration
    }
    threads[thread].cost += refill(core, thread)
    lastRun[core] = thread
    threads[thread].lastCore = core
    beginTurn(thread)
    if threads[thread].cost > 0 || threads[thread].work != nil {
      goOn(thread)
    } else {
      advance(thread)
    }
  }

  private func beginTurn(_ thread: Int) {
    threads[thread].turnBegan = now
    guard let quantum = quantum(thread) else { return }
    let turn = threads[thread].turn ?? quantum
    threads[thread].turn = turn
    add(.scheduling, at: now + turn, .turnEnds(thread))
  }

  /// Goes on with cost and work that it has left.
  func goOn(_ thread: Int) {
    threads[thread].reckoned = now
    let left = threads[thread].cost + (threads[thread].work ?? 0)
    if threads[thread].work == nil { threads[thread].work = 0 }
    add(.completion, at: now + left, .done(thread))
  }

  /// Takes what it has done since the last reckoning from what is left.
  private func reckon(_ thread: Int) {
    let done = now - threads[thread].reckoned
    let paid = min(done, threads[thread].cost)
    threads[thread].cost -= paid
    if let work = threads[thread].work { threads[thread].work = work - (done - paid) }
    threads[thread].reckoned = now
  }

  /// Takes a core away from a thread that could go on, and puts it into the line.
  private func stop(_ thread: Int) {
    reckon(thread)
    cancel { if case .done(thread) = $0 { true } else { false } }
    let left = threads[thread].turn.map { $0 - (now - threads[thread].turnBegan) }
    leaveCore(thread)
    threads[thread].turn = left
    getReady(thread)
  }

  /// Begins a new turn, behind the others; without others on the same core as if nothing happened.
  private func endTurn(_ thread: Int) {
    if line.isEmpty {
      countUse(thread)
      forget(thread)
      beginTurn(thread)
      return
    }
    stop(thread)
    forget(thread)
  }

  func yield(_ thread: Int) {
    if line.isEmpty { return }
    stop(thread)
    forget(thread)
    threads[thread].hasYielded = true
  }
}
