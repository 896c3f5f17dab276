/// Random programs that are small, and dense in moments at which several things are due.
struct RandomPrograms {
  /// What is drawn too.
  ///
  /// A switch that is off stands for something that Spindle is known to do otherwise than its pages say;
  /// programs that could show it are left out. It goes when that is mended.
  enum Feature: Sendable {
    /// Two works with nothing between them, which are one.
    static let splitWork = true
    /// Turns that end on one of several cores: a turn's end has its place from when the turn began, and one
    /// at which nobody waits changes nothing.
    static let turnsOnCores = true
    /// Owners of locks inherit, and on `.ideal` still who waits longest is next.
    static let inheritance = true
    /// Concurrent and global queues beside serial ones: all stand in one line of the ideal machine's pool.
    static let mixedQueues = true
    /// Switches cost something: one to a new thread does, also where an ended one's number is used again.
    static let costs = true
    /// They do on several cores, where ends of work that followed a cost may come at one instant.
    static let costsOnCores = false
  }

  private var state: UInt64
  private var names = 0

  /// Creates the generator for a seed.
  init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  private mutating func draw(_ below: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % below
  }

  private mutating func chance(_ percent: Int) -> Bool { draw(100) < percent }

  private mutating func name(_ prefix: String) -> String {
    names += 1
    return "\(prefix)\(names)"
  }

  /// What may stand in a body.
  private struct Place {
    var depth = 0
    /// Locks and queues that this code has already, by the numbers of their kinds.
    var locks: [Int] = []
    var queues: [Int] = []
    var isWorld = false
  }

  private var program = SmallProgram(
    machine: SmallMachine(
      cores: 1, policy: .fifo, quantum: 1, inherits: false, contextSwitch: 0, migration: 0),
    pools: [], queues: [], semaphores: [], threads: [], main: [], world: [])

  /// Draws a program.
  mutating func next() -> SmallProgram {
    let policies: [SmallMachine.Policy] = [
      .fifo, .roundRobin, .fixedPriority, .fixedPriority, .fixedPriorityCooperative,
    ]
    program.machine = SmallMachine(
      cores: 1 + draw(4), policy: policies[draw(policies.count)], quantum: 1 + draw(3),
      inherits: Feature.inheritance && chance(50), contextSwitch: 0, migration: 0)
    if !Feature.turnsOnCores && program.machine.cores > 1 { program.machine.quantum = 100 }
    if Feature.costs && chance(40) && (Feature.costsOnCores || program.machine.cores == 1) {
      // A turn is longer than what it costs to begin it, or nobody would get on.
      (program.machine.contextSwitch, program.machine.migration) = (draw(2), draw(2))
      program.machine.quantum = max(program.machine.quantum, 3)
      if chance(50) {
        if chance(50) { program.machine.clusterSize = 1 + draw(2) }
        (program.machine.clusterMigration, program.machine.coldCache) = (draw(2), draw(2))
        program.machine.cacheWarmth = draw(4)
        program.machine.quantum = max(program.machine.quantum, 5)
      }
    }
    return filled()
  }

  /// The policies of books that the reference knows.
  static let textbookPolicies: [SmallMachine.Policy] = [
    .multilevelQueue, .multilevelFeedback, .priorityAging, .priorityAgingCooperative,
    .shortestJobFirst, .shortestRemainingTime, .highestResponseRatioNext,
  ]

  /// Draws a program for a machine with one of the policies of books, on which nothing costs anything.
  mutating func next(under policy: SmallMachine.Policy) -> SmallProgram {
    program.machine = SmallMachine(
      cores: 1 + draw(4), policy: policy, quantum: 1 + draw(3), inherits: chance(30),
      contextSwitch: 0, migration: 0)
    program.machine.levels = 1 + draw(3)
    program.machine.growth = 1 + draw(2)
    program.machine.allotment = 1 + draw(2)
    program.machine.interval = 1 + draw(3)
    return filled()
  }

  /// The program of a machine that has been drawn.
  private mutating func filled() -> SmallProgram {
    program.pools = (0..<1 + draw(2)).map { _ in 1 + draw(3) }
    program.semaphores = (0..<1 + draw(2)).map { _ in draw(3) }
    program.queues = (0..<1 + draw(3)).map { _ in
      SmallQueue(
        isConcurrent: Feature.mixedQueues && chance(30),
        quality: chance(70) ? .default : SmallQuality.allCases[draw(5)])
    }
    let threads = 1 + draw(5)
    for _ in 0..<threads {
      program.threads.append(SmallThread(priority: 1 + draw(chance(50) ? 3 : 9), body: []))
    }
    for thread in 0..<threads { program.threads[thread].body = body(Place()) }
    program.main = body(Place(depth: 1))
    program.world = (0..<draw(4)).map { _ in
      SmallArrival(time: draw(8), body: body(Place(depth: 1, isWorld: true)))
    }
    for thread in 0..<threads {
      if !program.world.isEmpty && chance(30) {
        program.world[draw(program.world.count)].body.append(.start(thread))
      } else {
        program.main.insert(.start(thread), at: draw(program.main.count + 1))
      }
    }
    return program
  }

