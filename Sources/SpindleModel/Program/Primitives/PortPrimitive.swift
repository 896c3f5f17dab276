/// Ports.
@usableFromInline
package enum PortPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, closure (is given the message, a string) → port.
  case make
  /// port, string.
  case send
  /// port.
  case invalidate
  /// port → boolean.
  case isValid
}
