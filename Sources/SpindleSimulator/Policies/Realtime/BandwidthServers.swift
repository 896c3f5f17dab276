import SpindleModel

/// The servers of `constantBandwidth`: budgets, deadlines, and which of them are active.
struct BandwidthServers: Sendable {
  private struct Server {
    /// What its thread asks for; nil for a thread without a server.
    var claim: RealtimeClaim?
    /// Its part of a core, in parts of `whole`.
    var share: Int64 = 0
    /// What is left, in nanoseconds times `whole`; less than 0 when it has had too much.
    var budget: Int128 = 0
    /// In nanoseconds.
    var deadline: Int64 = 0
    /// Since when its core has not been charged; -1 when it has none.
    var since: Int64 = -1
    /// What all active servers used when its turn was settled.
    var settled: Int64 = 0
    /// Whether it is ready or runs.
    var isIn = false
    /// Until when it is active though it is not in; -1 when it is not.
    var lagEnd: Int64 = -1
  }

  /// One core, in parts.
  static let whole: Int64 = 720_720_000

  let reclaims: Bool
  private var cores: Int64 = 1
  private var servers: ContiguousArray<Server> = []
  /// The servers that have cores.
  private var running: [Int] = []
  /// Those that are active and not in.
  private var lagging: [Int] = []
  /// The shares of all that are active.
  private var active: Int64 = 0

  init(reclaims: Bool) { self.reclaims = reclaims }

  mutating func begin(_ count: Int) { cores = Int64(count) }

  /// What a thread asks for; nil when it has no server.
  func claim(_ index: Int) -> RealtimeClaim? { servers[index].claim }
  /// A server's deadline, in nanoseconds.
  func deadline(_ index: Int) -> Int64 { servers[index].deadline }
  /// Whether a server has used its budget up.
  func isEmpty(_ index: Int) -> Bool { servers[index].budget <= 0 }
  /// Whether the others use so much more now that a turn has become shorter.
  func hasAnotherTurn(_ index: Int) -> Bool { reclaims && active > servers[index].settled }

  mutating func admit(_ index: Int, _ claim: RealtimeClaim?) {
    while servers.count <= index { servers.append(Server()) }
    forget(index)
    servers[index] = Self.server(claim)
  }

  mutating func change(_ index: Int, _ claim: RealtimeClaim?, at now: Int64) {
    settle(until: now)
    let since = servers[index].since
    forget(index)
    servers[index] = Self.server(claim)
    if since < 0 || claim == nil { return }
    // It runs, and has its first budget from now on.
    servers[index].since = now
    running.append(index)
    enter(index)
    fill(index, at: now)
  }

  private static func server(_ claim: RealtimeClaim?) -> Server {
    guard let claim else { return Server() }
    return Server(claim: claim, share: share(claim))
  }

  /// The part of a core that a server has, in parts of `whole`, rounded up; the whole core at most.
  static func share(_ claim: RealtimeClaim) -> Int64 {
    let (quantity, period) = (Int128(claim.computation.rawValue), Int128(claim.period.rawValue))
    demand(period > 0 && quantity >= 0, "a server gives \(quantity)ns in \(period)ns")
    let share = (quantity * Int128(whole) + period - 1) / period
    return Int64(min(share, Int128(whole)))
  }

  private mutating func forget(_ index: Int) {
    leave(index)
    running.removeAll { $0 == index }
  }

  private mutating func enter(_ index: Int) {
    if servers[index].isIn { return }
    if servers[index].lagEnd < 0 { active += servers[index].share }
    lagging.removeAll { $0 == index }
    (servers[index].isIn, servers[index].lagEnd) = (true, -1)
  }

  /// Makes a server inactive.
  private mutating func leave(_ index: Int) {
    if servers[index].isIn || servers[index].lagEnd >= 0 { active -= servers[index].share }
    lagging.removeAll { $0 == index }
    (servers[index].isIn, servers[index].lagEnd) = (false, -1)
    demand(active >= 0, "the servers that are active use \(active) parts")
  }

  // MARK: Charging

  /// How fast a budget shrinks.
  private func rate(_ index: Int) -> Int64 {
    if !reclaims { return Self.whole }
    return min(Self.whole, max(1, servers[index].share, active / cores))
  }

  /// Charges those that run until a moment, at the rates that were right in between.
  private mutating func settle(until now: Int64) {
    while reclaims, let next = lagging.min(by: { servers[$0].lagEnd < servers[$1].lagEnd }),
      servers[next].lagEnd <= now
    {
      charge(until: servers[next].lagEnd)
      leave(next)
    }
    charge(until: now)
  }

  private mutating func charge(until now: Int64) {
    for index in running where servers[index].since < now {
      servers[index].budget -= Int128(now - servers[index].since) * Int128(rate(index))
      servers[index].since = now
    }
  }

  // MARK: A server's life

  /// A thread is ready; with `begins` after a wait.
  mutating func becomesReady(_ index: Int, begins: Bool, at now: Int64) {
    settle(until: now)
    let wasLagging = servers[index].lagEnd >= 0
    enter(index)
    if !begins { return }
    let left = Int128(servers[index].deadline - now) * Int128(servers[index].share)
    if left <= 0 || servers[index].budget >= left || (reclaims && !wasLagging) {
      fill(index, at: now)
    }
  }

  /// Gives a server a whole budget until one period from now.
  private mutating func fill(_ index: Int, at now: Int64) {
    guard let claim = servers[index].claim else { return }
    servers[index].budget = Int128(claim.computation.rawValue) * Int128(Self.whole)
    let (later, overflow) = now.addingReportingOverflow(claim.period.rawValue)
    servers[index].deadline = overflow ? Int64.max : later
  }

  /// Gives a server its budget once more, or as often as it has had too much of it; its deadline is as many
  /// periods later.
  mutating func refill(_ index: Int) {
    guard let claim = servers[index].claim else { return }
    demand(claim.computation > .zero, "the server of thread \(index) has nothing to give")
    repeat {
      servers[index].budget += Int128(claim.computation.rawValue) * Int128(Self.whole)
      let (later, overflow) = servers[index].deadline.addingReportingOverflow(claim.period.rawValue)
      servers[index].deadline = overflow ? Int64.max : later
    } while servers[index].budget <= 0
  }

  /// What is left of a budget is given up.
  mutating func drop(_ index: Int) { servers[index].budget = 0 }

  /// A server gets a core.
  mutating func begins(_ index: Int, at now: Int64) {
    settle(until: now)
    demand(servers[index].since < 0, "the server of thread \(index) gets a second core")
    servers[index].since = now
    running.append(index)
  }

  /// How long a server may keep its core before its budget is used up.
  mutating func turn(_ index: Int) -> Int64 {
    servers[index].settled = active
    let rate = Int128(rate(index))
    return Int64(clamping: max(1, (servers[index].budget + rate - 1) / rate))
  }

  /// A server has lost its core; it is active as long as its budget would last at its own rate.
  mutating func leaves(_ index: Int, at now: Int64) {
    settle(until: now)
    servers[index].since = -1
    running.removeAll { $0 == index }
    rests(index, at: now)
  }

  /// A server is not in any more.
  mutating func rests(_ index: Int, at now: Int64) {
    let server = servers[index]
    leave(index)
    if !reclaims || server.share <= 0 { return }
    let lasts = max(0, server.budget) / Int128(server.share)
    let end = Int128(server.deadline) - lasts
    if end <= Int128(now) { return }
    servers[index].lagEnd = Int64(clamping: end)
    lagging.append(index)
    active += server.share
  }
}