  private mutating func body(_ place: Place) -> [SmallStatement] {
    var body: [SmallStatement] = []
    for _ in 0..<1 + draw(place.depth > 1 ? 3 : 5) {
      if chance(8) {
        body.append(.signal(draw(program.semaphores.count)))
        body.append(.conditionSignal(0, all: chance(50), locked: false))
      }
      let statement = place.isWorld ? self.call(place) : self.statement(place)
      if !Feature.splitWork, case .work = statement, case .work? = body.last { continue }
      body.append(statement)
      if chance(20) { body.append(.mark(name("m"))) }
    }
    return body
  }

  private mutating func time() -> Int { isOracle ? 1 + draw(4) : draw(5) }

  /// Whether what threads do must be known ahead: then nothing depends on whether a wait reached its limit,
  /// or on what a worker is given.
  private var isOracle: Bool { program.machine.policy.isOracle }

  /// A limit, or none in so many of a hundred cases.
  private mutating func limit(without percent: Int) -> SmallLimit {
    if isOracle || chance(percent) { return .never }
    return chance(80) ? .after(draw(4)) : .at(draw(12))
  }

  private mutating func executor() -> SmallExecutor {
    switch draw(8) {
    case 0..<3: .pool(draw(program.pools.count))
    case 3, 4, 5: .queue(draw(program.queues.count))
    case 6: .barrier(draw(program.queues.count))
    default: global()
    }
  }

  private mutating func global() -> SmallExecutor {
    if !Feature.mixedQueues { return .queue(draw(program.queues.count)) }
    return .global(chance(60) ? .default : SmallQuality.allCases[draw(5)])
  }

  private mutating func queue() -> SmallExecutor {
    let queue = executor()
    if case .pool = queue { return global() }
    return queue
  }

  /// A statement of a thread.
  private mutating func statement(_ place: Place) -> SmallStatement {
    switch draw(place.depth > 2 ? 7 : 20) {
    case 0, 1, 2: return .work(time())
    case 3: return .io(time())
    case 4: return .sleep(time())
    case 5: return .yield
    case 6, 7, 8: return call(place)
    case 9, 10, 11: return locked(place)
    case 12, 13:
      return .wait(draw(program.semaphores.count), limit(without: 30), refused: name("r"))
    case 14: return .groupWait(draw(SmallProgram.groups), limit(without: 20), refused: name("r"))
    case 15: return .entered(draw(SmallProgram.groups), body(deeper(place)))
    case 16: return conditionWait(place)
    case 17, 18: return isOracle ? .work(time()) : sync(place)
    default: return .join(draw(program.threads.count))
    }
  }

  private func deeper(_ place: Place) -> Place {
    var place = place
    place.depth += 1
    return place
  }

  private mutating func locked(_ place: Place) -> SmallStatement {
    let lock = draw(SmallProgram.locks)
    if place.locks.contains(lock) { return .mark(name("m")) }
    var inner = deeper(place)
    inner.locks.append(lock)
    return .locked(lock, limit(without: 70), body(inner), refused: name("r"))
  }

  private mutating func conditionWait(_ place: Place) -> SmallStatement {
    let condition = draw(SmallProgram.conditions)
    let lock = SmallProgram.locks + condition
    if place.locks.contains(lock) { return .mark(name("m")) }
    var inner = deeper(place)
    inner.locks.append(lock)
    return .conditionWait(condition, limit(without: 10), body(inner))
  }

  private mutating func sync(_ place: Place) -> SmallStatement {
    let queue = draw(program.queues.count)
    if place.queues.contains(queue) { return .mark(name("m")) }
    var inner = deeper(place)
    inner.queues.append(queue)
    return .sync(queue, barrier: program.queues[queue].isConcurrent && chance(40), body(inner))
  }

  /// The body of an item that this executor runs.
  private mutating func item(_ executor: SmallExecutor, _ place: Place) -> [SmallStatement] {
    var inner = Place(depth: place.depth + 1)
    if case .queue(let queue) = executor { inner.queues = [queue] }
    if case .barrier(let queue) = executor { inner.queues = [queue] }
    return body(inner)
  }

  /// A statement of a thread or of the world.
  private mutating func call(_ place: Place) -> SmallStatement {
    let isDeep = place.depth > 2
    switch draw(10) {
    case 0, 1: return .mark(name("m"))
    case 2: return .signal(draw(program.semaphores.count))
    case 3, 4:
      let locked = !place.isWorld && !place.locks.contains(SmallProgram.locks) && chance(50)
      return .conditionSignal(draw(SmallProgram.conditions), all: chance(40), locked: locked)
    case 5:
      return .setPriority(draw(program.threads.count), 1 + draw(9))
    case 6, 7, 8:
      if isDeep || isOracle { return .mark(name("m")) }
      let executor = executor()
      let group = chance(30) ? draw(SmallProgram.groups) : nil
      return .submit(executor, name("item"), group: group, item(executor, place))
    default:
      if isDeep { return .mark(name("m")) }
      if chance(50) && !isOracle {
        let executor = queue()
        let group = draw(SmallProgram.groups)
        return .notify(group, executor, name("notice"), item(executor, place))
      }
      return .detach(name("thread"), body(Place(depth: place.depth + 1)))
    }
  }
}
