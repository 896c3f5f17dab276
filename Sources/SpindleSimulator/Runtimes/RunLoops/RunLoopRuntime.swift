import SpindleModel

/// The run loops of all threads, and whatever is added to them.
///
/// A loop is made when somebody first asks for it, and is named by its thread. Items have numbers of
/// their own and say which loop they are in. What a run does, pass by pass, is the interpreter's part.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
struct RunLoopRuntime: ~Copyable {
  var loops: RunLoopRecords<RunLoop>
  /// The loop of each thread that has one.
  private var loopsOfThreads: ThreadTable<RunLoop.Index>
  var timers: RunLoopRecords<RunLoopTimer>
  /// Numbers of timers that may be used again once no run goes through its due timers.
  var retiredTimers: [RunLoopTimer.Index] = []
  /// How many runs go through their due timers.
  var timerPasses = 0
  var sources: RunLoopRecords<RunLoopSource>
  var ports: RunLoopRecords<RunLoopPort>
  var observers: RunLoopRecords<RunLoopObserver>
  var snapshots: RunLoopRecords<RunLoopSnapshot>
  /// The last ticket that was given out; what comes later has a higher one.
  private var lastTicket: Int64 = 0
  /// Until when the finger is down; -1 while it is not.
  var trackingUntil: Int64 = -1
  /// The name of the common modes; none before it was met.
  private(set) var commonName = NameID.none
  /// The findings that have been reported, each once for a place.
  var reported: Set<RunLoopReport> = []
  let storage: Storage

  /// How many passes of the main thread's loop, one inside the other, drain the main queue.
  var mainDrains = 0

  /// Creates it without loops.
  init(_ storage: Storage) {
    self.storage = storage
    loopsOfThreads = ThreadTable(.runLoops, storage, nothing: .none)
    loops = RunLoopRecords(.runLoops, bytesEach: RunLoopSize.loop, storage)
    timers = RunLoopRecords(.timers, bytesEach: RunLoopSize.timer, storage)
    sources = RunLoopRecords(.runLoopSources, bytesEach: RunLoopSize.source, storage)
    ports = RunLoopRecords(.ports, bytesEach: RunLoopSize.port, storage)
    observers = RunLoopRecords(.observers, bytesEach: RunLoopSize.observer, storage)
    snapshots = RunLoopRecords(.runLoops, bytesEach: RunLoopSize.loop, storage)
  }

  /// The next ticket.
  mutating func ticket() -> Int64 {
    lastTicket += 1
    return lastTicket
  }

  // MARK: Loops

  /// The loop of a thread; none when nobody has asked for it.
  func knownLoop(of thread: ThreadID, _ kernel: borrowing Kernel) -> RunLoop.Index {
    loopsOfThreads.of(thread, kernel)
  }

  /// The loop of a thread that has not ended; makes it when there is none.
  mutating func loop(of thread: ThreadID, _ kernel: inout Kernel) -> RunLoop.Index {
    let known = knownLoop(of: thread, kernel)
    if !known.isNone { return known }
    demand(
      !thread.isNone && kernel.threads[thread].state != .finished,
      "thread \(thread.index) has ended, or is none, and is to have a run loop")
    let loop = loops.add(RunLoop(thread: thread))
    storage.take(.runLoops, RunLoopSize.mode)
    loopsOfThreads.change(thread, kernel) { $0 = loop }
    if kernel.threads[thread].role != .main {
      kernel.changeMemory(by: kernel.costs.runLoop.rawValue)
    }
    return loop
  }

  /// Gives the loop of a thread back that has ended.
  mutating func free(_ loop: RunLoop.Index, _ kernel: inout Kernel) {
    demand(
      !loops[loop].thread.isNone && !loops[loop].sleeps,
      "loop \(loop.raw) of thread \(loops[loop].thread.index) is given back twice, or sleeps")
    for timer in timers(of: loop) {
      (timers[timer].loop, timers[timer].modes) = (.none, ItemList())
    }
    for (number, mode) in loops[loop].modes.enumerated() {
      let place = RunLoopPlace(loop: loop, mode: RunLoopMode.Index(Int32(number)))
      for list in mode.observers {
        for observer in list.all {
          (observers[observer].loop, observers[observer].modes) = (.none, ItemList())
        }
      }
      for source in mode.sources { sources[source].places.remove(place) }
      for port in mode.ports { ports[port].places.remove(place) }
    }
    let thread = loops[loop].thread
    loopsOfThreads.change(thread, kernel) { $0 = .none }
    if kernel.threads[thread].role != .main {
      kernel.changeMemory(by: -kernel.costs.runLoop.rawValue)
    }
    storage.give(.runLoops, RunLoopSize.contents(of: loops[loop]))
    storage.give(.performs, RunLoopSize.waiting(in: loops[loop]))
    loops.free(loop, leaving: RunLoop(thread: .none))
  }

