import SpindleModel

/// What is said of threads that wait for queues when nothing can happen any more.
extension Interpreter {
  /// What a thread waits for that waits for a queue or for work: its name, who has it, and where
  /// that one's own work was handed over.
  func queueEdge(
    _ reason: WaitReason, _ object: Int32
  ) -> (name: String, holder: Int32, takenAt: Int32) {
    switch reason {
    case .sync:
      let sync = dispatch.syncs[object]
      let holder = holder(of: sync.level, for: sync.thread)
      return (
        dispatch.name(sync.level, process.kernel), holder, holder < 0 ? -1 : itemPlace(holder)
      )
    case .workItem:
      let name = workItems[object].name
      return (
        name < 0 ? "" : process.kernel.names.text(NameID(Int(name))), -1, workItems[object].madeAt
      )
    case .once:
      return (
        process.kernel.names.text(NameID(Int(onces[object].name))), onces[object].owner,
        onces[object].place
      )
    default: return ("", -1, -1)
    }
  }

  /// What a thread waits for that waits for a group: its name, a waiting thread that runs an item of
  /// it, and where that was handed over.
  func groupEdge(_ group: Int32) -> (name: String, holder: Int32, takenAt: Int32) {
    let record = groups.groups[group]
    let name = process.kernel.names.text(NameID(Int(record.name)))
    for thread in 0..<Int32(process.kernel.threads.count)
    where process.kernel.threads[thread].state == .waiting {
      if process.kernel.threads[thread].itemGroup == group {
        return (name, thread, record.enteredAt)
      }
      if let item = presentItem(thread), item.group == group { return (name, thread, item.place) }
    }
    return (name, -1, record.enteredAt)
  }

  /// What waits in the main queue while the main thread waits itself; empty when nothing does.
  func blockedMainQueue(_ edges: some Sequence<WaitGraph.Edge>) -> String {
    let main = dispatch.queues[DispatchRuntime.mainQueue]
    guard main.count > 0, edges.contains(where: { $0.thread == process.mainThread }) else {
      return ""
    }
    return FindingText.blockedMainQueue(items: Int(main.count))
  }

  /// The thread that a queue waits for; -1 when nobody has it.
  ///
  /// A concurrent queue may have many readers: the one that asks, if it is among them, else any.
  private func holder(of queue: Int32, for thread: Int32) -> Int32 {
    let record = dispatch.queues[queue]
    if record.kind == .main || runsOnMain(queue) { return process.mainThread }
    if record.owner >= 0 { return record.owner }
    if record.kind != .concurrent || record.running == 0 { return -1 }
    if isOn(queue, thread) { return thread }
    for other in 0..<Int32(process.kernel.threads.count) where isOn(queue, other) { return other }
    return -1
  }

  /// Whether a thread runs an item of a queue, or a `sync` on it.
  private func isOn(_ queue: Int32, _ thread: Int32) -> Bool {
    let state = process.kernel.threads[thread].state
    if state == .created || state == .finished { return false }
    if process.kernel.threads[thread].queue == queue { return true }
    var sync = process.kernel.threads[thread].sync
    while sync >= 0 {
      // The innermost one may still wait: it is on the queue only behind it.
      let isInside =
        process.kernel.threads[thread].reason != .sync
        || sync != process.kernel.threads[thread].sync
      if isInside && dispatch.syncs[sync].queue == queue { return true }
      sync = dispatch.syncs[sync].outer
    }
    return false
  }

