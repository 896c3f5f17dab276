import SpindleModel

/// The run loops of all threads, and whatever is added to them.
///
/// A loop is made when somebody first asks for it, and is named by its thread. Items have numbers of
/// their own and say which loop they are in. What a run does, pass by pass, is the interpreter's part.
///
/// Source: swift-corelibs-foundation:Sources/CoreFoundation/CFRunLoop.c.
struct RunLoopRuntime: ~Copyable {
  var loops: [RunLoop] = []
  private var freeLoops: [Int32] = []
  var timers: [RunLoopTimer] = []
  var freeTimers: [Int32] = []
  /// Numbers of timers that may be used again once no run goes through its due timers.
  var retiredTimers: [Int32] = []
  /// How many runs go through their due timers.
  var timerPasses = 0
  var sources: [RunLoopSource] = []
  var ports: [RunLoopPort] = []
  var freePorts: [Int32] = []
  var observers: [RunLoopObserver] = []
  var snapshots: [RunLoopSnapshot] = []
  private var freeSnapshots: [Int32] = []
  /// The last ticket that was given out; what comes later has a higher one.
  private var lastTicket: Int64 = 0
  /// Until when the finger is down; -1 while it is not.
  var trackingUntil: Int64 = -1
  /// The number of the name of the common modes; -1 before it was met.
  private(set) var commonName: Int32 = -1
  /// The places whose findings have been told.
  var told: Set<Int64> = []
  let storage: Storage

  /// How many passes of the main thread's loop, one inside the other, drain the main queue.
  var mainDrains = 0

  /// Creates it without loops.
  init(_ storage: Storage) { self.storage = storage }

  /// The next ticket.
  mutating func ticket() -> Int64 {
    lastTicket += 1
    return lastTicket
  }

  // MARK: Loops

  /// The loop of a thread that has not ended; makes it when there is none.
  mutating func loop(of thread: Int32, _ kernel: inout Kernel) -> Int32 {
    let known = kernel.threads[thread].runLoop
    if known >= 0 { return known }
    let fresh = RunLoop(thread: thread)
    let loop: Int32
    if let free = freeLoops.popLast() {
      loop = free
      loops[Int(loop)] = fresh
    } else {
      loop = Int32(loops.count)
      loops.append(fresh)
      storage.take(.runLoops, RunLoopSize.loop)
    }
    storage.take(.runLoops, RunLoopSize.mode)
    kernel.threads[thread].runLoop = loop
    if kernel.threads[thread].role != .main {
      kernel.changeMemory(by: kernel.costs.runLoop.rawValue)
    }
    return loop
  }

  /// Gives the loop of a thread back that has ended.
  mutating func free(_ loop: Int32, _ kernel: inout Kernel) {
    for timer in timers(of: loop) {
      (timers[Int(timer)].loop, timers[Int(timer)].modes) = (-1, ItemList())
    }
    for (index, mode) in loops[Int(loop)].modes.enumerated() {
      let place = RunLoopPlace(loop: loop, mode: Int32(index))
      for list in mode.observers {
        for observer in list.all {
          (observers[Int(observer)].loop, observers[Int(observer)].modes) = (-1, ItemList())
        }
      }
      for source in mode.sources { sources[Int(source)].places.remove(place) }
      for port in mode.ports { ports[Int(port)].places.remove(place) }
    }
    let thread = loops[Int(loop)].thread
    kernel.threads[thread].runLoop = -1
    if kernel.threads[thread].role != .main {
      kernel.changeMemory(by: -kernel.costs.runLoop.rawValue)
    }
    storage.give(.runLoops, RunLoopSize.contents(of: loops[Int(loop)]))
    storage.give(.performs, RunLoopSize.waiting(in: loops[Int(loop)]))
    loops[Int(loop)] = RunLoop(thread: -1)
    freeLoops.append(loop)
  }

  /// The timers of a loop, in no mode twice.
  func timers(of loop: Int32) -> [Int32] {
    distinct(loops[Int(loop)].modes.flatMap { $0.timers.all.map(\.item) })
  }

