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
  private var commonName: Int32 = -1
  /// The places whose findings have been told.
  var told: Set<Int64> = []
  let storage: Storage

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
    let mode = RunLoopMode(name: WellKnownName.default.id.index, isCommon: true)
    let fresh = RunLoop(thread: thread, modes: [mode])
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
    for timer in timers(of: loop) { (timers[Int(timer)].loop, timers[Int(timer)].modes) = (-1, []) }
    for mode in loops[Int(loop)].modes {
      for observer in mode.observers { observers[Int(observer)].loop = -1 }
      for source in mode.sources { sources[Int(source)].loops.removeAll { $0 == loop } }
      for port in mode.ports { ports[Int(port)].loops.removeAll { $0 == loop } }
    }
    let thread = loops[Int(loop)].thread
    kernel.threads[thread].runLoop = -1
    if kernel.threads[thread].role != .main {
      kernel.changeMemory(by: -kernel.costs.runLoop.rawValue)
    }
    storage.give(.runLoops, RunLoopSize.contents(of: loops[Int(loop)]))
    storage.give(.performs, RunLoopSize.waiting(in: loops[Int(loop)]))
    loops[Int(loop)] = RunLoop(thread: -1, modes: [])
    freeLoops.append(loop)
  }

  /// The timers of a loop, in no mode twice.
  func timers(of loop: Int32) -> [Int32] { distinct(loops[Int(loop)].modes.flatMap(\.timers)) }

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
    loops[Int(loop)].modes.append(RunLoopMode(name: name, isCommon: isCommon))
    storage.take(.runLoops, RunLoopSize.mode)
    let index = Int32(loops[Int(loop)].modes.count - 1)
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
    loops[Int(loop)].modes[Int(index)].isCommon = true
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
      if !loops[Int(loop)].commonItems.contains(item) {
        loops[Int(loop)].commonItems.append(item)
        storage.take(.runLoops, RunLoopSize.item)
      }
      for index in loops[Int(loop)].modes.indices where loops[Int(loop)].modes[index].isCommon {
        insert(item, loop, Int32(index))
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
      let name = loops[loopIndex].modes[mode].name
      if timers[Int(timer)].modes.contains(name) { return }
      if !timers[Int(timer)].wasAdded { timers[Int(timer)].ticket = ticket() }
      timers[Int(timer)].wasAdded = true
      timers[Int(timer)].loop = loop
      timers[Int(timer)].modes.append(name)
      storage.take(.runLoops, RunLoopSize.item)
      place(timer, loop, index)
    case .source(let source):
      if loops[loopIndex].modes[mode].sources.contains(source) { return }
      loops[loopIndex].modes[mode].sources.append(source)
      sources[Int(source)].loops.append(loop)
      storage.take(.runLoops, RunLoopSize.item)
    case .port(let port):
      if loops[loopIndex].modes[mode].ports.contains(port) { return }
      loops[loopIndex].modes[mode].ports.append(port)
      ports[Int(port)].loops.append(loop)
      storage.take(.runLoops, RunLoopSize.item)
    case .observer(let observer):
      if loops[loopIndex].modes[mode].observers.contains(observer) { return }
      let order = observers[Int(observer)].order
      let place = loops[loopIndex].modes[mode].observers.lastIndex {
        observers[Int($0)].order <= order
      }
      loops[loopIndex].modes[mode].observers.insert(observer, at: place.map { $0 + 1 } ?? 0)
      loops[loopIndex].modes[mode].activities |= observers[Int(observer)].activities
      observers[Int(observer)].loop = loop
      storage.take(.runLoops, RunLoopSize.item)
    case .performs: loops[loopIndex].modes[mode].takesPerforms = true
    }
  }

  /// Takes an item out of a mode, or out of the common modes; one that is not there is no mistake.
  mutating func remove(
    _ item: RunLoopItem, from loop: Int32, _ name: Int32, _ kernel: inout Kernel
  ) {
    if isCommonModes(name, kernel.names) {
      guard let place = loops[Int(loop)].commonItems.firstIndex(of: item) else { return }
      loops[Int(loop)].commonItems.remove(at: place)
      storage.give(.runLoops, RunLoopSize.item)
      for index in loops[Int(loop)].modes.indices where loops[Int(loop)].modes[index].isCommon {
        takeOut(item, loop, Int32(index))
      }
    } else if let index = loops[Int(loop)].index(ofMode: name) {
      takeOut(item, loop, index)
    }
    notice(loop, &kernel)
  }

  /// Takes an item out of all modes of a loop.
  mutating func removeEverywhere(_ item: RunLoopItem, _ loop: Int32, _ kernel: inout Kernel) {
    let known = loops[Int(loop)].commonItems.count
    loops[Int(loop)].commonItems.removeAll { $0 == item }
    let gone = known - loops[Int(loop)].commonItems.count
    storage.give(.runLoops, gone * RunLoopSize.item)
    for index in loops[Int(loop)].modes.indices { takeOut(item, loop, Int32(index)) }
    notice(loop, &kernel)
  }

  private mutating func takeOut(_ item: RunLoopItem, _ loop: Int32, _ index: Int32) {
    let (loopIndex, mode) = (Int(loop), Int(index))
    switch item {
    case .timer(let timer):
      guard let place = loops[loopIndex].modes[mode].timers.firstIndex(of: timer) else { return }
      loops[loopIndex].modes[mode].timers.remove(at: place)
      storage.give(.runLoops, RunLoopSize.item)
      let name = loops[loopIndex].modes[mode].name
      timers[Int(timer)].modes.removeAll { $0 == name }
      if timers[Int(timer)].modes.isEmpty { timers[Int(timer)].loop = -1 }
    case .source(let source):
      guard let place = loops[loopIndex].modes[mode].sources.firstIndex(of: source) else { return }
      loops[loopIndex].modes[mode].sources.remove(at: place)
      storage.give(.runLoops, RunLoopSize.item)
      if let held = sources[Int(source)].loops.firstIndex(of: loop) {
        sources[Int(source)].loops.remove(at: held)
      }
    case .port(let port):
      guard let place = loops[loopIndex].modes[mode].ports.firstIndex(of: port) else { return }
      loops[loopIndex].modes[mode].ports.remove(at: place)
      storage.give(.runLoops, RunLoopSize.item)
      if let held = ports[Int(port)].loops.firstIndex(of: loop) {
        ports[Int(port)].loops.remove(at: held)
      }
    case .observer(let observer):
      let known = loops[loopIndex].modes[mode].observers.count
      loops[loopIndex].modes[mode].observers.removeAll { $0 == observer }
      let gone = known - loops[loopIndex].modes[mode].observers.count
      storage.give(.runLoops, gone * RunLoopSize.item)
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
