import SpindleModel

extension CostProfile {
  /// As Apple documents it.
  ///
  /// Source: *Threading Programming Guide*, table 2-1: about 90 us from the call until the entry
  /// runs, 1 KB of kernel structures; table 4-2: 0.2 us for a free mutex. The guide does not say who
  /// pays for a thread's creation: half is taken to be the caller's, and the other half contains the
  /// first switch to the new thread. A switch of 2 us, waking for 1 us, queueing for 0.2 us and
  /// 16 KB of touched stack are assumptions in the range of published measurements; those of
  /// run loops and of timer sources are the ones measured on Linux; those of tasks are these times two thirds more, as the
  /// costs of queues are.
  static let apple = CostProfile(
    threadCreate: .microseconds(45),
    threadStart: .microseconds(43),
    contextSwitch: .microseconds(2),
    migration: .microseconds(3),
    cacheWarmth: .microseconds(500),
    wake: .microseconds(1),
    sourceTimer: .microseconds(21),
    lock: Nanoseconds(200),
    semaphore: Nanoseconds(200),
    sync: Nanoseconds(200),
    enqueue: Nanoseconds(200),
    dequeue: Nanoseconds(100),
    systemCall: Nanoseconds(500),
    runLoopRun: Nanoseconds(300),
    runLoopPass: .microseconds(5),
    threadStructures: .kilobytes(1),
    stackTouched: .kilobytes(16),
    item: ByteCount(144),
    operationAdd: .microseconds(2),
    operationRun: .microseconds(1),
    operationSize: ByteCount(911),
    queue: ByteCount(256),
    runLoop: ByteCount(1_640),
    taskCreate: Nanoseconds(580),
    taskSwitch: Nanoseconds(250),
    taskHop: Nanoseconds(50),
    streamElement: Nanoseconds(750),
    task: ByteCount(1_536))
}
