/// What runs once.
@usableFromInline
package enum OncePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name → token.
  case make
  /// token → boolean: whether this is the time to run what follows, up to `leave`.
  case enter
  /// token.
  case leave
}
