import SpindleModel

/// What the main thread has been busy with since it last could answer.
///
/// A stall is the time from then on until it can answer again, which is what `main.longestStall` measures; here is
/// kept what it was made up of: what the thread did itself, and all that it called, one after another.
struct MainStallWatch {
  /// Handlers that run, the outermost first.
  private var open: [Running] = []
  /// The outermost handlers and the items of the main queue so far: how many, how long together, which took longest.
  private var called = Handled()
  /// The item of the main queue that runs, where nothing but that queue's draining is around it.
  private var item: Running?
  /// What runs where no handler does: at first its body; nil while its own loop turns.
  private var ownCode: StaticString? = FindingText.bodyOfMain
  /// What it did itself before its loop turned; nil for nothing.
  private var own: (what: StaticString, time: Int64)?

  private struct Running {
    var callOut: CallOut
    var since: Int64
  }

  /// What was called one after another.
  struct Handled {
    var count = 0
    var total: Int64 = 0
    var longest: (callOut: CallOut, time: Int64)?
    /// Whether all of them were items of the main queue.
    var areItems = true
  }

  /// A stretch of work begins.
  mutating func begin() {
    called = Handled()
    own = nil
  }

  /// A handler is called.
  mutating func called(_ callOut: CallOut, at time: Int64) {
    open.append(Running(callOut: callOut, since: time))
  }

  /// The innermost handler has ended.
  mutating func returned(at time: Int64, since busy: Int64) {
    guard let ended = open.popLast() else { return }
    assert(time >= ended.since, "a handler ended at \(time) that began at \(ended.since)")
    if open.isEmpty { note(ended, until: time, since: busy) }
  }

  /// An item of the main queue begins.
  mutating func beginItem(_ callOut: CallOut, at time: Int64) {
    if open.count == 1 { item = Running(callOut: callOut, since: time) }
  }

  /// The item of the main queue that began last is a piece of a task.
  mutating func nameItem(_ name: Int32, kind: Int32, place: Int32) {
    item?.callOut.name = name
    item?.callOut.kind = kind
    item?.callOut.place = place
  }

  /// The item of the main queue has ended that began last.
  mutating func endItem(at time: Int64, since busy: Int64) {
    guard open.count == 1, let ended = item else { return }
    assert(open[0].callOut.drainsMainQueue, "an item of the main queue ended in another handler")
    item = nil
    count(ended, until: time, since: busy)
  }

  /// Counts an outermost handler: its time, and itself unless its items are counted in its place.
  private mutating func note(_ running: Running, until time: Int64, since busy: Int64) {
    if busy < 0 { return }
    called.total += time - max(running.since, busy)
    if running.callOut.drainsMainQueue { return }
    called.areItems = false
    count(running, until: time, since: busy)
  }

  private mutating func count(_ running: Running, until time: Int64, since busy: Int64) {
    if busy < 0 { return }
    let taken = time - max(running.since, busy)
    if taken <= 0 { return }
    called.count += 1
    if taken > (called.longest?.time ?? 0) { called.longest = (running.callOut, taken) }
  }

  /// The thread's own code has ended, and its loop turns from now on.
  mutating func endOwnCode(at time: Int64, since busy: Int64) {
    if busy >= 0, let ownCode { own = (ownCode, time - busy - called.total) }
    ownCode = nil
  }

  /// Nothing but the main queue runs on the thread from now on.
  mutating func servesMainQueue() { ownCode = nil }

  /// What a stretch that ends now was made up of: what the thread did itself, and what it called.
  mutating func parts(at time: Int64, since busy: Int64)
    -> (own: (what: StaticString, time: Int64)?, called: Handled)
  {
    if let item { count(item, until: time, since: busy) }
    item = nil
    if let running = open.first { note(running, until: time, since: busy) }
    if let ownCode { own = (ownCode, time - busy - called.total) }
    return (own, called)
  }

  /// A length of time passes that counts for nothing that goes on.
  mutating func pass(_ length: Int64) {
    for index in open.indices { open[index].since += length }
    item?.since += length
  }

  /// A stretch ends of which is told nothing.
  mutating func endStretch() { item = nil }

  /// The thread exits: no handler goes on.
  mutating func removeAll() {
    open.removeAll()
    item = nil
  }
}

/// A call of a handler by the simulator.
struct CallOut {
  /// What is called, as an explanation says it.
  var what: StaticString
  /// The number of the object's name; -1 when it has none.
  var name: Int32 = -1
  /// The kind of an item, which says what it is called when it has no name.
  var kind: Int32 = -1
  /// Where the object or the handler was made; -1 when that is not known.
  var place: Int32
  /// Whether it is the main queue, which runs items, or one of those.
  var drainsMainQueue = false
  var isItem = false
}