  /// The timers of a loop, in no mode twice.
  mutating func timers(of loop: RunLoop.Index) -> [RunLoopTimer.Index] {
    distinct(loops[loop].modes.flatMap { $0.timers.all.map(\.item) })
  }

  /// The delayed performs of a loop, in the order of `timers(of:)`.
  func delayedPerforms(of loop: RunLoop.Index) -> [RunLoopTimer.Index] {
    var found: [(mode: RunLoopMode.Index, entry: RunLoopHeap<RunLoopTimer>.Entry)] = []
    for timer in loops[loop].delayedPerforms {
      guard let mode = timers[timer].modes.min(by: { $0.raw < $1.raw }) else { continue }
      assert(
        timers[timer].isPerform && timers[timer].loop == loop,
        "timer \(timer.raw) is listed as a delayed perform of loop \(loop.raw)")
      let line = loops[loop].modes[mode].timers
      guard let entry = line.waiting.entry(of: timer) ?? line.firing.entry(of: timer) else {
        continue
      }
      found.append((mode, entry))
    }
    found.sort {
      ($0.mode.raw, $0.entry.first, $0.entry.second)
        < ($1.mode.raw, $1.entry.first, $1.entry.second)
    }
    return found.map(\.entry.item)
  }

  /// The sources of a loop.
  mutating func sources(of loop: RunLoop.Index) -> [RunLoopSource.Index] {
    distinct(loops[loop].modes.flatMap(\.sources))
  }

  /// The ports of a loop.
  mutating func ports(of loop: RunLoop.Index) -> [RunLoopPort.Index] {
    distinct(loops[loop].modes.flatMap(\.ports))
  }

  private func distinct<Item: Hashable>(_ items: [Item]) -> [Item] {
    var seen: Set<Item> = []
    return items.filter { seen.insert($0).inserted }
  }

  // MARK: Modes

  /// Whether a name is that of the common modes.
  mutating func isCommonModes(_ name: NameID, _ names: NameTable) -> Bool {
    if commonName == .none && names.utf8(name).elementsEqual("common".utf8) {
      commonName = name
    }
    return name == commonName
  }

  /// The index of a mode, which is made when it is new.
  ///
  /// On the main thread of an app the modes of tracking belong to the common ones, as UIKit and
  /// AppKit set them up; elsewhere only the default mode does.
  mutating func mode(
    _ name: NameID, of loop: RunLoop.Index, _ kernel: borrowing Kernel
  ) -> RunLoopMode.Index {
    if let known = loops[loop].index(ofMode: name) { return known }
    let isCommon = isTracking(name, loop, kernel)
    demand(!loops[loop].thread.isNone, "loop \(loop.raw) was given back and gets a mode")
    let index = loops[loop].addMode(name, isCommon: isCommon)
    storage.take(.runLoops, RunLoopSize.mode)
    if isCommon {
      for item in loops[loop].commonItems { insert(item, loop, index) }
    }
    return index
  }

  /// The index of a mode that a run can begin in; nil when nothing was ever added to it.
  ///
  /// On Darwin the modes of tracking are there from the start in the main loop, with the main queue.
  mutating func knownMode(
    _ name: NameID, of loop: RunLoop.Index, _ kernel: borrowing Kernel
  ) -> RunLoopMode.Index? {
    if let known = loops[loop].index(ofMode: name) { return known }
    if !kernel.machine.isDarwin || !isTracking(name, loop, kernel) { return nil }
    return mode(name, of: loop, kernel)
  }

  /// Whether a name is that of a mode of tracking of the main loop.
  private mutating func isTracking(
    _ name: NameID, _ loop: RunLoop.Index, _ kernel: borrowing Kernel
  ) -> Bool {
    if kernel.threads[loops[loop].thread].role != .main { return false }
    let text = kernel.text(name)
    return text == "tracking" || text == "eventTracking" || text == "modalPanel"
  }

