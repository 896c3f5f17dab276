@testable import SpindleSimulator

/// A small repeatable generator.
struct Draws {
  private var state: UInt64

  init(seed: UInt64) { state = seed << 32 }

  /// The next number, below a limit.
  mutating func next(_ limit: Int) -> Int {
    state &+= 1
    return Int(RandomStreams.mix(state) % UInt64(limit))
  }
}
