/// Reads the text of the kernel's trace, of `trace-cmd report`, of `perf script`, and of a page of systrace.
struct KernelTextReader<Receiver: RecordingReceiver> {
  private var receiver: Receiver
  private var names: [Int32: [UInt8]] = [:]
  private var processes: [Int32: Int32] = [:]
  private var moments = RecordedMoments()
  /// Whether lines that are not events belong there: a page has many.
  private let isPage: Bool
  /// Whether the last line was the title of what systrace recorded.
  private var isBehindTitle = false

  private init(_ receiver: Receiver, isPage: Bool) {
    (self.receiver, self.isPage) = (receiver, isPage)
  }

  /// Reads all of a recording.
  static func read(_ bytes: any RecordingBytes, isPage: Bool, into receiver: inout Receiver) throws
  {
    var reader = KernelTextReader(receiver, isPage: isPage)
    try bytes.forEachLine { reader.take($0) }
    receiver = reader.receiver
  }

  private mutating func take(_ whole: RecordingLine) {
    let line = KernelText.trimmed(whole.bytes)
    if isBehindTitle, whole.extent == .tooLong || KernelText.isCompressed(line) {
      receiver.receive(.unread(RecordingMistake(.line(whole.number), KernelText.compressed)))
    }
    isBehindTitle = isPage && line.elementsEqual("TRACE:".utf8)
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else {
      if whole.extent == .tooLong && !isPage { passOver(whole, "") }
      return
    }
    if first == UInt8(ascii: "#") || first == UInt8(ascii: "C") || first == UInt8(ascii: "c") {
      if takeComment(line) { return }
    }
    guard let head = LineHead(line) else {
      // Backtraces follow their events, and values may span several lines.
      if whole.extent == .cut && !isPage { passOver(whole, "") }
      return
    }
    guard head.core >= 0 else { return passOver(whole, "the core's number is more than 65,535") }
    guard let time = head.time, moments.has(time) else {
      return passOver(whole, RecordedMoments.mistake)
    }
    guard let kind = kind(of: head, line) else {
      let event = TextCursor(line).text(head.event)
      return passOver(whole, "the fields of \(event) can't be read")
    }
    note(head.thread, line, head.name)
    if head.process >= 0, processes.updateValue(head.process, forKey: head.thread) != head.process {
      receiver.receive(.process(head.thread, head.process))
    }
    receiver.receive(
      RecordedEvent(
        time: time, core: head.core, thread: head.thread, context: head.context, kind: kind))
  }

  private mutating func passOver(_ line: RecordingLine, _ reason: String) {
    receiver.receive(.unread(line.mistake(otherwise: reason)))
  }

  /// The kind of an event; nil when its fields are damaged.
  private mutating func kind(
    of head: LineHead, _ line: UnsafeBufferPointer<UInt8>
  ) -> RecordedEvent.Kind? {
    let cursor = TextCursor(line)
    guard cursor.stands("sched_", at: head.event.lowerBound) else {
      var (name, fields) = (cursor, cursor)
      (name.position, name.end) = (head.event.lowerBound, head.event.upperBound)
      fields.position = max(0, head.fields - 1)
      return .probed(name, fields)
    }
    var event = cursor
    (event.position, event.end) = (head.event.lowerBound + 6, head.event.upperBound)
    let fields = EventFields(line, from: head.fields)
    let length = event.end - event.position
    if length == 6, event.take("switch") {
      guard let (from, left, to) = fields.switched() else { return nil }
      note(from.thread, line, from.name)
      note(to.thread, line, to.name)
      return .switched(
        from: from.thread, left: left, priority: from.priority, to: to.thread,
        nextPriority: to.priority)
    }
    if length == 6, event.take("waking") || event.take("wakeup") {
      guard let task = fields.woken() else { return nil }
      note(task.thread, line, task.name)
      let isWaking = cursor.stands("sched_waking", at: head.event.lowerBound)
      return isWaking
        ? .woken(task.thread, priority: task.priority)
        : .readied(task.thread, priority: task.priority)
    }
    if length == 10, event.take("wakeup_new") {
      guard let task = fields.woken() else { return nil }
      return .begun(task.thread, priority: task.priority)
    }
    return life(event, length, fields, line)
  }

