import SpindleModel

/// The chain of work, waits and wake-ups that ends at a moment, back to its first cause: no part of it could
/// be later without the end being later too.
///
/// It is followed backwards from the thread or task that worked last: a thread that ran along itself, a woken
/// thread to its waker, a task to what resumed it, as `TimelineStore.cause(of:)` finds; what a device, a
/// timer or the outside world did has no earlier cause in the run. The idea is that of the critical path of a
/// program's activity graph (Yang and Miller, ICDCS 1988) and of wait-for analysis (wPerf, OSDI 2018).
struct CriticalPath {
  /// The parts in the order of time; each begins when the one before it ends.
  private(set) var steps: [Step] = []
  /// When the path begins: nothing in the run is the cause of that.
  private(set) var start: Instant

  /// A part of the path.
  struct Step {
    var thread: ThreadIndex
    var piece: TimePiece
    /// Whose name it has where it was about nothing else: the thread's, or the main thread's for a piece of the
    /// async main on another one.
    var called: ThreadIndex
  }

  /// The position that the search has reached.
  private enum Position: Hashable {
    /// A thread at a moment, before the state with this place in the order of all.
    case thread(ThreadIndex, Instant, before: Int64 = .max)
    case task(TaskHistory.Place, Instant)
    case origin
  }

  /// How many steps back are gone at most.
  private static let limit = 1_000_000

  private let store: TimelineStore
  private var reversed: [Step] = []
  /// The time from which on the path is known: the next link ends there.
  private var covered: Instant
  private var stepsLeft = CriticalPath.limit
  /// Of each thread, the first of its states that the path has been in at this moment.
  private var seen: [ThreadIndex: Int] = [:]
  private var seenTasks: Set<TaskHistory.Place> = []
  private var seenAt: Instant
  /// Whose piece is walked through: the async main, which has no item; none for any other task or thread.
  private var asyncMain = ThreadIndex.none

  /// The path that ends on `thread` at `time`.
  init(_ store: TimelineStore, to thread: ThreadIndex, at time: Instant) {
    (self.store, seenAt, covered, start) = (store, time, time, time)
    walk(from: .thread(thread, time))
  }

  /// The path that ends with a piece of a task.
  init(_ store: TimelineStore, to place: TaskHistory.Place) {
    let time = store.tasks[place].end
    (self.store, seenAt, covered, start) = (store, time, time, time)
    walk(from: .task(place, time))
  }

  private mutating func walk(from end: Position) {
    var position = end
    while stepsLeft > 0 {
      stepsLeft -= 1
      switch position {
      case .thread(let thread, let time, before: _):
        if time <= .start || thread.raw < 0 { position = .origin }
      case .task(_, let time): if time <= .start { position = .origin }
      case .origin: break
      }
      if position == .origin { break }
      let thread: ThreadIndex
      switch position {
      case .thread(let other, let time, before: let order):
        (thread, position) = (other, back(on: other, from: time, before: order))
      case .task(let place, let time):
        (thread, position) = (store.tasks[place].thread, back(in: place, from: time))
      case .origin: thread = .none
      }
      // A cause that came sooner than what it led to: until then the thread waited for it.
      switch position {
      case .thread(_, let time, before: _), .task(_, let time): add(thread, from: time, to: covered)
      case .origin: break
      }
    }
    (steps, start) = (reversed.reversed(), covered)
  }

  private mutating func meet(_ time: Instant) {
    if time < seenAt { (seen, seenTasks, seenAt) = ([:], [], time) }
  }

  /// Adds what a thread did between two moments, as far as the path has not got there yet.
  private mutating func add(_ thread: ThreadIndex, from: Instant, to: Instant) {
    guard min(to, covered) > from else { return }
    for piece in store.pieces(of: thread, from: from, to: min(to, covered)).reversed() {
      add(thread, piece)
    }
    close(thread, from)
  }

