import SpindleModel

/// A number of lists of threads, each thread in one of them at most; every operation is O(1).
struct ThreadLists {
  private struct Link: BitwiseCopyable {
    var next: Int32 = -1
    var previous: Int32 = -1
    var list: Int32 = -1
  }

  private var links: ContiguousArray<Link> = []
  private var heads: ContiguousArray<Int32>
  private var tails: ContiguousArray<Int32>

  /// So many empty lists.
  init(count: Int) {
    demand(count > 0, "\(count) lists of threads")
    heads = ContiguousArray(repeating: -1, count: count)
    tails = heads
  }

  /// The list that a thread is in; nil for none.
  func list(of thread: Int) -> Int? {
    thread < links.count && links[thread].list >= 0 ? Int(links[thread].list) : nil
  }

  /// The first thread of a list; nil when it is empty.
  func first(_ list: Int) -> Int? { heads[list] < 0 ? nil : Int(heads[list]) }

  /// The thread behind another one in its list; nil for the last.
  func next(_ thread: Int) -> Int? { links[thread].next < 0 ? nil : Int(links[thread].next) }

  /// Adds a thread at the end, or at the front, of a list.
  mutating func insert(_ thread: Int, _ list: Int, atFront: Bool = false) {
    while links.count <= thread { links.append(Link()) }
    demand(links[thread].list < 0, "thread \(thread) is put into a second list")
    let (head, tail) = (heads[list], tails[list])
    links[thread] = Link(
      next: atFront ? head : -1, previous: atFront ? -1 : tail, list: Int32(list))
    if atFront || head < 0 { heads[list] = Int32(thread) }
    if !atFront || head < 0 { tails[list] = Int32(thread) }
    if head < 0 { return }
    if atFront {
      links[Int(head)].previous = Int32(thread)
    } else {
      links[Int(tail)].next = Int32(thread)
    }
  }

  /// Takes a thread out of its list, which is returned; nil when it was in none.
  @discardableResult
  mutating func remove(_ thread: Int) -> Int? {
    guard let list = list(of: thread) else { return nil }
    let link = links[thread]
    if link.previous >= 0 {
      links[Int(link.previous)].next = link.next
    } else {
      heads[list] = link.next
    }
    if link.next >= 0 {
      links[Int(link.next)].previous = link.previous
    } else {
      tails[list] = link.previous
    }
    links[thread] = Link()
    return list
  }
}
