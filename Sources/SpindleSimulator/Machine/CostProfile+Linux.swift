import SpindleModel

extension CostProfile {
  /// As measured with Swift 6.3.1 on a virtual Linux machine with two cores (AMD EPYC, Linux 6.18).
  ///
  /// Measured medians: making and starting a thread 16.8 us for the caller, 29.7 us until it has
  /// run and answered; a semaphore's ping-pong 1.9 us one way on one core and 22 us across cores; a
  /// free lock 7 ns, a free semaphore 7 ns, both for a pair of calls; 0.12 us to queue a block; a
  /// `sched_yield` 0.5 us; 10 to 11 KB resident for a blocked thread; 0.14 KB for a waiting block;
  /// 0.33 us for a run of a loop with nothing in it; 5.4 us for a block in the main queue with the turn
  /// that runs it, of which 5 us are the turn's; 1.6 KB for a thread's run loop.
  /// The one-way trip is split into 0.9 us for waking and 1 us for the switch. An operation takes 2 us
  /// in bulk: 0.56 us to run one, as by hand, 0.15 us for the block below it, and the rest to add it;
  /// 0.89 KB while it waits.
  static let linux = CostProfile(
    threadCreate: Nanoseconds(16_800),
    threadStart: Nanoseconds(9_900),
    contextSwitch: Nanoseconds(1_000),
    migration: Nanoseconds(20_000),
    wake: Nanoseconds(900),
    lock: Nanoseconds(4),
    semaphore: Nanoseconds(4),
    enqueue: Nanoseconds(120),
    dequeue: Nanoseconds(30),
    systemCall: Nanoseconds(480),
    runLoopRun: Nanoseconds(330),
    runLoopPass: .microseconds(5),
    threadStructures: .kilobytes(1),
    stackTouched: .kilobytes(10),
    item: ByteCount(144),
    operationAdd: Nanoseconds(1_290),
    operationRun: Nanoseconds(560),
    operationSize: ByteCount(911),
    queue: ByteCount(256),
    runLoop: ByteCount(1_640))

  /// Nothing costs anything: textbook answers come out exactly.
  static let zero = CostProfile()
}
