/// A second reader of files for Perfetto, which shares no code with those who write them.
///
/// It does what Perfetto's engine does: it takes the events by time, those of one time core by core, and
/// follows each thread's state. The engine's order of cores depends on what came before, so it may not
/// matter: `reversed` takes them from the last.
struct PerfettoReading {
  /// By the number of a thread: nanoseconds ready, running, waiting.
  private(set) var states: [Int64: [Int64]] = [:]
  /// By core: nanoseconds in which a thread ran.
  private(set) var cores: [Int64: Int64] = [:]
  /// How often a core went on with another thread than before.
  private(set) var switches: Int64 = 0
  /// How often a thread made another one ready.
  private(set) var wakings = 0
  /// How many items were handed over, by the arrows that begin.
  private(set) var submitted: Set<UInt64> = []
  /// How many pieces of tasks are tied to each other, by the arrows that have more than an item's number.
  private(set) var pieces = 0
  /// How many arrows have an end, and a beginning before it.
  private(set) var arrows = 0
  /// Names of threads by number.
  private(set) var names: [Int64: String] = [:]
  /// Texts of findings' tracks.
  private(set) var findings: [String] = []
  /// What a reader would stumble on.
  private(set) var mistakes: [String] = []

  private var events: [Event] = []
  private var texts: [UInt64: String] = [:]
  private var depths: [UInt64: Int] = [:]
  private var current: [Int64: (thread: Int64, since: Int64)] = [:]
  private var last: [Int64: Int64] = [:]
  private var threads: [Int64: (state: Int, since: Int64)] = [:]

  private struct Event {
    var time: Int64
    var queue: Int64
    var order: Int
    var body: Body
    enum Body {
      case switched(core: Int64, from: Int64, state: Int64, to: Int64)
      case woken(by: Int64, Int64)
    }
  }

  init(_ bytes: [UInt8], reversed: Bool = false) {
    var end: Int64 = 0
    for packet in Wire.fields(bytes[...]) {
      guard packet.number == 1 else {
        mistakes.append("field \(packet.number) where a packet should be")
        continue
      }
      let fields = Wire.fields(packet.bytes)
      let time = Int64(fields.first { $0.number == 8 }?.value ?? 0)
      end = max(end, time)
      for field in fields {
        switch field.number {
        case 1: readBundle(field.bytes)
        case 2: readProcesses(field.bytes)
        case 11: readTrackEvent(field.bytes)
        case 12: readTexts(field.bytes)
        default: break
        }
      }
    }
    let sign: Int64 = reversed ? -1 : 1
    events.sort { ($0.time, sign * $0.queue, $0.order) < ($1.time, sign * $1.queue, $1.order) }
    for event in events {
      take(event)
      end = max(end, event.time)
    }
    for (thread, state) in threads { add(thread, state.state, end - state.since) }
    for (core, running) in current where running.thread != 0 {
      cores[core, default: 0] += end - running.since
    }
    for (track, depth) in depths where depth < 0 {
      mistakes.append("track \(track): an end too many")
    }
  }

  // MARK: Packets

  private mutating func readBundle(_ bytes: ArraySlice<UInt8>) {
    let fields = Wire.fields(bytes)
    let core = Int64(fields.first { $0.number == 1 }?.value ?? 0)
    for event in fields where event.number == 2 {
      let parts = Wire.fields(event.bytes)
      let time = Int64(parts.first { $0.number == 1 }?.value ?? 0)
      let teller = Int64(parts.first { $0.number == 2 }?.value ?? 0)
      for part in parts {
        let inner = Wire.fields(part.bytes)
        func value(_ number: Int) -> Int64 {
          Int64(inner.first { $0.number == number }?.value ?? 0)
        }
        let body: Event.Body
        switch part.number {
        case 4: body = .switched(core: core, from: value(2), state: value(4), to: value(6))
        case 20: body = .woken(by: teller, value(2))
        default: continue
        }
        events.append(Event(time: time, queue: core + 1, order: events.count, body: body))
      }
    }
  }

