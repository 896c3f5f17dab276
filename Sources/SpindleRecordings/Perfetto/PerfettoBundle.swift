/// The events of one core in one bundle, in the order of time.
struct PerfettoBundle {
  /// The state for the next bundle of the core: the thread that had the core last.
  struct State: Hashable, Sendable {
    var thread: Int32 = -1
    var priority: Int32 = 120
  }

  private(set) var events: [RecordedEvent] = []
  private(set) var names: [(Int32, String)] = []
  private(set) var state: State
  private let bytes: UnsafeBufferPointer<UInt8>
  private let core: Int32

  init(_ bytes: UnsafeBufferPointer<UInt8>, core: Int32, _ state: State) {
    (self.bytes, self.core, self.state) = (bytes, core, state)
  }

  /// Reads all of it.
  mutating func read() {
    var fields = ProtobufFields(bytes, 0..<bytes.count)
    var compact: Range<Int>?
    while let (field, value) = fields.next() {
      guard case .bytes(let place) = value else { continue }
      if field == RecordedPacket.event { readEvent(place) }
      if field == RecordedPacket.compactSched { compact = place }
    }
    if let compact { readCompact(compact) }
    // Bundles with both have them side by side.
    var order = Array(events.indices)
    order.sort { (events[$0].time, $0) < (events[$1].time, $1) }
    events = order.map { [events] in events[$0] }
  }

  /// The time of an event, or of the first ones in a table; nil without one.
  static func start(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isCompact: Bool
  ) -> Int64? {
    let times =
      isCompact
      ? [CompactSched.switchTime, CompactSched.wakingTime] : [RecordedKernelEvent.time]
    var (first, seen): (Int64?, Set<UInt64>) = (nil, [])
    var fields = ProtobufFields(bytes, range)
    while let (field, value) = fields.next(), seen.count < times.count {
      guard times.contains(field), seen.insert(field).inserted else { continue }
      var number: UInt64?
      switch value {
      case .number(let one): number = one
      case .bytes(let place):
        var position = place.lowerBound
        number = ProtobufFields.number(bytes, &position, place.upperBound)
      }
      guard let number else { continue }
      let time = Int64(truncatingIfNeeded: number)
      if time > 0 { first = min(first ?? time, time) }
    }
    return first
  }

  // MARK: Events one by one

  /// The numbers and texts of a message by their fields; of several the last.
  private struct Message {
    var numbers: [UInt64: UInt64] = [:]
    var texts: [UInt64: Range<Int>] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
      var fields = ProtobufFields(bytes, range)
      while let (field, value) = fields.next() {
        switch value {
        case .number(let number): numbers[field] = number
        case .bytes(let place): texts[field] = place
        }
      }
    }