  /// The delayed performs of a loop, in the order of `timers(of:)`.
  func delayedPerforms(of loop: Int32) -> [Int32] {
    var found: [(timer: Int32, mode: Int32, entry: ItemHeap.Entry)] = []
    for timer in loops[Int(loop)].delayedPerforms {
      guard let mode = timers[Int(timer)].modes.min() else { continue }
      let line = loops[Int(loop)].modes[Int(mode)].timers
      guard let entry = line.waiting.entry(of: timer) ?? line.firing.entry(of: timer) else {
        continue
      }
      found.append((timer, mode, entry))
    }
    found.sort {
      ($0.mode, $0.entry.first, $0.entry.second) < ($1.mode, $1.entry.first, $1.entry.second)
    }
    return found.map(\.timer)
  }

  /// The sources of a loop.
  func sources(of loop: Int32) -> [Int32] { distinct(loops[Int(loop)].modes.flatMap(\.sources)) }

  /// The ports of a loop.
  func ports(of loop: Int32) -> [Int32] { distinct(loops[Int(loop)].modes.flatMap(\.ports)) }

  private func distinct(_ items: [Int32]) -> [Int32] {
    var seen: Set<Int32> = []
    return items.filter { seen.insert($0).inserted }
  }

  // MARK: Modes

  /// Whether a name is that of the common modes.
  mutating func isCommonModes(_ name: Int32, _ names: NameTable) -> Bool {
    if commonName < 0 && names.utf8(NameID(Int(name))).elementsEqual("common".utf8) {
      commonName = name
    }
    return name == commonName
  }

  /// The index of a mode, which is made when it is new.
  ///
  /// On the main thread of an app the modes of tracking belong to the common ones, as UIKit and
  /// AppKit set them up; elsewhere only the default mode does.
  mutating func mode(_ name: Int32, of loop: Int32, _ kernel: borrowing Kernel) -> Int32 {
    if let known = loops[Int(loop)].index(ofMode: name) { return known }
    let isCommon = isTracking(name, loop, kernel)
    let index = loops[Int(loop)].addMode(name, isCommon: isCommon)
    storage.take(.runLoops, RunLoopSize.mode)
    if isCommon {
      for item in loops[Int(loop)].commonItems { insert(item, loop, index) }
    }
    return index
  }

  /// The index of a mode that a run can begin in; nil when nothing was ever added to it.
  ///
  /// On Darwin the modes of tracking are there from the start in the main loop, with the main queue.
  mutating func knownMode(
    _ name: Int32, of loop: Int32, _ kernel: borrowing Kernel
  ) -> Int32? {
    if let known = loops[Int(loop)].index(ofMode: name) { return known }
    if !kernel.machine.isDarwin || !isTracking(name, loop, kernel) { return nil }
    return mode(name, of: loop, kernel)
  }

  /// Whether a name is that of a mode of tracking of the main loop.
  private func isTracking(_ name: Int32, _ loop: Int32, _ kernel: borrowing Kernel) -> Bool {
    if kernel.threads[loops[Int(loop)].thread].role != .main { return false }
    let text = kernel.names.text(NameID(Int(name)))
    return text == "tracking" || text == "eventTracking" || text == "modalPanel"
  }

  /// Makes a mode one of the common modes: it gets all that was added to them.
  ///
  /// A loop that sleeps in it wakes for what is thereby ready.
  mutating func makeCommon(_ name: Int32, of loop: Int32, _ kernel: inout Kernel) {
    let index = mode(name, of: loop, kernel)
    if loops[Int(loop)].modes[Int(index)].isCommon { return }
    loops[Int(loop)].makeCommon(index)
    for item in loops[Int(loop)].commonItems { insert(item, loop, index) }
    notice(loop, &kernel)
  }

  /// Whether something for these modes, all of which have been met, is for the mode at `index`.
  func matches(_ modes: [Int32], _ loop: Int32, _ index: Int32) -> Bool {
    let name = loops[Int(loop)].modes[Int(index)].name
    let isCommon = loops[Int(loop)].modes[Int(index)].isCommon
    for wanted in modes where wanted == name || (isCommon && wanted == commonName) { return true }
    return false
  }

