/// Work items.
@usableFromInline
package enum WorkItemPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, kind, qualityOfService, flags, closure → work item.
  case make
  /// work item.
  case perform
  /// work item.
  case cancel
  /// work item → boolean.
  case isCancelled
  /// work item, deadline → symbol `success` or `timedOut`.
  case wait
  /// work item, queue, name, kind, qualityOfService, flags, closure.
  case notify
  /// work item, queue, work item.
  case notifyItem
}
