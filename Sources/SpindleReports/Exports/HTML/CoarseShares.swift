package import SpindleModel

/// How the time of a run of any length was spent, in a fixed number of parts of it: for the stretches of
/// a report of which there is nothing finer.
///
/// A class, as all consumers of a timeline are.
package final class CoarseShares: TimelineConsumer {
  /// By thread and part: nanoseconds of each class of state.
  private(set) var threads: [[Int64]] = []
  /// By core and part: nanoseconds in which it ran something.
  private(set) var cores: [[Int64]] = []
  /// By lane and part: the most items that waited at one time.
  private(set) var lanes: [[Int64]] = []
  /// By lane and part: the time of all that waited, added up.
  private var laneSums: [[Int128]] = []
  /// By part: the most threads that lived, and the most memory that was in use.
  private(set) var live: [Int64]
  private(set) var memory: [Int64]
  /// How many parts there are.
  let count: Int

  private let end: Int64
  private var waiting: [Int64] = []
  private var (liveNow, memoryNow): (Int64, Int64) = (0, 0)
  private var (liveTime, memoryTime): (Int64, Int64) = (0, 0)
  private var waitingTimes: [Int64] = []

  /// The most numbers that are kept for threads.
  private static let mostNumbers = 2_000_000

  /// Creates one for a run that ends at `end` and has this number of threads.
  package init(end: Instant, threads: Int64) {
    self.end = max(1, end.nanoseconds)
    let each = CoarseShares.mostNumbers / (StateClass.count * Int(max(1, threads)))
    count = max(8, min(512, each))
    live = Array(repeating: 0, count: count)
    memory = Array(repeating: 0, count: count)
  }

  package func begin(_ run: RunDescription) {
    cores = run.machine.cores.map { _ in Array(repeating: 0, count: count) }
  }

  package func threadBegan(_ thread: ThreadFacts) {
    threads.append(Array(repeating: 0, count: count * StateClass.count))
    setLive(liveNow + 1, thread.time)
  }

  package func laneBegan(_ lane: LaneFacts) {
    lanes.append(Array(repeating: 0, count: count))
    laneSums.append(Array(repeating: 0, count: count))
    waiting.append(0)
    waitingTimes.append(0)
  }

  package func stateEnded(_ slice: ThreadSlice) {
    let (start, end) = (slice.start.nanoseconds, slice.end.nanoseconds)
    let (state, thread) = (StateClass(slice), Int(slice.thread.raw))
    // Where in a state its costs arose is not known: they are spread evenly.
    let costs = slice.state == .running ? max(0, min(end - start, slice.overhead.rawValue)) : 0
    spread(start, end) { index, length in
      let cost = costs == 0 ? 0 : Int64(Int128(length) * Int128(costs) / Int128(end - start))
      threads[thread][index * StateClass.count + StateClass.cost.rawValue] += cost
      threads[thread][index * StateClass.count + state.rawValue] += length - cost
    }
    if slice.state == .running && slice.core.index >= 0 && Int(slice.core.index) < cores.count {
      spread(slice.start.nanoseconds, slice.end.nanoseconds) {
        cores[Int(slice.core.index)][$0] += $1
      }
    }
    if slice.ended == .ended || slice.ended == .killed { setLive(liveNow - 1, slice.end) }
  }

  package func itemSubmitted(_ item: ItemSlice) { change(item.lane, 1, item.submitted) }

  package func itemStarted(_ item: ItemSlice) { change(item.lane, -1, item.started) }

  package func itemEnded(_ item: ItemSlice) {
    if !item.hasStarted { change(item.lane, -1, item.ended) }
  }

  package func noted(_ note: TimelineNote) {
    if note.kind != .memory { return }
    raise(&memory, memoryNow, memoryTime, note.time.nanoseconds)
    (memoryNow, memoryTime) = (note.value, note.time.nanoseconds)
  }

  package func end(_ record: RunRecord) {
    raise(&live, liveNow, liveTime, end)
    raise(&memory, memoryNow, memoryTime, end)
    for lane in lanes.indices { settle(lane, end) }
  }

  /// By lane and part: how many items waited on average, in hundredths.
  var laneMeans: [[Int64]] {
    laneSums.map { sums in
      sums.enumerated().map { part, sum in
        Int64(clamping: 100 * sum / Int128(max(1, start(of: part + 1) - start(of: part))))
      }
    }
  }

  // MARK: Parts

  /// The part in which a moment lies.
  private func part(_ time: Int64) -> Int {
    min(count - 1, Int(Int128(max(0, time)) * Int128(count) / Int128(end)))
  }

  /// When a part begins.
  private func start(of part: Int) -> Int64 { Int64(Int128(end) * Int128(part) / Int128(count)) }

  /// A length as a share of a part, up to 255; a nonempty one is not 0.
  func share(_ length: Int64) -> Int64 {
    let whole = max(1, end / Int64(count))
    return min(255, Int64((Int128(length) * 255 + Int128(whole) - 1) / Int128(whole)))
  }

  private func spread(_ from: Int64, _ to: Int64, _ add: (Int, Int64) -> Void) {
    guard to > from else { return }
    for index in part(from)...part(to - 1) {
      let length = min(to, start(of: index + 1)) - max(from, start(of: index))
      if length > 0 { add(index, length) }
    }
  }

  /// Notes that a number was `value` from one moment to another.
  private func raise(_ values: inout [Int64], _ value: Int64, _ from: Int64, _ to: Int64) {
    for index in part(from)...part(max(from, to)) { values[index] = max(values[index], value) }
  }

  private func setLive(_ value: Int64, _ time: Instant) {
    raise(&live, liveNow, liveTime, time.nanoseconds)
    (liveNow, liveTime) = (value, time.nanoseconds)
  }

  /// Notes how many items waited for a lane up to a moment.
  private func settle(_ lane: Int, _ time: Int64) {
    raise(&lanes[lane], waiting[lane], waitingTimes[lane], time)
    spread(waitingTimes[lane], time) { laneSums[lane][$0] += Int128(waiting[lane]) * Int128($1) }
  }

  private func change(_ lane: LaneIndex, _ change: Int64, _ time: Instant) {
    guard lane.raw >= 0 && Int(lane.raw) < lanes.count else { return }
    let index = Int(lane.raw)
    settle(index, time.nanoseconds)
    (waiting[index], waitingTimes[index]) = (waiting[index] + change, time.nanoseconds)
  }
}

/// What a state counts as where there is room for few colours only.
enum StateClass: Int, CaseIterable {
  case running, cost, ready, device, lock, other, idle

  /// How many there are.
  static let count = allCases.count

  /// What a state counts as, its costs aside.
  init(_ slice: ThreadSlice) {
    switch slice.state {
    case .ready: self = .ready
    case .running: self = .running
    case .waiting: self = slice.reason.map { StateClass($0) } ?? .other
    }
  }

  /// What a wait counts as.
  init(_ reason: WaitReason) {
    switch reason.facts.family {
    case .idle: self = .idle
    case .device: self = .device
    case .other: self = reason == .lock ? .lock : .other
    }
  }
}
