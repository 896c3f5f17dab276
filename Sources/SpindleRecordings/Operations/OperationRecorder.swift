/// What of a recording becomes a program: which threads, and of which time.
struct RecordedWindow: Hashable, Sendable {
  /// By place in the list of threads: whether it is one of the program's.
  var isProgram: [Bool]
  /// By place in the list of threads: what it is called where it is a worker of libdispatch, and the program is
  /// taken as queues and items; else nil.
  var workers: [String?]
  /// What probes took, which is left out of the work; nothing where it is kept.
  var probes = ProbeCosts()
  /// Whether the others are recorded too.
  var takesOthers: Bool
  /// The cores that the program used, by bits.
  var cores: UInt64
  /// From which moment on.
  var start: Int64
  /// Up to which.
  var end: Int64

  /// Whether a core is one of the program's.
  func has(_ core: Int32) -> Bool { cores & 1 << UInt64(min(max(0, core), 63)) != 0 }
}

/// How the waits of a program ended.
package struct RecordedWaits: Hashable, Sendable {
  /// By a thread of the program.
  package var byProgram: Int64 = 0
  /// By an interrupt, a timer, the kernel, another process, or by what was not recorded.
  package var byOthers: Int64 = 0
}

/// Makes of what threads did what they are to do: work merged over preemptions, waits with their causes.
struct OperationRecorder: ThreadObserver {
  /// The most operations that are taken.
  static let limit = 250_000

  private(set) var window: RecordedWindow
  var threads: [ThreadOperations] = []
  /// Its queues, and what was submitted to them.
  var queues = RecordedQueues()
  var waits = RecordedWaits()
  /// Whether there were more operations than are taken, so that the window ends sooner.
  private(set) var isFull = false
  private var count = 0
  private var places: [Int: Int] = [:]
  private var held = HeldThreads()
  /// For how long threads of the program were ready while a core of it was idle, added up.
  private(set) var heldTime: Int64 = 0
  /// For how long other programs had its cores.
  private(set) var othersTime: Int64 = 0

  init(_ window: RecordedWindow) { self.window = window }

  /// Whether a moment is of the time that is taken.
  func has(_ time: Int64) -> Bool { time >= window.start && time < window.end }

  mutating func ran(_ thread: Int, on core: Int32, from start: Int64, to end: Int64) {
    guard let place = place(thread) else { return }
    if !threads[place].isProgram && !window.has(core) { return }
    let length = min(end, window.end) - max(start, window.start)
    guard length > 0 else { return }
    if !threads[place].isProgram {
      othersTime += length
      return took(place, from: max(start, window.start), length)
    }
    threads[place].pending += length - threads[place].leavesOut(length)
    threads[place].activity.ran += length
    threads[place].activity.see(max(start, window.start))
    threads[place].activity.see(min(end, window.end))
  }

  mutating func waited(_ thread: Int, from start: Int64, to end: Int64, waker: Int?) {
    guard has(end), let place = place(thread), threads[place].isProgram else { return }
    threads[place].activity.wakes += 1
    threads[place].activity.see(end)
    let cause = waker.flatMap { self.place($0) }.flatMap {
      threads[$0].isProgram && $0 != place ? $0 : nil
    }
    if threads[place].dispatch.subject == .library { return poked(place, by: cause, at: end) }
    if threads[place].dispatch.isWaiting {
      waits.byProgram += 1
      return
    }
    if let cause, threads[cause].dispatch.subject != .library {
      waits.byProgram += 1
      threads[place].lastWaker = cause
      return signalled(place, by: cause, at: end)
    }
    waits.byOthers += 1
    let length = end - max(start, window.start)
    if length > 0 { append(.io, to: place, at: end, length: length) }
  }

  /// A thread, or the item that it runs, waited until another one woke it.
  private mutating func signalled(_ place: Int, by cause: Int, at time: Int64) {
    guard case .item = threads[place].dispatch.subject else {
      append(.wait, to: place, at: time)
      return append(.signal, to: cause, at: time, target: Int32(place))
    }
    // An item may run on any thread.
    let semaphore = queues.ownSemaphore()
    append(.waitSemaphore, to: place, at: time, target: semaphore)
    append(.signalSemaphore, to: cause, at: time, target: semaphore)
  }

