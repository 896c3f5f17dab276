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
    /// Whether `interval` gives the moment itself.
    let isOnce: Bool
    /// What its draws and those of its arrivals depend on.
    let key: UInt64
    /// How often it still happens.
    var left: Int64
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
    let start = Int(blocks[Int(block.index)].entry)
    guard case .constant(let value, let register) = code[start] else { return .other }
    switch code[start + 1] {
    case .finishWith(register): return .constant(value)
    case .draw(register, let site, 1, .exponential) where sites[Int(site.index)].counter < 0:
      guard case .finishWith(register) = code[start + 2] else { return .other }
      let factor = Sampler.timesLogarithmOfTwo(UInt64(max(0, value)))
      return .exponential(factor: factor, salt: sites[Int(site.index)].salt)
    default: return .other
    }
  }

  /// Computes an interval, in as many steps as its block has.
  @inline(__always)
  private mutating func interval(of arrival: ArrivalState, key: UInt64) -> Int64 {
    switch stepsLeft > 3 ? arrival.shape : .other {
    case .constant(let value):
      stepsLeft &-= 2
      return value
    case .exponential(let factor, let salt):
      stepsLeft &-= 3
      return sampler.exponential(RandomStreams.key(key, salt: salt, ordinal: 0), factor: factor)
    case .other:
      let before = makespan
      runWorld(arrival.interval, key: key, argument: nil)
      makespan = before
      return worldResult
    }
  }

  /// Computes when the next arrival comes.
  @inline(__always)
  mutating func scheduleArrival(_ index: Int32) {
    let arrival = arrivals.at(index)
    if arrival.pointee.left <= 0 || outcome != nil { return }
    let key = RandomStreams.key(arrival.pointee.key, salt: 1, ordinal: arrival.pointee.ordinal)
    let interval = interval(of: arrival.pointee, key: key)
    if outcome != nil { return }
    if interval < 0 {
      outcome = Outcome(
        .crashed, message: "Fatal error: an interval is not negative",
        place: program.arrivals[Int(index)].place)
      return
    }
    let (sum, _) = kernel.now.addingReportingOverflow(interval)
    let time = arrival.pointee.isOnce ? interval : sum
    if time >= kernel.now { _ = kernel.schedule(.arrival, index: index, at: time) }
  }

  /// The next arrival has come.
  mutating func arrive(_ index: Int32) {
    let arrival = arrivals.at(index)
    let ordinal = arrival.pointee.ordinal
    kernel.record(.arrival, thread: -1, value: ordinal)
    let key = RandomStreams.key(arrival.pointee.key, salt: 2, ordinal: ordinal)
    runWorld(arrival.pointee.body, key: key, argument: ordinal)
    arrival.pointee.ordinal &+= 1
    arrival.pointee.left &-= 1
    scheduleArrival(index)
  }
}
