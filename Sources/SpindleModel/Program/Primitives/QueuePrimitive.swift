/// Dispatch queues: making them, handing work over, holding them back.
@usableFromInline
package enum QueuePrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// name, qualityOfService (symbol), attributes (bits of `Attributes`), frequency (bits of
  /// `DispatchAutoreleaseFrequency`), target (queue) → queue.
  case make
  /// → queue: `DispatchQueue.main`.
  case main
  /// qualityOfService (symbol) → queue.
  case global
  /// queue → string.
  case label
  /// queue → symbol: the class of service that it was made with, else `unspecified`.
  case quality
  /// queue, name, kind, group, qualityOfService, flags (bits of `DispatchWorkItemFlags`), closure.
  case async
  /// queue, group, work item.
  case asyncItem
  /// queue, deadline, name, kind, qualityOfService, flags, closure.
  case asyncAfter
  /// queue, deadline, work item.
  case asyncAfterItem
  /// queue, duration, name, kind, closure: no core and no thread is held; then the closure is handed
  /// to the queue.
  case io
  /// queue, flags: what follows up to `syncLeave` runs on the queue, before the thread goes on.
  case syncEnter
  /// queue.
  case syncLeave
  /// queue, work item: `sync(execute:)`.
  case syncItem
  /// queue.
  case suspend
  /// queue.
  case resume
  /// queue.
  case activate
  /// queue, target (queue).
  case setTarget
  /// queue, key (string), value or `noValue`.
  case setSpecific
  /// key (string) → value or `noValue`.
  case getSpecific
  /// queue, key (string) → its own value or `noValue`.
  case getOwnSpecific
  /// queue, closure.
  case setFinalizer
  /// queue or `noValue`, iterations (integer), closure that takes an integer.
  case concurrentPerform
  /// Lets the main thread serve the main queue for ever.
  case dispatchMain
  /// queue: crashes when the thread does not run on it.
  case precondition
  /// queue: crashes when the thread runs on it.
  case preconditionNot
}
