import SpindleModel

/// The tickets of ready threads in one line, by the threads' numbers, to find whose the n-th is.
///
/// A tree of partial sums (Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994): each
/// change and each search costs O(log n) for n threads.
struct TicketLine {
  /// How many tickets each thread has in the line; 0 when it is not in it.
  private var tickets: ContiguousArray<Int64> = []
  /// Sums of stretches of the line; the first is not used.
  private var sums: ContiguousArray<Int64> = [0]
  /// How many tickets there are.
  private(set) var total: Int64 = 0
  /// How many threads have some.
  private(set) var count = 0

  /// Whether a thread has tickets.
  func contains(_ thread: ThreadID) -> Bool {
    Int(thread.index) < tickets.count && tickets[Int(thread.index)] > 0
  }

  /// Gives a thread its tickets, one at least.
  mutating func insert(_ thread: ThreadID, tickets count: Int64) {
    demand(thread.index >= 0 && count > 0, "thread \(thread.index) gets \(count) tickets")
    if Int(thread.index) >= tickets.count { grow(to: Int(thread.index)) }
    demand(tickets[Int(thread.index)] == 0, "thread \(thread.index) was enqueued twice")
    add(count, to: Int(thread.index))
    self.count += 1
  }

  /// Takes a thread's tickets; whether it had some.
  @discardableResult
  mutating func remove(_ thread: ThreadID) -> Bool {
    guard contains(thread) else { return false }
    add(-tickets[Int(thread.index)], to: Int(thread.index))
    count -= 1
    return true
  }

  /// The thread that has the ticket of a number, from 0.
  func owner(of ticket: Int64) -> ThreadID {
    demand(ticket >= 0 && ticket < total, "ticket \(ticket) of \(total) is drawn")
    var (position, rest) = (0, ticket)
    var step = (sums.count - 1).nextPowerOfTwoDown
    while step > 0 {
      if position + step < sums.count && sums[position + step] <= rest {
        position += step
        rest -= sums[position]
      }
      step /= 2
    }
    return ThreadID(position)
  }

  private mutating func add(_ count: Int64, to index: Int) {
    tickets[index] += count
    total += count
    var position = index + 1
    while position < sums.count {
      sums[position] += count
      position += position & -position
    }
  }

  private mutating func grow(to index: Int) {
    var room = max(64, tickets.count)
    while room <= index { room *= 2 }
    tickets.append(contentsOf: repeatElement(0, count: room - tickets.count))
    sums = ContiguousArray(repeating: 0, count: room + 1)
    for (index, count) in tickets.enumerated() {
      sums[index + 1] += count
      let above = (index + 1) + ((index + 1) & -(index + 1))
      if above < sums.count { sums[above] += sums[index + 1] }
    }
  }
}

extension Int {
  /// The greatest power of two that is not above it; 0 for 0.
  fileprivate var nextPowerOfTwoDown: Int {
    self <= 0 ? 0 : 1 << (Int.bitWidth - 1 - leadingZeroBitCount)
  }
}
