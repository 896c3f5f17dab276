import SpindleModel

/// Streams without a buffer, whose closure gives each element when it is asked for, in the reader's task.
///
/// Source: swift:stdlib/public/Concurrency/AsyncStream.swift, init(unfolding:onCancel:), which calls the closure
/// between withTaskCancellationHandler and its end.
extension ConcurrencyRuntime {
  mutating func makeUnfolding(_ call: Call, _ process: inout Process) {
    let name = process.objectName(process.argument(0, call), "AsyncStream")
    guard let produce = process.handler(1, call) else {
      fatalError("a stream unfolds what is no closure")
    }
    var record = AsyncStreamRecord(
      name: name, buffering: .unbounded, limit: 0, elements: process.keep([]),
      madeAt: Int32(truncatingIfNeeded: call.counter))
    (record.produce, record.isUnfolding) = (produce, true)
    record.onCancel = process.handler(2, call) ?? Handler()
    let made = streams.add(record)
    process.noteMaking(.asyncStream, made.raw, name, call)
    process.give(made.register, call)
  }

  /// `next()` of such a stream: its closure runs on the reader's thread, with a handler around it.
  ///
  /// In a task that is cancelled already, what cancelling calls is called, each time, and there is no element.
  mutating func unfold(
    _ stream: AsyncStreamRecord.Index, _ call: Call, _ dispatch: inout DispatchRuntime,
    _ process: inout Process
  ) -> CallResult {
    let task = task(of: call.thread, process)
    if tasks[task].isCancelled {
      tasks[task].knowsCancellation = true
      process.give(noValue, call)
      endUnfolding(stream, isCancelled: true, &process)
      return doSteps(call.thread, &dispatch, &process)
    }
    if streams[stream].isFinished {
      process.give(noValue, call)
      return .next
    }
    tasks[task].handler = handlers.add(
      TaskHandler(stream: stream, record: nextRecord(of: task), outer: tasks[task].handler))
    let frame = process.push(.streamElement, registers: 1, on: call.thread)
    process.frames.registers(frame)[0] = stream.register
    process.enter(&streams[stream].produce, on: call.thread)
    return .entered
  }

  /// The closure has given an element to the frame below it, or nothing: then it is not asked again.
  mutating func resumeElement(_ frame: FrameIndex, _ thread: ThreadID, _ process: inout Process)
    -> FrameResult
  {
    let stream = AsyncStreamRecord.Index(register: process.frames.registers(frame)[0])
    let element = process.worldResult
    endElement(thread, &process)
    if element == noValue { endUnfolding(stream, isCancelled: false, &process) }
    process.leave(frame, thread, result: element)
    return .goOn
  }

  /// The closure has ended, by an error too: cancelling does not concern the stream any more.
  mutating func endElement(_ thread: ThreadID, _ process: inout Process) {
    let task = task(of: thread, process)
    demand(
      !tasks[task].handler.isNone && !handlers[tasks[task].handler].stream.isNone,
      "task \(task) has an element of a stream that it did not ask for")
    popHandler(on: thread, &process)
  }

  /// The closure is not asked any more; one that runs gives its element still.
  mutating func endUnfolding(
    _ stream: AsyncStreamRecord.Index, isCancelled: Bool, _ process: inout Process
  ) {
    demand(streams[stream].isUnfolding, "stream \(stream) has a buffer, and unfolds nothing")
    if isCancelled, streams[stream].onCancel.isSet {
      plan(.call, process.activate(&streams[stream].onCancel, parent: .none).raw)
    }
    if streams[stream].isFinished { return }
    streams[stream].isFinished = true
    process.discard(streams[stream].produce)
    streams[stream].produce = Handler()
  }
}