  /// Whether nothing is in a mode that could make a run in it worth while.
  ///
  /// Observers do not count. `servesMainQueue` says whether a run in it would serve that queue.
  /// Source: __CFRunLoopModeIsEmpty.
  func isEmpty(_ loop: Int32, _ index: Int32, servesMainQueue: Bool) -> Bool {
    if servesMainQueue { return false }
    let mode = loops[Int(loop)].modes[Int(index)]
    if !mode.sources.isEmpty || !mode.ports.isEmpty || !mode.timers.isEmpty || mode.takesPerforms {
      return false
    }
    return !loops[Int(loop)].blocks.contains { matches($0.modes, loop, index) }
  }

  // MARK: Items

  /// Adds an item to a mode, or to the common modes; it is in each of them once.
  ///
  /// Added to the common modes again it is put back into those that it was taken out of.
  /// The library ignores what `mayAdd` refuses.
  mutating func add(
    _ item: RunLoopItem, to loop: Int32, _ name: Int32, _ kernel: inout Kernel
  ) {
    if !mayAdd(item, to: loop) { return }
    if isCommonModes(name, kernel.names) {
      let isNew = loops[Int(loop)].commonItems.append(item)
      if isNew { storage.take(.runLoops, RunLoopSize.item) }
      // The source for performs is never taken out of a mode.
      if isNew || item != .performs {
        for index in loops[Int(loop)].commonModes { insert(item, loop, index) }
      }
    } else {
      insert(item, loop, mode(name, of: loop, kernel))
    }
    notice(loop, &kernel)
  }

  /// Whether the library puts an item into a loop's mode: it is valid, and no other loop's.
  ///
  /// Source: CFRunLoopAddTimer, CFRunLoopAddObserver, CFRunLoopAddSource.
  func mayAdd(_ item: RunLoopItem, to loop: Int32) -> Bool {
    switch item {
    case .timer(let timer):
      let record = timers[Int(timer)]
      return record.isValid && (record.loop < 0 || record.loop == loop)
    case .observer(let observer):
      let record = observers[Int(observer)]
      return record.isValid && (record.loop < 0 || record.loop == loop)
    case .source(let source): return sources[Int(source)].isValid
    case .port(let port): return ports[Int(port)].isValid
    case .performs: return true
    }
  }

  /// Puts an item into one mode, unless it is there or the library would ignore the call.
  ///
  /// A set of common items may hold what was invalidated or went to another loop meanwhile.
  private mutating func insert(_ item: RunLoopItem, _ loop: Int32, _ index: Int32) {
    if !mayAdd(item, to: loop) { return }
    let (loopIndex, mode) = (Int(loop), Int(index))
    switch item {
    case .timer(let timer):
      if loops[loopIndex].modes[mode].timers.contains(timer) { return }
      if !timers[Int(timer)].wasAdded { timers[Int(timer)].ticket = ticket() }
      timers[Int(timer)].wasAdded = true
      timers[Int(timer)].loop = loop
      timers[Int(timer)].modes.append(index)
      if timers[Int(timer)].isPerform { loops[loopIndex].delayedPerforms.append(timer) }
      place(timer, loop, index)
      count(1, loop, index)
    case .source(let source):
      if !loops[loopIndex].modes[mode].sources.append(source) { return }
      sources[Int(source)].places.append(RunLoopPlace(loop: loop, mode: index))
      count(1, loop, index)
      if sources[Int(source)].isSignalled {
        note(signalOf: source, RunLoopPlace(loop: loop, mode: index))
      }
    case .port(let port):
      if !loops[loopIndex].modes[mode].ports.append(port) { return }
      ports[Int(port)].places.append(RunLoopPlace(loop: loop, mode: index))
      count(1, loop, index)
      note(messagesOf: port, RunLoopPlace(loop: loop, mode: index))
    case .observer(let observer): insert(observer: observer, loop, index)
    case .performs: loops[loopIndex].modes[mode].takesPerforms = true
    }
  }

  private mutating func insert(observer: Int32, _ loop: Int32, _ index: Int32) {
    let (loopIndex, mode) = (Int(loop), Int(index))
    if !observers[Int(observer)].modes.append(index) { return }
    count(1, loop, index)
    if loops[loopIndex].modes[mode].observers.isEmpty {
      loops[loopIndex].modes[mode].observers = RunLoopActivity.allCases.map { _ in
        RunLoopObservers()
      }
    }
    let record = observers[Int(observer)]
    for activity in RunLoopActivity.allCases where record.activities & activity.bit != 0 {
      loops[loopIndex].modes[mode].observers[Int(activity.rawValue)].append(
        observer, order: record.order)
    }
    observers[Int(observer)].loop = loop
  }

