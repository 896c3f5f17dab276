import SpindleModel

/// XNU's scheduler for threads that are not real-time, and its real-time queue: on one cluster *clutch*, on two
/// *edge*.
///
/// Choosing has three levels: the class (`ClutchClock`), the group of threads (`ClutchGroups`) and the thread
/// (`ClutchThread`). A thread that leaves its core and could go on is held there until the core chooses: then it
/// is weighed against those that wait, as XNU weighs the thread that runs. Source:
/// xnu:osfmk/kern/sched_clutch.c, sched_clutch_hierarchy_thread_highest; xnu:osfmk/kern/sched_prim.c,
/// thread_select, thread_dispatch.
///
/// This file takes threads in; +Choosing gives them out, +Clusters says where they go.
struct ClutchScheduler {
  let name: String
  let usesLongQuanta: Bool
  /// Whether each thread is a group, an app, of its own; else all are of one.
  let separatesGroups: Bool
  /// Whether threads of the class utility are recommended to the efficiency cores, as those below are.
  let savesUtility: Bool
  /// Whether each kind of cores is a cluster of its own.
  let hasClusters: Bool
  var clusters: [ClutchCluster] = []
  /// Whether no core is faster than another one.
  var coresAreAlike = true
  var cores: ContiguousArray<ClutchCore> = []
  var threads: ContiguousArray<ClutchThread> = []
  var queues = ClutchQueues(clusters: 1)
  var groups: ClutchGroups
  var realtime = TimeshareRealtime()
  /// How many groups of each class have threads that wait for a core.
  var groupLoad = ContiguousArray<Int64>(repeating: 0, count: ClutchBucket.count)
  /// The waiting threads that a tick may change, in order.
  var aging = ThreadLists(count: 1)
  /// Threads that may take a core, or lose one, in the order in which they got ready or were changed.
  var checks = FIFOQueue<Int32>()
  /// Threads that yielded, in order.
  var depressed = FIFOQueue<Int32>()
  /// How many ticks there have been.
  var tick: Int64 = 0

  /// Who yields is last for so long, in nanoseconds: a standard quantum.
  ///
  /// Source: xnu:osfmk/kern/sched_prim.c, thread_depress_time.
  static let depression: Int64 = 10_000_000

  init(
    name: String, usesLongQuanta: Bool, separatesGroups: Bool, hasClusters: Bool, savesUtility: Bool
  ) {
    (self.name, self.usesLongQuanta) = (name, usesLongQuanta)
    (self.separatesGroups, self.hasClusters) = (separatesGroups, hasClusters)
    self.savesUtility = savesUtility
    groups = ClutchGroups(longQuanta: usesLongQuanta)
    if !separatesGroups { groups.begin(0) }
  }

  /// The machine has these cores.
  mutating func begin(cores descriptions: [CoreDescription]) {
    demand(!descriptions.isEmpty, "\(name): a machine without cores")
    let isMixed = hasClusters && Set(descriptions.map(\.cluster)).count > 1
    let kinds = isMixed ? CoreDescription.Cluster.allCases : [descriptions[0].cluster]
    clusters = kinds.map {
      ClutchCluster(isEfficient: isMixed && $0 == .efficiency, longQuanta: usesLongQuanta)
    }
    for (index, core) in descriptions.enumerated() {
      let cluster = isMixed ? kinds.firstIndex(of: core.cluster) ?? 0 : 0
      clusters[cluster].cores.append(index)
      cores.append(
        ClutchCore(
          cluster: cluster, numerator: core.speed.numerator, denominator: core.speed.denominator))
    }
    queues = ClutchQueues(clusters: clusters.count)
    coresAreAlike = !cores.contains { $0.isFaster(than: cores[0]) || cores[0].isFaster(than: $0) }
  }

  // MARK: Threads

  /// The group of a thread.
  func group(_ thread: Int) -> Int { separatesGroups ? thread : 0 }

