import SpindleModel

/// One dispatch source.
struct DispatchSourceRecord: Queueable {
  typealias Index = TableIndex<DispatchSourceRecord>

  let kind: DispatchSourceClass
  /// The number of its name.
  let name: Int32
  /// What it watches: a pipe, a process, the name of a signal; `noValue` for nothing.
  let handle: Int64
  /// The queue that its handlers run on.
  let queue: DispatchQueueRecord.Index
  /// Where it was made.
  let madeAt: Int32
  var eventHandler = Handler()
  var cancelHandler = Handler()
  /// Whether it was made and neither resumed nor activated yet.
  var isInactive = true
  /// How often it was suspended and not resumed.
  var suspensions: Int32 = 0
  var isCancelled = false
  /// Whether the trace has let go of it.
  var isReleased = false
  /// Whether an item of it waits in its queue or runs: it has one at most.
  var isBusy = false
  /// Whether the item that runs is its cancel handler.
  var isEnding = false
  /// Whether its last item calls nothing, and only lets go of its handlers.
  var isDropped = false
  /// Whether nothing will come of it any more.
  var isOver = false
  /// Whether its event handler was called.
  var hasFired = false
  /// What has been merged since the last event, or how many signals have come.
  var pending: Int64 = 0
  /// What the handler of the last event was told.
  var data: Int64 = 0
  /// When it is due next, by the machine's uptime; `never` when it is not.
  var target = DispatchSourceRecord.never
  /// The time between two firings; `never` for one that fires once.
  var interval = DispatchSourceRecord.never
  /// When its timer is set again after the last event, by the machine's uptime: it does not fire before.
  var armed: Int64 = 0
  /// What is planned for its target; -1 for nothing.
  var plan = Plan.Index.none
  /// Messages that wait at its port.
  var messages = IntrusiveQueue<PortMessage>()
  /// The next source of the same pipe; none for none.
  var next = Index.none
  /// Signals that came before it was activated, which the system does not keep.
  var missed: Int64 = 0

  static let never = Int64.max

  /// Whether its handlers may be called.
  var isOpen: Bool { suspensions == 0 && !isInactive }

  /// Whether it waits for a moment: a timer, or a process that ends at a known time.
  var isTimed: Bool { kind == .timer || kind == .process }

  /// Takes the firings of a timer that are due at `uptime`; 0 when none is.
  ///
  /// The target goes on along the grid, so that nothing piles up and nothing drifts. More firings than
  /// a number holds are as many as it holds. Source: swift-corelibs-libdispatch:src/source.c,
  /// _dispatch_source_timer_data; src/event/event.c, _dispatch_timers_run;
  /// src/event/event_internal.h, _dispatch_timer_unote_compute_missed.
  mutating func takeFirings(at uptime: Int64) -> Int64 {
    if target > uptime { return 0 }
    if interval == Self.never {
      target = Self.never
      return 1
    }
    assert(interval > 0, "a timer fires every \(interval) ns")
    let firings = (Int128(uptime) - Int128(target)) / Int128(interval) + 1
    target = Int64(clamping: Int128(target) + firings * Int128(interval))
    return Int64(clamping: firings)
  }
}

/// A message that waits at the port of a source.
struct PortMessage: Queueable {
  var value: Int64
  /// The message behind it.
  var next = TableIndex<PortMessage>.none
}

/// The two ends of a pipe.
struct PipeRecord: BitwiseCopyable {
  typealias Index = TableIndex<PipeRecord>

  let name: Int32
  let capacity: Int64
  /// The bytes that can be read.
  var filled: Int64 = 0
  /// The bytes that were written and found no room yet.
  var waiting: Int64 = 0
  /// The sources of its ends, in the order in which they were made.
  var sources = IntrusiveQueue<DispatchSourceRecord>()

  /// How many bytes may be written now.
  var room: Int64 { waiting > 0 ? 0 : capacity - filled }

  /// Writes bytes; what finds no room follows as room gets free.
  ///
  /// Returns false when more waits than the memory of a process holds, where the real writers keep it.
  mutating func write(_ bytes: Int64) -> Bool {
    assert(bytes >= 0, "\(bytes) bytes are written to a pipe")
    let fitting = min(bytes, room)
    filled += fitting
    waiting += bytes - fitting
    return waiting <= ByteCount.largest.rawValue
  }

  /// Reads up to a number of bytes; returns how many there were.
  mutating func read(_ bytes: Int64) -> Int64 {
    assert(bytes >= 0, "\(bytes) bytes are read from a pipe")
    let taken = min(bytes, filled)
    filled -= taken
    let following = min(waiting, capacity - filled)
    (filled, waiting) = (filled + following, waiting - following)
    return taken
  }

