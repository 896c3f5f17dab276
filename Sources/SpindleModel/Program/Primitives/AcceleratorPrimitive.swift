/// Accelerators.
@usableFromInline
package enum AcceleratorPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, width (integer), launch (duration), bandwidth (size, of a second), speed (decimal) →
  /// accelerator.
  case make
  /// accelerator, work (duration, at speed 1), bytes (size): blocks the thread until the answer is
  /// there; no core is held.
  case run
}
