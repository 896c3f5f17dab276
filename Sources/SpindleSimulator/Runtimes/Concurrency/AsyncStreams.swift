import SpindleModel

/// Asynchronous streams. Source: swift:stdlib/public/Concurrency/AsyncStreamBuffer.swift.
extension ConcurrencyRuntime {
  mutating func asyncStream(
    _ primitive: AsyncStreamPrimitive, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let stream =
      primitive == .yieldDetail ? .none : AsyncStreamRecord.Index(process.object(0, call))
    switch primitive {
    case .make: make(stream: call, &process)
    case .makeUnfolding: makeUnfolding(call, &process)
    case .yield:
      let result = yield(process.argument(1, call), to: stream, call, &dispatch, &process)
      guard let result else { return .left }
      process.give(Int64(process.kernel.intern(result).index), call)
    case .yieldDetail:
      demand(
        lastYield.thread == call.thread,
        "thread \(call.thread.index) asks what the 'yield' of thread \(lastYield.thread.index) gave"
      )
      process.give(lastYield.detail, call)
    case .finish, .finishThrowing:
      process.kernel.releases(.stream, stream.raw, by: call.thread)
      let error = primitive == .finishThrowing ? process.argument(1, call) : noValue
      finish(stream, error, by: call.thread, &dispatch, &process)
      return doSteps(call.thread, &dispatch, &process)
    case .setOnTermination:
      if streams[stream].onTermination.isSet { process.discard(streams[stream].onTermination) }
      let frame = process.argument(1, call) == noValue ? .none : process.activity(1, call)
      streams[stream].onTermination =
        frame.isNone ? Handler() : Handler(closure: frame, key: process.frames.key(frame))
    case .next: return next(stream, call, &dispatch, &process)
    }
    return .next
  }

  /// What a call costs its thread before it has an effect.
  mutating func cost(
    of primitive: AsyncStreamPrimitive, _ call: Call, _ process: borrowing Process
  ) -> Int64 {
    switch primitive {
    case .make, .makeUnfolding, .yieldDetail, .finish, .finishThrowing, .setOnTermination: 0
    case .yield, .next: process.kernel.costs.streamElement.rawValue
    }
  }

  private mutating func make(stream call: Call, _ process: inout Process) {
    guard let buffering = StreamBuffering(rawValue: process.argument(1, call)) else {
      fatalError("no stream buffers in way \(process.argument(1, call))")
    }
    let name = process.objectName(process.argument(0, call), "AsyncStream")
    var record = AsyncStreamRecord(
      name: name, buffering: buffering, limit: process.argument(2, call),
      elements: process.keep([]), life: LifeKind(word: process.argument(3, call)),
      madeAt: Int32(truncatingIfNeeded: call.counter))
    record.mayThrow = process.argument(4, call) != 0
    let made = streams.add(record)
    process.noteMaking(.asyncStream, made.raw, name, call)
    process.give(made.register, call)
  }

  // MARK: Elements

  private mutating func count(_ stream: AsyncStreamRecord.Index, _ process: borrowing Process)
    -> Int64
  {
    let count = Int64(process.arrays[Int(streams[stream].elements)].count) - streams[stream].read
    demand(count >= 0, "of stream \(stream) \(-count) elements more were read than it had")
    return count
  }

