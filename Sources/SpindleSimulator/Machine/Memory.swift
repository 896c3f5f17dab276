import SpindleModel

/// How much memory the simulated process uses.
///
/// What counts is what is touched: kernel structures and the touched part of stacks, waiting items,
/// and what the trace allocates. What stacks reserve is told by the log, and counted from it.
struct Memory {
  /// Bytes in use now.
  private(set) var used: Int64 = 0
  /// Bytes that the machine has.
  let size: Int64
  /// What others take of each millisecond of work, in nanoseconds.
  private let hostShare: Int64
  /// Work takes as long as it says while no more than so much is in use: never, where others take their share.
  private let mostUnslowed: Int64

  /// Creates the memory of a machine with `size` bytes, on which others take `hostShare` beside each millisecond of
  /// work.
  init(size: ByteCount, hostShare: Nanoseconds = .zero) {
    self.size = size.rawValue
    self.hostShare = hostShare.rawValue
    mostUnslowed = hostShare == .zero ? size.rawValue : -1
  }

  /// Whether more is in use than any process can have.
  var isPastAddresses: Bool { used > ByteCount.largest.rawValue }

  /// Whether more is in use than the machine has.
  var isExceeded: Bool { used > size }

  /// Takes `bytes`; a sum that is far too large stays what it is.
  mutating func take(_ bytes: Int64) { used = Self.sum(used, bytes) }

  /// The sum of two sizes; what is far past the largest that there is stays what it is.
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? Int64.max / 2 : min(sum, Int64.max / 2)
  }

  /// Gives `bytes` back.
  mutating func give(_ bytes: Int64) {
    used = max(0, used - bytes)
  }

  /// What a burst of `work` becomes by what others take, and while memory is exceeded.
  ///
  /// The rule of memory is ours: every part of the work that touches memory beyond the machine's is ten times
  /// as slow. With a share s = (used − size) / used beyond it, work grows to work · (1 + 9 s). So does what others take.
  @inline(__always)
  func slowed(_ work: Int64) -> Int64 { used > mostUnslowed ? lengthened(work) : work }

  /// More than fits in any run, and far from the end of 64 bits: work that memory makes longer stays there.
  static let mostWork = Int64(1) << 61

  private func lengthened(_ work: Int64) -> Int64 {
    assert(used >= 0, "\(used) bytes are in use")
    var whole = Int128(work) + Int128(work) * Int128(hostShare) / 1_000_000
    if whole >= Int128(Self.mostWork) { return Self.mostWork }
    if isExceeded {
      let (lost, overflows) = (whole * 9).multipliedReportingOverflow(by: Int128(used - size))
      if overflows { return Self.mostWork }
      whole += lost / Int128(used)
    }
    return Int64(min(whole, Int128(Self.mostWork)))
  }
}
