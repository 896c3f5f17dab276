import SpindleModel

/// What is reported of streams: loops that take each other's elements, and producers that feed one which has ended.
extension ConcurrencyRuntime {
  /// How many calls lead to where a task is made, as far as they tell one loop over a stream from another.
  private static let knownCalls = 8

  /// The calls that led to where a task is made, by their places, in one number.
  ///
  /// Tasks that a loop makes have one origin; those that a function makes have one for each place that calls it.
  func origin(of call: Call, _ process: borrowing Process) -> UInt64 {
    var key = RandomStreams.mix(UInt64(truncatingIfNeeded: call.counter))
    var frame = process.frames.parent(call.frame)
    var left = Self.knownCalls
    while !frame.isNone && left > 0 && !process.frames.isNative(frame) {
      key = RandomStreams.mix(key ^ UInt64(truncatingIfNeeded: process.frames.counter(frame)))
      (frame, left) = (process.frames.parent(frame), left - 1)
    }
    let maker = task(of: call.thread, process)
    return maker.isNone ? key : RandomStreams.mix(key ^ tasks[maker].origin)
  }

  /// A loop over a stream, by its place and what made its task.
  private func loop(of task: TaskRecord.Index, at place: Int32) -> UInt64 {
    RandomStreams.mix(tasks[task].origin ^ UInt64(truncatingIfNeeded: place)) | 1
  }

  /// A task has got an element of a stream: says so when another loop over it has had some, and wants more.
  ///
  /// Many tasks that run one loop share out the work among them, and that is right; one task may read a stream by two
  /// loops, and one loop may follow another. Source: SE-0314, which has no broadcast: each element goes to one reader.
  mutating func noteElement(
    of stream: AsyncStreamRecord.Index, to task: TaskRecord.Index, at place: Int32,
    _ thread: ThreadID,
    _ process: inout Process
  ) {
    let reader = StreamReaders.Reader(loop: loop(of: task, at: place), task: task, place: place)
    let rival = streams.at(stream).pointee.readers.take(reader)
    if let rival { report(reader, rival, of: stream, thread, &process) }
  }

  /// A task asks for an element of a stream: says so when another loop had the last one, and this one some before.
  mutating func noteReader(
    of stream: AsyncStreamRecord.Index, _ task: TaskRecord.Index, at place: Int32,
    _ thread: ThreadID,
    _ process: inout Process
  ) {
    let reader = StreamReaders.Reader(loop: loop(of: task, at: place), task: task, place: place)
    let rival = streams.at(stream).pointee.readers.ask(reader)
    if let rival { report(reader, rival, of: stream, thread, &process) }
  }

  private func report(
    _ reader: StreamReaders.Reader, _ other: StreamReaders.Reader,
    of stream: AsyncStreamRecord.Index,
    _ thread: ThreadID, _ process: inout Process
  ) {
    let record = streams[stream]
    demand(
      reader.task != other.task, "task \(reader.task) competes with itself for stream \(stream)")
    if process.kernel.hasTold(.competingReaders, at: record.madeAt) { return }
    process.kernel.report(
      .competingReaders, thread: thread, places: [record.madeAt, reader.place, other.place],
      FindingText.competingReaders(
        process.kernel.text(record.name), name(reader.task, process), name(other.task, process)))
  }

  /// A producer has been told that a stream has ended.
  mutating func noteLateYield(
    to stream: AsyncStreamRecord.Index, _ call: Call, _ process: inout Process
  ) {
    let record = streams.at(stream)
    demand(record.pointee.isFinished, "stream \(stream) takes elements, and one of them is late")
    record.pointee.lateYields.count(at: process.kernel.now)
    let place = Int32(truncatingIfNeeded: call.counter)
    guard record.pointee.lateYields.goOn,
      !process.kernel.hasTold(.yieldAfterTermination, at: place)
    else { return }
    process.kernel.report(
      .yieldAfterTermination, thread: call.thread, places: [place, record.pointee.madeAt],
      FindingText.yieldAfterTermination(
        process.kernel.text(record.pointee.name), since: Instant(record.pointee.lateYields.first)))
  }
}

/// The first two loops that got elements of a stream, and which of all had the last one.
struct StreamReaders: BitwiseCopyable {
  struct Reader: BitwiseCopyable {
    /// 0 for none.
    var loop: UInt64 = 0
    var task = TaskRecord.Index.none
    var place: Int32 = -1
    /// Whether it has asked again since it got its last one.
    var asksAgain = false

    func isRival(of other: Reader) -> Bool { loop != other.loop && task != other.task }
  }

  private var first = Reader()
  private var second = Reader()
  private var last = Reader()

  /// A reader has got an element; gives the one by another loop that had some before and waits for more.
  mutating func take(_ reader: Reader) -> Reader? {
    assert(reader.loop != 0, "task \(reader.task) has an element, and reads by no loop")
    last = reader
    if first.loop == 0 || first.loop == reader.loop {
      first = reader
      return second.asksAgain && second.isRival(of: reader) ? second : nil
    }
    if second.loop == 0 || second.loop == reader.loop { second = reader }
    return first.asksAgain && first.isRival(of: reader) ? first : nil
  }

  /// A reader asks; gives the one by another loop that has had the last element, where this loop has had one before.
  mutating func ask(_ reader: Reader) -> Reader? {
    if reader.loop == first.loop {
      first.asksAgain = true
    } else if reader.loop == second.loop {
      second.asksAgain = true
    } else {
      return nil
    }
    return last.isRival(of: reader) ? last : nil
  }
}

/// When elements were handed to a stream that had ended.
struct LateYields: BitwiseCopyable {
  /// At how many moments that must happen before a producer is said to go on: an assumption.
  ///
  /// One or two come of the end itself.
  private static let many: Int32 = 3

  private(set) var first: Int64 = -1
  private var last: Int64 = -1
  private var moments: Int32 = 0

  /// Whether the producer goes on all the same.
  var goOn: Bool { moments >= Self.many }

  mutating func count(at now: Int64) {
    if moments == 0 { first = now }
    assert(now >= last, "an element was yielded at \(last), later than now")
    if now == last { return }
    last = now
    moments &+= 1
  }
}
