/// Reads what `babeltrace2` prints of a recording of LTTng's kernel tracer.
///
/// Source: lttng-modules, include/instrumentation/events/sched.h, which has threads as `tid` and priorities
/// from 0, where the kernel's own begin at 100 for those that are not real-time.
struct BabeltraceReader<Receiver: RecordingReceiver> {
  private var receiver: Receiver
  private var names: [Int32: [UInt8]] = [:]
  private var processes: [Int32: Int32] = [:]
  /// The thread that has each core, by the switches.
  private var running: [Int32: Int32] = [:]
  /// The nanoseconds of the days that have passed since the first line, and the last line's time.
  private var days: Int64 = 0
  private var last: Int64 = 0
  private var moments = RecordedMoments()

  private init(_ receiver: Receiver) { self.receiver = receiver }

  /// Reads all of a recording.
  static func read(_ bytes: any RecordingBytes, into receiver: inout Receiver) throws {
    var reader = BabeltraceReader(receiver)
    try bytes.forEachLine { reader.take($0) }
    receiver = reader.receiver
  }

  private mutating func take(_ whole: RecordingLine) {
    let text = KernelText.trimmed(whole.bytes)
    if text.isEmpty && whole.extent != .tooLong { return }
    guard let line = BabeltraceLine(text) else {
      return receiver.receive(.unread(whole.mistake(otherwise: "it is not an event")))
    }
    guard let kind = kind(of: line, text) else {
      let event = TextCursor(text).text(line.event)
      return receiver.receive(
        .unread(whole.mistake(otherwise: "the fields of \(event) can't be read")))
    }
    guard let time = moment(line.time) else {
      return receiver.receive(.unread(whole.mistake(otherwise: RecordedMoments.mistake)))
    }
    let thread = line.thread >= 0 ? line.thread : running[line.core] ?? -1
    if line.process >= 0, processes.updateValue(line.process, forKey: thread) != line.process {
      receiver.receive(.process(thread, line.process))
    }
    if case .switched(_, _, _, let next, _) = kind { running[line.core] = next }
    receiver.receive(
      RecordedEvent(
        time: time, core: line.core, thread: thread, context: .unknown, kind: kind))
  }

  /// A time of the day as a time since the first day: one that is half a day earlier than the last is of the
  /// next day; nil where it is damaged.
  private mutating func moment(_ time: Int64) -> Int64? {
    let day: Int64 = 86_400_000_000_000
    let before = time < last - day / 2 ? days + day : days
    guard moments.has(before + time) else { return nil }
    (days, last) = (before, time)
    return days + time
  }

  /// The kind of an event; nil when its fields are damaged.
  private mutating func kind(
    of line: BabeltraceLine, _ text: UnsafeBufferPointer<UInt8>
  ) -> RecordedEvent.Kind? {
    var event = TextCursor(text)
    (event.position, event.end) = (line.event.lowerBound, line.event.upperBound)
    guard event.take("sched_") else { return .other }
    let length = event.end - event.position
    let fields = line.fields
    if length == 6, event.take("switch") { return switched(fields, text) }
    if length == 6, event.take("waking") || event.take("wakeup") {
      guard let thread = woken(fields, text) else { return nil }
      let priority = self.priority(fields, " prio = ")
      return event.bytes[event.end - 1] == UInt8(ascii: "g")
        ? .woken(thread, priority: priority) : .readied(thread, priority: priority)
    }
    if length == 10, event.take("wakeup_new") {
      guard let thread = woken(fields, text) else { return nil }
      return .begun(thread, priority: priority(fields, " prio = "))
    }
    return life(event, length, fields, text)
  }

  private mutating func switched(
    _ fields: TextCursor, _ text: UnsafeBufferPointer<UInt8>
  ) -> RecordedEvent.Kind? {
    guard let from = fields.value(" prev_tid = "), let to = fields.value(" next_tid = "),
      let state = fields.value(" prev_state = "), state >= 0
    else { return nil }
    note(from, text, fields.quoted("prev_comm = \"", until: "\", prev_tid = "))
    note(to, text, fields.quoted("next_comm = \"", until: "\", next_tid = "))
    return .switched(
      from: from, left: RecordedEvent.Leaving(number: UInt64(state)),
      priority: priority(fields, " prev_prio = "), to: to,
      nextPriority: priority(fields, " next_prio = "))
  }

  private mutating func woken(
    _ fields: TextCursor, _ text: UnsafeBufferPointer<UInt8>
  ) -> Int32? {
    guard let thread = fields.value(" tid = ") else { return nil }
    note(thread, text, fields.quoted("{ comm = \"", until: "\", tid = "))
    return thread
  }

  /// The events for the beginning and the end of threads.
  private mutating func life(
    _ event: TextCursor, _ length: Int, _ fields: TextCursor, _ text: UnsafeBufferPointer<UInt8>
  ) -> RecordedEvent.Kind? {
    var event = event
    if length == 12, event.take("process_fork") {
      guard let parent = fields.value(" parent_tid = "), let child = fields.value(" child_tid = ")
      else { return nil }
      note(child, text, fields.quoted("child_comm = \"", until: "\", child_tid = "))
      if let process = fields.value(" child_pid = ") { receiver.receive(.process(child, process)) }
      return .forked(parent: parent, child: child)
    }
    if length == 12, event.take("process_exec") {
      return fields.value(" tid = ").map { .executed($0) }
    }
    if length == 12, event.take("process_exit") {
      return fields.value(" tid = ").map { .exited($0) }
    }
    return .other
  }

  /// A priority as the kernel counts: 120 is that of a thread which asks for none.
  private func priority(_ fields: TextCursor, _ key: StaticString) -> Int32 {
    fields.value(key).map { $0 > 100 ? $0 : $0 &+ 100 } ?? 120
  }

  /// Reports the name of a thread where it is new.
  private mutating func note(
    _ thread: Int32, _ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>?
  ) {
    guard thread > 0, let range, !range.isEmpty else { return }
    let name = UnsafeBufferPointer(rebasing: line[range])
    if let known = names[thread], known.elementsEqual(name) { return }
    names[thread] = Array(name)
    receiver.receive(.name(thread, String(decoding: name, as: UTF8.self)))
  }
}
