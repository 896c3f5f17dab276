import SpindleModel

extension TimelineTally {
  mutating func submitted(_ entry: LogEntry) {
    let submission = Submission(entry.value)
    let flags = Submission.Flags(rawValue: entry.detail)
    let time = Instant(entry.time)
    var item = ItemSlice(
      item: ItemIndex(submission.item), name: NameID(Int(entry.object)), kind: entry.subject,
      submitted: time, started: time, ended: time)
    item.ordinal = ordinals.submitted(entry)
    item.isBarrier = flags.contains(.barrier)
    item.submitter = index(entry.thread)
    item.isPlanned = item.submitter.isNone && isPlanned(Plan(entry.object, at: entry.time))
    item.parent = slot(entry.thread).map { innermostItem($0) } ?? .none
    item.place = entry.place
    if flags.contains(.toExecutor) {
      item.lane = lane(.executor, submission.object, entry)
    } else if flags.contains(.toQueue) {
      item.lane = lane(.queue, submission.object, entry)
    } else if flags.contains(.isOperation) && entry.other >= 0 {
      item.lane = operationLane(entry)
    }
    if submission.item > 0 { items[Int64(submission.item)] = item }
    consumer.itemSubmitted(item)
  }

  /// Whether an item that is submitted now was planned; the plan is then removed.
  private mutating func isPlanned(_ plan: Plan) -> Bool {
    guard let count = plans[plan] else { return false }
    plans[plan] = count > 1 ? count - 1 : nil
    return true
  }

  mutating func started(_ entry: LogEntry) {
    let time = Instant(entry.time)
    var item = open(entry)
    item.hasStarted = true
    item.started = time
    item.ended = time
    item.thread = index(entry.thread)
    let flags = ItemFlags(rawValue: entry.detail)
    item.isTask = flags.contains(.isTask)
    item.needsNoThread = flags.contains(.needsNoThread) && !item.isTask
    if entry.other > 0 { items[Int64(entry.other)] = item }
    consumer.itemStarted(item)
    guard !item.needsNoThread, let slot = slot(entry.thread) else { return }
    begin(
      SpanSlice(
        kind: .item, thread: item.thread, start: time, end: time, item: item.item,
        lane: item.lane, name: item.name, place: item.place), on: slot)
  }

  mutating func itemEnded(_ entry: LogEntry) {
    let flags = ItemFlags(rawValue: entry.detail)
    let time = Instant(entry.time)
    var item = open(entry)
    if !item.hasStarted { item.started = time }
    item.ended = time
    item.outcome =
      entry.event == .itemEnded
      ? .ran : flags.contains(.reportedItsEnd) ? .reportedEarly : .cancelled
    if entry.other > 0 { items[Int64(entry.other)] = nil }
    if item.hasStarted && !item.needsNoThread, let slot = slot(entry.thread) {
      end(on: slot, at: time) { $0.kind == .item && $0.item == item.item }
    }
    consumer.itemEnded(item)
  }

  /// A task leaves its thread: that is about something else now.
  mutating func taskSuspended(_ entry: LogEntry) {
    guard let slot = slot(entry.thread), entry.other >= 0 else { return }
    let (item, time) = (ItemIndex(entry.other), Instant(entry.time))
    let wait = TaskWait(rawValue: entry.detail)
    if !item.isNone { end(on: slot, at: time, for: wait) { $0.kind == .item && $0.item == item } }
    consumer.taskLeft(
      TaskPiece(
        item: item, thread: index(entry.thread), start: time, end: time, ready: time, wait: wait,
        awaited: entry.value > 0 ? ItemIndex(Int32(truncatingIfNeeded: entry.value)) : .none,
        place: entry.place))
  }

  /// A task resumes on a thread.
  mutating func taskResumed(_ entry: LogEntry) {
    guard let slot = slot(entry.thread), entry.other >= 0 else { return }
    let time = Instant(entry.time)
    consumer.taskResumed(
      TaskPiece(
        item: ItemIndex(entry.other), thread: index(entry.thread), start: time, end: time,
        ready: Instant(entry.time - max(0, entry.value))))
    guard let item = items[Int64(entry.other)] else { return }
    begin(
      SpanSlice(
        kind: .item, thread: index(entry.thread), start: time, end: time, item: item.item,
        lane: item.lane, name: item.name, value: max(0, entry.value), place: item.place), on: slot)
  }

  /// The item of an entry; one that was never submitted is created from the entry.
  private func open(_ entry: LogEntry) -> ItemSlice {
    if let item = items[Int64(max(0, entry.other))] { return item }
    let time = Instant(entry.time)
    let submitted = Instant(entry.time - max(0, entry.value))
    return ItemSlice(
      item: ItemIndex(max(0, entry.other)), name: NameID(Int(entry.object)), kind: entry.subject,
      submitted: submitted, started: time, ended: time)
  }

  // MARK: What threads are about