  /// The events for the beginning and the end of threads.
  private mutating func life(
    _ event: TextCursor, _ length: Int, _ fields: EventFields, _ line: UnsafeBufferPointer<UInt8>
  ) -> RecordedEvent.Kind? {
    var event = event
    if length == 12, event.take("process_fork") {
      guard let parent = fields.number(" pid="), let child = fields.number(" child_pid=") else {
        return nil
      }
      if let name = fields.text("child_comm=", until: " child_pid=") { note(child, line, name) }
      return .forked(parent: parent, child: child)
    }
    if length == 12, event.take("process_exec") {
      guard let thread = fields.number(" pid=") else { return nil }
      return .executed(thread)
    }
    if length == 12, event.take("process_exit") {
      guard let thread = fields.number(" pid=") else { return nil }
      return .exited(thread)
    }
    return .other
  }

  /// Reports the name of a thread where it is new.
  private mutating func note(
    _ thread: Int32, _ line: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) {
    guard thread > 0, !range.isEmpty else { return }
    let name = UnsafeBufferPointer(rebasing: line[range])
    if let known = names[thread], known.elementsEqual(name) { return }
    // The kernel no longer knows it.
    if name.elementsEqual("<...>".utf8) { return }
    names[thread] = Array(name)
    receiver.receive(.name(thread, String(decoding: name, as: UTF8.self)))
  }

  /// Takes a comment about the whole recording; false where the line is not one.
  private mutating func takeComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = TextCursor(line)
    cursor.skipSpaces()
    if cursor.take("cpus=") {
      if let count = cursor.digits() { receiver.receive(.cores(Int(clamping: count))) }
      return true
    }
    if cursor.take("CPU:") || cursor.take("CPU ") {
      guard let lost = cursor.first("[LOST ", from: cursor.position) else { return true }
      cursor.position = lost + 6
      receiver.receive(.lost(Int(clamping: cursor.digits() ?? 1)))
      return true
    }
    guard cursor.take("#") else { return false }
    if let cores = cursor.first("#P:", from: cursor.position) {
      var number = cursor
      number.position = cores + 3
      if let count = number.digits() { receiver.receive(.cores(Int(clamping: count))) }
    }
    if let entries = cursor.first("entries-in-buffer/entries-written: ", from: cursor.position) {
      cursor.position = entries + 35
      if let kept = cursor.digits(), cursor.take("/"), let written = cursor.digits(),
        written > kept
      {
        receiver.receive(.lost(Int(clamping: written - kept)))
      }
    }
    return true
  }
}

/// What all readers of lines share.
enum KernelText {
  /// A line without its end: a carriage return, or `\n\` in a script.
  static func trimmed(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var end = line.count
    if end > 0, line[end - 1] == 0x0D { end -= 1 }
    let script: [UInt8] = [0x5C, 0x6E, 0x5C]
    if end >= 3, line[(end - 3)..<end].elementsEqual(script) { end -= 3 }
    return UnsafeBufferPointer(rebasing: line[..<end])
  }

  /// The message about what `atrace` has compressed for systrace, as it does by default.
  static let compressed =
    "the recording is compressed: record it with 'systrace.py --no-compress', or by 'atrace' without '-z'"

  /// Whether bytes begin as what zlib compresses does, also where they are written in Base64.
  ///
  /// Source: RFC 1950, 2.2: 0x78, and then one for each level.
  static func isCompressed(_ bytes: some Sequence<UInt8>) -> Bool {
    let levels: [[UInt8]] = [[0x78, 0x01], [0x78, 0x5E], [0x78, 0x9C], [0x78, 0xDA]]
    return levels.contains { bytes.starts(with: $0) }
      || ["eA", "eF", "eJ", "eN"].contains { bytes.starts(with: $0.utf8) }
  }

  /// Whether a line is an event of one of the dialects.
  static func isEvent(_ line: UnsafeBufferPointer<UInt8>) -> Bool { LineHead(trimmed(line)) != nil }
}
