import SpindleModel
import SpindleHost

/// Threads in the order in which they came, in raw memory; amortised O(1).
///
/// What `FIFOQueue` does, without the check for other copies that every change of one costs.
struct ReadyQueue: ~Copyable {
  private var ring: UnsafeMutablePointer<ThreadID>
  private var room: Int
  private var head = 0
  private var count = 0

  /// Creates an empty queue with room for so many threads, a power of two.
  init(room: Int) {
    precondition(room > 0 && room & (room - 1) == 0, "a ring's room is a power of two")
    self.room = room
    ring = LargeBuffer.allocate(ThreadID.self, capacity: room)
  }

  deinit { LargeBuffer.deallocate(ring, capacity: room) }

  /// Adds a thread at the end.
  @inline(__always)
  mutating func append(_ thread: ThreadID) {
    assert(!thread.isNone, "thread \(thread.index) becomes ready")
    if count == room { grow() }
    ring[(head &+ count) & (room &- 1)] = thread
    count &+= 1
  }

  /// Takes the thread that came first; nil when there is none.
  @inline(__always)
  mutating func popFirst() -> ThreadID? {
    if count == 0 { return nil }
    assert(count <= room && head < room, "\(count) of \(room), from \(head)")
    let thread = ring[head]
    head = (head &+ 1) & (room &- 1)
    count &-= 1
    return thread
  }

  @inline(never)
  private mutating func grow() {
    demand(count == room, "a ring of \(room) with \(count) threads grows")
    let larger = LargeBuffer.allocate(ThreadID.self, capacity: room * 2)
    larger.update(from: ring + head, count: room - head)
    (larger + room - head).update(from: ring, count: head)
    LargeBuffer.deallocate(ring, capacity: room)
    (ring, room, head) = (larger, room * 2, 0)
  }
}
