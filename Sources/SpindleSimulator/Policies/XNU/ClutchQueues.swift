/// The ready threads of each class of each cluster, by rank and then in order; every operation is O(1).
struct ClutchQueues {
  /// The highest rank: the highest priority that a thread may have, and the highest score of its group.
  static let ranks = 80

  private var lists: ThreadLists
  private var occupied: ContiguousArray<(low: UInt64, high: UInt64)>
  private var counts: ContiguousArray<Int>

  /// The empty queues of so many clusters.
  init(clusters: Int) {
    let queues = clusters * ClutchBucket.count
    lists = ThreadLists(count: queues * Self.ranks)
    occupied = ContiguousArray(repeating: (0, 0), count: queues)
    counts = ContiguousArray(repeating: 0, count: queues)
  }

  private static func queue(_ cluster: Int, _ bucket: ClutchBucket) -> Int {
    cluster * ClutchBucket.count + bucket.rawValue
  }

  /// How many threads a class of a cluster has.
  func count(_ cluster: Int, _ bucket: ClutchBucket) -> Int {
    counts[Self.queue(cluster, bucket)]
  }

  /// The highest rank that a thread of a class has; nil for no thread.
  func highest(_ cluster: Int, _ bucket: ClutchBucket) -> Int? {
    let bits = occupied[Self.queue(cluster, bucket)]
    if bits.high != 0 { return 127 - bits.high.leadingZeroBitCount }
    return bits.low == 0 ? nil : 63 - bits.low.leadingZeroBitCount
  }

  /// The first thread of the highest rank of a class; nil for none.
  func first(_ cluster: Int, _ bucket: ClutchBucket) -> Int? {
    guard let rank = highest(cluster, bucket) else { return nil }
    return lists.first(Self.queue(cluster, bucket) * Self.ranks + rank)
  }

  /// The rank of a thread; nil for one that is in no queue.
  func rank(_ thread: Int) -> Int? { lists.list(of: thread).map { $0 % Self.ranks } }

  /// Adds a thread behind its equals, or before them.
  mutating func insert(
    _ thread: Int, _ cluster: Int, _ bucket: ClutchBucket, rank: Int, atFront: Bool
  ) {
    demand(rank >= 0 && rank < Self.ranks, "clutch: thread \(thread) gets rank \(rank)")
    let queue = Self.queue(cluster, bucket)
    lists.insert(thread, queue * Self.ranks + rank, atFront: atFront)
    counts[queue] += 1
    if rank >= 64 {
      occupied[queue].high |= 1 << UInt64(rank - 64)
    } else {
      occupied[queue].low |= 1 << UInt64(rank)
    }
  }

  /// Takes a thread out of its queue.
  mutating func remove(_ thread: Int) {
    guard let list = lists.remove(thread) else {
      fatalError("clutch: thread \(thread) is taken out of a queue, and is in none")
    }
    let (queue, rank) = (list / Self.ranks, list % Self.ranks)
    counts[queue] -= 1
    if lists.first(list) != nil { return }
    if rank >= 64 {
      occupied[queue].high &= ~(1 << UInt64(rank - 64))
    } else {
      occupied[queue].low &= ~(1 << UInt64(rank))
    }
  }
}
