import SpindleModel

/// The last writes of a shared `var` within one instant.
struct SharedWrite: BitwiseCopyable {
  /// The instant; -1 before the first write.
  var time: Int64 = -1
  /// What the variable was before the instant's first write.
  var before: Int64 = 0
  /// Who wrote last; none for the world outside.
  var writer = ThreadID.none
}
