import SpindleModel

/// A line of ready threads for each core, which can be changed at both of its ends; every operation is O(1).
struct CoreDeques {
  /// An end of a line.
  enum End { case top, bottom }

  private struct Link {
    /// The neighbours towards the top and the bottom; -1 for none.
    var above: Int32 = -1
    var below: Int32 = -1
    var isIn = false
  }

  private var links: ContiguousArray<Link> = []
  private var tops: ContiguousArray<Int32>
  private var bottoms: ContiguousArray<Int32>
  /// How many threads are ready.
  private(set) var count = 0

  /// Empty lines for so many cores.
  init(cores: Int) {
    tops = ContiguousArray(repeating: -1, count: cores)
    bottoms = ContiguousArray(repeating: -1, count: cores)
  }

  /// How many lines there are.
  var cores: Int { tops.count }

  /// Whether a thread is in a line.
  func contains(_ thread: ThreadID) -> Bool {
    Int(thread.index) < links.count && links[Int(thread.index)].isIn
  }

  /// Adds a thread at an end of a core's line.
  mutating func push(_ thread: ThreadID, at end: End, of core: Int) {
    let index = thread.index
    demand(index >= 0 && core < cores, "thread \(index) is enqueued at core \(core) of \(cores)")
    while links.count <= Int(index) { links.append(Link()) }
    demand(!links[Int(index)].isIn, "thread \(index) was enqueued twice")
    let (top, bottom) = (tops[core], bottoms[core])
    switch end {
    case .top:
      links[Int(index)] = Link(above: -1, below: top, isIn: true)
      if top >= 0 { links[Int(top)].above = index } else { bottoms[core] = index }
      tops[core] = index
    case .bottom:
      links[Int(index)] = Link(above: bottom, below: -1, isIn: true)
      if bottom >= 0 { links[Int(bottom)].below = index } else { tops[core] = index }
      bottoms[core] = index
    }
    count += 1
  }

  /// Takes the thread at an end of a core's line; nil when it is empty.
  mutating func pop(_ end: End, of core: Int) -> ThreadID? {
    demand(core < cores, "a thread of core \(core) of \(cores) is wanted")
    let index = end == .top ? tops[core] : bottoms[core]
    if index < 0 { return nil }
    let link = links[Int(index)]
    demand(
      link.isIn && count > 0, "thread \(index) is at an end of core \(core)'s line, and not in it")
    if link.above >= 0 {
      links[Int(link.above)].below = link.below
    } else {
      tops[core] = link.below
    }
    if link.below >= 0 {
      links[Int(link.below)].above = link.above
    } else {
      bottoms[core] = link.above
    }
    links[Int(index)] = Link()
    count -= 1
    return ThreadID(Int(index))
  }
}
