import SpindleModel

/// The threads of `eevdf`: virtual run times, lags and deadlines.
struct EligibleThreads: Sendable {
  private struct Entity {
    var weight: Int64 = 1_024
    /// Its virtual run time, in nanoseconds of a thread of weight 1,024; 68 times as long as a real one for weight 15.
    var runtime: Int128 = 0
    /// At which virtual run time its request is done.
    var deadline: Int128 = 0
    /// By how much it was behind the average when it left.
    var lag: Int128 = 0
    /// How long it has had cores since it last became ready by itself, as far as that is charged, and what that came
    /// to: so it does not matter when and how often it was charged.
    var charged: (time: Int64, growth: Int128) = (0, 0)
    /// Where it stands among the ready ones; -1 when it does not.
    var place: Int32 = -1
    /// Since when it has had a core that is not charged; -1 when it has none.
    var since: Int64 = -1
    /// Its turn to become ready.
    var arrival: Int64 = 0
  }

  private let slice: Int64
  private var entities: ContiguousArray<Entity> = []
  private var ready: ContiguousArray<ThreadID> = []
  private var running: ContiguousArray<ThreadID> = []
  /// The weights of all that are ready or run, and their virtual run times times these.
  private var load: Int64 = 0
  private var sum: Int128 = 0
  /// The average when there was one last.
  private var lastAverage: Int128 = 0
  private var arrivals: Int64 = 0

  init(slice: Int64) { self.slice = slice }

  /// How many are ready.
  var count: Int { ready.count }

  func isReady(_ thread: ThreadID) -> Bool {
    Int(thread.index) < entities.count && entities[Int(thread.index)].place >= 0
  }

  mutating func admit(_ thread: ThreadID, weight: Int64) {
    while entities.count <= Int(thread.index) { entities.append(Entity()) }
    demand(
      entities[Int(thread.index)].place < 0 && entities[Int(thread.index)].since < 0,
      "eevdf: thread \(thread.index) is ready or runs, and admitted")
    entities[Int(thread.index)] = Entity(weight: weight)
  }

  /// A thread weighs something else: what is left of its request, and its lag, keep their real lengths.
  mutating func setWeight(_ thread: ThreadID, _ weight: Int64) {
    let index = Int(thread.index)
    let old = entities[index].weight
    demand(weight > 0, "eevdf: thread \(thread.index) weighs \(weight)")
    if old == weight { return }
    let isIn = entities[index].place >= 0 || entities[index].since >= 0
    let average = self.average
    if isIn { count(index, -1) }
    let (before, after) = (Int128(old), Int128(weight))
    let ahead = (entities[index].runtime - average) * before / after
    let rest = (entities[index].deadline - entities[index].runtime) * before / after
    entities[index].weight = weight
    entities[index].charged = (0, 0)
    entities[index].lag = entities[index].lag * before / after
    if !isIn { return }
    entities[index].runtime = average + ahead
    entities[index].deadline = entities[index].runtime + rest
    count(index, 1)
  }

  // MARK: The average

  private mutating func count(_ index: Int, _ sign: Int64) {
    load += sign * entities[index].weight
    sum += Int128(sign) * Int128(entities[index].weight) * entities[index].runtime
    demand(load >= 0, "eevdf: all threads together weigh \(load)")
  }

