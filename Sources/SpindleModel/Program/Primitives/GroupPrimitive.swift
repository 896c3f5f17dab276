/// Groups.
@usableFromInline
package enum GroupPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name → group.
  case make
  /// group.
  case enter
  /// group.
  case leave
  /// group, deadline → symbol `success` or `timedOut`.
  case wait
  /// group, queue, name, kind, qualityOfService, flags, closure.
  case notify
  /// group, queue, work item.
  case notifyItem
}