  private mutating func yield(
    _ element: Int64, to stream: AsyncStreamRecord.Index, _ call: Call,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> String? {
    process.kernel.releases(.stream, stream.raw, by: call.thread)
    lastYield = (call.thread, 0)
    var reader = call.thread.isNone ? .none : threads.of(call.thread, process.kernel).reader
    if reader.isNone && streams[stream].isFinished {
      drop(element, of: stream, &process)
      noteLateYield(to: stream, call, &process)
      return "terminated"
    }
    if reader.isNone { reader = takeReader(of: stream) }
    if !reader.isNone {
      // It is this one's element, whatever comes while its status lock is waited for.
      let waits = waitsForStatus(of: reader, call.thread, &process)
      if !call.thread.isNone {
        threads.change(call.thread, process.kernel) { $0.reader = waits ? reader : .none }
      }
      if waits { return nil }
      noteElement(of: stream, to: reader, at: tasks[reader].place, call.thread, &process)
      wake(reader, element, by: call.thread, &dispatch, &process)
      lastYield.detail = room(stream, filled: 0)
      return "enqueued"
    }
    if streams[stream].isGone {
      drop(element, of: stream, &process)
      lastYield.detail = room(stream, filled: 0)
      return "enqueued"
    }
    let filled = count(stream, process)
    let isFull = streams[stream].buffering != .unbounded && filled >= streams[stream].limit
    if isFull && (streams[stream].buffering == .oldest || streams[stream].limit <= 0) {
      // Its sender has what is dropped.
      lastYield.detail = element
      return "dropped"
    }
    if isFull {
      let oldest = process.arrays[Int(streams[stream].elements)][Int(streams[stream].read)]
      lastYield.detail = oldest
      streams[stream].read += 1
    } else {
      lastYield.detail = room(stream, filled: filled + 1)
    }
    process.kernel.storage.take(.arrays, 24)
    process.arrays[Int(streams[stream].elements)].append(element)
    compact(stream, &process)
    return isFull ? "dropped" : "enqueued"
  }

  /// How many more elements a stream takes without dropping one.
  ///
  /// Source: AsyncStreamBuffer.swift, yield(_:).
  private func room(_ stream: AsyncStreamRecord.Index, filled: Int64) -> Int64 {
    streams[stream].buffering == .unbounded ? .max : streams[stream].limit - filled
  }

  /// An element that nobody will take.
  private mutating func drop(
    _ element: Int64, of stream: AsyncStreamRecord.Index, _ process: inout Process
  ) {
    if let life = streams[stream].life { process.release(element, life) }
  }

  /// Gives the room of what was read back, when that is half of all.
  private mutating func compact(_ stream: AsyncStreamRecord.Index, _ process: inout Process) {
    let (array, read) = (Int(streams[stream].elements), Int(streams[stream].read))
    if read < 64 || read * 2 < process.arrays[array].count { return }
    process.arrays[array].removeFirst(read)
    streams[stream].read = 0
  }

  private mutating func takeReader(of stream: AsyncStreamRecord.Index) -> TaskRecord.Index {
    let reader = streams[stream].firstReader
    if reader.isNone { return .none }
    demand(
      tasks[reader].wait == .stream && tasks[reader].waitObject == stream.raw,
      "task \(reader) stands in line for stream \(stream), and waits \(tasks[reader].wait)")
    streams[stream].firstReader = tasks[reader].nextWaiter
    if streams[stream].firstReader.isNone { streams[stream].lastReader = .none }
    tasks[reader].nextWaiter = .none
    return reader
  }

  /// `next()`, which runs in the pool whoever asks.
  private mutating func next(
    _ stream: AsyncStreamRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if task.isNone { return process.crash(Self.needsTask, call) }
    if tasks[task].executor != .pool {
      let moved = hop(call, to: .pool, isAgain: true, &dispatch, &process)
      guard case .next = moved else { return moved }
    }
    if streams[stream].isUnfolding { return unfold(stream, call, &dispatch, &process) }
    if process.asksForEnds.contains(.tasks) {
      process.kernel.uses(.task, task.raw, .reads, name: tasks[task].name, by: call.thread)
    }
    if tasks[task].isCancelled && !isOver(stream) {
      tasks[task].knowsCancellation = true
      cancel(stream: stream, by: call.thread, &dispatch, &process)
      if !firstStep.isNone {
        process.frames.setCounter(call.frame, Int32(truncatingIfNeeded: call.counter) - 1)
        return doSteps(call.thread, &dispatch, &process)
      }
    }
    process.kernel.acquires(.stream, stream.raw, by: call.thread)
    if streams[stream].mayThrow, !streams[stream].firstReader.isNone {
      return process.crash(Self.secondReader, call)
    }
    let place = Int32(truncatingIfNeeded: call.counter)
    noteReader(of: stream, task, at: place, call.thread, &process)
    if count(stream, process) > 0 {
      noteElement(of: stream, to: task, at: place, call.thread, &process)
      demand(
        streams[stream].firstReader.isNone,
        "task \(streams[stream].firstReader) waits for stream \(stream), which has elements")
      // What it does for one element is a piece of its own.
      tasks[task].waits &+= 1
      let element = Int(streams[stream].read)
      streams[stream].read += 1
      process.give(process.arrays[Int(streams[stream].elements)][element], call)
      return .next
    }
    if streams[stream].isFinished {
      let error = streams[stream].error
      streams[stream].error = noValue
      if error != noValue { return process.raise(error) }
      process.give(noValue, call)
      return .next
    }
    let result = suspend(call, .stream, stream.raw, &dispatch, &process)
    if streams[stream].lastReader.isNone {
      streams[stream].firstReader = task
    } else {
      tasks[streams[stream].lastReader].nextWaiter = task
    }
    streams[stream].lastReader = task
    return result
  }

  /// What is said of a second reader of a stream that may throw.
  ///
  /// Run with Swift 6.3.1.
  private static let secondReader =
    "Fatal error: attempt to await next() on more than one task"

  // MARK: The end

  /// Nothing holds a stream any more, or what its loops have of it: it ends as when its reader is cancelled.
  ///
  /// Source: swift:stdlib/public/Concurrency/AsyncStream.swift, _Context.deinit.
  mutating func letGo(
    ofStream stream: AsyncStreamRecord.Index, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    demand(!streams[stream].isGone, "stream \(stream) dies twice")
    streams[stream].isGone = true
    process.kernel.acquires(.stream, stream.raw, by: thread)
    if streams[stream].isUnfolding {
      streams[stream].isFinished = true
      process.discard(streams[stream].produce)
      process.discard(streams[stream].onCancel)
      (streams[stream].produce, streams[stream].onCancel) = (Handler(), Handler())
      return
    }
    cancel(stream: stream, by: thread, &dispatch, &process)
    dropElements(of: stream, &process)
  }

  /// Nothing holds what feeds a stream any more.
  mutating func letGo(ofInput stream: AsyncStreamRecord.Index, _ process: inout Process) {
    streams[stream].isInputGone = true
    dropElements(of: stream, &process)
  }

  /// What a stream and what feeds it hold together: what it calls, and its elements.
  func holding(ofStream stream: AsyncStreamRecord.Index, _ process: borrowing Process)
    -> ObjectHolding?
  {
    let record = streams[stream]
    if record.isGone || !record.firstReader.isNone { return nil }
    var holding = ObjectHolding(
      frames: [record.onTermination.closure, record.produce.closure, record.onCancel.closure],
      madeAt: record.madeAt)
    if let life = record.life {
      let left = process.arrays[Int(record.elements)].dropFirst(Int(record.read))
      holding.values = left.map { ($0, life) }
    }
    return holding
  }

  /// What a stream has is let go of when neither it nor what feeds it is held any more.
  private mutating func dropElements(of stream: AsyncStreamRecord.Index, _ process: inout Process) {
    guard streams[stream].isGone, streams[stream].isInputGone, streams[stream].life != nil else {
      return
    }
    let elements = process.arrays[Int(streams[stream].elements)]
    process.arrays[Int(streams[stream].elements)] = []
    let left = elements.dropFirst(Int(streams[stream].read))
    streams[stream].read = 0
    for element in left { drop(element, of: stream, &process) }
  }

  /// Whether a stream has ended, and calls nothing more.
  private mutating func isOver(_ stream: AsyncStreamRecord.Index) -> Bool {
    streams[stream].isFinished && !streams[stream].onTermination.isSet
  }

  /// A reader of a stream was cancelled, or nothing holds the stream any more: what is to be called is called, while
  /// the stream takes elements still, and then it ends.
  ///
  /// Source: swift:stdlib/public/Concurrency/AsyncStreamBuffer.swift, cancel; run with Swift 6.3.1, with handlers that yield, that
  /// finish, and that set another one.
  mutating func cancel(
    stream: AsyncStreamRecord.Index, by thread: ThreadID, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) {
    if callHandler(of: stream, isCancelled: true, &process) {
      plan(.endStream, stream.raw)
    } else {
      finish(stream, by: thread, &dispatch, &process)
    }
  }

  /// A stream ends: it takes no more elements, what is to be called is called, and then those who wait for an
  /// element go on, the first one first.
  ///
  /// The error is kept where a waiting reader gets it, so that the next reader gets it again. Source: the same, finish; run with
  /// Swift 6.3.1.
  mutating func finish(
    _ stream: AsyncStreamRecord.Index, _ error: Int64 = noValue, by thread: ThreadID,
    _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) {
    process.kernel.uses(.stream, stream.raw, .writes, name: streams[stream].name, by: thread)
    if !streams[stream].isFinished { streams[stream].error = error }
    streams[stream].isFinished = true
    let thrown = streams[stream].error
    callHandler(of: stream, isCancelled: false, &process)
    while true {
      let reader = takeReader(of: stream)
      if reader.isNone { return }
      if !firstStep.isNone || isStatusTaken(reader, by: thread) {
        plan(.endReader, reader.raw, thrown)
      } else {
        wake(reader, noValue, error: thrown, by: thread, &dispatch, &process)
      }
    }
  }

  /// What a stream calls at its end is to be called, if there is anything.
  @discardableResult
  private mutating func callHandler(
    of stream: AsyncStreamRecord.Index, isCancelled: Bool, _ process: inout Process
  ) -> Bool {
    var handler = streams[stream].onTermination
    streams[stream].onTermination = Handler()
    guard handler.isSet else { return false }
    let reason = process.kernel.intern(isCancelled ? "cancelled" : "finished")
    plan(.call, process.activate(&handler, parent: .none, argument: Int64(reason.index)).raw)
    process.discard(handler)
    return true
  }
}