    func thread(_ field: UInt64) -> Int32 { Int32(truncatingIfNeeded: numbers[field] ?? 0) }
  }

  private mutating func readEvent(_ range: Range<Int>) {
    var (time, thread, flags, kind): (Int64, Int32, UInt64?, RecordedEvent.Kind?) = (
      0, -1, nil, nil
    )
    var fields = ProtobufFields(bytes, range)
    while let (field, value) = fields.next() {
      switch value {
      case .number(let number):
        if field == RecordedKernelEvent.time { time = Int64(truncatingIfNeeded: number) }
        if field == RecordedKernelEvent.thread { thread = Int32(truncatingIfNeeded: number) }
        if field == RecordedKernelEvent.flags { flags = number }
      case .bytes(let place): kind = self.kind(field, place) ?? kind
      }
    }
    guard time > 0 else { return }
    events.append(
      RecordedEvent(
        time: time, core: core, thread: thread, context: Self.context(flags), kind: kind ?? .other))
  }

  private mutating func kind(_ field: UInt64, _ range: Range<Int>) -> RecordedEvent.Kind? {
    let known = [
      RecordedKernelEvent.switched, RecordedKernelEvent.waking, RecordedKernelEvent.wakeup,
      RecordedKernelEvent.wakeupNew, RecordedKernelEvent.fork, RecordedKernelEvent.exec,
      RecordedKernelEvent.exit, RecordedKernelEvent.rename,
    ]
    guard known.contains(field) else { return .other }
    let message = Message(bytes, range)
    switch field {
    case RecordedKernelEvent.switched:
      let (from, to) = (message.thread(2), message.thread(6))
      note(from, message.texts[1])
      note(to, message.texts[5])
      (state.thread, state.priority) = (to, message.thread(7))
      return .switched(
        from: from, left: .init(number: message.numbers[4] ?? 0), priority: message.thread(3),
        to: to, nextPriority: message.thread(7))
    case RecordedKernelEvent.waking, RecordedKernelEvent.wakeup, RecordedKernelEvent.wakeupNew:
      let (thread, priority) = (message.thread(2), message.thread(3))
      note(thread, message.texts[1])
      if field == RecordedKernelEvent.waking { return .woken(thread, priority: priority) }
      return field == RecordedKernelEvent.wakeup
        ? .readied(thread, priority: priority) : .begun(thread, priority: priority)
    case RecordedKernelEvent.fork:
      note(message.thread(4), message.texts[3])
      return .forked(parent: message.thread(2), child: message.thread(4))
    case RecordedKernelEvent.exec: return .executed(message.thread(2))
    case RecordedKernelEvent.exit: return .exited(message.thread(2))
    default:
      note(message.thread(1), message.texts[3])
      return .other
    }
  }

  private mutating func note(_ thread: Int32, _ range: Range<Int>?) {
    guard thread > 0, let range, !range.isEmpty else { return }
    let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    names.append((thread, name))
  }

  /// The kernel's flags: 8 and 16 are a hard and a soft interrupt, 64 one that can't be held back.
  ///
  /// Source: Linux, include/linux/trace_events.h, `trace_flag_type`.
  private static func context(_ flags: UInt64?) -> RecordedEvent.Context {
    guard let flags else { return .unknown }
    return flags & 0x58 != 0 ? .interrupt : .thread
  }

  // MARK: Events side by side

  private mutating func readCompact(_ range: Range<Int>) {
    var (columns, texts): ([UInt64: [UInt64]], [String]) = ([:], [])
    var fields = ProtobufFields(bytes, range)
    while let (field, value) = fields.next() {
      switch value {
      case .number(let number): columns[field, default: []].append(number)
      case .bytes(let place):
        if field == CompactSched.names {
          texts.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[place]), as: UTF8.self))
        } else {
          columns[field, default: []] += ProtobufFields.packed(bytes, place)
        }
      }
    }
    func value(_ field: UInt64, _ row: Int) -> UInt64? {
      columns[field].flatMap { row < $0.count ? $0[row] : nil }
    }
    func number(_ field: UInt64, _ row: Int) -> Int32 {
      Int32(truncatingIfNeeded: value(field, row) ?? 0)
    }
    var time: Int64 = 0
    for (row, delta) in (columns[CompactSched.switchTime] ?? []).enumerated() {
      time &+= Int64(truncatingIfNeeded: delta)
      let to = number(CompactSched.switchThread, row)
      let priority = number(CompactSched.switchPriority, row)
      let left = RecordedEvent.Leaving(number: value(CompactSched.switchState, row) ?? 0)
      name(to, value(CompactSched.switchName, row), texts)
      if time > 0 {
        add(
          time,
          .switched(
            from: state.thread, left: left, priority: state.priority, to: to,
            nextPriority: priority), thread: state.thread, flags: nil)
      }
      (state.thread, state.priority) = (to, priority)
    }
    time = 0
    for (row, delta) in (columns[CompactSched.wakingTime] ?? []).enumerated() {
      time &+= Int64(truncatingIfNeeded: delta)
      let thread = number(CompactSched.wakingThread, row)
      name(thread, value(CompactSched.wakingName, row), texts)
      guard time > 0 else { continue }
      add(
        time, .woken(thread, priority: number(CompactSched.wakingPriority, row)), thread: -1,
        flags: value(CompactSched.wakingFlags, row))
    }
  }

  private mutating func add(
    _ time: Int64, _ kind: RecordedEvent.Kind, thread: Int32, flags: UInt64?
  ) {
    events.append(
      RecordedEvent(
        time: time, core: core, thread: thread, context: Self.context(flags), kind: kind))
  }

  private mutating func name(_ thread: Int32, _ index: UInt64?, _ texts: [String]) {
    guard thread > 0, let index, index < UInt64(texts.count) else { return }
    names.append((thread, texts[Int(index)]))
  }
}
