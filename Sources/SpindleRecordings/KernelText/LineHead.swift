/// The part of a line before the event's own fields.
///
/// In the kernel's trace and in `trace-cmd report`, and then in `perf script`:
///
///     <name>-<thread> (<process>) [<core>] <flags> <time>: <event>: <fields>
///     <name> <process>/<thread> [<core>] <time>: <group>:<event>: <fields>
///     <name>-<thread> <core><flags> <time>: <event>: <fields>
///
/// The last is that of `trace-cmd report -l`, which cuts names at 8 letters: they are left to the fields. The
/// process and the flags may be missing. A name may hold spaces, colons, dashes and brackets: only
/// the last number before the core is the thread's.
struct LineHead {
  var name: Range<Int>
  var thread: Int32
  /// -1 where unknown.
  var process: Int32
  /// -1 where the number is one of no core.
  var core: Int32
  var context: RecordedEvent.Context
  /// nil where no clock has it.
  var time: Int64?
  var event: Range<Int>
  /// Where the event's own fields begin.
  var fields: Int

  /// Reads the head of a line; nil where the line has none.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    var from = 0
    let whole = TextCursor(line)
    // A name may look like a core: the first place is taken from which all can be read.
    while let place = whole.first("[", from: from) {
      if let head = LineHead(whole, bracket: place) {
        self = head
        return
      }
      from = place + 1
    }
    // Where a number begins, and before it a thread's ends.
    for place in 1..<max(1, line.count) where line[place - 1] == 0x20 {
      guard TextCursor.digit(line[place]) != nil else { continue }
      if let head = LineHead(whole, core: place) {
        self = head
        return
      }
    }
    return nil
  }

  /// The core and the flags are together, at `place`.
  private init?(_ whole: TextCursor, core place: Int) {
    var cursor = whole
    cursor.position = place
    guard let core = cursor.core(), cursor.next != 0x20, let flags = cursor.flags() else {
      return nil
    }
    (self.core, context) = (core, flags)
    cursor.skipSpaces()
    guard let time = cursor.moment(), let event = cursor.event() else { return nil }
    (self.time, self.event, fields) = (time.value, event, cursor.position)
    guard let task = TaskName(whole.bytes, end: place) else { return nil }
    (name, thread, process) = (0..<0, task.thread, task.process)
  }

  private init?(_ whole: TextCursor, bracket: Int) {
    var cursor = whole
    cursor.position = bracket + 1
    guard bracket > 0, whole.bytes[bracket - 1] == 0x20, let core = cursor.core(),
      cursor.take("]"), cursor.next == 0x20
    else { return nil }
    self.core = core
    cursor.skipSpaces()
    var time = cursor.moment()
    context = .unknown
    if time == nil {
      guard let flags = cursor.flags() else { return nil }
      context = flags
      cursor.skipSpaces()
      time = cursor.moment()
    }
    guard let time, let event = cursor.event() else { return nil }
    (self.time, self.event, fields) = (time.value, event, cursor.position)
    guard let task = TaskName(whole.bytes, end: bracket) else { return nil }
    (name, thread, process) = (task.name, task.thread, task.process)
  }
}

/// The task in front of the core.
private struct TaskName {
  var name: Range<Int>
  var thread: Int32
  var process: Int32 = -1

  init?(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) {
    var end = end
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    if end > 0, bytes[end - 1] == UInt8(ascii: ")") {
      guard let open = bytes[..<end].lastIndex(of: UInt8(ascii: "(")) else { return nil }
      var cursor = TextCursor(bytes)
      (cursor.position, cursor.end) = (open + 1, end)
      cursor.skipSpaces()
      if let number = cursor.number() { process = number }
      end = open
      while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    }
    guard let number = Self.lastNumber(bytes, &end) else { return nil }
    thread = number
    if end > 0, bytes[end - 1] == UInt8(ascii: "/") {
      end -= 1
      guard let number = Self.lastNumber(bytes, &end) else { return nil }
      process = number
    }
    guard end > 0, bytes[end - 1] == UInt8(ascii: "-") || bytes[end - 1] == 0x20 else { return nil }
    if bytes[end - 1] == UInt8(ascii: "-") { end -= 1 }
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    let start = bytes[..<end].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? end
    name = start..<end
  }

  /// The number that ends at `end`, which moves before it.
  private static func lastNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ end: inout Int) -> Int32? {
    var (value, scale, place): (Int64, Int64, Int) = (0, 1, end)
    while place > 0, scale <= 1_000_000_000, let digit = TextCursor.digit(bytes[place - 1]) {
      (value, scale, place) = (value + digit * scale, scale * 10, place - 1)
    }
    guard place < end, let number = Int32(exactly: value) else { return nil }
    end = place
    return number
  }
}

/// A moment of a line.
private struct Moment {
  /// nil where no clock has it.
  var value: Int64?
}

extension TextCursor {
  /// The number of a core; -1 for one that no core has.
  fileprivate mutating func core() -> Int32? {
    let start = position
    if let number = digits() { return number < 1 << 16 ? Int32(number) : -1 }
    return skipDigits() > start ? -1 : nil
  }

  /// A moment with the colon behind it, without a value where no clock has it; does not move where there is
  /// none.
  fileprivate mutating func moment() -> Moment? {
    let start = position
    if let time = seconds(), take(":") { return Moment(value: time) }
    position = start
    if skipDigits() > start, take(".") {
      let fraction = position
      if skipDigits() > fraction, take(":") { return Moment(value: nil) }
    }
    position = start
    return nil
  }

  /// Goes behind the digits that come next, and returns where that is.
  private mutating func skipDigits() -> Int {
    while position < end, Self.digit(bytes[position]) != nil { position += 1 }
    return position
  }

  /// The kernel's flags: interrupts off, a switch is due, **in an interrupt**, depth of locks.
  ///
  /// Source: Linux, kernel/trace/trace_output.c, `trace_print_lat_fmt`.
  fileprivate mutating func flags() -> RecordedEvent.Context? {
    let start = position
    while position < end, bytes[position] != 0x20 { position += 1 }
    guard position - start >= 4, position - start <= 9 else { return nil }
    switch bytes[start + 2] {
    case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "s"), UInt8(ascii: "z"),
      UInt8(ascii: "Z"):
      return .interrupt
    default: return .thread
    }
  }

  /// The event's name, behind what `perf script` has in front of it, and goes to its fields.
  fileprivate mutating func event() -> Range<Int>? {
    skipSpaces()
    while true {
      let start = position
      while position < end, Self.isPartOfAName(bytes[position]) { position += 1 }
      if position == start { return nil }
      if next == 0x20, TextCursor.digit(bytes[start]) != nil {
        // A period.
        skipSpaces()
        continue
      }
      let name = start..<position
      guard take(":") else { return nil }
      if position < end, Self.isPartOfAName(next) { continue }
      skipSpaces()
      return name
    }
  }

  private static func isPartOfAName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
