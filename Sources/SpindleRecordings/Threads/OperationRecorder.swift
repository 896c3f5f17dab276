/// What of a recording becomes a program: which threads, and of which time.
struct RecordedWindow: Hashable, Sendable {
  /// By place in the list of threads: whether it is one of the program's.
  var isProgram: [Bool]
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
  /// So many operations are taken at most.
  static let limit = 250_000

  private(set) var window: RecordedWindow
  private(set) var threads: [ThreadOperations] = []
  private(set) var waits = RecordedWaits()
  /// Whether there were more operations than are taken, so that the window ends sooner.
  private(set) var isFull = false
  private var count = 0
  private var places: [Int: Int] = [:]
  private var held = HeldThreads()

  init(_ window: RecordedWindow) { self.window = window }

  mutating func ran(_ thread: Int, on core: Int32, from start: Int64, to end: Int64) {
    guard let place = place(thread) else { return }
    if !threads[place].isProgram && !window.has(core) { return }
    let length = min(end, window.end) - max(start, window.start)
    guard length > 0 else { return }
    if !threads[place].isProgram { return took(place, from: max(start, window.start), length) }
    threads[place].pending += length
    threads[place].activity.ran += length
    threads[place].activity.see(max(start, window.start))
    threads[place].activity.see(min(end, window.end))
  }

  mutating func waited(_ thread: Int, from start: Int64, to end: Int64, waker: Int?) {
    guard end >= window.start, end < window.end, let place = place(thread) else { return }
    guard threads[place].isProgram else { return }
    threads[place].activity.wakes += 1
    threads[place].activity.see(end)
    if let waker, let cause = self.place(waker), threads[cause].isProgram, cause != place {
      waits.byProgram += 1
      append(.wait, to: place, at: end)
      threads[place].lastWaker = cause
      append(.signal, to: cause, at: end, target: Int32(place))
      return
    }
    waits.byOthers += 1
    let length = end - max(start, window.start)
    if length > 0 { append(.io, to: place, at: end, length: length) }
  }

  mutating func made(_ thread: Int, by parent: Int, at time: Int64) {
    guard time >= window.start, time < window.end, let place = place(thread) else { return }
    guard threads[place].isProgram else { return }
    threads[place].activity.see(time)
    if let maker = self.place(parent), threads[maker].isProgram {
      threads[place].parent = maker
      append(.start, to: maker, at: time, target: Int32(place))
    } else if time > window.start {
      append(.io, to: place, at: time, length: time - window.start)
    }
  }

  mutating func appeared(_ thread: Int, at time: Int64, waits: Bool) {
    guard time > window.start, time < window.end, let place = place(thread), !waits else { return }
    guard threads[place].isProgram else { return }
    append(.io, to: place, at: time, length: time - window.start)
  }

  mutating func came(_ thread: Int, at time: Int64, ready: Int64) {
    let delay = held.runs(thread, at: time)
    guard time >= window.start, time < window.end, let place = place(thread) else { return }
    threads[place].activity.switches += 1
    threads[place].activity.waited += time - max(ready, window.start)
    threads[place].activity.see(time)
    let length = min(delay, time - window.start)
    if length > 0 { append(.io, to: place, at: time, length: length) }
  }

  mutating func waitsForCore(_ thread: Int, at time: Int64) {
    guard window.takesOthers, thread < window.isProgram.count, window.isProgram[thread] else {
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
    for index in threads.indices { threads[index].flush() }
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

  private mutating func append(
    _ kind: ThreadOperation.Kind, to place: Int, at time: Int64, length: Int64 = 0,
    target: Int32 = -1
  ) {
    threads[place].flush()
    threads[place].operations.append(ThreadOperation(kind: kind, target: target, length: length))
    count += 1
    if count >= Self.limit && !isFull {
      isFull = true
      window.end = time
    }
  }

  /// The place among those that are recorded; nil of one that is not.
  private mutating func place(_ thread: Int) -> Int? {
    if let place = places[thread] { return place }
    let isProgram = thread < window.isProgram.count && window.isProgram[thread]
    guard isProgram || window.takesOthers else { return nil }
    places[thread] = threads.count
    threads.append(ThreadOperations(thread, isProgram: isProgram))
    return threads.count - 1
  }
}
