import SpindleModel

/// The world outside: `at`, `every` and `arrivals`.
extension Interpreter {
  /// What is kept of `at`, `every` or `arrivals`.
  struct ArrivalState: BitwiseCopyable {
    /// Computes the interval, or the moment.
    let interval: BlockID
    /// What that block is like.
    let shape: IntervalShape
    /// What happens.
    let body: BlockID
    /// The `.submit` that is all that happens, by its index in the code; -1 when it is not.
    let submission: Int32
    /// Whether `interval` gives the moment itself.
    let isOnce: Bool
    /// How often it still happens.
    var left: Int64
    /// What its draws and those of its arrivals depend on.
    let key: UInt64
    /// How often it has happened.
    var ordinal: Int64 = 0
  }

  /// Computes the next interval, in as many steps as its block has.
  @inline(__always)
  private mutating func interval(
    of arrival: UnsafeMutablePointer<ArrivalState>, _ index: Int32
  ) -> Int64 {
    if case .constant(let value) = arrival.pointee.shape, process.stepsLeft > 3 {
      process.stepsLeft &-= 2
      return value
    }
    let key = RandomStreams.key(arrival.pointee.key, salt: 1, ordinal: arrival.pointee.ordinal)
    if case .exponential(let factor, let salt) = arrival.pointee.shape, process.stepsLeft > 3 {
      process.stepsLeft &-= 3
      return sampler.exponential(RandomStreams.key(key, salt: salt, ordinal: 0), factor: factor)
    }
    return computed(arrival, index, key: key)
  }

  /// Computes an interval by the schedule or block that says how.
  @inline(never)
  private mutating func computed(
    _ arrival: UnsafeMutablePointer<ArrivalState>, _ index: Int32, key: UInt64
  ) -> Int64 {
    if case .scheduled = arrival.pointee.shape {
      let schedule = process.program.arrivals[Int(index)].schedule
      // Without a further moment it lies behind all time.
      return (schedule?.moment(of: arrival.pointee.ordinal)).map { $0 - process.kernel.now }
        ?? Int64.max
    }
    let before = process.makespan
    runWorld(arrival.pointee.interval, key: key, argument: nil)
    process.makespan = before
    return process.worldResult
  }

  /// Computes when the next arrival comes.
  @inline(__always)
  mutating func scheduleArrival(_ index: Int32) {
    let arrival = arrivals.unchecked(index)
    if arrival.pointee.left <= 0 || process.outcome != nil { return }
    let interval = interval(of: arrival, index)
    if process.outcome != nil { return }
    if interval < 0 {
      process.outcome = Outcome(
        .crashed, message: "Fatal error: an interval is not negative",
        place: process.program.arrivals[Int(index)].place)
      return
    }
    let (sum, _) = process.kernel.now.addingReportingOverflow(interval)
    let time = arrival.pointee.isOnce ? interval : sum
    if time >= process.kernel.now { _ = process.kernel.schedule(.arrival, index: index, at: time) }
  }

  /// The next arrival has come.
  @inline(__always)
  mutating func arrive(_ index: Int32) {
    let arrival = arrivals.unchecked(index)
    assert(arrival.pointee.left > 0, "arrival \(index) comes once more than it may")
    if process.isDriven && isHeld(beforeArrival: index) { return }
    let ordinal = arrival.pointee.ordinal
    if process.kernel.recorder.isComplete {
      process.kernel.record(.arrival, thread: .none, value: ordinal)
    } else {
      process.kernel.recorder.skip()
    }
    if process.isDriven || !submitsOnly(arrival) { runBody(of: arrival) }
    if process.isDriven { endArrival() }
    arrival.pointee.ordinal &+= 1
    arrival.pointee.left &-= 1
    scheduleArrival(index)
  }

  /// Does what happens at an arrival.
  @inline(never)
  private mutating func runBody(of arrival: UnsafeMutablePointer<ArrivalState>) {
    let ordinal = arrival.pointee.ordinal
    let key = RandomStreams.key(arrival.pointee.key, salt: 2, ordinal: ordinal)
    runWorld(arrival.pointee.body, key: key, argument: ordinal)
  }
}