extension Process {
  /// Calls a handler that may be called again, on a thread whose innermost frame is the caller's.
  mutating func callOut(
    _ handler: inout Handler, _ thread: ThreadID, _ callOut: CallOut, argument: Int64 = noValue
  ) -> FrameResult {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    if handler.isSet { enter(&handler, on: thread, argument: argument) }
    return .goOn
  }

  /// Calls a closure that is called once.
  mutating func callOut(_ frame: FrameIndex, _ thread: ThreadID, _ callOut: CallOut) -> FrameResult
  {
    if !hasStack(thread, for: callOut) { return .stopped }
    watch(callOut, thread)
    frames.setParent(frame, kernel.threads[thread].frame)
    kernel.threads.at(thread).enter(frame)
    return .goOn
  }

  /// A handler that `callOut` called has ended.
  mutating func endCallOut(_ thread: ThreadID) {
    kernel.recordDetail(.handlerEnded, thread: thread)
    noteReturn(thread)
  }

  /// Something that the main thread called has ended.
  mutating func noteReturn(_ thread: ThreadID) {
    if thread == mainThread { mainStallWatch.returned(at: kernel.now, since: mainBusySince) }
  }

  private mutating func watch(_ callOut: CallOut, _ thread: ThreadID) {
    if thread == mainThread { mainStallWatch.called(callOut, at: kernel.now) }
  }

  /// Whether a thread's stack has room for two frames more; crashes the process when not.
  private mutating func hasStack(_ thread: ThreadID, for callOut: CallOut) -> Bool {
    if Int64(kernel.threads[thread].depth + 2) * StackUse.frame <= kernel.threads[thread].stackSize
    {
      return true
    }
    let place = callOut.place >= 0 ? callOut.place : kernel.threads[thread].place
    crash("Fatal error: \(Self.overflowMessage)", thread, at: place)
    return false
  }

  // MARK: Hangs

  /// A thread that a schedule held goes on.
  mutating func letGoOn(_ thread: ThreadID) {
    if thread == mainThread && mainBusySince >= 0 { passHold() }
    kernel.letGoOn(thread)
  }

  /// Counts the time for which a schedule has held the main thread until now for no hang: the program does nothing then.
  mutating func passHold() {
    let record = kernel.threads.at(mainThread)
    guard record.pointee.state == .waiting && record.pointee.reason == .held else { return }
    let length = kernel.now - record.pointee.since
    mainBusySince += length
    mainStallWatch.pass(length)
  }

  /// The main thread can answer again: reports a hang when it could not for long.
  mutating func mainAnswers() {
    if mainBusySince < 0 { return }
    let isApp = kernel.machine.isDarwin && !program.mainIsTool
    if isApp && kernel.now - mainBusySince >= 250_000_000 { return reportHang() }
    mainStallWatch.endStretch()
    endStretch()
  }

  /// The main thread is busy no more.
  private mutating func endStretch() {
    mainBusySince = -1
    kernel.forgetMainWaits()
    let frame = kernel.threads[mainThread].frame
    if !frame.isNone && frames.isNative(frame) && frames.activity(frame) == .dispatchMain {
      mainStallWatch.servesMainQueue()
    }
  }

  @inline(never)
  private mutating func reportHang() {
    let busy = kernel.now - mainBusySince
    let (own, called) = mainStallWatch.parts(at: kernel.now, since: mainBusySince)
    let waits = mainWaits().filter { $0.length >= busy / 10 }.prefix(Self.mostToldWaits)
    let last = waitForEver
    endStretch()
    // What is less than a hundredth of it explains nothing.
    var parts: [(time: Int64, text: FindingStatement)] = []
    if let own, own.time >= busy / 100 {
      parts.append(
        (
          own.time,
          FindingText.hangInHandler("\(words: "\(own.what)")", took: Nanoseconds(own.time))
        ))
    }
    var place: Int32 = -1
    if let longest = called.longest, called.total >= busy / 100 {
      parts.append((called.total, description(of: called, longest: longest)))
      if called.total > own?.time ?? 0 { place = longest.callOut.place }
    }
    if parts.count == 2 && parts[1].time > parts[0].time { parts.swapAt(0, 1) }
    var texts = parts.map(\.text) + waits.map { description(of: $0) }
    // What is paid behind the last of it.
    let costs = busy - (own?.time ?? 0) - called.total
    if costs >= busy / 10 { texts.append(FindingText.hangInCosts(Nanoseconds(costs))) }
    var waited = waits.isEmpty ? [kernel.threads[mainThread].place] : waits.map(\.place)
    if let last { waited.append(last.place) }
    let end = last.map { FindingText.hangForEver($0.reason, $0.purpose) }
    kernel.report(
      .mainThreadHang, thread: mainThread, places: [place] + waited,
      FindingText.mainThreadHang(busy: Nanoseconds(busy), parts: texts, end: end))
  }

