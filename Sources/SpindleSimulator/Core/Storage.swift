import SpindleModel

/// What a run may hold on the host, and how much of it each kind of simulated state takes.
///
/// One count for all: a table says so when it grows, which is seldom, and what stands in arrays says
/// so for each element. Sizes are those of the records, so they are the same on every host and in
/// every build, and nobody asks the host what it has. What would be too much is still taken, and noted:
/// the interpreter looks behind each instruction, and crashes the simulated process there. A run that must end for
/// another reason is stopped by the same look.
struct Storage {
  /// What is counted, in one block of memory that tables share.
  private struct Count {
    /// Whether the run must end: there is too much, or another reason is known.
    var mustEnd = false
    /// Whether there is too much.
    var isExceeded = false
    /// The kind that has as many as it may; nil when all kinds together take too much.
    var crowded: StorageKind?
    var held = 0
    var limit: Int
  }

  private let count: UnsafeMutablePointer<Count>
  private let kinds: UnsafeMutablePointer<Int>
  /// Whether tables grow by no more than they need, so that each record that is added moves the others.
  private let movesTables: Bool

  /// How many places a table that grows by what it needs has at most.
  private static let mostMoves = 256

  /// Begins to count; what is taken beyond `limit` bytes is too much.
  ///
  /// To be given back with `deallocate`.
  init(limit: Int, movesTables: Bool = false) {
    self.movesTables = movesTables
    count = .allocate(capacity: 1)
    count.initialize(to: Count(limit: limit))
    kinds = .allocate(capacity: StorageKind.allCases.count)
    kinds.initialize(repeating: 0, count: StorageKind.allCases.count)
  }

  /// Gives the counts back; nobody counts any more.
  func deallocate() {
    count.deallocate()
    kinds.deallocate()
  }

  /// Whether the run must end: it holds more than it may, or something else was found that ends it.
  @inline(__always)
  var mustEnd: Bool { count.pointee.mustEnd }

  /// Whether the run holds more than it may.
  var isExceeded: Bool { count.pointee.isExceeded }

  /// The run ends at the next look, for a reason that the caller keeps.
  func endRun() { count.pointee.mustEnd = true }

  /// Whether so many bytes more are not too much.
  func hasRoom(for bytes: Int) -> Bool { bytes <= count.pointee.limit - count.pointee.held }

  /// Counts bytes that are taken.
  func take(_ kind: StorageKind, _ bytes: Int) {
    demand(bytes >= 0, "\(bytes) bytes of \(kind.plural) are taken")
    kinds[Int(kind.rawValue)] += bytes
    count.pointee.held += bytes
    if count.pointee.held > count.pointee.limit { noteExcess() }
  }

  /// Counts bytes that are given back.
  func give(_ kind: StorageKind, _ bytes: Int) {
    demand(bytes >= 0, "\(bytes) bytes of \(kind.plural) are given back")
    kinds[Int(kind.rawValue)] -= bytes
    count.pointee.held -= bytes
    assert(kinds[Int(kind.rawValue)] >= 0, "more \(kind.plural) are given back than were taken")
  }

  /// Counts what has become more, or less, by a number of equal parts.
  func change(_ kind: StorageKind, by number: Int, bytesEach size: Int) {
    if number >= 0 { take(kind, number * size) } else { give(kind, -number * size) }
  }

  /// There are as many of a kind as there may be.
  func exceed(_ kind: StorageKind) {
    if !isExceeded { count.pointee.crowded = kind }
    noteExcess()
  }

  private func noteExcess() {
    (count.pointee.isExceeded, count.pointee.mustEnd) = (true, true)
  }

  /// The room of a table that has no record yet; it does not count.
  var firstRoom: Int { movesTables ? 1 : 16 }