  mutating func spanBegan(_ entry: LogEntry) {
    guard let slot = slot(entry.thread), let kind = SpanKind(entry.event) else { return }
    let time = Instant(entry.time)
    var span = SpanSlice(kind: kind, thread: index(entry.thread), start: time, end: time)
    span.name = NameID(Int(entry.object))
    span.place = entry.place
    span.value = entry.value
    switch kind {
    case .sync: span.lane = lane(.queue, entry.subject, entry)
    case .dispatchSource: span.lane = lane(.dispatchSource, entry.subject, entry)
    case .item, .apply, .iteration, .timer, .source, .observer, .block, .perform, .message, .answer:
      break
    }
    begin(span, on: slot)
  }

  mutating func spanEnded(_ entry: LogEntry) {
    guard let slot = slot(entry.thread) else { return }
    let time = Instant(entry.time)
    switch entry.event {
    case .queueSyncEnded: end(on: slot, at: time) { $0.kind == .sync }
    case .applyEnded: end(on: slot, at: time) { $0.kind == .apply }
    case .iterationEnded: end(on: slot, at: time) { $0.kind == .iteration }
    default: end(on: slot, at: time) { $0.kind.isHandler }
    }
  }

  /// The innermost item that a thread is about.
  func innermostItem(_ slot: Int) -> ItemIndex {
    var place = threads[slot].pointee.span
    while place >= 0 {
      let span = spans[place]
      if span.kind == .item { return span.item }
      place = spans.below(place)
    }
    return .none
  }

  private mutating func begin(_ span: SpanSlice, on slot: Int) {
    var span = span
    let top = threads[slot].pointee.span
    span.depth = top < 0 ? 0 : spans[top].depth + 1
    threads[slot].pointee.span = spans.push(span, above: top)
    consumer.spanBegan(span)
  }

  /// Ends the innermost span of a thread that `matches`.
  private mutating func end(
    on slot: Int, at time: Instant, for suspension: TaskWait? = nil,
    _ matches: (SpanSlice) -> Bool
  ) {
    var (above, place): (Int32, Int32) = (-1, threads[slot].pointee.span)
    while place >= 0 && !matches(spans[place]) { (above, place) = (place, spans.below(place)) }
    guard place >= 0 else { return }
    var span = spans[place]
    let below = spans.remove(place, from: above)
    if above < 0 { threads[slot].pointee.span = below }
    span.end = time
    (span.isComplete, span.suspension) = (true, suspension)
    consumer.spanEnded(span)
  }

  /// Ends all that a thread is about, since it ends or the run does.
  mutating func endSpans(_ slot: Int, _ time: Instant) {
    while threads[slot].pointee.span >= 0 {
      var span = spans[threads[slot].pointee.span]
      threads[slot].pointee.span = spans.remove(threads[slot].pointee.span, from: -1)
      span.end = time
      consumer.spanEnded(span)
    }
  }
}

extension SpanKind {
  /// What an entry begins; nil for one that begins nothing.
  fileprivate init?(_ event: LogEvent) {
    switch event {
    case .queueSyncBegan: self = .sync
    case .applyBegan: self = .apply
    case .iterationBegan: self = .iteration
    case .sourceFired: self = .dispatchSource
    case .timerFired: self = .timer
    case .observerCalled: self = .observer
    case .sourcePerformed: self = .source
    case .blockPerformed: self = .block
    case .performBegun: self = .perform
    case .messageReceived: self = .message
    case .answerReceived: self = .answer
    default: return nil
    }
  }

  /// Whether the log records its end only as the return of a handler.
  fileprivate var isHandler: Bool {
    switch self {
    case .item, .sync, .apply, .iteration: false
    case .dispatchSource, .timer, .source, .observer, .block, .perform, .message, .answer: true
    }
  }
}

/// What threads are about now: a stack for each, all in one table whose places are used again.
struct OpenSpans {
  private var spans: ContiguousArray<SpanSlice> = []
  /// By place: the span around it, or the next free place; -1 for none.
  private var links: ContiguousArray<Int32> = []
  private var free: Int32 = -1

  /// The span at a place.
  subscript(place: Int32) -> SpanSlice { spans[Int(place)] }

  /// The place of the span around the one at `place`.
  func below(_ place: Int32) -> Int32 { links[Int(place)] }

  /// Adds one inside the one at `below`; its place.
  mutating func push(_ span: SpanSlice, above below: Int32) -> Int32 {
    let place = free
    guard place >= 0 else {
      spans.append(span)
      links.append(below)
      return Int32(spans.count - 1)
    }
    free = links[Int(place)]
    (spans[Int(place)], links[Int(place)]) = (span, below)
    return place
  }

  /// Removes the span at `place`, which is below the one at `above`; returns the span around it.
  mutating func remove(_ place: Int32, from above: Int32) -> Int32 {
    let below = links[Int(place)]
    if above >= 0 { links[Int(above)] = below }
    links[Int(place)] = free
    free = place
    return below
  }
}