  mutating func admit(_ thread: Int, _ claim: ThreadClaim) {
    demand(thread >= 0, "\(name): thread \(thread) is admitted")
    while threads.count <= thread { threads.append(ClutchThread()) }
    demand(!threads[thread].isRunnable, "\(name): thread \(thread) is ready, and admitted")
    threads[thread] = ClutchThread()
    realtime.forget(thread)
    if separatesGroups { groups.begin(thread) }
    setClaim(thread, claim)
  }

  private mutating func setClaim(_ thread: Int, _ claim: ThreadClaim) {
    threads[thread].isRealtime = claim.realtime != nil
    realtime.setClaim(thread, claim.realtime)
    if threads[thread].isRealtime {
      threads[thread].setRealtime(isDemoted: realtime.isDemoted(thread))
    } else {
      threads[thread].setBase(min(claim.priority, ClutchThread.highestUserPriority))
    }
    threads[thread].shift = groups.shift(group(thread), threads[thread].bucket)
  }

  /// A thread asks for something else; where it waits, it goes to the end of its new queue.
  mutating func claimChanged(_ thread: Int, _ claim: ThreadClaim, at now: Int64) {
    let (place, old) = (threads[thread].place, threads[thread])
    if place == .queue { takeOut(thread, at: now) }
    if old.isRunnable { countOut(thread, at: now) }
    setClaim(thread, claim)
    if threads[thread].bucket == old.bucket { threads[thread].shift = old.shift }
    threads[thread].computePriority()
    if old.isRunnable { countIn(thread, at: now) }
    if place == .queue { queueUp(thread, isRebalanced: false, at: now) }
    threads[thread].isChanged = place == .core
    if place != .nowhere { checks.append(Int32(thread)) }
  }

  /// A thread that is ready or runs counts for its group and for the cluster where it runs.
  private mutating func countIn(_ thread: Int, at now: Int64) {
    let share = threads[thread]
    if !share.isAbove { groups.run(group(thread), share.bucket, at: now) }
    if share.place == .core { countRunning(thread, 1) }
  }

  private mutating func countOut(_ thread: Int, at now: Int64) {
    let share = threads[thread]
    if !share.isAbove { groups.stop(group(thread), share.bucket, at: now) }
    if share.place == .core { countRunning(thread, -1) }
  }

  mutating func countRunning(_ thread: Int, _ change: Int) {
    let (share, cluster) = (threads[thread], cores[Int(threads[thread].core)].cluster)
    if share.isAbove {
      clusters[cluster].urgent += change
    } else {
      clusters[cluster].running[share.bucket.rawValue] += change
    }
  }

  // MARK: Getting ready

  mutating func enqueue(_ thread: Int, _ cause: ReadyCause, at now: Instant) {
    demand(
      !threads[thread].isRunnable,
      "\(name): thread \(thread) becomes ready, and is \(threads[thread].place)")
    let time = now.nanoseconds
    catchUp(before: time)
    if threads[thread].isRealtime {
      realtime.getsReady(thread, cause, at: now)
      threads[thread].setRealtime(isDemoted: realtime.isDemoted(thread))
    }
    threads[thread].goesFirst = false
    switch cause {
    case .started:
      threads[thread].tick = tick
      threads[thread].left = 0
    case .woken: threads[thread].left = 0
    case .yielded:
      threads[thread].left = 0
      threads[thread].isDepressed = !isEmpty
      threads[thread].depressedUntil = time + Self.depression
      if !isEmpty { depressed.append(Int32(thread)) }
    case .quantumExpired:
      (threads[thread].left, threads[thread].isFirstTurn) = (0, false)
    case .preempted(let left):
      let share = threads[thread]
      let keeps = share.isFirstTurn && share.priority >= share.startPriority
      threads[thread].left = keeps ? left?.rawValue ?? 0 : 0
      threads[thread].goesFirst = threads[thread].left >= ClutchThread.tinyRemainder
    }
    threads[thread].place = .queue
    countIn(thread, at: time)
    seeTick(thread)
    settleIdle(exceptOf: cause.leftCore ? thread : -1)
    takeIn(thread, cause, at: time)
  }

