import SpindleModel

extension PerfettoWriter {
  mutating func threadBegan(_ thread: ThreadFacts) {
    let name = thread.name(in: texts)
    kernel.began(thread, name)
    let number = LiveThread.number(thread.thread)
    let packet = packet(at: thread.time)
    let tree = bytes.begin(PacketField.processTree)
    let entry = bytes.begin(2)
    bytes.field(1, signed: number)
    bytes.field(2, name)
    bytes.field(3, signed: PerfettoWriter.process)
    bytes.end(entry)
    bytes.end(tree)
    bytes.end(packet)
    let description = self.packet()
    let descriptor = bytes.begin(PacketField.trackDescriptor)
    bytes.field(TrackField.identifier, PerfettoTrack.thread(thread.thread))
    bytes.field(TrackField.parent, PerfettoTrack.process)
    let about = bytes.begin(TrackField.thread)
    bytes.field(TrackField.processNumber, signed: PerfettoWriter.process)
    bytes.field(TrackField.threadNumber, signed: number)
    bytes.field(TrackField.threadName, name)
    bytes.end(about)
    bytes.field(TrackField.rank, signed: Int64(thread.thread.raw))
    bytes.end(descriptor)
    bytes.end(description)
    count(PerfettoTrack.liveThreads, Int64(kernel.threads.count), at: thread.time)
  }

  mutating func stateBegan(_ slice: ThreadSlice) {
    kernel.stateBegan(slice)
    writeKernelEvents()
    if slice.state == .ready { countReady(1, slice.start) }
    guard let reason = slice.reason, reason.isShown else { return }
    let holder = kernel.threads.find(slice.agent).map {
      String(decoding: $0.pointee.name, as: UTF8.self)
    }
    event(
      EventField.begin, PerfettoTrack.thread(slice.thread), at: slice.start, category: .wait,
      name: names.number(reason, slice.name), place: slice.place
    ) { bytes in
      if let holder { PerfettoWriter.annotate(.holder, holder, &bytes) }
    }
    opened(slice.thread)
  }

  mutating func stateEnded(_ slice: ThreadSlice) {
    if slice.state == .ready { countReady(-1, slice.end) }
    if slice.reason?.isShown ?? false {
      closed(slice.thread, depth: nil, at: slice.end)
    }
    kernel.stateEnded(slice)
    writeKernelEvents()
    if slice.ended == .ended || slice.ended == .killed {
      count(PerfettoTrack.liveThreads, Int64(kernel.threads.count), at: slice.end)
    }
  }

  private mutating func countReady(_ change: Int64, _ time: Instant) {
    readyThreads += change
    count(PerfettoTrack.readyThreads, readyThreads, at: time)
  }

  // MARK: Slices on a thread's track

  /// A slice has begun on a thread's track.
  private func opened(_ thread: ThreadIndex) {
    kernel.threads.find(thread)?.pointee.top += 1
  }

  /// Ends the slice of a depth on a thread's track, by default the innermost; one that is not the innermost
  /// ends with those inside it.
  private mutating func closed(_ thread: ThreadIndex, depth: Int32?, at time: Instant) {
    guard let live = kernel.threads.find(thread), live.pointee.top >= 0 else { return }
    let depth = depth ?? live.pointee.top
    if depth < live.pointee.top && depth < 64 {
      live.pointee.ended |= 1 << UInt64(max(0, depth))
      return
    }
    var top = live.pointee.top
    repeat {
      event(EventField.end, PerfettoTrack.thread(thread), at: time)
      if top < 64 { live.pointee.ended &= ~(1 << UInt64(top)) }
      top -= 1
    } while top >= 0 && top < 64 && live.pointee.ended & 1 << UInt64(top) != 0
    live.pointee.top = top
  }

