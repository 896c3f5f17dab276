import SpindleModel

/// What is added to run loops: timers, sources, ports, observers, blocks.
extension RunLoopRuntime {
  private func place(of call: Call) -> Int32 { Int32(truncatingIfNeeded: call.counter) }

  // MARK: Modes

  /// The modes that an array of names holds; `standard` where the trace names none.
  mutating func modes(_ array: Int64, standard: Int32, _ process: inout Process) -> [Int32] {
    var found: [Int32] = []
    if array == noValue {
      found.append(standard)
    } else {
      for name in process.arrays[Int(array)] where !found.contains(Int32(truncatingIfNeeded: name))
      {
        found.append(Int32(truncatingIfNeeded: name))
      }
    }
    for name in found { _ = isCommonModes(name, process.kernel.names) }
    return found
  }

  /// `add(_:forMode:)`.
  mutating func addItem(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = RunLoopItemArguments(call, process)
    let (item, mode) = (arguments.item, arguments.mode)
    guard let loop = loop(arguments.loop, &process) else {
      neverFires(FindingText.endedBeforeItem, call, &process)
      return .next
    }
    if mayAdd(item, to: loop) {
      record(.runLoopItemAdded, item, loop, mode, call, &process)
      add(item, to: loop, mode, &process.kernel)
    } else if case .timer(let timer) = item, timers[Int(timer)].isValid {
      ignored(FindingText.ignoredTimer, call, &process)
    } else {
      ignored(FindingText.ignoredItem, call, &process)
    }
    return .next
  }

  /// `remove(_:forMode:)`.
  mutating func removeItem(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = RunLoopItemArguments(call, process)
    let (item, mode) = (arguments.item, arguments.mode)
    guard let loop = loop(arguments.loop, &process) else { return .next }
    record(.runLoopItemRemoved, item, loop, mode, call, &process)
    remove(item, from: loop, mode, &process.kernel)
    return .next
  }

  /// Notes that an item was added to a mode or taken out of it.
  private mutating func record(
    _ event: LogEvent, _ item: RunLoopItem, _ loop: Int32, _ mode: Int32, _ call: Call,
    _ process: inout Process
  ) {
    let name: Int32
    switch item {
    case .timer(let timer): name = timers[Int(timer)].name
    case .source(let source): name = sources[Int(source)].name
    case .port(let port): name = ports[Int(port)].name
    case .observer, .performs: name = -1
    }
    let owner = loops[Int(loop)].thread
    let stranger = process.stranger(owner)
    process.kernel.record(
      event, thread: call.thread, detail: stranger.mention.rawValue, object: name,
      other: owner, subject: mode, place: place(of: call), value: stranger.name)
  }

  /// `perform { }`: a block for the loop's next pass, which wakes nobody.
  mutating func performBlock(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = PerformBlockArguments(call, process)
    let frame = process.activity(PerformBlockArguments.closure, call)
    let modes = modes(arguments.modes, standard: WellKnownName.default.id.index, &process)
    guard let loop = loop(arguments.loop, &process) else {
      neverFires(FindingText.endedBeforeBlock, call, &process)
      process.frames.release(frame)
      return .next
    }
    if modes.isEmpty {
      neverFires(FindingText.blockOfNoMode, call, &process)
      process.frames.release(frame)
      return .next
    }
    for mode in modes where !isCommonModes(mode, process.kernel.names) {
      _ = self.mode(mode, of: loop, process.kernel)
    }
    let ticket = self.ticket()
    process.kernel.storage.take(.performs, RunLoopSize.waiting(modes))
    loops[Int(loop)].blocks.append(
      RunLoopBlock(frame: frame, modes: modes, place: place(of: call), ticket: ticket))
    return .next
  }

  // MARK: Observers

  /// `observe(_:repeats:order:forMode:) { }`.
  mutating func observe(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = ObserveArguments(call, process)
    guard let handler = process.handler(ObserveArguments.closure, call) else { return .next }
    let record = RunLoopObserver(
      handler: handler, activities: arguments.activities, repeats: arguments.repeats,
      order: arguments.order, place: place(of: call))
    observers.append(record)
    process.kernel.storage.take(.observers, RunLoopSize.observer)
    let observer = Int32(observers.count - 1)
    if let loop = loop(arguments.loop, &process) {
      add(.observer(observer), to: loop, arguments.mode, &process.kernel)
    }
    process.give(Int64(observer), call)
    return .next
  }

