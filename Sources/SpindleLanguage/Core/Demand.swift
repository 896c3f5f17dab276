/// Stops with `message` unless `condition` holds, in release builds too.
///
/// For mistakes of this module's own: what is wrong with a text is a diagnostic.
@inline(__always)
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