  /// Adds a part; whatever lies between it and the next one is a part as well.
  private mutating func add(_ thread: ThreadIndex, _ piece: TimePiece) {
    var piece = piece
    piece.end = min(piece.end, covered)
    guard piece.start < piece.end else { return }
    close(thread, piece.end)
    append(thread, piece)
  }

  /// Adds that nothing is known of a thread from a moment on.
  private mutating func close(_ thread: ThreadIndex, _ time: Instant) {
    guard time < covered else { return }
    append(thread, TimePiece(kind: .unknown, start: time, end: covered))
  }

  private mutating func append(_ thread: ThreadIndex, _ piece: TimePiece) {
    precondition(
      piece.start < piece.end && piece.end == covered,
      "a part from \(piece.start) to \(piece.end) is followed by one at \(covered)")
    reversed.append(
      Step(thread: thread, piece: piece, called: asyncMain.isNone ? thread : asyncMain))
    covered = piece.start
  }

  // MARK: Threads

  private mutating func back(
    on thread: ThreadIndex, from end: Instant, before order: Int64
  ) -> Position {
    var time = end
    meet(time)
    if let place = store.tasks.piece(on: thread, before: time), !seenTasks.contains(place),
      store.tasks[place].start < time
    {
      return .task(place, time)
    }
    let states = store.states[Int(thread.raw)]
    // The last state that began before, or the running one that began just now; where threads wake each
    // other in turns without any time between, one before those in which the path has been.
    let count = states.partition { $0.start < time || $0.start == time && $0.order < order }
    var index = min(count, seen[thread] ?? Int.max) - 1
    while index >= 0 && states[index].start == time && states[index].state != .running {
      index -= 1
    }
    seen[thread] = max(0, index)
    while index >= 0 && stepsLeft > 0 {
      stepsLeft -= 1
      seen[thread] = index
      let slice = states[index]
      // A task had the thread up to here: what it did and waited for is followed.
      if slice.state == .running, let left = store.tasks.lastEnd(on: thread, before: time),
        left > slice.start
      {
        add(thread, from: left, to: min(slice.end, time))
        return .thread(thread, left)
      }
      add(thread, from: slice.start, to: min(slice.end, time))
      time = min(time, slice.start)
      if let next = cause(of: slice) { return next }
      index -= 1
    }
    return .origin
  }

  /// Where what made a thread ready is; nil where the thread's own past is the cause.
  private mutating func cause(of slice: ThreadSlice) -> Position? {
    guard slice.state == .ready else { return nil }
    if let answer = store.answer(slice) {
      let piece = TimePiece(kind: .answer, start: answer.asked, end: slice.start, slice: slice)
      add(slice.thread, piece)
      return .thread(answer.asker.isNone ? slice.thread : answer.asker, answer.asked)
    }
    // The waker has the cause; there is no waker when a device, a timer or the outside world acted.
    if slice.began == .woken || slice.began == .started,
      !slice.agent.isNone && slice.agent != slice.thread
    {
      return .thread(slice.agent, slice.start, before: slice.order)
    }
    // A run loop is woken by a port, and a worker by the pool: what it then does first is the cause.
    if slice.began == .woken || slice.began == .started, let place = store.task(ofWake: slice) {
      return position(store.wake(of: place), before: slice.start)
    }
    if slice.began == .started { return .origin }
    if slice.began == .woken, let item = store.cause(ofWake: slice) {
      return .thread(item.submitter, item.submitted)
    }
    return nil
  }

  /// Where the code that resumed a task is; the task's own wait is part of the path.
  private mutating func position(_ cause: TimelineStore.TaskStart, before time: Instant) -> Position
  {
    switch cause {
    case .task(let other, let time): return .task(other, time)
    case .thread(let thread, let time): return .thread(thread, time)
    case .ownWait(let before):
      let left = store.tasks[before]
      asyncMain = store.asyncMain(left)
      defer { asyncMain = .none }
      if time > left.end { add(left.thread, store.waitPiece(left, to: time)) }
      return .task(before, left.end)
    case .nothing: return .origin
    }
  }