  /// The room of a table that has used up `room` places and needs `need` more; it is taken.
  ///
  /// What it has now counts once more, since both are there while one is copied to the other. When that
  /// is too much, the table gets only what the present instruction may still need.
  func room(after room: Int, need: Int = 1, bytesEach: Int, beside: Int, _ kind: StorageKind) -> Int
  {
    demand(
      room >= 0 && need > 0 && bytesEach > 0,
      "a table of \(room) \(kind.plural) of \(bytesEach) bytes needs \(need) more")
    let next =
      movesTables && room < Self.mostMoves
      ? room : Growth.room(after: room, bytesEach: bytesEach, step: count.pointee.limit / 64)
    let wanted = max(next, room + need)
    take(kind, (wanted - room) * (bytesEach + beside))
    if count.pointee.held + room * bytesEach > count.pointee.limit { noteExcess() }
    return isExceeded ? room + room / 8 + need : wanted
  }

  /// What there is too much of, as a sentence without a full stop: the two kinds that take most, since a
  /// closure stands beside what it waits in.
  var complaint: String {
    if let crowded = count.pointee.crowded {
      return "a simulated program has at most \(ScheduledEvent.maximumIndex) \(crowded.plural)"
    }
    let largest = StorageKind.allCases.sorted { left, right in
      let (more, less) = (kinds[Int(left.rawValue)], kinds[Int(right.rawValue)])
      return more == less ? left.rawValue < right.rawValue : more > less
    }
    let shares = largest.prefix(2).compactMap { kind in
      let share = kinds[Int(kind.rawValue)] * 100 / max(1, count.pointee.held)
      return share > 0 ? "\(share)% \(kind.plural)" : nil
    }
    return "a simulated program holds at most \(ByteCount(Int64(count.pointee.limit))), "
      + "and this one wants more: \(shares.joined(separator: ", "))"
  }
}

/// What simulated state is made of, as far as a program decides how much there is.
enum StorageKind: UInt8, CaseIterable {
  case texts, arrays, instances, frames, events, plans, threads, items, queues, syncs, workItems,
    applies,
    onces
  case keptValues, releasedObjects, finalizers, sources, pipes, processes, messages
  case locks, semaphores, groups, executors, operations, operationQueues, dependencies
  case operationBlocks, autoreleasePools, backgroundTasks, accelerators
  case runLoops, timers, runLoopSources, ports, observers, performs, expected, arrivals, tasks

  /// What several of them are called in a message.
  var plural: String {
    switch self {
    case .texts: "texts"
    case .arrays: "arrays"
    case .instances: "instances of classes"
    case .frames: "calls and closures"
    case .events: "moments that are waited for"
    case .plans: "delayed items and sources that are due later"
    case .threads: "threads"
    case .items: "items of work"
    case .queues: "dispatch queues"
    case .syncs: "calls of sync"
    case .workItems: "work items"
    case .applies: "calls of concurrentPerform"
    case .onces: "once tokens"
    case .keptValues: "values kept by keys"
    case .releasedObjects: "objects that were released"
    case .finalizers: "finalizers"
    case .sources: "dispatch sources"
    case .pipes: "pipes"
    case .processes: "processes"
    case .messages: "messages"
    case .locks: "locks"
    case .semaphores: "semaphores"
    case .groups: "groups"
    case .executors: "executors"
    case .operations: "operations"
    case .operationQueues: "operation queues"
    case .dependencies: "dependencies of operations"
    case .operationBlocks: "closures of operations"
    case .autoreleasePools: "autorelease pools"
    case .backgroundTasks: "background tasks"
    case .accelerators: "accelerators"
    case .runLoops: "run loops, their modes and what is in these"
    case .timers: "timers"
    case .runLoopSources: "run loop sources"
    case .ports: "ports"
    case .observers: "observers"
    case .performs: "performed blocks and selectors"
    case .arrivals: "things that the world outside does"
    case .tasks: "tasks, and what they wait for"
    case .expected: "marks and lines that expectations ask about"
    }
  }
}
