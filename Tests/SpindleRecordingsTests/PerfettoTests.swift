import Testing

@testable import SpindleRecordings

/// Perfetto's protobuf, written here field by field.
@Suite struct PerfettoTests {
  /// A message that grows by fields.
  struct Message {
    var bytes: [UInt8] = []

    static func number(_ value: UInt64) -> [UInt8] {
      var (rest, bytes): (UInt64, [UInt8]) = (value, [])
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }

    mutating func add(_ field: UInt64, _ value: Int) {
      bytes += Self.number(field << 3) + Self.number(UInt64(value))
    }

    mutating func add(_ field: UInt64, _ inner: [UInt8]) {
      bytes += Self.number(field << 3 | 2) + Self.number(UInt64(inner.count)) + inner
    }

    mutating func add(_ field: UInt64, _ text: String) { add(field, Array(text.utf8)) }
  }

  /// The sample's events, each of its own, one bundle a core, core 1 first; and a table of processes.
  static func events(_ sample: SampleRecording) -> [UInt8] { bundles(sample) + tree() }

  /// The bundles of the sample's events, as of one data source.
  static func bundles(_ sample: SampleRecording, sequence: Int? = nil) -> [UInt8] {
    var trace = Message()
    for core in [1, 0] {
      var bundle = Message()
      bundle.add(1, core)
      for event in sample.events where event.core == core {
        var (whole, inner, field) = (Message(), Message(), UInt64(4))
        whole.add(1, 1_000_000_000 + event.time * 1_000)
        whole.add(2, event.thread)
        whole.add(5, event.flags == "d.h3." ? 9 : 1)
        switch event.kind {
        case .switched(let from, let state, let to):
          inner.add(1, from.0)
          inner.add(2, from.1)
          inner.add(3, 120)
          inner.add(4, ["R": 0, "S": 1, "Z": 32][state] ?? 0)
          inner.add(5, to.0)
          inner.add(6, to.1)
          inner.add(7, 120)
        case .woken(let name, let thread, let word):
          field = word == "waking" ? 20 : 114
          inner.add(1, name)
          inner.add(2, thread)
          inner.add(3, 120)
        case .forked(let child):
          field = 239
          inner.add(2, event.thread)
          inner.add(3, "app")
          inner.add(4, child)
        case .exited:
          field = 238
          inner.add(2, event.thread)
        }
        whole.add(field, inner.bytes)
        bundle.add(2, whole.bytes)
      }
      var packet = Message()
      packet.add(1, bundle.bytes)
      if let sequence { packet.add(10, sequence) }
      trace.add(1, packet.bytes)
    }
    return trace.bytes
  }

  /// A bundle of events that say nothing of who runs, at so many microseconds, as of another data source.
  static func idling(_ core: Int, at times: [Int], by thread: Int? = nil) -> [UInt8] {
    var (bundle, packet, trace) = (Message(), Message(), Message())
    bundle.add(1, core)
    for time in times {
      var (event, inner) = (Message(), Message())
      inner.add(1, 1)
      event.add(1, 1_000_000_000 + time * 1_000)
      if let thread { event.add(2, thread) }
      event.add(13, inner.bytes)
      bundle.add(2, event.bytes)
    }
    packet.add(1, bundle.bytes)
    packet.add(10, 3)
    trace.add(1, packet.bytes)
    return trace.bytes
  }

  /// A packet with the sample's process and its threads.
  static func tree() -> [UInt8] {
    var tree = Message()
    var process = Message()
    process.add(1, 100)
    process.add(3, "app")
    tree.add(1, process.bytes)
    for (number, name) in [(100, "app"), (101, SampleRecording.worker.0)] {
      var thread = Message()
      thread.add(1, number)
      thread.add(2, name)
      thread.add(3, 100)
      tree.add(2, thread.bytes)
    }
    var (packet, trace) = (Message(), Message())
    packet.add(2, tree.bytes)
    trace.add(1, packet.bytes)
    return trace.bytes
  }

  /// The same side by side: times as differences, wakers left to whoever has the core.
  static func compact(_ sample: SampleRecording) -> [UInt8] {
    var trace = Message()
    for core in [0, 1] {
      var columns: [UInt64: [UInt8]] = [:]
      var last: [UInt64: Int] = [:]
      func add(_ field: UInt64, _ value: Int) {
        columns[field, default: []] += Message.number(UInt64(value))
      }
      func addTime(_ field: UInt64, _ event: SampleRecording.Event) {
        let time = 1_000_000_000 + event.time * 1_000
        add(field, time - (last[field] ?? 0))
        last[field] = time
      }
      for event in sample.events where event.core == core {
        switch event.kind {
        case .switched(_, let state, let to):
          addTime(1, event)
          add(2, ["R": 0, "S": 1, "Z": 32][state] ?? 0)
          add(3, to.1)
          add(4, 120)
          add(6, to.1 == 101 ? 1 : 0)
        case .woken(_, let thread, "waking"):
          addTime(7, event)
          add(8, thread)
          add(10, 120)
          add(11, thread == 101 ? 1 : 0)
          add(12, event.flags == "d.h3." ? 9 : 1)
        case .woken, .forked, .exited: break
        }
      }
      var (table, bundle, packet) = (Message(), Message(), Message())
      for field in columns.keys.sorted() { table.add(field, columns[field] ?? []) }
      table.add(5, "app")
      table.add(5, SampleRecording.worker.0)
      bundle.add(1, core)
      bundle.add(4, table.bytes)
      packet.add(1, bundle.bytes)
      trace.add(1, packet.bytes)
    }
    return trace.bytes + tree()
  }

