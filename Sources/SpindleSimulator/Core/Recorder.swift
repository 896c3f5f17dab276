import SpindleModel

/// Appends to the log and hands it on in chunks.
struct Recorder: ~Copyable {
  /// Whether anybody reads the log; when nobody does, nothing is recorded.
  let isOn: Bool
  private let buffer: UnsafeMutablePointer<LogEntry>
  private var count = 0
  private let consumers: [any LogConsumer]
  private static let chunk = 2048

  /// Creates a recorder for `consumers`.
  init(consumers: [any LogConsumer]) {
    self.consumers = consumers
    isOn = !consumers.isEmpty
    buffer = .allocate(capacity: isOn ? Self.chunk : 1)
  }

  deinit { buffer.deallocate() }

  /// Adds an entry.
  @inline(__always)
  mutating func record(_ entry: @autoclosure () -> LogEntry) {
    if !isOn { return }
    (buffer + count).initialize(to: entry())
    count &+= 1
    if count == Self.chunk { flush() }
  }

  /// Hands on what has been recorded since the last time.
  @inline(never)
  mutating func flush() {
    if count == 0 { return }
    let entries = UnsafeBufferPointer(start: buffer, count: count)
    for consumer in consumers { consumer.receive(entries) }
    count = 0
  }
}