  /// A mode has one item more or less, which counts.
  private mutating func count(_ number: Int, _ loop: Int32, _ mode: Int32) {
    loops[Int(loop)].modes[Int(mode)].itemCount += number
    storage.change(.runLoops, by: number, bytesEach: RunLoopSize.item)
  }

  /// Takes an item out of a mode, or out of the common modes; one that is not there is no mistake.
  mutating func remove(
    _ item: RunLoopItem, from loop: Int32, _ name: Int32, _ kernel: inout Kernel
  ) {
    if isCommonModes(name, kernel.names) {
      if !loops[Int(loop)].commonItems.remove(item) { return }
      storage.give(.runLoops, RunLoopSize.item)
      for index in loops[Int(loop)].commonModes { takeOut(item, loop, index) }
    } else if let index = loops[Int(loop)].index(ofMode: name) {
      takeOut(item, loop, index)
    }
    notice(loop, &kernel)
  }

  /// Takes an item out of all modes of a loop.
  mutating func removeEverywhere(_ item: RunLoopItem, _ loop: Int32, _ kernel: inout Kernel) {
    if loops[Int(loop)].commonItems.remove(item) { storage.give(.runLoops, RunLoopSize.item) }
    for index in modes(of: item, in: loop) { takeOut(item, loop, index) }
    notice(loop, &kernel)
  }

  /// The indices of the modes of a loop that have an item.
  private func modes(of item: RunLoopItem, in loop: Int32) -> [Int32] {
    switch item {
    case .timer(let timer): Array(timers[Int(timer)].modes)
    case .observer(let observer): Array(observers[Int(observer)].modes)
    case .source(let source): modes(among: sources[Int(source)].places, in: loop)
    case .port(let port): modes(among: ports[Int(port)].places, in: loop)
    case .performs: []
    }
  }

  /// The indices of those modes that are a loop's, in order.
  func modes(among places: ItemList<RunLoopPlace>, in loop: Int32) -> [Int32] {
    places.filter { $0.loop == loop }.map(\.mode).sorted()
  }

  private mutating func takeOut(_ item: RunLoopItem, _ loop: Int32, _ index: Int32) {
    let (loopIndex, mode) = (Int(loop), Int(index))
    switch item {
    case .timer(let timer):
      if loops[loopIndex].modes[mode].timers.remove(timer) == nil { return }
      count(-1, loop, index)
      timers[Int(timer)].modes.remove(index)
      if !timers[Int(timer)].modes.isEmpty { return }
      timers[Int(timer)].loop = -1
      if timers[Int(timer)].isPerform { loops[loopIndex].delayedPerforms.remove(timer) }
    case .source(let source):
      if !loops[loopIndex].modes[mode].sources.remove(source) { return }
      count(-1, loop, index)
      loops[loopIndex].modes[mode].signalled.remove(source)
      sources[Int(source)].places.remove(RunLoopPlace(loop: loop, mode: index))
    case .port(let port):
      if !loops[loopIndex].modes[mode].ports.remove(port) { return }
      count(-1, loop, index)
      loops[loopIndex].modes[mode].readyPorts.remove(port)
      ports[Int(port)].places.remove(RunLoopPlace(loop: loop, mode: index))
    case .observer(let observer):
      if observers[Int(observer)].loop != loop { return }
      if observers[Int(observer)].modes.remove(index) { count(-1, loop, index) }
      for activity in loops[loopIndex].modes[mode].observers.indices {
        loops[loopIndex].modes[mode].observers[activity].remove(observer)
      }
    case .performs: break
    }
  }

  // MARK: Snapshots

  /// A snapshot for a run.
  mutating func makeSnapshot() -> Int32 {
    if let free = freeSnapshots.popLast() { return free }
    snapshots.append(RunLoopSnapshot())
    storage.take(.runLoops, RunLoopSize.loop)
    return Int32(snapshots.count - 1)
  }

  /// Gives a snapshot back.
  mutating func free(snapshot: Int32) {
    snapshots[Int(snapshot)] = RunLoopSnapshot()
    freeSnapshots.append(snapshot)
  }
}
