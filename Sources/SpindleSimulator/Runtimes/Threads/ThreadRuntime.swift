import SpindleModel

/// What threads can be asked: their life, their flags, and waiting for their end.
struct ThreadRuntime: ~Copyable {
  /// Autorelease pools, each with the one outside it.
  private(set) var pools: Table<PoolRecord>
  /// The innermost pool of each thread.
  private var innermost: ThreadTable<PoolRecord.Index>
  private var freePools: Table<PoolRecord.Index>
  /// What threads keep by key; only looked up, never walked.
  private var dictionary: [DictionaryKey: Int64] = [:]
  /// The threads that do jobs; only looked up, never walked.
  var jobs: [ThreadID: JobThread] = [:]
  /// The blocks that threads keep when they have run; only looked up, never walked.
  var kept: [ThreadID: FrameIndex] = [:]
  private let storage: Storage

  /// Creates it without anything.
  init(_ storage: Storage) {
    self.storage = storage
    pools = Table(.autoreleasePools, storage)
    innermost = ThreadTable(.autoreleasePools, storage, nothing: .none)
    freePools = Table(.autoreleasePools, storage)
  }

  /// An open autorelease pool.
  struct PoolRecord: BitwiseCopyable {
    typealias Index = TableIndex<PoolRecord>

    var bytes: Int64 = 0
    var outer = Index.none
  }

  private struct DictionaryKey: Hashable {
    let thread: ThreadID
    let generation: Int32
    let key: Int32
  }

  // MARK: Priority

  /// The base priority of a quality of service.
  ///
  /// Source: xnu:osfmk/kern/thread_policy.c, qos_pri.
  static func basePriority(quality: Int32, isMain: Bool) -> Int16 {
    switch quality {
    case WellKnownName.userInteractive.id.index: isMain ? 47 : 46
    case WellKnownName.userInitiated.id.index: 37
    case WellKnownName.utility.id.index: 20
    case WellKnownName.background.id.index: 4
    default: 31
    }
  }

  /// The base priority of a thread priority in billionths, from 0.0 to 1.0.
  ///
  /// On Darwin POSIX priorities run from 15 to 47, and 0.5 is 31. Source:
  /// libpthread:src/pthread.c, sched_get_priority_min and _max.
  static func basePriority(threadPriority: Int64) -> Int16 {
    let clamped = max(0, min(FixedDecimal.scale, threadPriority))
    return Int16(15 + (32 * clamped + FixedDecimal.scale / 2) / FixedDecimal.scale)
  }

  // MARK: Waiting for the end

  /// `join()` and `join(timeout:)`; the result is `.timedOut` when the limit was reached.
  mutating func join(
    _ target: ThreadID, _ thread: ThreadID, deadline: Int64?, _ kernel: inout Kernel
  ) -> RuntimeResult {
    assert(
      kernel.threads[thread].state == .running,
      "thread \(thread.index) is \(kernel.threads[thread].state) and joins thread \(target.index)")
    if kernel.threads[thread].wakeResult != .none { return .done }
    if kernel.threads[target].state == .finished {
      kernel.acquires(.thread, target.index, by: thread)
      kernel.threads.at(thread).setResult(.granted)
      return .done
    }
    if !kernel.threads[target].flags.contains(.joinable) {
      return .crash(
        "thread '\(kernel.name(of: target))' is detached and can't be joined (pthread_join: EINVAL)"
      )
    }
    if let deadline, deadline <= kernel.now {
      kernel.threads.at(thread).setResult(.timedOut)
      return .done
    }
    kernel.addJoiner(thread, of: target)
    kernel.block(
      thread, .join, on: target.index, name: kernel.threads[target].name, holder: target,
      until: deadline)
    return .blocked
  }

