/// A closure that the simulator keeps, to run it any number of times.
struct Handler: BitwiseCopyable {
  /// The closure: a frame that is never entered, only copied.
  var closure = FrameIndex.none
  /// What the keys of its runs depend on, with their ordinals.
  var key: UInt64 = 0
  /// How often it has been run.
  var runs: Int64 = 0

  /// Whether there is a closure.
  var isSet: Bool { !closure.isNone }
}