  mutating func made(_ thread: Int, by parent: Int, at time: Int64) {
    guard has(time), let place = place(thread), threads[place].isProgram else { return }
    threads[place].activity.see(time)
    let maker = self.place(parent).flatMap { threads[$0].isProgram ? $0 : nil }
    if threads[place].dispatch.isWorker { return poked(place, by: maker, at: time) }
    if let maker, threads[maker].dispatch.subject != .library {
      threads[place].parent = maker
      append(.start, to: maker, at: time, target: Int32(place))
    } else if time > window.start {
      append(.io, to: place, at: time, length: time - window.start)
    }
  }

  mutating func appeared(_ thread: Int, at time: Int64, waits: Bool) {
    guard time > window.start, time < window.end, let place = place(thread), !waits else { return }
    guard threads[place].isProgram, threads[place].dispatch.subject != .library else { return }
    append(.io, to: place, at: time, length: time - window.start)
  }

  mutating func came(_ thread: Int, at time: Int64, ready: Int64) {
    let delay = held.runs(thread, at: time)
    guard has(time), let place = place(thread) else { return }
    threads[place].activity.switches += 1
    threads[place].activity.waited += time - max(ready, window.start)
    threads[place].activity.see(time)
    let length = min(delay, time - window.start)
    if length > 0 { append(.io, to: place, at: time, length: length) }
    heldTime += max(0, length)
  }

  /// The pool decides which worker was at which core, and why it was held there.
  mutating func waitsForCore(_ thread: Int, at time: Int64) {
    guard window.takesOthers, window.workers.isEmpty, thread < window.isProgram.count,
      window.isProgram[thread]
    else {
      return
    }
    held.waits(thread, at: time)
  }

  mutating func core(_ core: Int32, isIdle: Bool, at time: Int64) {
    guard window.takesOthers, window.has(core) else { return }
    held.core(core, isIdle: isIdle, at: time)
  }

  /// Ends what all threads do; with the main thread's end, if `main` ended, the process did.
  mutating func finish(main: Int?) {
    for index in threads.indices { finishCalls(index) }
    for index in threads.indices {
      threads[index].operations = queues.resolved(threads[index].operations)
    }
    for index in queues.items.indices {
      queues.items[index].operations = queues.resolved(queues.items[index].operations)
    }
    for index in threads.indices where threads[index].isProgram {
      // The end of a process wakes its threads, so that they end too.
      if let main, index != main, threads[index].lastWaker == main, threads[index].endsAwoken,
        threads[main].dropLastSignal(to: index)
      {
        threads[index].dropLastWait()
      }
      threads[index].closeTail()
    }
  }

  /// One of the others had a core from a moment on: it took that much from the program.
  private mutating func took(_ place: Int, from start: Int64, _ length: Int64) {
    let operations = threads[place].operations
    if let sleep = operations.last, sleep.kind == .sleep,
      window.start + sleep.length + threads[place].pending == start
    {
      threads[place].pending += length
      return
    }
    append(.sleep, to: place, at: start, length: start - window.start)
    threads[place].pending = length
  }

  /// Puts what a thread has computed in front of what comes next; what a worker computes for itself, in front of the
  /// next item.
  mutating func flush(_ place: Int) {
    let length = threads[place].pending
    let operation = ThreadOperation(kind: .work, length: length)
    guard length > 0 else { return }
    switch threads[place].dispatch.subject {
    case .thread: threads[place].operations.append(operation)
    case .item(let item): queues.items[item].operations.append(operation)
    case .library: return
    }
    threads[place].pending = 0
  }

  /// A thread does something, or the item that it runs; a worker for itself does nothing.
  mutating func append(
    _ kind: ThreadOperation.Kind, to place: Int, at time: Int64, length: Int64 = 0,
    target: Int32 = -1
  ) {
    flush(place)
    let operation = ThreadOperation(kind: kind, target: target, length: length)
    switch threads[place].dispatch.subject {
    case .thread: threads[place].operations.append(operation)
    case .item(let item): queues.items[item].operations.append(operation)
    case .library: return
    }
    count += 1
    if count >= Self.limit && !isFull {
      isFull = true
      window.end = time
    }
  }

  /// The place among those that are recorded, of which a thread becomes one; nil of one that is not.
  mutating func place(_ thread: Int) -> Int? {
    if let place = places[thread] { return place }
    let isProgram = thread < window.isProgram.count && window.isProgram[thread]
    guard isProgram || window.takesOthers else { return nil }
    places[thread] = threads.count
    threads.append(ThreadOperations(thread, isProgram: isProgram))
    threads[threads.count - 1].dispatch.isWorker =
      isProgram && thread < window.workers.count && window.workers[thread] != nil
    return threads.count - 1
  }
}
