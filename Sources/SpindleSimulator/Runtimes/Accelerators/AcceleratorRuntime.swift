import SpindleModel

/// Accelerators: devices that compute beside the cores, with what it costs to get data there and back.
///
/// What a thread asks for is done by one of the device's lanes, first come, first served, and takes the
/// launch, then the transfer of all bytes both ways, then the work at the device's speed, one behind the
/// other. That a transfer does not overlap with the work of another request in the same lane is an
/// assumption, as that of a queue that runs its commands in order. Source: the OpenCL specification,
/// section 3.2.1, in-order execution: khronos.org/registry/OpenCL/specs/2.2/html/OpenCL_API.html.
struct AcceleratorRuntime: ~Copyable {
  /// One accelerator.
  struct Record: BitwiseCopyable {
    var name: Int32
    /// How many requests it does at a time.
    var width: Int64
    /// What each request takes besides, in nanoseconds.
    var launch: Int64
    /// How many bytes a second brings; nil where a transfer takes no time.
    var bandwidth: Int64?
    /// How fast it works, in billionths of the speed 1.
    var speed: Int64
    /// How many requests it does now.
    var busy: Int64 = 0
    /// The threads that wait for an answer, and those whose turn has not come.
    var served = WaitList()
    var waiters = WaitList()
  }

  /// The index of one.
  typealias Index = TableIndex<Record>

  var accelerators: Table<Record>

  /// Creates it without accelerators.
  init(_ storage: Storage) { accelerators = Table(.accelerators, storage) }

  /// How long a request takes once it is begun, both of its parts rounded up to nanoseconds.
  ///
  /// What does not fit is the largest number.
  func length(work: Int64, bytes: Int64, on accelerator: Index) -> Int64 {
    let record = accelerators[accelerator]
    let transfer = record.bandwidth.map { Self.quotient(bytes, 1_000_000_000, over: $0) } ?? 0
    let computing = Self.quotient(work, FixedDecimal.scale, over: record.speed)
    return Int64(clamping: Int128(record.launch) + Int128(transfer) + Int128(computing))
  }

  private static func quotient(_ value: Int64, _ factor: Int64, over divisor: Int64) -> Int64 {
    let (quotient, remainder) = (Int128(value) * Int128(factor))
      .quotientAndRemainder(dividingBy: Int128(divisor))
    return Int64(clamping: quotient + (remainder > 0 ? 1 : 0))
  }

  /// The running thread waits for what takes so long, from when its turn comes.
  mutating func ask(
    _ accelerator: Index, _ thread: ThreadID, length: Int64, _ kernel: inout Kernel
  ) {
    let record = accelerators[accelerator]
    demand(length >= 0, "accelerator \(accelerator.raw) is to work for \(length) ns")
    kernel.threads.at(thread).setWaitValue(length)
    let isFree = record.busy < record.width
    if !isFree { kernel.append(thread, to: &accelerators[accelerator].waiters) }
    kernel.block(
      thread, .accelerator, on: accelerator.raw, name: record.name,
      holder: isFree ? .none : record.served.firstThread)
    if isFree { begin(accelerator, thread, &kernel) }
  }

  /// A lane is free for a thread that waits.
  private mutating func begin(_ accelerator: Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    let length = kernel.threads[thread].waitValue
    demand(
      kernel.threads[thread].state == .waiting,
      "accelerator \(accelerator.raw) begins for thread \(thread.index), which does not wait")
    accelerators[accelerator].busy += 1
    kernel.append(thread, to: &accelerators[accelerator].served)
    kernel.record(
      .acceleratorBegan, thread: thread, object: accelerators[accelerator].name,
      subject: accelerator.raw, value: length)
    _ = kernel.plan(
      AcceleratorPlan.answer.kind, thread.index, value: Int64(accelerator.raw),
      at: kernel.now + length,
      isWorld: true)
  }

  /// The answer that a thread waits for is there, and the next request begins.
  mutating func answer(_ accelerator: Index, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(
      accelerators[accelerator].busy > 0, "accelerator \(accelerator.raw) ends what it never began")
    accelerators[accelerator].busy -= 1
    kernel.remove(thread, from: &accelerators[accelerator].served)
    kernel.record(
      .acceleratorEnded, thread: thread, object: accelerators[accelerator].name,
      subject: accelerator.raw, value: kernel.now - kernel.threads[thread].since)
    kernel.wake(thread, .granted, by: .none)
    let next = kernel.removeFirst(from: &accelerators[accelerator].waiters)
    if !next.isNone { begin(accelerator, next, &kernel) }
  }

  /// Stops with a message when the state of accelerators contradicts itself.
  func checkAccelerators(_ kernel: borrowing Kernel) {
    for accelerator in accelerators.indices {
      let record = accelerators[accelerator]
      let what = "accelerator \(accelerator.raw)"
      demand(
        record.busy >= 0 && record.busy <= record.width,
        "\(what) does \(record.busy) requests, and has a width of \(record.width)")
      demand(
        (record.busy == 0) == record.served.isEmpty,
        "\(what) does \(record.busy) requests, and its list of them says otherwise")
      demand(
        record.busy == record.width || record.waiters.isEmpty,
        "\(what) lets threads wait for nothing")
      kernel.checkWaitList(record.served, .accelerator, on: accelerator.raw, what)
      kernel.checkWaitList(record.waiters, .accelerator, on: accelerator.raw, what)
    }
  }
}
