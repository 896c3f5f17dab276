/// Follows every thread of a recording: which had which core, which waited, and which woke which.
///
/// It repairs what is missing: a thread that is on a core without a dispatch got it when it was woken, or
/// when the core last switched, whichever is later.
struct ThreadStates<Observer: ThreadObserver>: RecordingReceiver {
  /// What a thread does.
  private enum Phase { case unknown, running, ready, waiting, ended }

  /// The state of a thread now.
  private struct Live {
    var phase = Phase.unknown
    /// Since when.
    var since: Int64 = 0
    var core: Int32 = -1
    /// When it was woken last.
    var woken: Int64 = .min
    /// The thread that woke it while it was about to wait; -1 for something else, -2 for none.
    var early: Int = -2
  }

  private struct Core {
    /// Its thread: a place in the list; -1 for none, -2 where unknown.
    var current = -2
    /// When it last switched, or something happened on it.
    var changed: Int64 = .min
    var last: Int64 = .min
  }

  /// The threads in the order in which they appeared.
  private(set) var threads: [RecordedThread] = []
  private(set) var counts = RecordingCounts()
  private(set) var processNames: [Int32: String] = [:]
  var observer: Observer
  private var moments = RecordedMoments()
  private var live: [Live] = []
  private var places: [Int32: Int] = [:]
  private var cores: [Int32: Core] = [:]

  /// Begins before the first event.
  init(_ observer: Observer) { self.observer = observer }

  // MARK: Facts

  mutating func receive(_ fact: RecordedFact) {
    switch fact {
    case .name(let number, let name):
      guard number > 0 else { return }
      threads[place(of: number)].name = name
    case .process(let number, let process):
      guard number > 0 else { return }
      threads[place(of: number)].process = process
    case .processName(let process, let name): processNames[process] = name
    case .main(let number):
      guard number > 0 else { return }
      threads[place(of: number)].isMain = true
    case .efficiencyCore(let core): counts.efficiencyCores |= 1 << UInt64(min(max(0, core), 63))
    case .cores(let count): counts.statedCores = max(counts.statedCores, min(count, 1 << 16))
    case .lost(let count): counts.lost += Int64(min(max(0, count), 1 << 40))
    case .unread(let mistake):
      if counts.firstUnread == nil { counts.firstUnread = mistake }
      counts.unread += 1
    }
  }

  // MARK: Events

  mutating func receive(_ event: RecordedEvent) {
    guard moments.has(event.time) else {
      counts.unordered += 1
      return
    }
    var event = named(event)
    var core = cores[event.core] ?? Core()
    if event.time < core.last {
      counts.unordered += 1
      event.time = core.last
    }
    (counts.first, counts.last) = (min(counts.first, event.time), max(counts.last, event.time))
    if event.core >= 0 {
      // A core that does nothing but idle is of no use to a program.
      if event.kind != .other || event.thread > 0 { counts.cores.insert(event.core) }
      core.last = event.time
      cores[event.core] = core
    }
    switch event.kind {
    case .switched(let from, let left, let priority, let to, let next):
      counts.switches += 1
      if from > 0 { threads[place(of: from)].priority = priority }
      if to > 0 { threads[place(of: to)].priority = next }
      settle(event, had: from)
      leave(event, from, left)
      come(event, to)
    case .woken(let thread, let priority): woken(event, thread, priority, isWaking: true)
    case .readied(let thread, let priority): woken(event, thread, priority, isWaking: false)
    case .begun(let thread, let priority):
      settle(event, had: event.thread)
      begun(event, thread, priority)
    case .forked(let parent, let child):
      settle(event, had: event.thread)
      forked(event, parent, child)
    case .executed(let thread):
      settle(event, had: event.thread)
      threads[place(of: thread)].isProgram = true
    case .exited(let thread):
      settle(event, had: event.thread)
      threads[place(of: thread)].hasEnded = true
    case .probed(let probe): probed(event, probe)
    case .other: settle(event, had: event.thread)
    }
  }

  /// The event with the thread of the core, where the recording leaves that to the switch before.
  private func named(_ event: RecordedEvent) -> RecordedEvent {
    guard event.thread < 0, let current = cores[event.core]?.current else { return event }
    let number = current >= 0 ? threads[current].number : current == -1 ? 0 : -1
    var event = event
    event.thread = number
    if case .switched(-1, let left, _, let to, let next) = event.kind, number > 0 {
      let priority = threads[current].priority
      event.kind = .switched(
        from: number, left: left, priority: priority, to: to, nextPriority: next)
    }
    return event
  }

