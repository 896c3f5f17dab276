/// What the order of the uses of one object comes to.
struct ChannelHash: Equatable {
  private var ordered: UInt64 = 0
  private var unordered: UInt64 = 0
  /// The items that entered a group that somebody had looked at, in order.
  private var late: UInt64 = 0
  /// All other items that entered or left it, in any order.
  private var free: UInt64 = 0

  /// All of it as one number.
  var sum: UInt64 { ordered &+ unordered &+ free }

  /// Adds a use of a step with a number.
  mutating func add(_ own: UInt64, _ mode: StepMode, isObserved: Bool) {
    switch mode {
    case .reads, .releases: unordered &+= own
    case .ends: free &+= RandomStreams.mix(own ^ late)
    case .enters where !isObserved: free &+= RandomStreams.mix(own)
    case .enters:
      late = RandomStreams.mix(late ^ own)
      addInOrder(own)
    case .writes, .tries, .leaves, .awaits, .feeds, .takes: addInOrder(own)
    }
  }

  private mutating func addInOrder(_ own: UInt64) {
    ordered = RandomStreams.mix(RandomStreams.mix(ordered &+ unordered) ^ own)
    unordered = 0
  }
}