  private mutating func readProcesses(_ bytes: ArraySlice<UInt8>) {
    for thread in Wire.fields(bytes) where thread.number == 2 {
      let parts = Wire.fields(thread.bytes)
      let number = Int64(parts.first { $0.number == 1 }?.value ?? 0)
      names[number] = parts.first { $0.number == 2 }?.text
    }
  }

  private mutating func readTexts(_ bytes: ArraySlice<UInt8>) {
    for entry in Wire.fields(bytes) where entry.number == 2 {
      let parts = Wire.fields(entry.bytes)
      texts[parts.first { $0.number == 1 }?.value ?? 0] = parts.first { $0.number == 2 }?.text
    }
  }

  private mutating func readTrackEvent(_ bytes: ArraySlice<UInt8>) {
    let fields = Wire.fields(bytes)
    let track = fields.first { $0.number == 11 }?.value ?? 0
    let name = fields.first { $0.number == 10 }?.value
    if let name, texts[name] == nil { mistakes.append("no text for \(name)") }
    switch fields.first(where: { $0.number == 9 })?.value {
    case 1: depths[track, default: 0] += 1
    case 2:
      depths[track, default: 0] -= 1
      if depths[track, default: 0] < 0 { mistakes.append("an end without a begin") }
    case 3, 4: break
    default: mistakes.append("an event without a type")
    }
    for flow in fields {
      if flow.number == 47 && flow.value >> 32 != 0 {
        pieces += 1
      } else if flow.number == 47 {
        submitted.insert(flow.value)
      }
      if flow.number == 48 && submitted.contains(flow.value) { arrows += 1 }
    }
    // Track 3 is that of findings.
    if track == 3, let text = fields.first(where: { $0.number == 23 })?.text {
      findings.append(text)
    }
  }

  // MARK: What the engine does

  private mutating func take(_ event: Event) {
    switch event.body {
    case .switched(let core, let from, let state, let to):
      let before = current[core] ?? (0, event.time)
      if before.thread != from {
        mistakes.append("core \(core): \(from) leaves, not \(before.thread)")
      }
      if from != 0 {
        cores[core, default: 0] += event.time - before.since
        let isDead = state == 16
        change(from, to: isDead ? nil : state == 0 ? 0 : 2, event.time)
      }
      if to != 0 {
        change(to, to: 1, event.time)
        if last[core] != to { switches += 1 }
        last[core] = to
      }
      current[core] = (to, event.time)
    case .woken(let waker, let thread):
      // One that does not wait is left alone.
      if let known = threads[thread], known.state != 2 { return }
      change(thread, to: 0, event.time)
      if waker != 0 { wakings += 1 }
    }
  }

  private mutating func change(_ thread: Int64, to state: Int?, _ time: Int64) {
    if let known = threads[thread] { add(thread, known.state, time - known.since) }
    threads[thread] = state.map { ($0, time) }
  }

  private mutating func add(_ thread: Int64, _ state: Int, _ length: Int64) {
    states[thread, default: [0, 0, 0]][state] += length
  }
}

/// The wire format of protocol buffers.
enum Wire {
  /// A field: a number, or bytes.
  struct Field {
    var number: Int
    var value: UInt64 = 0
    var bytes: ArraySlice<UInt8> = []

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The fields of a message; of a broken one those before the break.
  static func fields(_ bytes: ArraySlice<UInt8>) -> [Field] {
    var found: [Field] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      guard let tag = number(bytes, &place) else { break }
      var field = Field(number: Int(tag >> 3))
      switch tag & 7 {
      case 0:
        guard let value = number(bytes, &place) else { return found }
        field.value = value
      case 1:
        guard place + 8 <= bytes.endIndex else { return found }
        for index in (0..<8).reversed() {
          field.value = field.value << 8 | UInt64(bytes[place + index])
        }
        place += 8
      case 2:
        guard let size = number(bytes, &place), place + Int(size) <= bytes.endIndex else {
          return found
        }
        field.bytes = bytes[place..<place + Int(size)]
        place += Int(size)
      default: return found
      }
      found.append(field)
    }
    return found
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: inout Int) -> UInt64? {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while place < bytes.endIndex && shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 127) << shift
      if byte & 128 == 0 { return value }
      shift += 7
    }
    return nil
  }
}