  /// The wait of the main thread that never ends, when nothing can happen any more; nil for none.
  private var waitForEver: (reason: WaitReason, purpose: FindingStatement, place: Int32)? {
    let record = kernel.threads.at(mainThread)
    guard isQuiescent, record.pointee.state == .waiting, record.pointee.timer == 0 else {
      return nil
    }
    let wait = MainStallWait(
      record, name: kernel.mainWaitName, line: kernel.mainWaitLine, until: kernel.now)
    return purpose(of: wait).map { (wait.reason, $0, record.pointee.place) }
  }

  /// What an explanation says of all that was called in a stretch.
  private func description(
    of called: MainStallWatch.Handled, longest: (callOut: CallOut, time: Int64)
  ) -> FindingStatement {
    let item = longest.callOut
    var handler = description(of: item)
    let (total, time) = (Nanoseconds(called.total), Nanoseconds(longest.time))
    if called.count == 1 { return FindingText.hangInHandler(handler, took: total) }
    if called.areItems, let name = itemName(item.name, kind: item.kind) {
      handler = FindingText.itemInLine(name)
    }
    return FindingText.hangInLine(
      of: called.count, areItems: called.areItems, total, longest: handler, time)
  }

  /// Of how many waits is told, those for the same as one.
  private static let mostToldWaits = 3

  /// The waits of the main thread since it last could answer, the longest first; one may go on.
  private func mainWaits() -> [MainStallWait] {
    let record = kernel.threads.at(mainThread)
    let (state, reason) = (record.pointee.state, record.pointee.reason)
    var waits = kernel.mainWaits
    if state == .waiting && reason != .held
      && (reason != .runLoop || record.pointee.waitObject >= 0)
    {
      waits.add(
        MainStallWait(
          record, name: kernel.mainWaitName, line: kernel.mainWaitLine, until: kernel.now))
    }
    return waits.longestFirst
  }

  /// What an explanation says of a wait of the main thread.
  private func description(of wait: MainStallWait) -> FindingStatement {
    let length = Nanoseconds(wait.length)
    if wait.reason == .sleep { return FindingText.hangAsleep(length) }
    guard let purpose = purpose(of: wait) else { return FindingText.hangInLoop(length) }
    return FindingText.hangInWait(wait.reason, length, purpose: purpose)
  }

  /// What the main thread waits for; nil where it only sleeps.
  private func purpose(of wait: MainStallWait) -> FindingStatement? {
    let purpose: FindingStatement
    switch wait.reason {
    case .sleep, .runLoop, .held: return nil
    case .lock: purpose = FindingText.purposeLock(kernel.text(wait.name))
    case .condition: purpose = FindingText.purposeCondition(kernel.text(wait.name))
    case .semaphore: purpose = FindingText.purposeSemaphore(kernel.text(wait.name))
    case .accelerator: purpose = FindingText.purposeAccelerator(kernel.text(wait.name))
    case .group: purpose = FindingText.purposeGroup(kernel.text(wait.name))
    case .join: purpose = FindingText.purposeEnd(of: kernel.name(of: ThreadID(wait.object)))
    case .perform: purpose = FindingText.purposePerform(by: kernel.name(of: ThreadID(wait.object)))
    case .io: purpose = FindingText.purposeInput
    case .sync: purpose = FindingText.purposeSync(kernel.text(wait.name), line: words(of: wait))
    case .workItem: purpose = FindingText.purposeWorkItem(kernel.text(wait.name))
    case .apply: purpose = FindingText.purposeIterations
    case .once: purpose = FindingText.purposeOnce(kernel.text(wait.name))
    case .operation: purpose = FindingText.purposeOperation(kernel.text(wait.name))
    case .operations:
      purpose = FindingText.purposeOperations(
        of: kernel.text(wait.name), count: Int(wait.line.count),
        first: itemName(wait.line.item, kind: noKind))
    case .addressSpace: purpose = FindingText.purposeAddressSpace
    case .stackList: purpose = FindingText.purposeStackList
    case .taskStatus: purpose = FindingText.purposeStatus(of: kernel.text(wait.name))
    case .idleWorker, .job: purpose = FindingText.purposeUnknown
    }
    return purpose
  }

  /// What an explanation says of what stood before the main thread in a queue.
  private func words(of wait: MainStallWait) -> FindingStatement {
    let line = wait.line
    let thread = line.thread.isNone ? nil : kernel.name(of: line.thread)
    return FindingText.line(
      behind: itemName(line.item, kind: line.kind) ?? thread, count: Int(line.count),
      isMixed: wait.isLineMixed)
  }

  /// What an explanation says of a handler.
  func description(of callOut: CallOut) -> FindingStatement {
    if callOut.isItem, let name = itemName(callOut.name, kind: callOut.kind) {
      return FindingText.itemOfMain(name)
    }
    if callOut.name < 0 || callOut.isItem { return "\(words: "\(callOut.what)")" }
    return FindingText.handler(
      of: callOut.what, name: kernel.text(callOut.name))
  }
}