  // MARK: Tasks

  private mutating func back(in place: TaskHistory.Place, from end: Instant) -> Position {
    let piece = store.tasks[place]
    meet(end)
    guard seenTasks.insert(place).inserted else { return .origin }
    asyncMain = store.asyncMain(piece)
    defer { asyncMain = .none }
    // What the task waited for without leaving its thread.
    let states = store.states[Int(piece.thread.raw)]
    var (index, time) = (states.partition { $0.start < end } - 1, end)
    while index >= 0 && states[index].end > piece.start {
      let slice = states[index]
      let start = max(slice.start, piece.start)
      add(piece.thread, from: start, to: min(slice.end, time))
      time = min(time, start)
      if slice.start > piece.start, slice.state == .ready, slice.began == .woken,
        !slice.agent.isNone && slice.agent != slice.thread
      {
        return .thread(slice.agent, slice.start, before: slice.order)
      }
      index -= 1
    }
    return position(store.cause(of: place), before: piece.start)
  }
}

extension TimelineStore {
  /// The task that a thread runs first after it started or was woken by the outside, and that was runnable by
  /// then; nil where the thread does something else first.
  func task(ofWake slice: ThreadSlice) -> TaskHistory.Place? {
    guard slice.began == .started || waitBefore(slice)?.reason?.facts.family == .idle,
      let place = tasks.first(on: slice.thread, from: slice.start), place.index > 0,
      tasks[place].ready == slice.start
    else { return nil }
    let spans = spans[Int(slice.thread.raw)]
    let next = spans.partition { $0.start < slice.start }
    return next < spans.count && spans[next].start < tasks[place].start ? nil : place
  }

  /// What made a task ready that then waited for its thread: it left another one, or its wait was over.
  func wake(of place: TaskHistory.Place) -> TaskStart {
    let before = TaskHistory.Place(item: place.item, index: place.index - 1)
    let left = tasks[before]
    if left.wait == .executor { return .task(before, left.end) }
    return ender(of: left, at: tasks[place].ready) ?? .ownWait(before)
  }

  /// The main thread where a piece is one of the async main; none where it is another task's.
  func asyncMain(_ piece: TaskPiece) -> ThreadIndex {
    item(piece.item) == nil ? mainThread ?? .none : .none
  }

  /// The item whose submission woke an idle thread, through the outside world or a port; nil when there is
  /// none, or nothing in the run submitted it.
  func cause(ofWake slice: ThreadSlice) -> ItemSlice? {
    let spans = spans[Int(slice.thread.raw)]
    guard let waited = waitBefore(slice), waited.reason?.facts.family == .idle,
      let span = spans[spans.partition { $0.start < slice.start }...].first(where: {
        $0.kind == .item
      }),
      let item = item(span.item), !item.submitter.isNone,
      item.submitted > waited.start, item.submitted <= slice.start
    else { return nil }
    return item
  }

  /// Where the makespan ends: the thread that worked last; nil when none ever did.
  ///
  /// A thread that slept or waited to that end, and then did nothing that takes time, counts.
  var lastAtWork: (thread: ThreadIndex, time: Instant)? {
    let (worked, woke) = (last(takingTime: true), last(takingTime: false))
    return woke?.time ?? .start > worked?.time ?? .start ? woke : worked
  }

  /// The thread that worked last until the makespan, or that was dispatched last before it.
  func last(takingTime takesTime: Bool) -> (thread: ThreadIndex, time: Instant)? {
    guard let makespan = record?.makespan else { return nil }
    var last: (thread: ThreadIndex, time: Instant)?
    for states in states {
      let index = states.partition { $0.start <= makespan } - 1
      let slice = states[...index].last {
        $0.state == .running && (!takesTime || ($0.end > $0.start && $0.start < makespan))
      }
      guard let slice else { continue }
      let end = takesTime ? min(slice.end, makespan) : slice.start
      if end > last?.time ?? .start { last = (slice.thread, end) }
    }
    return last
  }
}
