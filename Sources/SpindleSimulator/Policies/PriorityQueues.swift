import SpindleModel

/// Ready threads by priority, first in first out among equals; every operation is O(1).
///
/// 128 lists, linked through a table by thread, and a bitmap of those that are not empty.
struct PriorityQueues {
  /// How many priorities there are: 0 to 127, as in XNU.
  static let levels = 128

  private struct Link {
    var next = ThreadID.none
    var previous = ThreadID.none
    /// The list that the thread is in; -1 for none.
    var level: Int32 = -1
  }

  private var links: ContiguousArray<Link> = []
  private var heads = ContiguousArray<ThreadID>(repeating: .none, count: levels)
  private var tails = ContiguousArray<ThreadID>(repeating: .none, count: levels)
  private var occupied: (low: UInt64, high: UInt64) = (0, 0)
  /// How many threads are ready.
  private(set) var count = 0

  /// The highest priority at which a thread is ready; nil when none is.
  var highest: Int? {
    if occupied.high != 0 { return 127 - occupied.high.leadingZeroBitCount }
    return occupied.low == 0 ? nil : 63 - occupied.low.leadingZeroBitCount
  }

  /// Whether the thread is in a list.
  func contains(_ thread: ThreadID) -> Bool {
    Int(thread.index) < links.count && links[Int(thread.index)].level >= 0
  }

  /// Adds a thread at the end, or at the front, of the list of its priority.
  mutating func insert(_ thread: ThreadID, priority: Int, atFront: Bool = false) {
    let index = Int(thread.index)
    demand(!thread.isNone, "thread \(index) is enqueued")
    while links.count <= index { links.append(Link()) }
    demand(links[index].level < 0, "thread \(index) was enqueued twice")
    let level = max(0, min(Self.levels - 1, priority))
    let (head, tail) = (heads[level], tails[level])
    if head.isNone {
      heads[level] = thread
      tails[level] = thread
      links[index] = Link(level: Int32(level))
    } else if atFront {
      links[Int(head.index)].previous = thread
      links[index] = Link(next: head, level: Int32(level))
      heads[level] = thread
    } else {
      links[Int(tail.index)].next = thread
      links[index] = Link(previous: tail, level: Int32(level))
      tails[level] = thread
    }
    if level >= 64 {
      occupied.high |= 1 << UInt64(level - 64)
    } else {
      occupied.low |= 1 << UInt64(level)
    }
    count += 1
  }

  /// Takes the first thread of the highest priority.
  mutating func popHighest() -> ThreadID? {
    guard let level = highest else { return nil }
    let thread = heads[level]
    demand(remove(thread), "thread \(thread.index) is first at \(level), and is not ready")
    return thread
  }

  /// Takes a thread out of its list; whether it was in one.
  @discardableResult
  mutating func remove(_ thread: ThreadID) -> Bool {
    guard contains(thread) else { return false }
    let link = links[Int(thread.index)]
    let level = Int(link.level)
    if !link.previous.isNone {
      links[Int(link.previous.index)].next = link.next
    } else {
      heads[level] = link.next
    }
    if !link.next.isNone {
      links[Int(link.next.index)].previous = link.previous
    } else {
      tails[level] = link.previous
    }
    links[Int(thread.index)] = Link()
    if heads[level].isNone {
      if level >= 64 {
        occupied.high &= ~(1 << UInt64(level - 64))
      } else {
        occupied.low &= ~(1 << UInt64(level))
      }
    }
    demand(count > 0, "thread \(thread.index) is taken out, and none was ready")
    count -= 1
    return true
  }

  /// All threads, the highest priority first and in order within it.
  var all: [ThreadID] {
    var threads: [ThreadID] = []
    for level in (0..<Self.levels).reversed() {
      var thread = heads[level]
      while !thread.isNone {
        let link = links[Int(thread.index)]
        demand(
          link.level == level && threads.count < count,
          "the list of priority \(level) is torn at thread \(thread.index)")
        threads.append(thread)
        thread = link.next
      }
    }
    return threads
  }
}