  mutating func spanBegan(_ span: SpanSlice) {
    kernel.advance(to: span.start.nanoseconds)
    writeKernelEvents()
    let track = PerfettoTrack.thread(span.thread)
    if span.kind == .item, let item = startedItem, item.item == span.item {
      writeItem(item, on: track)
      startedItem = nil
    } else if span.kind == .item {
      // A task resumes.
      let number = UInt64(UInt32(max(0, span.item.raw)))
      event(
        EventField.begin, track, at: span.start, category: .item,
        name: tasks[Int64(span.item.raw)] ?? names.number(span), place: span.place
      ) { bytes in
        bytes.field(EventField.flows, fixed: number | PerfettoWriter.taskFlow)
        PerfettoWriter.annotate(.item, Int64(span.item.raw), &bytes)
        PerfettoWriter.annotate(.waited, span.value, &bytes)
      }
    } else {
      event(
        EventField.begin, track, at: span.start, category: .span, name: names.number(span),
        place: span.place
      ) { bytes in
        if span.value != 0 || span.kind == .iteration {
          PerfettoWriter.annotate(.value, span.value, &bytes)
        }
      }
    }
    opened(span.thread)
  }

  mutating func spanEnded(_ span: SpanSlice) {
    closed(span.thread, depth: span.depth, at: span.end)
  }

  // MARK: The kernel's events

  mutating func writeKernelEvents() {
    if kernel.events.isEmpty { return }
    for index in kernel.events.indices { write(kernel.events[index]) }
    kernel.events.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ event: KernelEvent) {
    let packet = bytes.begin(PacketField.trace)
    let bundle = bytes.begin(PacketField.ftraceEvents)
    bytes.field(FtraceField.core, signed: Int64(event.core))
    let entry = bytes.begin(FtraceField.event)
    bytes.field(FtraceField.timestamp, PerfettoWriter.stamp(event.time))
    bytes.field(FtraceField.thread, signed: PerfettoWriter.number(event.first))
    if event.isWaking {
      let waking = bytes.begin(FtraceField.schedWaking)
      write(name: event.second, event.core, FtraceField.wokenName)
      bytes.field(FtraceField.wokenThread, signed: PerfettoWriter.number(event.second))
      bytes.field(FtraceField.wokenPriority, PerfettoWriter.priority)
      bytes.field(FtraceField.success, 1)
      bytes.field(FtraceField.targetCore, signed: Int64(event.core))
      bytes.end(waking)
    } else {
      let change = bytes.begin(FtraceField.schedSwitch)
      write(name: event.first, event.core, FtraceField.previousName)
      bytes.field(FtraceField.previousThread, signed: PerfettoWriter.number(event.first))
      bytes.field(FtraceField.previousPriority, PerfettoWriter.priority)
      bytes.field(FtraceField.previousState, signed: event.state.rawValue)
      write(name: event.second, event.core, FtraceField.nextName)
      bytes.field(FtraceField.nextThread, signed: PerfettoWriter.number(event.second))
      bytes.field(FtraceField.nextPriority, PerfettoWriter.priority)
      bytes.end(change)
    }
    bytes.end(entry)
    bytes.end(bundle)
    bytes.end(packet)
  }

  /// The priority of an ordinary thread, as the kernel counts; the log does not contain each thread's own.
  private static let priority: UInt64 = 120

  /// The number of a thread; 0 for an idle core and for the world outside.
  private static func number(_ thread: ThreadIndex) -> Int64 {
    thread.isNone ? 0 : LiveThread.number(thread)
  }

  private mutating func write(name thread: ThreadIndex, _ core: Int32, _ field: UInt32) {
    if thread.isNone { return bytes.field(field, "swapper/\(core)") }
    guard let live = kernel.threads.find(thread) else { return }
    live.pointee.name.withUnsafeBufferPointer { bytes.field(field, $0) }
  }
}

extension WaitReason {
  /// Whether exports show a slice for it: not for a thread without a request.
  var isShown: Bool { facts.family != .idle }
}