  /// How much a pipe of a platform holds: the buffer that it is made with.
  ///
  /// Source: xnu:bsd/sys/pipe.h, PIPE_SIZE; linux:include/linux/pipe_fs_i.h, PIPE_DEF_BUFFERS, of
  /// 4 KB each.
  static func capacity(isDarwin: Bool) -> Int64 { isDarwin ? 16_384 : 65_536 }
}

/// Another process, of which only the end is seen.
struct ProcessRecord: BitwiseCopyable {
  let name: Int32
  /// When it ends, by the machine's uptime.
  let end: Int64
}

/// Dispatch sources, and what they watch.
struct SourceRuntime: ~Copyable {
  var sources: Table<DispatchSourceRecord>
  var pipes: Table<PipeRecord>
  var processes: Table<ProcessRecord>
  private(set) var messages: SlotTable<PortMessage>
  /// The sources of each signal that are not over, by the signal's number.
  private var watchers: [Int64: ItemList<DispatchSourceRecord.Index>] = [:]

  /// Creates it without sources.
  init(_ storage: Storage) {
    sources = Table(.sources, storage, beside: 64)
    pipes = Table(.pipes, storage)
    processes = Table(.processes, storage)
    messages = SlotTable(.messages, storage)
  }

  /// Adds a source; returns its number.
  mutating func add(_ record: DispatchSourceRecord) -> DispatchSourceRecord.Index {
    let source = sources.add(record)
    if record.kind == .signal { watchers[record.handle, default: ItemList()].append(source) }
    return source
  }

  /// Nothing comes of a source any more.
  mutating func end(_ source: DispatchSourceRecord.Index) {
    if sources[source].isOver { return }
    demand(!sources[source].isBusy, "source \(source) ends while its item runs")
    sources[source].isOver = true
    if sources[source].kind == .signal { watchers[sources[source].handle]?.remove(source) }
  }

  /// The sources of a signal that are not over, in the order in which they were made.
  func watchers(of signal: Int64) -> ItemList<DispatchSourceRecord.Index> {
    watchers[signal] ?? ItemList()
  }

  /// Puts a message behind those that wait at a source's port.
  mutating func send(_ value: Int64, to source: DispatchSourceRecord.Index) {
    demand(sources[source].kind == .machReceive, "source \(source) has no port")
    sources[source].messages.append(messages.add(PortMessage(value: value)), in: messages)
  }

  /// Adds a source to those of a pipe, behind them.
  mutating func attach(_ source: DispatchSourceRecord.Index, toPipe pipe: PipeRecord.Index) {
    let kind = sources[source].kind
    demand(kind == .read || kind == .write, "source \(source) is of no pipe")
    pipes[pipe].sources.append(source, in: sources)
  }

  /// Whether a source has something to deliver at `uptime`.
  func isDue(_ source: DispatchSourceRecord.Index, at uptime: Int64) -> Bool {
    let record = sources[source]
    switch record.kind {
    case .timer, .process: return max(record.target, record.armed) <= uptime
    case .signal, .dataAdd, .dataOr, .dataReplace: return record.pending != 0
    case .machReceive: return !record.messages.isEmpty
    case .read: return pipes[.init(register: record.handle)].filled > 0
    case .write: return pipes[.init(register: record.handle)].room > 0
    }
  }

  /// Takes what a source has to deliver at `uptime`; nil when that is nothing.
  mutating func take(_ source: DispatchSourceRecord.Index, at uptime: Int64) -> Int64? {
    if !isDue(source, at: uptime) { return nil }
    let record = sources[source]
    switch record.kind {
    case .timer: return sources[source].takeFirings(at: uptime)
    case .process:
      sources[source].target = DispatchSourceRecord.never
      return 1
    case .signal, .dataAdd, .dataOr, .dataReplace:
      sources[source].pending = 0
      return record.pending
    case .machReceive:
      let message = sources[source].messages.removeFirst(in: messages)
      demand(!message.isNone, "no message waits at source \(source)")
      let value = messages[message].value
      messages.remove(message)
      return value
    case .read: return pipes[.init(register: record.handle)].filled
    case .write: return pipes[.init(register: record.handle)].room
    }
  }

  /// Merges a value of the trace's own into what waits; 0 leaves nothing to deliver where it
  /// replaces.
  ///
  /// Source: dispatch/source.h, DISPATCH_SOURCE_TYPE_DATA_ADD and its neighbours.
  mutating func merge(_ value: Int64, into source: DispatchSourceRecord.Index) {
    switch sources[source].kind {
    case .dataOr: sources[source].pending |= value
    case .dataReplace: sources[source].pending = value
    case .dataAdd: sources[source].pending &+= value
    case .timer, .read, .write, .signal, .process, .machReceive:
      fatalError("source \(source) takes no values: it watches something")
    }
  }
}
