/// What a probe in libdispatch saw a thread do.
///
/// Names of queues, blocks and groups are their addresses, which are reused when the object is gone. Source
/// of the functions with the probes: swiftlang/swift-corelibs-libdispatch, src/queue.c and src/semaphore.c.
package enum DispatchProbe: Hashable, Sendable {
  /// `_dispatch_lane_create_with_target` begins, for a queue of this label.
  case creates(label: String)
  /// And returns the queue.
  case created(UInt64)
  /// `_dispatch_lane_push`, `_dispatch_lane_concurrent_push`, `_dispatch_root_queue_push`: a call with
  /// `context` is submitted to a queue.
  case submits(context: UInt64, queue: UInt64, Path, isBarrier: Bool)
  /// `_dispatch_client_callout` begins: a block is called.
  case calls(context: UInt64)
  /// And ends.
  case returns
  /// `dispatch_sync` or `dispatch_barrier_sync` begins, and ends.
  case syncs(queue: UInt64, isBarrier: Bool)
  case synced
  /// `DispatchSemaphore.wait()` begins, and ends; `signal()`. The functions of C that they call begin with an
  /// instruction that can't have a probe.
  case waits(semaphore: UInt64)
  case waited
  case signals(semaphore: UInt64)
  /// `dispatch_group_wait` begins, and ends; `dispatch_group_leave`.
  case waitsForGroup(UInt64)
  case waitedForGroup
  case leaves(group: UInt64)
  /// `_dispatch_worker_thread` begins: the thread is one of the pool's.
  case worker

  /// By which way something goes to a queue.
  package enum Path: Hashable, Sendable {
    /// One after the other.
    case serial
    /// Beside others.
    case concurrent
    /// To a queue of the system.
    case root
  }
}

extension RecordedEvent.Kind {
  /// The probe of an event of that name, whose fields begin at `fields`, or nothing of interest.
  ///
  /// It is nil where the fields of a probe are damaged.
  static func probed(_ name: TextCursor, _ fields: TextCursor) -> RecordedEvent.Kind? {
    let fields = ProbeFields(line: fields)
    switch name.text(name.position..<name.end) {
    case "q_create": return fields.label.map { .probed(.creates(label: $0)) }
    case "q_created": return fields.address(" dq=").map { .probed(.created($0)) }
    case "q_push": return fields.submits(.serial)
    case "q_cpush": return fields.submits(.concurrent)
    case "q_rpush": return fields.submits(.root)
    case "q_call": return fields.address(" ctxt=").map { .probed(.calls(context: $0)) }
    case "q_return": return .probed(.returns)
    case "q_sync": return fields.syncs(isBarrier: false)
    case "q_bsync": return fields.syncs(isBarrier: true)
    case "q_synced", "q_bsynced": return .probed(.synced)
    case "sema_wait": return fields.address(" sema=").map { .probed(.waits(semaphore: $0)) }
    case "sema_waited": return .probed(.waited)
    case "sema_signal": return fields.address(" sema=").map { .probed(.signals(semaphore: $0)) }
    case "group_wait": return fields.address(" group=").map { .probed(.waitsForGroup($0)) }
    case "group_waited": return .probed(.waitedForGroup)
    case "group_leave": return fields.address(" group=").map { .probed(.leaves(group: $0)) }
    case "worker": return .probed(.worker)
    default: return .other
    }
  }
}

/// The fields of a probe: `(0x7f04) dq=0x55aa func=0x7f00 ctxt=0x0`.
///
/// Source of the flags: swiftlang/swift-corelibs-libdispatch, src/inline_internal.h and src/queue_internal.h,
/// `DC_FLAG_BARRIER`.
private struct ProbeFields {
  let line: TextCursor

  func submits(_ path: DispatchProbe.Path) -> RecordedEvent.Kind? {
    guard let queue = address(" dq="), let context = address(" ctxt=") else { return nil }
    // Of an object that is not a block, it is an address.
    let flags = address(" flags=") ?? 0
    let isBarrier = flags < 4_096 && flags & 2 != 0
    return .probed(.submits(context: context, queue: queue, path, isBarrier: isBarrier))
  }

  func syncs(isBarrier: Bool) -> RecordedEvent.Kind? {
    address(" dq=").map { .probed(.syncs(queue: $0, isBarrier: isBarrier)) }
  }

  func address(_ key: StaticString) -> UInt64? {
    var cursor = line
    guard let place = cursor.first(key, from: cursor.position) else { return nil }
    cursor.position = place + key.utf8CodeUnitCount
    return cursor.wideNumber()
  }

  /// Longer labels are cut.
  private static let longest = 256

  /// `label="…"`, which may contain anything; `label=(fault)` of a queue without one.
  var label: String? {
    guard let place = line.first(" label=", from: line.position) else { return nil }
    let start = place + 7
    guard line.stands("\"", at: start) else { return "" }
    guard let end = line.last("\"", from: start + 1) else { return nil }
    return line.text(start + 1..<min(end, start + 1 + Self.longest))
  }
}
