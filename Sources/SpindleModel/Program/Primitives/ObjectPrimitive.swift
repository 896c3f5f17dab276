/// Holding on to objects and letting go of them.
@usableFromInline
package enum ObjectPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// object, class (the raw value of a `HandleClass`): gives up the name's hold on the object.
  case release
  /// object or `noValue`, class (the raw value of a `HandleClass`) → boolean: whether the object
  /// is still there; false for `noValue`.
  case isAlive
}