  /// Makes a mode one of the common modes: it gets all that was added to them.
  ///
  /// A loop that sleeps in it wakes for what is thereby ready.
  mutating func makeCommon(_ name: NameID, of loop: RunLoop.Index, _ kernel: inout Kernel) {
    let index = mode(name, of: loop, kernel)
    if loops[loop].modes[index].isCommon { return }
    assert(
      !loops[loop].commonModes.contains(index), "mode \(index.raw) is listed as a common one")
    loops[loop].makeCommon(index)
    for item in loops[loop].commonItems { insert(item, loop, index) }
    notice(loop, &kernel)
  }

  /// Whether something for these modes, all of which have been met, is for the mode at `index`.
  mutating func matches(_ modes: [NameID], _ loop: RunLoop.Index, _ index: RunLoopMode.Index)
    -> Bool
  {
    loops.matches(modes, loop, index, common: commonName)
  }

  // MARK: Items

  /// Adds an item to a mode, or to the common modes; it is in each of them once.
  ///
  /// Added to the common modes again it is put back into those that it was taken out of.
  /// The library ignores what `mayAdd` refuses.
  mutating func add(
    _ item: RunLoopItem, to loop: RunLoop.Index, _ name: NameID, _ kernel: inout Kernel
  ) {
    if !mayAdd(item, to: loop) { return }
    if isCommonModes(name, kernel.names) {
      let isNew = loops[loop].commonItems.append(item)
      if isNew { storage.take(.runLoops, RunLoopSize.item) }
      // The source for performs is never taken out of a mode.
      if isNew || item != .performs {
        for index in loops[loop].commonModes { insert(item, loop, index) }
      }
    } else {
      insert(item, loop, mode(name, of: loop, kernel))
    }
    notice(loop, &kernel)
  }

  /// Whether the library puts an item into a loop's mode: it is valid, and no other loop's.
  ///
  /// Source: CFRunLoopAddTimer, CFRunLoopAddObserver, CFRunLoopAddSource.
  mutating func mayAdd(_ item: RunLoopItem, to loop: RunLoop.Index) -> Bool {
    switch item {
    case .timer(let timer):
      let record = timers[timer]
      return record.isValid && (record.loop.isNone || record.loop == loop)
    case .observer(let observer):
      let record = observers[observer]
      return record.isValid && (record.loop.isNone || record.loop == loop)
    case .source(let source): return sources[source].isValid
    case .port(let port): return ports[port].isValid
    case .performs: return true
    }
  }

  /// Puts an item into one mode, unless it is there or the library would ignore the call.
  ///
  /// A set of common items may hold what was invalidated or went to another loop meanwhile.
  private mutating func insert(
    _ item: RunLoopItem, _ loop: RunLoop.Index, _ index: RunLoopMode.Index
  ) {
    if !mayAdd(item, to: loop) { return }
    switch item {
    case .timer(let timer):
      if loops[loop].modes[index].timers.contains(timer) { return }
      if !timers[timer].wasAdded { timers[timer].ticket = ticket() }
      assert(
        timers[timer].modes.isEmpty == timers[timer].loop.isNone,
        "timer \(timer.raw) is in loop \(timers[timer].loop.raw) and in no mode of it")
      timers[timer].wasAdded = true
      timers[timer].loop = loop
      timers[timer].modes.append(index)
      if timers[timer].isPerform { loops[loop].delayedPerforms.append(timer) }
      place(timer, loop, index)
      count(1, loop, index)
    case .source(let source):
      if !loops[loop].modes[index].sources.append(source) { return }
      sources[source].places.append(RunLoopPlace(loop: loop, mode: index))
      count(1, loop, index)
      if sources[source].isSignalled {
        note(signalOf: source, RunLoopPlace(loop: loop, mode: index))
      }
    case .port(let port):
      if !loops[loop].modes[index].ports.append(port) { return }
      ports[port].places.append(RunLoopPlace(loop: loop, mode: index))
      count(1, loop, index)
      note(messagesOf: port, RunLoopPlace(loop: loop, mode: index))
    case .observer(let observer): insert(observer: observer, loop, index)
    case .performs: loops[loop].modes[index].takesPerforms = true
    }
  }

