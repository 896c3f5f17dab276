/// A line that babeltrace prints of an event.
///
///     [<time>] (+<difference>) <host> <event>: { cpu_id = <core> }, { <context> }, { <fields> }
///
/// The time is that of a day, also behind a date, or in seconds; the host and the context may be missing. A
/// context has what was asked for by `lttng add-context`: `pid`, `tid`, `procname`.
struct BabeltraceLine {
  /// Of the day, or since whenever, in nanoseconds.
  var time: Int64
  var core: Int32
  /// The thread that had the core, and its process; -1 where unknown.
  var thread: Int32 = -1
  var process: Int32 = -1
  var event: Range<Int>
  /// The event's own fields, from the brace in front of them.
  var fields: TextCursor

  /// Reads a line; nil where it is not an event.
  init?(_ line: UnsafeBufferPointer<UInt8>) {
    var cursor = TextCursor(line)
    guard cursor.take("["), let time = cursor.clock(), cursor.take("]"),
      let cpu = cursor.first(": { cpu_id = ", from: cursor.position)
    else { return nil }
    self.time = time
    var start = cpu
    while start > cursor.position, line[start - 1] != 0x20 { start -= 1 }
    event = start..<cpu
    cursor.position = cpu + 13
    guard let core = cursor.number(), core >= 0, cursor.take(" }, ") else { return nil }
    self.core = core
    fields = cursor
    if let (context, next) = Self.context(of: cursor) {
      thread = context.value("{ tid = ") ?? context.value(" tid = ") ?? -1
      process = context.value("{ pid = ") ?? context.value(" pid = ") ?? -1
      fields.position = next
    }
  }

  /// The next context and the start of the fields after it; nil if no context starts here.
  private static func context(of cursor: TextCursor) -> (TextCursor, Int)? {
    let isContext =
      cursor.stands("{ pid = ", at: cursor.position)
      || cursor.stands("{ tid = ", at: cursor.position)
      || cursor.stands("{ procname = ", at: cursor.position)
    guard isContext, let end = cursor.first(" }, {", from: cursor.position) else { return nil }
    var context = cursor
    context.end = end
    return (context, end + 4)
  }
}

extension TextCursor {
  /// The number behind the last `key`, plain or as `( "NAME" : container = 1 )`.
  func value(_ key: StaticString) -> Int32? {
    guard let place = last(key, from: position) else { return nil }
    var cursor = self
    cursor.position = place + key.utf8CodeUnitCount
    if cursor.next == UInt8(ascii: "("),
      let inside = cursor.first("container = ", from: cursor.position)
    {
      cursor.position = inside + 12
    }
    return cursor.number()
  }

  /// The text in quotes between two keys.
  func quoted(_ key: StaticString, until next: StaticString) -> Range<Int>? {
    guard let start = first(key, from: position) else { return nil }
    let from = start + key.utf8CodeUnitCount
    guard let end = first(next, from: from) else { return nil }
    return from..<end
  }

  /// A moment: `21:41:12.25`, `2014-03-15 21:41:12.25` or `1394919672.25`, in nanoseconds.
  fileprivate mutating func clock() -> Int64? {
    if let date = first(" ", from: position), date - position == 10, bytes[position + 4] == 0x2D {
      position = date + 1
    }
    var whole: Int64 = 0
    let start = position
    for _ in 0..<2 {
      let place = position
      guard let part = digits(), part < 100, take(":") else {
        position = place
        break
      }
      whole = (whole + part) * 60
    }
    guard let rest = seconds() else {
      position = start
      return nil
    }
    return whole * 1_000_000_000 + rest
  }
}
