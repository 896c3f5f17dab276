import SpindleModel

/// Ready threads by a number, the least first, and equals in the order in which they came.
///
/// A binary heap that knows where each thread stands: adding, taking the first and taking any one out
/// cost O(log n), looking O(1).
struct ThreadHeap<Key: Comparable & Sendable>: Sendable {
  private struct Entry {
    var key: Key
    /// Behind equals of a lesser number.
    var order: Int64
    var thread: ThreadID
  }

  private var entries: ContiguousArray<Entry> = []
  /// Where each thread stands; -1 when it does not.
  private var places: ContiguousArray<Int32> = []
  private var arrivals: Int64 = 0

  /// How many threads it has.
  var count: Int { entries.count }
  /// The thread with the least key.
  var first: ThreadID? { entries.first?.thread }
  /// That key.
  var leastKey: Key? { entries.first?.key }

  /// The key of a thread that is in it; nil for others.
  func key(of thread: ThreadID) -> Key? {
    contains(thread) ? entries[Int(places[Int(thread.index)])].key : nil
  }

  /// Whether a thread is in it.
  func contains(_ thread: ThreadID) -> Bool {
    Int(thread.index) < places.count && places[Int(thread.index)] >= 0
  }

  /// Adds a thread behind its equals, or before them.
  mutating func insert(_ thread: ThreadID, key: Key, atFront: Bool = false) {
    demand(!thread.isNone, "thread \(thread.index) becomes ready")
    while places.count <= Int(thread.index) { places.append(-1) }
    demand(places[Int(thread.index)] < 0, "thread \(thread.index) was enqueued twice")
    arrivals += 1
    entries.append(
      Entry(key: key, order: atFront ? -arrivals : arrivals, thread: thread))
    siftUp(entries.count - 1)
  }

  /// Takes the thread with the least key.
  mutating func popFirst() -> ThreadID? {
    guard let thread = first else { return nil }
    remove(thread)
    return thread
  }

  /// Takes a thread out; whether it was in it.
  @discardableResult
  mutating func remove(_ thread: ThreadID) -> Bool {
    guard contains(thread) else { return false }
    let place = Int(places[Int(thread.index)])
    demand(
      place < entries.count && entries[place].thread == thread,
      "thread \(thread.index) has place \(place), where another is")
    places[Int(thread.index)] = -1
    guard let last = entries.popLast(), place < entries.count else { return true }
    entries[place] = last
    places[Int(last.thread.index)] = Int32(place)
    siftUp(place)
    siftDown(place)
    return true
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (entries[left], entries[right])
    return a.key != b.key ? a.key < b.key : a.order < b.order
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    places[Int(entries[left].thread.index)] = Int32(left)
    places[Int(entries[right].thread.index)] = Int32(right)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    places[Int(entries[index].thread.index)] = Int32(index)
    while index > 0 && precedes(index, (index - 1) / 2) {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && precedes(child, least) {
        least = child
      }
      if least == index { return }
      swap(index, least)
      index = least
    }
  }
}
