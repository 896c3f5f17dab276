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

  /// What the block of an interval is like: what most traces have is computed without a frame.
  enum IntervalShape: BitwiseCopyable {
    /// It gives a constant, in two steps.
    case constant(Int64)
    /// It gives one exponential draw at the site with this salt, in three steps; see `Sampler` for
    /// the factor.
    case exponential(factor: UInt64, salt: UInt32)
    /// It has to be run.
    case other
  }

  /// What the block of an interval is like.
  func shape(of block: BlockID) -> IntervalShape {
    let start = Int(process.blocks[Int(block.index)].entry)
    switch (process.code[start], process.code[start + 1]) {
    case (.constant(let value, let register), .finishWith(let result)) where result == register:
      return .constant(value)
    case (.drawConstant(let mean, let register), .draw(_, let site, _, _)):
      guard case .finishWith(register) = process.code[start + 2],
        process.sites[Int(site.index)].counter < 0
      else {
        return .other
      }
      let factor = Sampler.timesLogarithmOfTwo(UInt64(max(0, mean)))
      return .exponential(factor: factor, salt: process.sites[Int(site.index)].salt)
    default: return .other
    }
  }

  /// Computes the next interval, in as many steps as its block has.
  @inline(__always)
  private mutating func interval(of arrival: UnsafeMutablePointer<ArrivalState>) -> Int64 {
    if case .constant(let value) = arrival.pointee.shape, process.stepsLeft > 3 {
      process.stepsLeft &-= 2
      return value
    }
    let key = RandomStreams.key(arrival.pointee.key, salt: 1, ordinal: arrival.pointee.ordinal)
    if case .exponential(let factor, let salt) = arrival.pointee.shape, process.stepsLeft > 3 {
      process.stepsLeft &-= 3
      return sampler.exponential(RandomStreams.key(key, salt: salt, ordinal: 0), factor: factor)
    }
    return run(arrival.pointee.interval, key: key)
  }

  /// Computes an interval by the block that says how.
  @inline(never)
  private mutating func run(_ interval: BlockID, key: UInt64) -> Int64 {
    let before = process.makespan
    runWorld(interval, key: key, argument: nil)
    process.makespan = before
    return process.worldResult
  }

  /// Computes when the next arrival comes.
  @inline(__always)
  mutating func scheduleArrival(_ index: Int32) {
    let arrival = arrivals.unchecked(index)
    if arrival.pointee.left <= 0 || process.outcome != nil { return }
    let interval = interval(of: arrival)
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
  mutating func arrive(_ index: Int32) {
    let arrival = arrivals.unchecked(index)
    let ordinal = arrival.pointee.ordinal
    if process.kernel.recorder.isComplete {
      process.kernel.record(.arrival, thread: -1, value: ordinal)
    } else {
      process.kernel.recorder.skip()
    }
    if !submitsOnly(arrival) { runBody(of: arrival) }
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

  /// The `.submit` that is all that a block does, when its item captures nothing; -1 for others.
  ///
  /// Nothing of such a block needs a frame.
  func submission(of body: BlockID) -> Int32 {
    let place = Int(process.blocks[Int(body.index)].entry)
    guard case .submit(_, let block, _) = process.code[place],
      case .finish = process.code[place + 6],
      case .perform(_, _, let site) = process.code[place + 5],
      process.blocks[Int(block.index)].captureCount == 0, process.sites[Int(site.index)].counter < 0
    else { return -1 }
    return Int32(place)
  }

  /// Does what a block of the world does that only hands an executor an item; false, and nothing is
  /// done, when that is not so or the executor is not one of the simulator's own.
  @inline(__always)
  private mutating func submitsOnly(_ arrival: UnsafeMutablePointer<ArrivalState>) -> Bool {
    if arrival.pointee.submission < 0 || process.stepsLeft <= 6 { return false }
    let head = process.code.baseAddress.unsafelyUnwrapped + Int(arrival.pointee.submission)
    guard case .submit(let global, let block, _) = head.pointee,
      case .perform(_, _, let site) = head[5], takesPlainItems(globals[Int(global.index)])
    else { return false }
    process.stepsLeft &-= 7
    process.makespan = process.kernel.now
    var key: UInt64 = 0
    if process.blocks[Int(block.index)].usesKey {
      let body = RandomStreams.key(arrival.pointee.key, salt: 2, ordinal: arrival.pointee.ordinal)
      key = RandomStreams.key(body, salt: process.sites[Int(site.index)].salt, ordinal: 0)
    }
    if !submit(head, block, process.frames.words, key, to: globals[Int(global.index)], by: -1) {
      // The run ended before the block did.
      process.stepsLeft &+= 1
    }
    return true
  }
}
