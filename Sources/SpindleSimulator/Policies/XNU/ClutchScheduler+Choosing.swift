import SpindleModel

/// Giving threads out, and taking cores from them.
extension ClutchScheduler {
  /// Gives out the thread that a core runs next; nil to leave it idle.
  mutating func dequeue(for core: Int, at now: Int64) -> Int? {
    catchUp(before: now)
    settleIdle(exceptOf: cores[core].held)
    if cores[core].assigned >= 0 {
      let thread = cores[core].assigned
      cores[core].assigned = -1
      return give(thread, core, isNew: true, at: now)
    }
    let held = cores[core].held
    if realtime.count > 0 && mayRunRealtime(core), let next = realtime.popFirst() {
      let thread = give(Int(next.index), core, isNew: true, at: now)
      release(held, of: core, at: now)
      return thread
    }
    let cluster = cores[core].cluster
    guard let thread = choose(cluster, held: held, at: now) ?? steal(for: core, at: now) else {
      updateLoad(cluster, at: now)
      return nil
    }
    if thread == held {
      cores[core].held = -1
      return give(held, core, isNew: false, at: now)
    }
    if held < 0, let last = betterCore(for: thread, than: core) {
      cores[last].assigned = thread
      threads[thread].place = .assigned
      return nil
    }
    let given = give(thread, core, isNew: true, at: now)
    release(held, of: core, at: now)
    return given
  }

  /// Chooses the thread that a cluster runs next, taken out of its queue, or the one that is held.
  private mutating func choose(_ cluster: Int, held: Int, at now: Int64) -> Int? {
    let previous = held < 0 ? nil : threads[held].bucket
    guard let choice = clusters[cluster].clock.choose(previous: previous, takes: true, at: now)
    else { return nil }
    if choice.isPrevious { return held }
    guard let thread = queues.first(cluster, choice.bucket) else {
      fatalError("\(name): class \(choice.bucket) is ready, and has no thread")
    }
    if held >= 0 && choice.bucket == previous && keeps(held, from: thread) { return held }
    takeOut(thread, at: now)
    return thread
  }

  /// Whether a thread goes on rather than give way to one of its class.
  private mutating func keeps(_ thread: Int, from other: Int) -> Bool {
    let score = separatesGroups ? groups.lastScore(thread, threads[thread].bucket) : 0
    let own = Int(threads[thread].priority) + score
    return threads[thread].keepsCore(from: queues.rank(other) ?? 0, own: own)
  }

  /// The core that a thread ran on last, if it is idle, of this cluster and not slower.
  ///
  /// Source: xnu:osfmk/kern/sched_prim.c, choose_processor.
  private mutating func betterCore(for thread: Int, than core: Int) -> Int? {
    let last = Int(threads[thread].core)
    guard last >= 0 && last != core && cores[last].cluster == cores[core].cluster else {
      return nil
    }
    return cores[last].isIdle && !cores[core].isFaster(than: cores[last]) ? last : nil
  }

  /// A core gets a thread.
  private mutating func give(_ thread: Int, _ core: Int, isNew: Bool, at now: Int64) -> Int {
    if threads[thread].place != .held { seeTick(thread) }
    cores[core].thread = thread
    threads[thread].place = .core
    threads[thread].core = Int16(core)
    (threads[thread].isDepressed, threads[thread].isChanged) = (false, false)
    threads[thread].startPriority = threads[thread].priority
    threads[thread].isFirstTurn = isNew || threads[thread].isFirstTurn
    countRunning(thread, 1)
    updateLoad(cores[core].cluster, at: now)
    return thread
  }

  /// Lets a thread that was held at a core, which another one has now, wait in a queue.
  private mutating func release(_ held: Int, of core: Int, at now: Int64) {
    if held < 0 { return }
    cores[core].held = -1
    queueUp(held, isRebalanced: false, at: now)
  }

  /// How long a thread may keep its core.
  mutating func quantum(_ thread: Int) -> Nanoseconds {
    let share = threads[thread]
    if share.isAbove { return realtime.quantum(thread) }
    let whole = share.bucket.quantum(isLong: usesLongQuanta)
    let keeps = share.left >= ClutchThread.tinyRemainder || share.left >= whole
    let granted = keeps ? share.left : whole + share.left
    threads[thread].granted = granted
    return Nanoseconds(granted)
  }

  /// A thread left its core, or came to the end of its quantum.
  mutating func ran(_ thread: Int, for ran: Nanoseconds, at now: Int64) {
    catchUp(before: now)
    settleIdle(exceptOf: -1, before: now)
    let (share, core) = (threads[thread], Int(threads[thread].core))
    demand(
      share.place == .core && cores[core].thread == thread,
      "\(name): thread \(thread) leaves a core and is \(share.place)")
    if share.isRealtime { realtime.ran(thread, for: ran) }
    if !share.isAbove {
      // The end of a quantum charges all of it; a shorter turn is charged at the next occasion.
      if ran.rawValue >= share.granted {
        threads[thread].uncharged += ran.rawValue
        if !seeTick(thread) {
          charge(thread)
          threads[thread].computePriority()
        }
      } else {
        seeTick(thread)
        threads[thread].uncharged += ran.rawValue
      }
      groups.stop(group(thread), share.bucket, at: now)
      if clusters.count > 1 {
        clusters[cores[core].cluster].load.ran(share.bucket, for: ran.rawValue, at: now)
      }
    }
    countRunning(thread, -1)
    cores[core].thread = -1
    threads[thread].place = .nowhere
    clusters[cores[core].cluster].idleSince = now
  }