  /// The limit of a thread that waits for the end of `target` is reached.
  func timeOut(_ target: ThreadID, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(
      kernel.threads[thread].waitObject == target.index,
      "thread \(thread.index) waits for \(kernel.threads[thread].waitObject), not for thread \(target.index)"
    )
    kernel.removeJoiner(thread, of: target)
    kernel.record(
      .waitTimedOut, thread: thread, detail: WaitReason.join.rawValue,
      object: kernel.threads[target].name, other: target.index)
    kernel.wake(thread, .timedOut, by: .none)
  }

  /// The code of a running thread has ended, or it exits: wakes those who wait for it.
  @inline(__always)
  mutating func end(_ thread: ThreadID, _ kernel: inout Kernel) {
    if pools.count > 0 { drainAll(thread, &kernel) }
    assert(
      innermost.of(thread, kernel).isNone, "thread \(thread.index) ends with a pool open")
    leave(thread, &kernel)
    if !kernel.threads.unchecked(thread).pointee.joiners.isEmpty {
      kernel.wakeJoiners(of: thread, by: thread)
    }
    kernel.retire(thread)
  }

  /// Ends a running thread that has no pools and for whose end nobody waits.
  @inline(__always)
  func endUntouched(_ thread: ThreadID, _ kernel: inout Kernel) {
    assert(
      innermost.of(thread, kernel).isNone && kernel.threads[thread].joiners.isEmpty,
      "thread \(thread.index), which nobody knows, has a pool or is waited for")
    leave(thread, &kernel)
    kernel.retire(thread)
  }

  /// Takes a running thread, which ends, off its core.
  @inline(__always)
  private func leave(_ thread: ThreadID, _ kernel: inout Kernel) {
    assert(
      kernel.threads[thread].state == .running,
      "thread \(thread.index) is \(kernel.threads[thread].state) and ends")
    let runSinceDispatch = kernel.leaveCore(thread)
    kernel.endDeadline(thread)
    kernel.record(
      .threadEnded, thread: thread, core: kernel.threads.unchecked(thread).pointee.lastCore,
      value: runSinceDispatch)
  }

  // MARK: Stack size

  /// The size that a stack gets when `asked` is asked for, and why it is another one.
  ///
  /// On Linux what is under 16 KB is ignored and what is over 1 GB is cut
  /// (swift-corelibs-foundation:Sources/Foundation/Thread.swift). On Darwin a size must be a multiple of the page,
  /// which has 16 KB on iOS and on Apple silicon, and at least 16 KB; macOS first rounds a multiple of 4 KB up to a
  /// page. That a Mac has Apple silicon is an assumption: with an Intel processor its pages have 4 KB.
  ///
  /// Source: libpthread:src/pthread.c, pthread_attr_setstacksize.
  static func stackSize(
    asked: Int64, present: Int64, platform: Platform
  ) -> (size: Int64, reason: FindingStatement?) {
    assert(present > 0, "a thread has a stack of \(present) bytes")
    let (least, largest) = (Int64(16_384), Int64(1) << 30)
    if asked > largest { return (largest, FindingText.stackIsLarge) }
    let multiple: Int64
    switch platform {
    case .iOS: multiple = 16_384
    case .macOS, .ideal: multiple = 4_096
    case .linux: multiple = 1
    }
    let pages = platform == .macOS ? (asked + 16_383) / 16_384 * 16_384 : asked
    if (asked % multiple == 0 ? pages : asked) < least {
      return (present, FindingText.stackIsSmall)
    }
    if asked % multiple != 0 {
      return (present, FindingText.stackIsUneven(multiple: ByteCount(multiple)))
    }
    return (pages, nil)
  }

  // MARK: Autorelease pools

  /// The innermost pool of a thread.
  func innermostPool(of thread: ThreadID, _ kernel: borrowing Kernel) -> PoolRecord.Index {
    innermost.of(thread, kernel)
  }

  /// How many pools are open.
  var openPools: Int { pools.count - freePools.count }

  /// Opens a pool.
  mutating func pushPool(_ thread: ThreadID, _ kernel: inout Kernel) {
    let record = PoolRecord(outer: innermost.of(thread, kernel))
    let pool: PoolRecord.Index
    if freePools.count > 0 {
      pool = freePools.removeLast()
      pools[pool] = record
    } else {
      pool = pools.add(record)
    }
    innermost.change(thread, kernel) { $0 = pool }
  }

