/// The fields of the scheduler's events, in the spelling of the kernel and in that of `trace-cmd report`.
///
/// Source: Linux, include/trace/events/sched.h; trace-cmd's own spelling is that of
/// rostedt/trace-cmd:lib/traceevent/plugins/plugin_sched_switch.c.
struct EventFields {
  /// A task as an event names it.
  struct NamedThread {
    var name: Range<Int>
    var thread: Int32
    var priority: Int32
  }

  private let line: TextCursor

  /// Takes the fields of a line, from `start` to its end.
  init(_ line: UnsafeBufferPointer<UInt8>, from start: Int) {
    var cursor = TextCursor(line)
    cursor.position = start
    self.line = cursor
  }

  /// Both tasks of a switch, and in which state the first one left.
  func switched() -> (from: NamedThread, left: RecordedEvent.Leaving, to: NamedThread)? {
    line.stands("prev_comm=", at: line.position) ? longSwitch() : shortSwitch()
  }

  /// `prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120`, or
  /// without the arrow and with a number for the state.
  private func longSwitch() -> (from: NamedThread, left: RecordedEvent.Leaving, to: NamedThread)? {
    let start = line.position + 10
    guard let nextPid = line.last(" next_pid=", from: start),
      let nextName = line.first("next_comm=", from: start), nextName + 10 <= nextPid,
      let thread = number(at: nextPid + 10),
      let nextPriority = line.first(" next_prio=", from: nextPid),
      let priority = number(at: nextPriority + 11)
    else { return nil }
    var head = line
    head.end = nextName
    guard let pid = head.last(" prev_pid=", from: start), let previous = number(at: pid + 10),
      let prio = head.first(" prev_prio=", from: pid),
      let previousPriority = number(at: prio + 11),
      let state = head.first(" prev_state=", from: prio)
    else { return nil }
    head.position = state + 12
    guard let left = head.leaving() else { return nil }
    return (
      NamedThread(name: start..<pid, thread: previous, priority: previousPriority), left,
      NamedThread(name: nextName + 10..<nextPid, thread: thread, priority: priority)
    )
  }

  /// `a:1 [120] S ==> b:2 [120]`.
  private func shortSwitch() -> (from: NamedThread, left: RecordedEvent.Leaving, to: NamedThread)? {
    guard let arrow = line.last(" ==> ", from: line.position) else { return nil }
    var head = line
    head.end = arrow
    guard let (from, stateAt) = head.shortTask() else { return nil }
    head.position = stateAt
    head.skipSpaces()
    guard let left = head.leaving() else { return nil }
    var tail = line
    tail.position = arrow + 5
    guard let (to, _) = tail.shortTask() else { return nil }
    return (from, left, to)
  }

  /// The task of a wake: `comm=a pid=1 prio=120 …`, or `a:1 [120] …`.
  func woken() -> NamedThread? {
    guard line.stands("comm=", at: line.position) else { return line.shortTask()?.task }
    guard let pid = line.last(" pid=", from: line.position), let thread = number(at: pid + 5)
    else { return nil }
    let prio = line.first(" prio=", from: pid).flatMap { number(at: $0 + 6) }
    return NamedThread(name: line.position + 5..<pid, thread: thread, priority: prio ?? 120)
  }

  /// The number behind the last ` key=`, or behind `key=` at the start.
  func number(_ key: StaticString) -> Int32? {
    line.last(key, from: line.position).flatMap { number(at: $0 + key.utf8CodeUnitCount) }
  }

  /// The text between two keys.
  func text(_ key: StaticString, until next: StaticString) -> Range<Int>? {
    guard let start = line.first(key, from: line.position) else { return nil }
    let from = start + key.utf8CodeUnitCount
    guard let end = line.last(next, from: from) else { return nil }
    return from..<end
  }

  private func number(at place: Int) -> Int32? {
    var cursor = line
    cursor.position = place
    return cursor.number()
  }
}

extension TextCursor {
  /// `a:1 [120]`, and where it ends.
  fileprivate func shortTask() -> (task: EventFields.NamedThread, end: Int)? {
    var from = end
    // The priority is the last one in brackets.
    while from > position {
      from -= 1
      guard bytes[from] == UInt8(ascii: "["), from > position + 2, bytes[from - 1] == 0x20 else {
        continue
      }
      var cursor = self
      cursor.position = from + 1
      guard let priority = cursor.number(), cursor.take("]") else { continue }
      let behind = cursor.position
      var colon = from - 2
      while colon > position, bytes[colon] != UInt8(ascii: ":") { colon -= 1 }
      cursor.position = colon + 1
      guard colon >= position, let thread = cursor.number(), cursor.position == from - 1 else {
        continue
      }
      let task = EventFields.NamedThread(name: position..<colon, thread: thread, priority: priority)
      return (task, behind)
    }
    return nil
  }

  /// A state in letters, `S`, `R+`, `D|K`, or as a number.
  fileprivate mutating func leaving() -> RecordedEvent.Leaving? {
    if let state = wideNumber() { return RecordedEvent.Leaving(number: state) }
    switch next {
    case UInt8(ascii: "R"): return .ready
    case UInt8(ascii: "X"), UInt8(ascii: "Z"), UInt8(ascii: "x"): return .ended
    case UInt8(ascii: "S"), UInt8(ascii: "D"), UInt8(ascii: "T"), UInt8(ascii: "t"),
      UInt8(ascii: "P"), UInt8(ascii: "I"), UInt8(ascii: "K"), UInt8(ascii: "W"),
      UInt8(ascii: "N"), UInt8(ascii: "n"):
      return .waiting
    default: return nil
    }
  }
}

extension RecordedEvent.Leaving {
  /// The kernel's number of a state: bits, of which 1, 2, 4 and 8 wait, 16 and 32 have ended.
  ///
  /// 64 and 128 are parked and idle, or dead in old kernels, where it does not matter. The bit above the last
  /// state means that the thread was preempted: 256 now, 1,024 and 4,096 in others, so all there count as
  /// that. Source: Linux, include/linux/sched.h and `__trace_sched_switch_state`.
  init(number: UInt64) {
    self =
      number & 15 != 0
      ? .waiting : number & 48 != 0 ? .ended : number & 192 != 0 ? .waiting : .ready
  }
}