  private mutating func insert(
    observer: RunLoopObserver.Index, _ loop: RunLoop.Index, _ index: RunLoopMode.Index
  ) {
    if !observers[observer].modes.append(index) { return }
    count(1, loop, index)
    if loops[loop].modes[index].observers.isEmpty {
      loops[loop].modes[index].observers = RunLoopActivity.allCases.map { _ in
        RunLoopObservers()
      }
    }
    demand(
      loops[loop].modes[index].observers.count == RunLoopActivity.allCases.count,
      "mode \(index.raw) has lists of observers for some activities only")
    let record = observers[observer]
    for activity in RunLoopActivity.allCases where record.activities & activity.bit != 0 {
      loops[loop].modes[index].observers[activity.place].append(
        observer, order: record.order)
    }
    observers[observer].loop = loop
  }

  /// A mode has one item more or less, which counts.
  private mutating func count(_ number: Int, _ loop: RunLoop.Index, _ mode: RunLoopMode.Index) {
    loops[loop].modes[mode].itemCount += number
    demand(
      loops[loop].modes[mode].itemCount >= 0,
      "mode \(mode.raw) of loop \(loop.raw) has lost more items than it had")
    storage.change(.runLoops, by: number, bytesEach: RunLoopSize.item)
  }

  /// Takes an item out of a mode, or out of the common modes; one that is not there is no mistake.
  mutating func remove(
    _ item: RunLoopItem, from loop: RunLoop.Index, _ name: NameID, _ kernel: inout Kernel
  ) {
    if isCommonModes(name, kernel.names) {
      if !loops[loop].commonItems.remove(item) { return }
      storage.give(.runLoops, RunLoopSize.item)
      for index in loops[loop].commonModes { takeOut(item, loop, index) }
    } else if let index = loops[loop].index(ofMode: name) {
      takeOut(item, loop, index)
    }
    notice(loop, &kernel)
  }

  /// Takes an item out of all modes of a loop.
  mutating func removeEverywhere(_ item: RunLoopItem, _ loop: RunLoop.Index, _ kernel: inout Kernel)
  {
    if loops[loop].commonItems.remove(item) { storage.give(.runLoops, RunLoopSize.item) }
    for index in modes(of: item, in: loop) { takeOut(item, loop, index) }
    assert(modes(of: item, in: loop).isEmpty, "\(item) is still in loop \(loop.raw)")
    notice(loop, &kernel)
  }

  /// The indices of the modes of a loop that have an item.
  private mutating func modes(of item: RunLoopItem, in loop: RunLoop.Index) -> [RunLoopMode.Index] {
    switch item {
    case .timer(let timer): Array(timers[timer].modes)
    case .observer(let observer): Array(observers[observer].modes)
    case .source(let source): modes(among: sources[source].places, in: loop)
    case .port(let port): modes(among: ports[port].places, in: loop)
    case .performs: []
    }
  }

  /// The indices of those modes that are a loop's, in order.
  mutating func modes(among places: ItemList<RunLoopPlace>, in loop: RunLoop.Index)
    -> [RunLoopMode.Index]
  {
    places.filter { $0.loop == loop }.map(\.mode).sorted { $0.raw < $1.raw }
  }

  private mutating func takeOut(
    _ item: RunLoopItem, _ loop: RunLoop.Index, _ index: RunLoopMode.Index
  ) {
    switch item {
    case .timer(let timer):
      if loops[loop].modes[index].timers.remove(timer) == nil { return }
      assert(
        timers[timer].loop == loop,
        "timer \(timer.raw) was in a mode of loop \(loop.raw), not of its own")
      count(-1, loop, index)
      timers[timer].modes.remove(index)
      if !timers[timer].modes.isEmpty { return }
      timers[timer].loop = .none
      if timers[timer].isPerform { loops[loop].delayedPerforms.remove(timer) }
    case .source(let source):
      if !loops[loop].modes[index].sources.remove(source) { return }
      count(-1, loop, index)
      loops[loop].modes[index].signalled.remove(source)
      sources[source].places.remove(RunLoopPlace(loop: loop, mode: index))
    case .port(let port):
      if !loops[loop].modes[index].ports.remove(port) { return }
      count(-1, loop, index)
      loops[loop].modes[index].readyPorts.remove(port)
      ports[port].places.remove(RunLoopPlace(loop: loop, mode: index))
    case .observer(let observer):
      if observers[observer].loop != loop { return }
      if observers[observer].modes.remove(index) { count(-1, loop, index) }
      for activity in loops[loop].modes[index].observers.indices {
        loops[loop].modes[index].observers[activity].remove(observer)
      }
    case .performs: break
    }
  }
}

/// A finding about a place that has been reported.
struct RunLoopReport: Hashable {
  let kind: Finding.Kind
  let place: Int32
}