  /// The weighted average of virtual run times.
  private var average: Int128 {
    if load == 0 { return lastAverage }
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: Int128(load))
    return whole - (rest < 0 ? 1 : 0)
  }

  /// Whether a thread is not ahead of the average, exactly.
  func isEligible(_ thread: ThreadID) -> Bool {
    entities[Int(thread.index)].runtime * Int128(load) <= sum
  }

  /// Charges those that run until a moment.
  mutating func settle(_ now: Int64) {
    for thread in running {
      let index = Int(thread.index)
      let elapsed = now - entities[index].since
      if elapsed <= 0 { continue }
      let time = entities[index].charged.time + elapsed
      let growth = NiceValues.virtualTime(time, weight: entities[index].weight)
      charge(index, growth - entities[index].charged.growth)
      entities[index].charged = (time, growth)
      entities[index].since = now
    }
  }

  private mutating func charge(_ index: Int, _ growth: Int128) {
    entities[index].runtime += growth
    sum += Int128(entities[index].weight) * growth
  }

  /// What the virtual run time of a thread grows by in one slice.
  private func request(_ index: Int) -> Int128 {
    NiceValues.virtualTime(slice, weight: entities[index].weight)
  }

  // MARK: Many slices at once

  /// Whether no other thread runs or is ready.
  func isAlone(_ thread: ThreadID) -> Bool { ready.isEmpty && running == [thread] }

  /// Whether the present slice of a running thread is a whole request, as all that follow are while it is alone.
  func hasWholeRequest(_ thread: ThreadID) -> Bool {
    entities[Int(thread.index)].deadline - entities[Int(thread.index)].runtime
      == request(Int(thread.index))
  }

  /// A running thread that is alone has had whole requests, the last until a moment: another one begins then.
  mutating func repeated(_ thread: ThreadID, times count: Int64, until end: Int64) {
    let index = Int(thread.index)
    let (since, charged) = (entities[index].since, entities[index].charged)
    demand(since >= 0, "eevdf: thread \(thread.index) had slices, and does not run")
    // It may have been charged until a later moment, or not yet until that one.
    let time = charged.time + end - since
    let growth = NiceValues.virtualTime(time, weight: entities[index].weight)
    entities[index].deadline =
      entities[index].runtime + growth - charged.growth + request(index)
    arrivals += count
  }

  /// What is left of the request of a running thread that is charged until now, and what its virtual run time lacks in
  /// fractions: by these the lengths of its slices are decided.
  func phase(of thread: ThreadID, at now: Int64) -> (length: Int64, fraction: Int64)? {
    let entity = entities[Int(thread.index)]
    guard entity.since == now, let length = Int64(exactly: entity.deadline - entity.runtime)
    else { return nil }
    return (length, entity.charged.time % entity.weight)
  }

  /// A running thread that is alone has had slices for so long, and its phase is what it was before.
  mutating func cyclesPassed(_ thread: ThreadID, for time: Int64) {
    let index = Int(thread.index)
    entities[index].since += time
    let all = entities[index].charged.time + time
    let growth = NiceValues.virtualTime(all, weight: entities[index].weight)
    let added = growth - entities[index].charged.growth
    charge(index, added)
    entities[index].deadline += added
    entities[index].charged = (all, growth)
  }

  // MARK: Coming and going

  /// A thread is ready.
  mutating func enqueue(_ thread: ThreadID, _ cause: ReadyCause) {
    let index = Int(thread.index)
    demand(
      entities[index].place < 0, "eevdf: thread \(thread.index) is ready, and becomes it again")
    let request = request(index)
    switch cause {
    case .started:
      entities[index].runtime = average
      entities[index].deadline = average + request / 2
    case .woken:
      var lag = entities[index].lag
      if load > 0 { lag = lag * Int128(load + entities[index].weight) / Int128(load) }
      entities[index].runtime = average - lag
      entities[index].deadline = entities[index].runtime + request
    case .yielded: entities[index].deadline += request
    case .quantumExpired, .preempted: break
    }
    if cause == .started || cause == .woken { entities[index].charged = (0, 0) }
    if entities[index].runtime >= entities[index].deadline {
      entities[index].deadline = entities[index].runtime + request
    }
    arrivals += 1
    entities[index].arrival = arrivals
    entities[index].place = Int32(ready.count)
    ready.append(thread)
    count(index, 1)
  }

  /// Takes a thread out of the ready ones; whether it was one.
  mutating func remove(_ thread: ThreadID) -> Bool {
    let index = Int(thread.index)
    let place = Int(entities[index].place)
    if place < 0 { return false }
    note(index)
    count(index, -1)
    take(place)
    return true
  }

  private mutating func take(_ place: Int) {
    entities[Int(ready[place].index)].place = -1
    let last = ready.removeLast()
    if place == ready.count { return }
    ready[place] = last
    entities[Int(last.index)].place = Int32(place)
  }

  /// The ready thread that is eligible and has the earliest deadline; nil when none is ready.
  ///
  /// Where only running threads are not ahead of the average, it is the ready one that is least ahead.
  var best: ThreadID? {
    var (found, least): (ThreadID?, ThreadID?) = (nil, nil)
    for thread in ready {
      if isEligible(thread), found.map({ precedes(thread, $0) }) ?? true { found = thread }
      if least.map({ entities[Int(thread.index)].runtime < entities[Int($0.index)].runtime })
        ?? true
      {
        least = thread
      }
    }
    return found ?? least
  }

  private func precedes(_ left: ThreadID, _ right: ThreadID) -> Bool {
    let (a, b) = (entities[Int(left.index)], entities[Int(right.index)])
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.arrival < b.arrival
  }

  /// Gives a core to the best of the ready threads.
  mutating func popBest(at now: Int64) -> ThreadID? {
    guard let thread = best else { return nil }
    take(Int(entities[Int(thread.index)].place))
    entities[Int(thread.index)].since = now
    running.append(thread)
    return thread
  }

  /// A thread has lost its core: keeps its lag.
  mutating func leaves(_ thread: ThreadID) {
    let index = Int(thread.index)
    if entities[index].since < 0 { return }
    note(index)
    count(index, -1)
    entities[index].since = -1
    running.removeAll { $0 == thread }
  }

  /// Notes the lag of a thread that is about to leave, two slices of it at most.
  private mutating func note(_ index: Int) {
    lastAverage = average
    let most = NiceValues.virtualTime(2 * slice, weight: entities[index].weight)
    entities[index].lag = max(-most, min(most, lastAverage - entities[index].runtime))
  }

  /// By how much a thread that is ready or runs is behind the average; negative where it is ahead.
  func lag(of thread: ThreadID) -> Int128 { average - entities[Int(thread.index)].runtime }

  /// When the request of a thread is done, in its virtual time.
  func deadline(of thread: ThreadID) -> Int128 { entities[Int(thread.index)].deadline }

  /// How long a thread may run until its request is done.
  ///
  /// Who yields again and again may have many requests in one; it is no longer than the longest duration.
  func rest(of thread: ThreadID) -> Int64 {
    let entity = entities[Int(thread.index)]
    let left = max(1, entity.deadline - entity.runtime)
    let time = (left * Int128(entity.weight) + 1_023) >> 10
    return max(1, min(Int64(clamping: time), Nanoseconds.longest.rawValue))
  }
}
