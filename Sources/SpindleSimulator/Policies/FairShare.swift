package import SpindleModel

/// Least virtual run time first: ready threads share the cores evenly, or by weight.
///
/// A thread's virtual run time grows with the time that it has a core, slower the heavier it weighs.
/// The ready thread with the least runs for one slice. One that was asleep goes on at the least
/// virtual run time with which another was ready or began its slice, so it owes nothing and is owed
/// no more than a slice, and it does not preempt: the slice is short. So n equal threads that compute end together.
///
/// Weights are those of nice values, its own or those that libdispatch gives its qualities of service on
/// Linux: `NiceValues`. Source: Linux, kernel/sched/fair.c, sched_slice and place_entity; the
/// slice of 3 ms is its base slice on a small machine. Departures: one queue for all cores, and no
/// lag is kept over a sleep.
///
/// Real-time threads are of another class: they come before all others, take a core from one of them at
/// once, and each runs until it waits. Source: Linux, kernel/sched/rt.c, `SCHED_FIFO`. Departure:
/// nothing is set aside for the others (`sched_rt_runtime_us`).
package struct FairShare: CataloguedPolicy, RankingPolicy {
  package static let signature = MachineCatalogue.Signature(
    name: "fairShare", summary: "the least virtual run time first, as in Linux before 6.6",
    parameters: [slice])
  private static let slice = MachineCatalogue.Parameter.duration("slice", .milliseconds(3))

  private let slice: Nanoseconds
  private var threads: ContiguousArray<Share> = []
  /// The ready threads, a heap with the least virtual run time at the root.
  private var heap: ContiguousArray<ThreadID> = []
  /// The least virtual run time of all that are ready or run, as far as it is known; never falls.
  private var floor: Int128 = 0
  /// How many threads have been enqueued: the order among equals.
  private var arrivals: Int64 = 0
  /// The ready real-time threads.
  private var urgent = PriorityQueues()
  /// Ready threads, the one with the longest runtime at the top, once a thread has yielded; and some
  /// that are not ready any more.
  private var latest: ContiguousArray<Latest> = []

  private struct Share {
    /// Wider than a length: a length of 100,000 hours takes 68 times as much of it at nice value 19.
    var runtime: Int128 = 0
    var arrival: Int64 = 0
    /// 1,024 for a thread of the default priority.
    var weight: Int64 = 1_024
    /// Whether it is a real-time thread.
    var isUrgent = false
    /// Where it stands in the heap; -1 when it does not.
    var place: Int32 = -1
  }

  /// A ready thread, as it was when it became ready.
  private struct Latest {
    let runtime: Int128
    let thread: ThreadID
    let arrival: Int64
  }

  /// Creates the policy with a `slice` longer than zero.
  package init(slice: Nanoseconds) {
    demand(slice > .zero, "fairShare: an empty slice would stop virtual time")
    self.slice = slice
  }

  package init(_ values: PolicyValues) { self.init(slice: values.duration(Self.slice)) }

  /// Stops unless a thread was admitted; it is called `what`.
  @inline(__always)
  private func check(_ thread: ThreadID, _ what: @autoclosure () -> String) {
    demand(
      thread.index >= 0 && Int(thread.index) < threads.count,
      "fairShare: thread \(thread.index) \(what()) and was not admitted")
  }

  package mutating func admit(_ thread: ThreadID, _ claim: ThreadClaim) {
    demand(thread.index >= 0, "fairShare: thread \(thread.index) is admitted")
    while threads.count <= Int(thread.index) { threads.append(Share()) }
    threads[Int(thread.index)] = Share(weight: claim.weight, isUrgent: claim.isUrgent)
  }

  package mutating func claimChanged(_ thread: ThreadID, _ claim: ThreadClaim, at now: Instant) {
    check(thread, "has a new claim")
    let index = Int(thread.index)
    threads[index].weight = claim.weight
    if threads[index].isUrgent == claim.isUrgent { return }
    threads[index].isUrgent = claim.isUrgent
    if urgent.contains(thread) {
      urgent.remove(thread)
      threads[index].runtime = max(threads[index].runtime, floor)
      insert(thread)
    } else if threads[index].place >= 0 {
      remove(at: Int(threads[index].place))
      urgent.insert(thread, priority: 0)
    }
  }

  package mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause, at now: Instant) {
    check(thread, "becomes ready")
    let index = Int(thread.index)
    demand(threads[index].place < 0, "fairShare: thread \(index) is ready, and becomes it again")
    if threads[index].isUrgent {
      var atFront = false
      if case .preempted = cause { atFront = true }
      urgent.insert(thread, priority: 0, atFront: atFront)
      return
    }
    switch cause {
    case .started, .woken:
      if let least = heap.first { floor = max(floor, threads[Int(least.index)].runtime) }
      threads[index].runtime = max(threads[index].runtime, floor)
    case .quantumExpired, .preempted: break
    case .yielded:
      // Behind all that are ready.
      if let most = mostRuntime() { threads[index].runtime = max(threads[index].runtime, most) }
    }
    insert(thread)
  }

  package mutating func dequeue(for core: CoreID, at now: Instant) -> ThreadID? {
    if let thread = urgent.popHighest() { return thread }
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    assert(
      threads[Int(first.index)].place == 0, "thread \(first.index) is first, and thinks it is not")
    threads[Int(first.index)].place = -1
    if !heap.isEmpty {
      put(last, 0)
      siftDown(0)
    }
    floor = max(floor, threads[Int(first.index)].runtime)
    return first
  }

  package mutating func quantum(for thread: ThreadID) -> Nanoseconds? {
    check(thread, "gets a slice")
    return threads[Int(thread.index)].isUrgent ? nil : slice
  }

  package func victim(among running: RunningThreads, at now: Instant) -> CoreID? {
    if urgent.count == 0 { return nil }
    for core in 0..<running.count
    where running[core] != .none && !threads[Int(running[core].index)].isUrgent {
      return CoreID(core)
    }
    return nil
  }

  package mutating func ran(_ thread: ThreadID, for ran: Nanoseconds, at now: Instant) {
    check(thread, "ran")
    demand(ran >= .zero, "fairShare: thread \(thread.index) ran for \(ran)")
    let index = Int(thread.index)
    threads[index].runtime += virtualTime(ran.rawValue, index)
  }

  package func equalQuanta(of thread: ThreadID, at now: Instant) -> Int64 { Int64.max }

  package mutating func repeated(
    _ thread: ThreadID, on core: CoreID, _ quantum: Nanoseconds, times count: Int64,
    until end: Instant
  ) {
    check(thread, "had quanta")
    demand(heap.isEmpty, "fairShare: \(heap.count) are ready, and \(thread.index) is alone")
    let index = Int(thread.index)
    threads[index].runtime += Int128(count) * virtualTime(quantum.rawValue, index)
    floor = max(floor, threads[index].runtime)
  }

  /// By how much the virtual run time of a thread grows in a time.
  private func virtualTime(_ time: Int64, _ index: Int) -> Int128 {
    NiceValues.virtualTime(time, weight: threads[index].weight)
  }

  // MARK: The heap

  private mutating func insert(_ thread: ThreadID) {
    assert(threads[Int(thread.index)].place < 0, "thread \(thread.index) is in the heap already")
    arrivals += 1
    threads[Int(thread.index)].arrival = arrivals
    threads[Int(thread.index)].place = Int32(heap.count)
    heap.append(thread)
    siftUp(heap.count - 1)
    if latest.count > 2 * heap.count + 64 {
      latest.removeAll(keepingCapacity: true)
    } else if !latest.isEmpty {
      noteLatest(thread)
    }
  }

  private mutating func put(_ thread: ThreadID, _ position: Int) {
    assert(position < heap.count, "thread \(thread.index) is put at \(position) of \(heap.count)")
    heap[position] = thread
    threads[Int(thread.index)].place = Int32(position)
  }

  private mutating func remove(at position: Int) {
    assert(position >= 0 && position < heap.count, "thread \(position) of \(heap.count)")
    threads[Int(heap[position].index)].place = -1
    guard let last = heap.popLast(), position < heap.count else { return }
    put(last, position)
    siftUp(position)
    siftDown(position)
  }

  /// What threads are ordered by: the least first.
  private struct Rank {
    let runtime: Int128
    let arrival: Int64

    @inline(__always)
    static func < (left: Rank, right: Rank) -> Bool {
      left.runtime != right.runtime
        ? left.runtime < right.runtime : left.arrival < right.arrival
    }
  }

  @inline(__always)
  private func rank(of thread: ThreadID) -> Rank {
    let index = Int(thread.index)
    return Rank(runtime: threads[index].runtime, arrival: threads[index].arrival)
  }

  // What moves is put down once, where it stays: those on its way move by one.

  private mutating func siftUp(_ start: Int) {
    let thread = heap[start]
    let own = rank(of: thread)
    var index = start
    while index > 0 {
      let parent = heap[(index - 1) / 2]
      if !(own < rank(of: parent)) { break }
      put(parent, index)
      index = (index - 1) / 2
    }
    if index != start { put(thread, index) }
  }

  private mutating func siftDown(_ start: Int) {
    let thread = heap[start]
    let own = rank(of: thread)
    var index = start
    while 2 * index + 1 < heap.count {
      var child = 2 * index + 1
      var least = rank(of: heap[child])
      if child + 1 < heap.count {
        let other = rank(of: heap[child + 1])
        if other < least { (child, least) = (child + 1, other) }
      }
      if !(least < own) { break }
      put(heap[child], index)
      index = child
    }
    if index != start { put(thread, index) }
  }

  // MARK: Who has had the most

  /// The longest runtime of a ready thread, nil when none is ready; amortised logarithmic.
  private mutating func mostRuntime() -> Int128? {
    if latest.isEmpty {
      for thread in heap { noteLatest(thread) }
    }
    while let first = latest.first {
      let share = threads[Int(first.thread.index)]
      if share.place >= 0 && share.arrival == first.arrival { return first.runtime }
      dropLatest()
    }
    return nil
  }

  private mutating func noteLatest(_ thread: ThreadID) {
    let share = threads[Int(thread.index)]
    var index = latest.count
    latest.append(Latest(runtime: share.runtime, thread: thread, arrival: share.arrival))
    while index > 0 && latest[(index - 1) / 2].runtime < latest[index].runtime {
      latest.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func dropLatest() {
    guard let last = latest.popLast(), !latest.isEmpty else { return }
    latest[0] = last
    var index = 0
    while true {
      var most = index
      for child in (2 * index + 1)...(2 * index + 2)
      where child < latest.count && latest[child].runtime > latest[most].runtime {
        most = child
      }
      if most == index { return }
      latest.swapAt(index, most)
      index = most
    }
  }

  // MARK: Whom it prefers

  package func standing(of thread: ThreadID, at now: Instant) -> [PolicyStanding] {
    let share = threads[Int(thread.index)]
    let runtime = PolicyStanding(.virtualRuntime, wide: share.runtime, takesCores: false)
    return [PolicyStanding(.realtime, share.isUrgent ? 1 : 0)] + (share.isUrgent ? [] : [runtime])
  }
}