  mutating func observer(_ primitive: ObserverPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let observer = process.object(0, call)
    switch primitive {
    case .invalidate:
      invalidate(observer: observer, &process)
      discardHandler(ofObserver: Int(observer), &process)
    case .isValid: process.give(observers[Int(observer)].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: ObserverPrimitive) -> Int64 {
    switch primitive {
    case .invalidate, .isValid: 0
    }
  }

  /// Takes an observer out of its loop for good.
  mutating func invalidate(observer: Int32, _ process: inout Process) {
    observers[Int(observer)].isValid = false
    let loop = observers[Int(observer)].loop
    if loop >= 0 { removeEverywhere(.observer(observer), loop, &process.kernel) }
  }

  /// Gives the closure of an observer back that is never called again.
  mutating func discardHandler(ofObserver observer: Int, _ process: inout Process) {
    let record = observers[observer]
    if record.isValid || record.isFiring { return }
    process.discard(record.handler)
    observers[observer].handler = Handler()
  }

  // MARK: Sources

  mutating func runLoopSource(
    _ primitive: RunLoopSourcePrimitive, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let source = process.object(0, call)
    switch primitive {
    case .make: makeRunLoopSource(call, &process)
    case .signal: signal(source, call, &process)
    case .invalidate: invalidate(source: source, &process)
    case .isValid: process.give(sources[Int(source)].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: RunLoopSourcePrimitive) -> Int64 {
    switch primitive {
    case .make, .signal, .invalidate, .isValid: 0
    }
  }

  private mutating func makeRunLoopSource(_ call: Call, _ process: inout Process) {
    let arguments = MakeRunLoopSourceArguments(call, process)
    let name = process.objectName(arguments.name, "Source")
    var record = RunLoopSource(name: name, order: arguments.order)
    let closure = MakeRunLoopSourceArguments.closure
    if let handler = process.handler(closure, call) { record.handler = handler }
    sources.append(record)
    process.kernel.storage.take(.runLoopSources, RunLoopSize.source)
    process.noteMaking(.source, Int32(sources.count - 1), name, call)
    process.give(Int64(sources.count - 1), call)
  }

  /// `signal()`: the next pass performs it; a loop that sleeps does not see it.
  private mutating func signal(_ source: Int32, _ call: Call, _ process: inout Process) {
    let record = sources[Int(source)]
    if !record.isValid {
      ignored(
        FindingText.ignoredSource(process.kernel.names.text(NameID(Int(record.name)))), call,
        &process)
      return
    }
    signal(source, place: place(of: call), now: process.kernel.now)
    process.kernel.record(
      .sourceSignalled, thread: call.thread, object: record.name, place: place(of: call))
  }

  private mutating func invalidate(source: Int32, _ process: inout Process) {
    let record = sources[Int(source)]
    if !record.isValid { return }
    sources[Int(source)].isValid = false
    unsignal(source)
    for loop in loops(record.places) {
      removeEverywhere(.source(source), loop, &process.kernel)
    }
    process.discard(record.handler)
    sources[Int(source)].handler = Handler()
  }

  /// The loops of modes, each once, in order.
  private func loops(_ places: ItemList<RunLoopPlace>) -> ItemList<Int32> {
    var found = ItemList<Int32>()
    for place in places { found.append(place.loop) }
    return found
  }

  // MARK: Ports

  mutating func port(_ primitive: PortPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let port = process.object(0, call)
    switch primitive {
    case .make: makePort(call, &process)
    case .send:
      let message = process.argument(1, call)
      let name = ports[Int(port)].name
      if !ports[Int(port)].isValid {
        ignored(
          FindingText.ignoredPort(process.kernel.names.text(NameID(Int(name)))), call, &process)
        return .next
      }
      process.kernel.record(.messageSent, thread: call.thread, object: name, place: place(of: call))
      send(message, to: port, by: call.thread, place: place(of: call), &process.kernel)
    case .invalidate: invalidate(port: port, &process)
    case .isValid: process.give(ports[Int(port)].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  func cost(of primitive: PortPrimitive, _ call: Call, _ process: borrowing Process) -> Int64 {
    switch primitive {
    case .send:
      let wakes = wouldWake(port: process.object(0, call))
      return process.kernel.costs.enqueue.rawValue
        + (wakes ? process.kernel.costs.wake.rawValue : 0)
    case .make, .invalidate, .isValid: return 0
    }
  }

  private mutating func makePort(_ call: Call, _ process: inout Process) {
    let (name, closure) = (process.argument(0, call), 1)
    var record = RunLoopPort(name: process.objectName(name, "Port"))
    if let handler = process.handler(closure, call) { record.handler = handler }
    (record.place, record.ticket) = (place(of: call), ticket())
    let made = add(record, &process)
    process.noteMaking(.port, made, record.name, call)
    process.give(Int64(made), call)
  }

  private mutating func add(_ record: RunLoopPort, _ process: inout Process) -> Int32 {
    if let free = freePorts.popLast() {
      ports[Int(free)] = record
      return free
    }
    ports.append(record)
    process.kernel.storage.take(.ports, RunLoopSize.port)
    return Int32(ports.count - 1)
  }

  /// Takes a port out of all loops for good; its messages are lost.
  mutating func invalidate(port: Int32, _ process: inout Process) {
    let record = ports[Int(port)]
    if !record.isValid { return }
    ports[Int(port)].isValid = false
    dropMessages(of: port)
    for loop in loops(record.places) {
      removeEverywhere(.port(port), loop, &process.kernel)
    }
    process.discard(record.handler)
    ports[Int(port)].handler = Handler()
    if record.isAnswer { freePorts.append(port) }
  }

  // MARK: Input and output that calls back

  /// `io(_:runLoop:mode:) { }`: no thread is held; the answer is a source of the loop.
  mutating func startInput(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = RunLoopInputArguments(call, process)
    let duration = arguments.duration
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: io \(fault)", call)
    }
    var record = RunLoopPort(name: -1)
    let closure = RunLoopInputArguments.closure
    if let handler = process.handler(closure, call) { record.handler = handler }
    record.isAnswer = true
    (record.place, record.ticket) = (place(of: call), ticket())
    guard let loop = loop(arguments.loop, &process) else {
      neverFires(FindingText.endedBeforeAnswer, call, &process)
      process.discard(record.handler)
      return .next
    }
    let port = add(record, &process)
    add(.port(port), to: loop, arguments.mode, &process.kernel)
    _ = process.kernel.plan(.answer, port, at: process.kernel.now + duration, isWorld: true)
    return .next
  }

  /// The answer of an input or output has come.
  mutating func answerComes(_ port: Int32, _ process: inout Process) {
    let record = ports[Int(port)]
    process.kernel.record(.answerCame, thread: -1, place: record.place)
    send(noValue, to: port, by: -1, place: record.place, &process.kernel)
  }
}
