/// Measures how long a thread of the program could have run, and a core of the program had nothing to run:
/// the kernel had put the thread in line at another core.
struct HeldThreads {
  /// Shorter times are how long a core takes to wake up.
  static let least: Int64 = 50_000

  /// The threads that are ready, the one that has been so for longest first.
  private var ready: [(thread: Int, since: Int64, held: Int64)] = []
  private var idle: Set<Int32> = []
  private var now: Int64 = .min

  /// A thread can run and has no core.
  mutating func waits(_ thread: Int, at time: Int64) {
    advance(to: time)
    ready.append((thread, time, 0))
  }

  /// It has one; returns how long it was held, 0 where that is short.
  mutating func runs(_ thread: Int, at time: Int64) -> Int64 {
    advance(to: time)
    guard let place = ready.firstIndex(where: { $0.thread == thread }) else { return 0 }
    let found = ready.remove(at: place)
    // What was seen late began earlier than was thought.
    let held = min(found.held, time - found.since)
    return held >= Self.least ? held : 0
  }

  /// A core has nothing to run from now on, or has something again.
  mutating func core(_ core: Int32, isIdle: Bool, at time: Int64) {
    advance(to: time)
    if isIdle { idle.insert(core) } else { idle.remove(core) }
  }

  /// As many threads are held as cores are idle: those that became runnable last, since one of them may have
  /// the core already when its dispatch was not recorded; then it turns out not to be held.
  private mutating func advance(to time: Int64) {
    let length = now == .min ? 0 : max(0, time - now)
    now = max(now, time)
    if length == 0 || idle.isEmpty { return }
    for place in ready.indices.suffix(idle.count) { ready[place].held += length }
  }
}
