/// What became of a call that a thread makes.
enum RuntimeResult {
  /// It is done; the thread goes on.
  case done
  /// The thread waits, and makes the call again when it is woken.
  case blocked
  /// The simulated process crashes with this message.
  case crash(String)
}