  /// Ends all that still runs at the last moment.
  mutating func finish() {
    for core in cores.keys.sorted() {
      guard let current = cores[core]?.current, current >= 0 else { continue }
      stop(current, at: counts.last)
    }
    for index in live.indices where live[index].phase == .ready {
      threads[index].waited += counts.last - live[index].since
    }
  }

  // MARK: Cores

  /// Makes `number` the one that has the core, where it was not known to.
  private mutating func settle(_ event: RecordedEvent, had number: Int32) {
    guard number >= 0, event.core >= 0, var core = cores[event.core] else { return }
    let place = number == 0 ? -1 : self.place(of: number)
    if core.current == place { return }
    if core.current >= 0 {
      // Lost: how it left the core is not known, but it did.
      counts.breaks += 1
      stop(core.current, at: max(live[core.current].since, core.changed))
      live[core.current].phase = .waiting
      core.current = -2
    }
    if place >= 0 {
      infer(place, event, core)
    } else {
      observer.core(event.core, isIdle: true, at: event.time)
    }
    cores[event.core]?.current = place
  }

  /// A thread is on a core without having come.
  private mutating func infer(_ place: Int, _ event: RecordedEvent, _ core: Core) {
    if live[place].phase == .running {
      // It is on another core too: there it has gone.
      counts.breaks += 1
      let other = live[place].core
      stop(place, at: max(live[place].since, cores[other]?.changed ?? .min))
      cores[other]?.current = -2
      live[place].phase = .ready
    }
    let wasKnown = live[place].phase != .unknown
    if wasKnown || core.changed > .min {
      counts.inferred += 1
      threads[place].inferred += 1
    }
    var start = max(live[place].woken, core.changed)
    if live[place].phase == .waiting {
      counts.wakesMissing += 1
      start = max(start, live[place].since)
      observer.waited(place, from: live[place].since, to: min(start, event.time), waker: nil)
    }
    if !wasKnown { start = max(start, counts.first) }
    begin(
      place, on: event.core, at: min(max(start, live[place].since), event.time), wasKnown: wasKnown)
  }

  /// A thread gets a core.
  private mutating func begin(_ place: Int, on core: Int32, at time: Int64, wasKnown: Bool) {
    observer.core(core, isIdle: false, at: time)
    if !wasKnown { observer.appeared(place, at: time, waits: false) }
    let since = live[place].phase == .ready ? live[place].since : time
    threads[place].waited += time - since
    observer.came(place, at: time, ready: since)
    (live[place].phase, live[place].since, live[place].core) = (.running, time, core)
    threads[place].switches += 1
    threads[place].cores |= 1 << UInt64(min(max(0, core), 63))
    see(place, time)
  }

  /// Counts what a running thread did up to now.
  private mutating func advance(_ place: Int, to time: Int64) {
    guard live[place].phase == .running, time > live[place].since else { return }
    threads[place].ran += time - live[place].since
    observer.ran(place, on: live[place].core, from: live[place].since, to: time)
    live[place].since = time
    see(place, time)
  }

  private mutating func stop(_ place: Int, at time: Int64) {
    advance(place, to: time)
    live[place].core = -1
  }

  private mutating func leave(
    _ event: RecordedEvent, _ number: Int32, _ left: RecordedEvent.Leaving
  ) {
    guard number > 0 else { return }
    let place = place(of: number)
    stop(place, at: event.time)
    live[place].since = event.time
    let early = live[place].early
    live[place].early = -2
    switch left {
    case .ready:
      live[place].phase = .ready
      observer.waitsForCore(place, at: event.time)
    case .waiting where early > -2:
      // It was woken between saying that it waits and leaving the core.
      live[place].phase = .ready
      observer.waited(
        place, from: event.time, to: event.time, waker: early >= 0 ? early : nil)
      observer.waitsForCore(place, at: event.time)
    case .waiting: live[place].phase = .waiting
    case .ended:
      live[place].phase = .ended
      threads[place].hasEnded = true
    }
  }

