import SpindleModel

extension CostProfile {
  /// As measured with Swift 6.3.1 on a virtual Linux machine with two cores (AMD EPYC, Linux 6.18).
  ///
  /// Each value is a median that shows its mechanism alone; the page on costs says which measurement that is.
  /// A way from thread to thread on one core, 1.9 us, is 0.9 us for waking and 1 us for the switch; across cores
  /// it is `wake` and `idleExit`, while the waker pays `interrupt`. `threadCreate` is with a stack that a
  /// thread which has ended left, `freshStack` is without. Two ends of a timer, `timer` each, and `timerSlack`
  /// are what a sleep takes beyond its wake-up.
  /// A task takes 0.5 us with the wait for it: 0.35 us to make it, and 0.15 us beside the block's own for its
  /// way through the pool; a call of an actor that is free 0.06 us, an element of a stream 0.9 us for both
  /// ends. 1.5 KB while it waits.
  static let linux = CostProfile(
    threadCreate: .microseconds(8),
    threadStart: .microseconds(9),
    threadEnd: .microseconds(2),
    freshStack: .microseconds(9),
    stackFault: .microseconds(9),
    stackFree: .microseconds(4),
    shootdown: .microseconds(11),
    contextSwitch: Nanoseconds(1_000),
    migration: .microseconds(3),
    cacheWarmth: .microseconds(500),
    wake: Nanoseconds(900),
    interrupt: Nanoseconds(6_500),
    interruptDelay: .microseconds(10),
    spread: .milliseconds(1),
    idleExit: .microseconds(11),
    timer: .microseconds(7),
    timerSlack: .microseconds(50),
    sourceTimer: .microseconds(21),
    lock: Nanoseconds(4),
    semaphore: Nanoseconds(4),
    sync: Nanoseconds(38),
    enqueue: Nanoseconds(80),
    dequeue: Nanoseconds(50),
    lineTransfer: Nanoseconds(150),
    monitorStart: .microseconds(120),
    systemCall: Nanoseconds(480),
    runLoopRun: Nanoseconds(330),
    runLoopPass: .microseconds(5),
    threadStructures: .kilobytes(1),
    stackTouched: .kilobytes(10),
    item: ByteCount(144),
    operationAdd: Nanoseconds(620),
    operationRun: .microseconds(4),
    operationSize: ByteCount(911),
    queue: ByteCount(256),
    runLoop: ByteCount(1_640),
    taskCreate: Nanoseconds(350),
    taskSwitch: Nanoseconds(150),
    taskHop: Nanoseconds(30),
    streamElement: Nanoseconds(450),
    task: ByteCount(1_536))

  /// Nothing costs anything: textbook answers come out exactly.
  static let zero = CostProfile()
}
