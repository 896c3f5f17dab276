import SpindleModel

/// What getting cores cost a thread: time of its work that went into cold caches, migrations and switches.
struct CoreCosts {
  private var (length, costs, refill): (Int64, Int64, Int64) = (0, 0, 0)
  private var (switches, migrations, far): (Int64, Int64, Int64) = (0, 0, 0)

  /// Costs are reported from this share of the time on cores on: a tenth.
  private static let toldShare: Int64 = 10

  /// Adds the part of a thread's time on a core between two moments.
  mutating func add(
    _ slice: ThreadSlice, from: Instant, to: Instant, on cores: [CoreDescription]
  ) {
    let (start, end) = (max(slice.start, from), min(slice.end, to))
    length += end.nanoseconds - start.nanoseconds
    // They come first, when the thread gets its core.
    let costEnd = min(end.nanoseconds, slice.start.nanoseconds + max(0, slice.overhead.rawValue))
    costs += max(0, costEnd - start.nanoseconds)
    guard slice.start >= from else { return }
    if slice.refill > .zero, cores.indices.contains(Int(slice.core.index)) {
      let speed = cores[Int(slice.core.index)].speed
      refill += Int64(
        clamping: Int128(slice.refill.rawValue) * Int128(speed.denominator)
          / Int128(speed.numerator))
    }
    if slice.isContextSwitch { switches += 1 }
    if slice.isMigration { migrations += 1 }
    if slice.dispatch.contains(.clusterMigration) { far += 1 }
  }

  /// The costs as a clause behind the work's length; empty where they are a small part of it.
  var clause: String {
    guard costs > 0, costs * CoreCosts.toldShare >= length else { return "" }
    var causes: [String] = []
    if refill > 0 {
      causes.append("\(TimelineStore.short(min(refill, costs))) to refill cold caches")
    }
    if switches > 0 {
      causes.append("\(switches.grouped) context switch\(switches == 1 ? "" : "es")")
    }
    if migrations > 0 {
      causes.append(
        migrations.counted("migration") + (far > 0 ? ", \(far.grouped) to another cluster" : ""))
    }
    let list = causes.isEmpty ? "" : " (\(causes.joined(separator: ", ")))"
    if costs >= length { return ", all of it costs\(list)" }
    return ", of which \(TimelineStore.short(costs)) were costs\(list)"
  }
}

extension TimelineStore {
  /// What the machine did to work between two moments, as clauses behind the work's length: a slow core, and costs.
  func machineCauses(of thread: ThreadIndex, from: Instant, to: Instant) -> String {
    var costs = CoreCosts()
    for slice in states(of: thread, from: from, to: to) where slice.state == .running {
      costs.add(slice, from: from, to: to, on: run?.machine.cores ?? [])
    }
    return slowCore(of: thread, from: from, to: to) + costs.clause
  }
}
