/// Sources of run loops.
@usableFromInline
package enum RunLoopSourcePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, order (integer), closure → source.
  case make
  /// source.
  case signal
  /// source.
  case invalidate
  /// source → boolean.
  case isValid
}