  @Test func eventsAreTheSameTraceAsText() throws {
    let bytes = RecordingInMemory(Self.events(.whole))
    let survey = try RecordingSurvey(bytes)
    #expect(survey.format == .perfetto)
    #expect([survey.counts.switches, survey.counts.wakes] == [8, 2])
    #expect(survey.counts.wakesInInterrupts == 1)
    let program = try RecordedProgram(survey, of: bytes, .init())
    #expect(TraceText.text(program, recording: "sample").hasSuffix(SampleRecording.trace))
  }

  /// Nothing says there that a thread was made: the worker is there all the time, and waits to 1 ms.
  @Test func compactEventsAreRead() throws {
    let bytes = RecordingInMemory(Self.compact(.whole))
    let survey = try RecordingSurvey(bytes)
    #expect([survey.counts.switches, survey.counts.wakes] == [8, 2])
    let program = try RecordedProgram(survey, of: bytes, .init())
    let text = TraceText.text(program, recording: "sample")
    #expect(
      text.hasSuffix(
        """
        main(.tool) {
            Thread.detachNewThread(name: "app: w [1] 7-8") { appW178() }
            yield()  // until they wait, as they did before
            work(2ms)
            appThreadWakes.wait()
            work(3ms)
        }

        func appW178() {
            io(1ms)
            work(3ms)
            io(5ms)
            work(1ms)
            appThreadWakes.signal()
            work(2ms)
        }

        """), "\(text)")
  }

  /// The other source's bundles of a core reach over the first's, and stand in front of them or behind.
  ///
  /// Of core 5 there is nothing else.
  @Test("events of two data sources are in the order of time", arguments: [false, true])
  func sourcesAreMerged(isFirst: Bool) throws {
    let own = Self.bundles(.whole, sequence: 2)
    let other =
      Self.idling(0, at: [0, 500, 12_999]) + Self.idling(1, at: [1, 8_999])
      + Self.idling(5, at: [3_000], by: 0)
    let whole = (isFirst ? other + own : own + other) + Self.tree()
    let bytes = RecordingInMemory(whole)
    let survey = try RecordingSurvey(bytes)
    #expect(survey.counts.unordered == 0)
    #expect(survey.counts.cores == [0, 1])
    let program = try RecordedProgram(survey, of: bytes, .init())
    #expect(TraceText.text(program, recording: "sample").hasSuffix(SampleRecording.trace))
    #expect(program.rows.map(\.activity.ran) == [5_000_000, 6_000_000])
  }

  /// Each source that asks for switches has a copy of every one.
  @Test func copiesOfAnEventAreOne() throws {
    let sources = [2, 3, 7].flatMap { Self.bundles(.whole, sequence: $0) }
    let bytes = RecordingInMemory(sources + Self.tree())
    let survey = try RecordingSurvey(bytes)
    #expect([survey.counts.switches, survey.counts.wakes] == [8, 2])
    #expect([survey.counts.unordered, survey.counts.breaks] == [0, 0])
    let program = try RecordedProgram(survey, of: bytes, .init())
    #expect(TraceText.text(program, recording: "sample").hasSuffix(SampleRecording.trace))
  }

  /// A source that was read in turns may have its bundles in any order.
  @Test func bundlesOfACoreAreInTheOrderOfTime() throws {
    let events = SampleRecording.whole.events
    let pieces = [events[8...], events[..<4], events[4..<8]].flatMap {
      Self.bundles(SampleRecording(events: Array($0)), sequence: 2)
    }
    let bytes = RecordingInMemory(pieces + Self.tree())
    let survey = try RecordingSurvey(bytes)
    #expect(survey.counts.unordered == 0)
    let program = try RecordedProgram(survey, of: bytes, .init())
    #expect(TraceText.text(program, recording: "sample").hasSuffix(SampleRecording.trace))
  }

  /// A million seconds behind the others.
  @Test func momentThatCanNotBeIsTold() throws {
    let own = Self.bundles(.whole)
    let bytes = RecordingInMemory(own + Self.idling(0, at: [1_000_000_000_000]) + Self.tree())
    let survey = try RecordingSurvey(bytes)
    #expect(survey.counts.unread == 1)
    #expect(survey.counts.firstUnread?.reason == RecordedMoments.mistake)
    #expect([survey.counts.switches, survey.counts.length] == [8, 13_000_000])
  }

  @Test func damageIsSaid() throws {
    let whole = Self.events(.whole)
    for count in stride(from: 0, to: whole.count, by: 11) {
      let bytes = RecordingInMemory(Array(whole[..<count]))
      do {
        let program = try RecordedProgram(RecordingSurvey(bytes), of: bytes, .init())
        #expect(!TraceText.text(program, recording: "f").isEmpty)
      } catch let mistake as RecordingMistake {
        #expect(!mistake.reason.isEmpty)
      }
    }
    let cut = RecordingInMemory(Array(whole.dropLast(10)))
    let survey = try RecordingSurvey(cut)
    let place = whole.count - Self.tree().count
    #expect(
      survey.counts.firstUnread
        == RecordingMistake(.byte(place), "the recording ends within the packet"))
    #expect(throws: RecordingMistake.self) { try RecordingSurvey(RecordingInMemory(Self.tree())) }
  }
}