  /// One sentence on a thread that waits for a queue or for work of one.
  func queueSentence(_ edge: WaitGraph.Edge, _ who: String) -> String {
    switch edge.reason {
    case .sync:
      let queue = edge.object
      let level = dispatch.syncs[process.kernel.threads[edge.thread].waitObject].level
      let record = dispatch.queues[level]
      if runsOnMain(level) { return FindingText.waitsInSyncForMain(who, queue: queue) }
      if edge.holder >= 0 {
        let reads = record.kind == .concurrent && record.owner != edge.holder
        let holder = described(edge.holder)
        return reads
          ? FindingText.waitsInSyncForReader(who, queue: queue, reader: holder)
          : FindingText.waitsInSyncForRunner(who, queue: queue, runner: holder)
      }
      if record.isInactive { return FindingText.waitsInSyncForActivation(who, queue: queue) }
      if record.suspensions > 0 { return FindingText.waitsInSyncForResume(who, queue: queue) }
      return FindingText.waitsInSyncForNobody(who, queue: queue)
    case .workItem: return FindingText.waitsForWorkItem(who, item: edge.object)
    case .once:
      return FindingText.waitsForOnce(
        who, once: edge.object, runner: process.kernel.name(of: edge.holder))
    default: return FindingText.waitsForIterations(who)
    }
  }

  // MARK: The pool

  /// Reports that the pool's workers all wait while items need one; the threads that this explains.
  ///
  /// Whoever else waits then waits for what the pool does not do.
  mutating func reportExhaustion(_ edges: [WaitGraph.Edge]) -> Bool {
    var (root, queued) = (Int32(-1), Int32(0))
    for candidate in 1..<Int32(dispatch.queues.count)
    where dispatch.queues[candidate].kind == .root && dispatch.queues[candidate].first >= 0 {
      if root < 0 { root = candidate }
      queued += dispatch.queues[candidate].count
    }
    if root < 0 { return false }
    let workers = edges.filter { process.kernel.threads[$0.thread].role == .queueWorker }
    guard let first = workers.first else { return false }
    let item = dispatch.items[dispatch.queues[root].first]
    let queue = item.kind == .lane ? item.object : item.queue
    let place = firstPlace(item)
    process.kernel.report(
      .poolExhaustion, thread: first.thread, places: [first.place, place],
      FindingText.poolExhaustion(
        workers: workers.count, waits: sentences(workers), items: Int(queued),
        queue: dispatch.name(queue, process.kernel)))
    return true
  }

  /// Where an item was handed over; of a queue that is to be drained, its first item.
  private func firstPlace(_ item: DispatchItem) -> Int32 {
    if item.kind != .lane { return item.place }
    let first = dispatch.queues[item.object].first
    return first < 0 ? -1 : dispatch.items[first].place
  }

  private func sentences(_ edges: [WaitGraph.Edge]) -> [String] {
    var texts: [String] = []
    for edge in edges.prefix(2) { texts.append(sentence(edge)) }
    return texts
  }

  // MARK: The end

  /// Reports items of the main queue that nobody was there to run.
  mutating func reportMainQueue() {
    let main = dispatch.queues[DispatchRuntime.mainQueue]
    guard main.first >= 0, process.program.mainIsTool else { return }
    let frame = process.kernel.threads[process.mainThread].frame
    if frame >= 0 && process.frames.isNative(frame) { return }
    process.kernel.report(
      .mainQueueNotDrained, thread: process.mainThread,
      places: [firstPlace(dispatch.items[main.first])],
      FindingText.mainQueueNotDrained(items: Int(main.count)))
  }

  // MARK: Semaphores

  /// A semaphore has no owner, so nobody lends urgency to who is to signal it: reports when that
  /// made an urgent thread wait.
  mutating func noteInversion(_ waiter: Int32, by signaller: Int32, _ since: Int64, _ name: Int32) {
    if waiter < 0 || signaller < 0 || since >= process.kernel.now { return }
    let (urgent, slow) = (process.kernel.threads[waiter], process.kernel.threads[signaller])
    if slow.priority >= urgent.priority { return }
    let lost = slow.longestReadyEnd - max(since, slow.longestReadyEnd - slow.longestReady)
    if slow.longestReady == 0 || lost <= 0 { return }
    process.kernel.report(
      .semaphoreInversion, thread: waiter, places: [urgent.place, slow.place],
      FindingText.semaphoreInversion(
        process.kernel.name(of: waiter), waited: Nanoseconds(process.kernel.now - since),
        semaphore: process.kernel.names.text(NameID(Int(name))),
        signaller: process.kernel.name(of: signaller),
        lost: Nanoseconds(lost)))
  }
}