  /// Puts a ready thread where it waits: one that has just left its core is held there.
  private mutating func takeIn(_ thread: Int, _ cause: ReadyCause, at now: Int64) {
    let core = Int(threads[thread].core)
    let isForeign = isForeign(thread, on: core)
    if cause.leftCore && !threads[thread].isAbove && !isForeign && core >= 0 {
      demand(cores[core].held < 0, "\(name): core \(core) holds two threads")
      cores[core].held = thread
      threads[thread].place = .held
      return
    }
    queueUp(thread, isRebalanced: isForeign && cause == .quantumExpired, at: now)
    if !cause.leftCore || cause == .quantumExpired { checks.append(Int32(thread)) }
  }

  /// Puts a ready thread into the queue of the cluster where it is to run.
  mutating func queueUp(_ thread: Int, isRebalanced: Bool, at now: Int64) {
    threads[thread].place = .queue
    if threads[thread].isAbove && !threads[thread].isDepressed {
      realtime.insert(ThreadID(thread))
      return
    }
    let cluster = cluster(for: thread, isRebalanced: isRebalanced)
    threads[thread].cluster = Int8(cluster)
    insert(thread, at: now)
    updateLoad(cluster, at: now)
  }

  private mutating func insert(_ thread: Int, at now: Int64) {
    let share = threads[thread]
    let (cluster, bucket, group) = (Int(share.cluster), share.queue, group(thread))
    let isFirst = queues.count(cluster, bucket) == 0
    groups.wait(group, bucket, at: now)
    let load = groupLoad[bucket.rawValue]
    if separatesGroups || isFirst { groupLoad[bucket.rawValue] += 1 }
    let score = groups.score(group, bucket, load: load, at: now)
    groups.settle(group, bucket, tick: tick, cores: cores.count)
    queues.insert(
      thread, cluster, bucket, rank: rank(thread, score: score), atFront: share.goesFirst)
    clusters[cluster].waiting += 1
    if isFirst { clusters[cluster].clock.begin(bucket, at: now) }
    if separatesGroups || share.isAging { aging.insert(thread, 0) }
  }

  /// What a thread is compared by within its class: its priority or, where it is a group, that of the group.
  mutating func rank(_ thread: Int, score: Int) -> Int {
    let share = threads[thread]
    if share.isDepressed { return separatesGroups ? score : 0 }
    return separatesGroups ? Int(share.base) + score : Int(share.priority)
  }

  /// Takes a thread out of the queue that it is in.
  mutating func takeOut(_ thread: Int, at now: Int64) {
    let share = threads[thread]
    threads[thread].place = .nowhere
    if share.isAbove && !share.isDepressed {
      demand(realtime.remove(ThreadID(thread)), "\(name): thread \(thread) is not ready")
      return
    }
    let (cluster, bucket) = (Int(share.cluster), share.queue)
    queues.remove(thread)
    aging.remove(thread)
    clusters[cluster].waiting -= 1
    groups.serve(group(thread), bucket, at: now)
    let isLast = queues.count(cluster, bucket) == 0
    if separatesGroups || isLast { groupLoad[bucket.rawValue] -= 1 }
    if isLast { clusters[cluster].clock.end(bucket, at: now) }
    if !separatesGroups && !isLast {
      _ = groups.score(0, bucket, load: groupLoad[bucket.rawValue], at: now)
    }
  }

  /// Whether no thread waits for a core.
  var isEmpty: Bool { realtime.count == 0 && clusters.allSatisfy { $0.waiting == 0 } }
}

extension ReadyCause {
  /// Whether the thread had a core until now, and could go on there.
  var leftCore: Bool {
    switch self {
    case .quantumExpired, .preempted: true
    case .started, .woken, .yielded: false
    }
  }
}
