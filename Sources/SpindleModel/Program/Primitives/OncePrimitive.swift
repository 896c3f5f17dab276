/// What runs once.
@usableFromInline
package enum OncePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name → token.
  case make
  /// The same for what is `static`, which no program sees.
  case makeStatic
  /// token → boolean: whether this is the time to run what follows, up to `leave`.
  case enter
  /// The same for what is `static`.
  case enterStatic
  /// token.
  case leave
  /// token → boolean: whether what runs once has run; costs nothing, and waits for nobody.
  case see
}
