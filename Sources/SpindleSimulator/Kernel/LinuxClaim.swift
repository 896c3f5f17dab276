/// What a thread has asked of Linux's scheduler.
struct LinuxClaim {
  /// Its nice value; nil when nobody set it.
  var nice: Int?
  /// Its real-time class; nil for none.
  var posix: PosixClaim?
}
