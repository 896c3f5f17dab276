/// Stops with `message` unless `condition` holds, in release builds too.
///
/// For mistakes of ours and of a policy that must be named: `precondition` traps in release without
/// its message.
@inline(__always)
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
