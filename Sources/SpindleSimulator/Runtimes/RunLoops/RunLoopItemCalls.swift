import SpindleModel

/// What is added to run loops: timers, sources, ports, observers, blocks.
extension RunLoopRuntime {
  /// Where a call stands.
  func place(of call: Call) -> Int32 { Int32(truncatingIfNeeded: call.counter) }

  // MARK: Modes

  /// The modes that an array of names holds; `standard` where the trace names none.
  mutating func modes(_ array: Int64, standard: NameID, _ process: inout Process) -> [NameID] {
    var found: [NameID] = []
    if array == noValue {
      found.append(standard)
    } else {
      demand(
        array >= 0 && array < process.arrays.count,
        "modes stand in array \(array) of \(process.arrays.count)")
      for element in process.arrays[Int(array)] {
        let name = NameID(Int(element))
        if !found.contains(name) { found.append(name) }
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
    } else if case .timer(let timer) = item, timers[timer].isValid {
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
    _ event: LogEvent, _ item: RunLoopItem, _ loop: RunLoop.Index, _ mode: NameID, _ call: Call,
    _ process: inout Process
  ) {
    let name: NameID
    switch item {
    case .timer(let timer): name = timers[timer].name
    case .source(let source): name = sources[source].name
    case .port(let port): name = ports[port].name
    case .observer, .performs: name = .none
    }
    let owner = loops[loop].thread
    let stranger = process.stranger(owner)
    process.kernel.record(
      event, thread: call.thread, detail: stranger.mention.rawValue, object: name.index,
      other: owner.index, subject: mode.index, place: place(of: call), value: stranger.name)
  }

  /// `perform { }`: a block for the loop's next pass, which wakes nobody.
  mutating func performBlock(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = PerformBlockArguments(call, process)
    let frame = process.activity(PerformBlockArguments.closure, call)
    let modes = modes(arguments.modes, standard: WellKnownName.default.id, &process)
    guard let loop = loop(arguments.loop, &process) else {
      neverFires(FindingText.endedBeforeBlock, call, &process)
      process.drop(frame)
      return .next
    }
    if modes.isEmpty {
      neverFires(FindingText.blockOfNoMode, call, &process)
      process.drop(frame)
      return .next
    }
    for mode in modes where !isCommonModes(mode, process.kernel.names) {
      _ = self.mode(mode, of: loop, process.kernel)
    }
    demand(frame.raw > 0, "a block without code waits in loop \(loop.raw)")
    let ticket = self.ticket()
    process.kernel.storage.take(.performs, RunLoopSize.waiting(modes))
    process.kernel.releases(.runLoop, loops[loop].thread.index, by: call.thread)
    loops[loop].blocks.append(
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
    let observer = observers.add(record)
    if let loop = loop(arguments.loop, &process) {
      add(.observer(observer), to: loop, arguments.mode, &process.kernel)
    }
    process.give(observer.register, call)
    return .next
  }

  mutating func observer(_ primitive: ObserverPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let observer = RunLoopObserver.Index(process.object(0, call))
    switch primitive {
    case .invalidate:
      invalidate(observer: observer, &process)
      discardHandler(ofObserver: observer, &process)
    case .isValid: process.give(observers[observer].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: ObserverPrimitive) -> Int64 {
    switch primitive {
    case .invalidate, .isValid: 0
    }
  }

  /// Takes an observer out of its loop for good.
  mutating func invalidate(observer: RunLoopObserver.Index, _ process: inout Process) {
    observers[observer].isValid = false
    let loop = observers[observer].loop
    if !loop.isNone { removeEverywhere(.observer(observer), loop, &process.kernel) }
    demand(
      observers[observer].modes.isEmpty, "observer \(observer.raw) is not valid and in a mode")
  }

  /// Gives the closure of an observer back that is never called again.
  mutating func discardHandler(ofObserver observer: RunLoopObserver.Index, _ process: inout Process)
  {
    assert(
      observers[observer].handler.isSet || !observers[observer].isValid,
      "observer \(observer.raw) has no handler")
    let record = observers[observer]
    if record.isValid || record.isFiring { return }
    process.discard(record.handler)
    observers[observer].handler = Handler()
  }

  // MARK: Sources

  mutating func runLoopSource(
    _ primitive: RunLoopSourcePrimitive, _ call: Call, _ process: inout Process
  ) -> CallResult {
    let source = RunLoopSource.Index(process.object(0, call))
    switch primitive {
    case .make: makeRunLoopSource(call, &process)
    case .signal: signal(source, call, &process)
    case .invalidate: invalidate(source: source, &process)
    case .isValid: process.give(sources[source].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: RunLoopSourcePrimitive) -> Int64 {
    switch primitive {
    case .make, .signal, .invalidate, .isValid: 0
    }
  }

  private mutating func makeRunLoopSource(_ call: Call, _ process: inout Process) {
    let arguments = MakeRunLoopSourceArguments(call, process)
    let name = NameID(Int(process.objectName(arguments.name, "Source")))
    var record = RunLoopSource(name: name, order: arguments.order)
    let closure = MakeRunLoopSourceArguments.closure
    if let handler = process.handler(closure, call) { record.handler = handler }
    let source = sources.add(record)
    process.noteMaking(.source, source.raw, name.index, call)
    process.give(source.register, call)
  }

  /// `signal()`: the next pass performs it; a loop that sleeps does not see it.
  private mutating func signal(
    _ source: RunLoopSource.Index, _ call: Call, _ process: inout Process
  ) {
    let record = sources[source]
    if !record.isValid {
      ignored(
        FindingText.ignoredSource(process.kernel.text(record.name)), call,
        &process)
      return
    }
    signal(source, place: place(of: call), now: process.kernel.now)
    process.kernel.record(
      .sourceSignalled, thread: call.thread, object: record.name.index, place: place(of: call))
  }

  private mutating func invalidate(source: RunLoopSource.Index, _ process: inout Process) {
    let record = sources[source]
    if !record.isValid { return }
    sources[source].isValid = false
    unsignal(source)
    for loop in loops(record.places) {
      removeEverywhere(.source(source), loop, &process.kernel)
    }
    demand(sources[source].places.isEmpty, "source \(source.raw) is not valid and in a mode")
    process.discard(record.handler)
    sources[source].handler = Handler()
  }

  /// The loops of modes, each once, in order.
  private func loops(_ places: ItemList<RunLoopPlace>) -> ItemList<RunLoop.Index> {
    var found = ItemList<RunLoop.Index>()
    for place in places { found.append(place.loop) }
    return found
  }

  // MARK: Ports

  mutating func port(_ primitive: PortPrimitive, _ call: Call, _ process: inout Process)
    -> CallResult
  {
    let port = RunLoopPort.Index(process.object(0, call))
    switch primitive {
    case .make: makePort(call, &process)
    case .send:
      let message = process.argument(1, call)
      let name = ports[port].name
      if !ports[port].isValid {
        ignored(
          FindingText.ignoredPort(process.kernel.text(name)), call, &process)
        return .next
      }
      process.kernel.record(
        .messageSent, thread: call.thread, object: name.index, place: place(of: call))
      send(message, to: port, by: call.thread, place: place(of: call), &process.kernel)
    case .invalidate: invalidate(port: port, &process)
    case .isValid: process.give(ports[port].isValid, call)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(of primitive: PortPrimitive, _ call: Call, _ process: borrowing Process)
    -> Int64
  {
    switch primitive {
    case .send:
      let wakes = wouldWake(port: RunLoopPort.Index(process.object(0, call)))
      return process.kernel.costs.enqueue.rawValue
        + (wakes ? process.kernel.costs.wake.rawValue : 0)
    case .make, .invalidate, .isValid: return 0
    }
  }

  private mutating func makePort(_ call: Call, _ process: inout Process) {
    let (name, closure) = (process.argument(0, call), 1)
    var record = RunLoopPort(name: NameID(Int(process.objectName(name, "Port"))))
    if let handler = process.handler(closure, call) { record.handler = handler }
    (record.place, record.ticket) = (place(of: call), ticket())
    let port = ports.add(record)
    process.noteMaking(.port, port.raw, record.name.index, call)
    process.give(port.register, call)
  }

  /// Takes a port out of all loops for good; its messages are lost.
  mutating func invalidate(port: RunLoopPort.Index, _ process: inout Process) {
    let record = ports[port]
    if !record.isValid { return }
    ports[port].isValid = false
    dropMessages(of: port)
    for loop in loops(record.places) {
      removeEverywhere(.port(port), loop, &process.kernel)
    }
    demand(ports[port].places.isEmpty, "port \(port.raw) is not valid and in a mode")
    process.discard(record.handler)
    ports[port].handler = Handler()
    if record.isAnswer { ports.free(port, leaving: ports[port]) }
  }

  // MARK: Input and output that calls back

  /// `io(_:runLoop:mode:) { }`: no thread is held; the answer is a source of the loop.
  mutating func startInput(_ call: Call, _ process: inout Process) -> CallResult {
    let arguments = RunLoopInputArguments(call, process)
    let duration = arguments.duration
    if let fault = Arithmetic.fault(ofDuration: duration) {
      return process.crash("Fatal error: io \(fault)", call)
    }
    var record = RunLoopPort(name: .none)
    let closure = RunLoopInputArguments.closure
    if let handler = process.handler(closure, call) { record.handler = handler }
    record.isAnswer = true
    (record.place, record.ticket) = (place(of: call), ticket())
    guard let loop = loop(arguments.loop, &process) else {
      neverFires(FindingText.endedBeforeAnswer, call, &process)
      process.discard(record.handler)
      return .next
    }
    process.kernel.countInput(duration)
    process.kernel.releases(.runLoop, loops[loop].thread.index, by: call.thread)
    let port = ports.add(record)
    add(.port(port), to: loop, arguments.mode, &process.kernel)
    _ = process.kernel.plan(.answer, port.raw, at: process.kernel.now + duration, isWorld: true)
    return .next
  }

  /// The answer of an input or output has come.
  mutating func answerComes(_ number: Int32, _ process: inout Process) {
    let port = RunLoopPort.Index(number)
    let record = ports[port]
    demand(
      record.isAnswer && record.isValid, "an answer comes to port \(number), which is for none")
    process.kernel.record(.answerCame, thread: .none, place: record.place)
    send(noValue, to: port, by: .none, place: record.place, &process.kernel)
  }
}