  /// Whether a thread that is alone goes on at its core when its quantum ends.
  ///
  /// Not one whose class the end of its quantum may change: it may belong to the other kind of cores then.
  func keepsCore(_ thread: Int, _ core: Int) -> Bool {
    if clusters.count > 1 && threads[thread].isRealtime && realtime.mayChange(thread) {
      return false
    }
    let mayMove = clusters[cores[core].cluster].cores.contains {
      cores[$0].isIdle && cores[$0].isFaster(than: cores[core])
    }
    return !mayMove && !isForeign(thread, on: core)
  }

  // MARK: Giving way

  /// The core whose thread gives way to one that waits; nil for none.
  mutating func victim(at now: Int64) -> Int? {
    catchUp(before: now)
    settleIdle(exceptOf: -1)
    if realtime.count > 0, let core = victimOfRealtime() { return core }
    while let next = checks.popFirst() {
      let thread = Int(next)
      switch threads[thread].place {
      case .core where threads[thread].isChanged && !threads[thread].isAbove:
        threads[thread].isChanged = false
        if givesWay(Int(threads[thread].core), at: now) { return Int(threads[thread].core) }
      case .queue where !threads[thread].isAbove:
        if let core = target(of: thread), givesWay(core, at: now) { return core }
      case .nowhere, .queue, .held, .assigned, .core: break
      }
    }
    return nil
  }

  /// The core that a thread which got ready may take.
  ///
  /// Where one of a lower priority runs it is that of the lowest, else the thread's own last core, else the next one.
  /// Equal cores are taken in turn. Source: choose_processor (with last_chosen), processor_setrun.
  private mutating func target(of thread: Int) -> Int? {
    let cluster = Int(threads[thread].cluster)
    let own = clusters[cluster].cores
    let last = Int(threads[thread].core)
    let hint = last >= 0 && cores[last].cluster == cluster ? last : -1
    var (found, lowest) = (-1, Int16.max)
    for offset in -1..<own.count {
      let core = offset < 0 ? hint : own[(clusters[cluster].nextCore + offset) % own.count]
      if core < 0 { continue }
      let running = cores[core].thread
      if running < 0 { return nil }
      let priority = threads[running].priority
      if priority < lowest { (found, lowest) = (core, priority) }
    }
    if threads[thread].priority <= lowest {
      found = hint >= 0 ? hint : own[clusters[cluster].nextCore % own.count]
    }
    clusters[cluster].nextCore = (own.firstIndex(of: found) ?? 0) + 1
    return threads[thread].priority >= threads[cores[found].thread].priority ? found : nil
  }

  /// Whether the thread of a core would not be chosen now, or is at the wrong kind of cores.
  ///
  /// Source: xnu:osfmk/kern/sched_prim.c, csw_check_locked; sched_clutch.c,
  /// sched_clutch_processor_csw_check, sched_edge_thread_avoid_processor.
  private mutating func givesWay(_ core: Int, at now: Int64) -> Bool {
    let (running, cluster) = (cores[core].thread, cores[core].cluster)
    seeTick(running)
    let bucket = threads[running].bucket
    guard let choice = clusters[cluster].clock.choose(previous: bucket, takes: false, at: now)
    else { return false }
    var isBetter = !choice.isPrevious
    if isBetter && choice.bucket == bucket, let first = queues.first(cluster, bucket) {
      isBetter = !keeps(running, from: first)
    }
    return isBetter || isForeign(running, on: core)
  }

  /// Whether a core may run real-time threads now: those of the first cluster, which has the performance cores;
  /// others when all of these run real-time threads that are more urgent.
  ///
  /// Source: xnu:osfmk/kern/sched_prim.c, choose_processor, which looks at one cluster after the other.
  private mutating func mayRunRealtime(_ core: Int) -> Bool {
    if cores[core].cluster == 0 { return true }
    return clusters[0].cores.allSatisfy {
      let thread = cores[$0].thread
      return thread >= 0 && threads[thread].isAbove && !realtime.takesCore(from: thread)
    }
  }

  /// The core that the next real-time thread takes: in each cluster that of the ordinary thread of the lowest
  /// priority, or else that of the latest deadline if it is late enough.
  private mutating func victimOfRealtime() -> Int? {
    for cluster in clusters {
      var (ordinary, lowest) = (-1, Int16.max)
      var (urgent, latest) = (-1, Int64.min)
      for core in cluster.cores where cores[core].thread >= 0 {
        let thread = cores[core].thread
        if !threads[thread].isAbove {
          if threads[thread].priority < lowest {
            (ordinary, lowest) = (core, threads[thread].priority)
          }
        } else if realtime.deadline(thread) > latest {
          (urgent, latest) = (core, realtime.deadline(thread))
        }
      }
      if ordinary >= 0 { return ordinary }
      if urgent >= 0 && realtime.takesCore(from: cores[urgent].thread) { return urgent }
    }
    return nil
  }
}