  /// Closes the innermost pool and gives back what was autoreleased into it.
  mutating func popPool(_ thread: ThreadID, _ kernel: inout Kernel) {
    let pool = innermost.of(thread, kernel)
    if pool.isNone { return }
    let bytes = pools[pool].bytes
    close(pool, of: thread, kernel)
    kernel.record(.poolDrained, thread: thread, place: kernel.threads[thread].place, value: bytes)
    kernel.changeMemory(by: -bytes)
  }

  /// Closes all pools of a thread: at its end, or when a pass of its run loop ends.
  mutating func drainAll(_ thread: ThreadID, _ kernel: inout Kernel) {
    while !innermost.of(thread, kernel).isNone { popPool(thread, &kernel) }
  }

  /// Gives back what the innermost pool holds, and keeps it open.
  mutating func emptyLoopPool(_ thread: ThreadID, _ kernel: inout Kernel) {
    let pool = innermost.of(thread, kernel)
    demand(!pool.isNone, "the loop of thread \(thread.index) empties a pool, and has none")
    let bytes = pools[pool].bytes
    if bytes == 0 { return }
    pools[pool].bytes = 0
    kernel.record(.poolDrained, thread: thread, place: kernel.threads[thread].place, value: bytes)
    kernel.changeMemory(by: -bytes)
  }

  /// Closes the innermost pool, which is empty.
  mutating func closeLoopPool(_ thread: ThreadID, _ kernel: inout Kernel) {
    let pool = innermost.of(thread, kernel)
    demand(
      pools[pool].bytes == 0, "the pool of a pass of thread \(thread.index)'s loop is not empty")
    close(pool, of: thread, kernel)
  }

  /// Lets a thread's innermost pool be used again; the one outside it is the innermost then.
  private mutating func close(
    _ pool: PoolRecord.Index, of thread: ThreadID, _ kernel: borrowing Kernel
  ) {
    demand(
      innermost.of(thread, kernel) == pool && pools[pool].outer != pool,
      "thread \(thread.index) closes pool \(pool), which is not its innermost")
    let outer = pools[pool].outer
    innermost.change(thread, kernel) { $0 = outer }
    freePools.append(pool)
  }

  /// Takes memory until the innermost pool is drained; a thread's outermost pool opens by itself.
  mutating func autorelease(_ bytes: Int64, _ thread: ThreadID, _ kernel: inout Kernel) {
    demand(bytes >= 0, "thread \(thread.index) autoreleases \(bytes) bytes")
    if innermost.of(thread, kernel).isNone { pushPool(thread, &kernel) }
    let pool = innermost.of(thread, kernel)
    pools[pool].bytes = Memory.sum(pools[pool].bytes, bytes)
    kernel.record(
      .memoryAutoreleased, thread: thread, place: kernel.threads[thread].place, value: bytes)
    kernel.changeMemory(by: bytes)
  }

  // MARK: Dictionary

  /// The value that a thread keeps by `key`; `noValue` when there is none.
  func value(of thread: ThreadID, key: Int32, _ kernel: borrowing Kernel) -> Int64 {
    let entry = DictionaryKey(
      thread: thread, generation: kernel.threads[thread].generation, key: key)
    return dictionary[entry] ?? noValue
  }

  /// Lets a thread keep a value; `noValue` removes it.
  mutating func setValue(
    _ value: Int64, of thread: ThreadID, key: Int32, _ kernel: borrowing Kernel
  ) {
    let entry = DictionaryKey(
      thread: thread, generation: kernel.threads[thread].generation, key: key)
    demand(key >= 0, "thread \(thread.index) keeps something by key \(key)")
    let known = dictionary.count
    dictionary[entry] = value == noValue ? nil : value
    storage.change(.keptValues, by: dictionary.count - known, bytesEach: 128)
  }
}