  private mutating func come(_ event: RecordedEvent, _ number: Int32) {
    cores[event.core]?.changed = event.time
    guard number > 0 else {
      cores[event.core]?.current = -1
      observer.core(event.core, isIdle: true, at: event.time)
      return
    }
    let place = place(of: number)
    if live[place].phase == .running, live[place].core != event.core {
      counts.breaks += 1
      let other = live[place].core
      stop(place, at: event.time)
      cores[other]?.current = -2
      live[place].phase = .ready
      live[place].since = event.time
    }
    if live[place].phase == .waiting {
      counts.wakesMissing += 1
      observer.waited(place, from: live[place].since, to: event.time, waker: nil)
    }
    begin(place, on: event.core, at: event.time, wasKnown: live[place].phase != .unknown)
    cores[event.core]?.current = place
  }

  // MARK: Wakes

  private mutating func woken(
    _ event: RecordedEvent, _ number: Int32, _ priority: Int32, isWaking: Bool
  ) {
    settle(event, had: event.thread)
    let isInterrupt = event.context == .interrupt
    if event.context != .unknown { counts.tellsInterrupts = true }
    if isWaking {
      counts.wakes += 1
      if isInterrupt { counts.wakesInInterrupts += 1 }
    } else {
      counts.readied += 1
      if isInterrupt && counts.wakes == 0 { counts.wakesInInterrupts += 1 }
    }
    guard number > 0 else { return }
    let place = place(of: number)
    threads[place].priority = priority
    let waker = isInterrupt || event.thread <= 0 ? nil : Optional(self.place(of: event.thread))
    if let waker { advance(waker, to: event.time) }
    switch live[place].phase {
    case .unknown:
      observer.appeared(place, at: event.time, waits: true)
      ready(place, event.time, from: counts.first, waker)
    case .waiting: ready(place, event.time, from: live[place].since, waker)
    case .running where isWaking && waker != place: live[place].early = waker ?? -1
    case .running, .ready, .ended: break
    }
  }

  private mutating func ready(_ place: Int, _ time: Int64, from start: Int64, _ waker: Int?) {
    threads[place].wakes += 1
    see(place, time)
    (live[place].phase, live[place].since, live[place].woken) = (.ready, time, time)
    observer.waited(place, from: start, to: time, waker: waker == place ? nil : waker)
    observer.waitsForCore(place, at: time)
  }

  private mutating func forked(_ event: RecordedEvent, _ parent: Int32, _ child: Int32) {
    guard parent > 0, child > 0 else { return }
    if let old = places[child], live[old].phase != .unknown || threads[old].last > .min {
      places[child] = nil
    }
    let (parent, child) = (place(of: parent), place(of: child))
    advance(parent, to: event.time)
    threads[child].parent = Int32(parent)
    if threads[child].name.isEmpty { threads[child].name = threads[parent].name }
  }

  private mutating func begun(_ event: RecordedEvent, _ number: Int32, _ priority: Int32) {
    guard number > 0 else { return }
    let place = place(of: number)
    threads[place].priority = priority
    guard live[place].phase == .unknown else { return }
    see(place, event.time)
    (live[place].phase, live[place].since, live[place].woken) = (.ready, event.time, event.time)
    // A thread is made ready by the one that made it.
    if threads[place].parent < 0, event.thread > 0, event.context != .interrupt {
      threads[place].parent = Int32(self.place(of: event.thread))
    }
    let parent = Int(threads[place].parent)
    if parent >= 0 && parent != place {
      advance(parent, to: event.time)
      observer.made(place, by: parent, at: event.time)
    } else {
      observer.appeared(place, at: event.time, waits: false)
    }
    observer.waitsForCore(place, at: event.time)
  }

  // MARK: Queues

  private mutating func probed(_ event: RecordedEvent, _ probe: DispatchProbe) {
    settle(event, had: event.thread)
    guard event.thread > 0 else { return }
    let place = place(of: event.thread)
    if case .calls = probe { counts.calls += 1 }
    if case .worker = probe { threads[place].isWorker = true }
    advance(place, to: event.time)
    observer.probed(place, probe, at: event.time)
  }

  // MARK: Threads

  private mutating func see(_ place: Int, _ time: Int64) {
    threads[place].first = min(threads[place].first, time)
    threads[place].last = max(threads[place].last, time)
  }

  /// The place of a thread in the list; a new one where it is not there yet, or has ended.
  private mutating func place(of number: Int32) -> Int {
    if let place = places[number] { return place }
    precondition(
      live.count == threads.count, "\(threads.count) threads, of which \(live.count) have a state")
    places[number] = threads.count
    threads.append(RecordedThread(number: number))
    live.append(Live())
    return threads.count - 1
  }
}
