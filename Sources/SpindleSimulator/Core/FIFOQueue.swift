/// First in, first out, in a ring that doubles when it is full; amortised O(1).
struct FIFOQueue<Element: BitwiseCopyable & Sendable>: Sendable {
  private var ring: ContiguousArray<Element> = []
  private var head = 0
  private(set) var count = 0

  /// Whether nothing waits.
  var isEmpty: Bool { count == 0 }

  /// The element that came first.
  var first: Element? { count == 0 ? nil : ring[head] }

  /// Adds an element at the end.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == ring.count { grow(element) }
    ring[(head &+ count) & (ring.count &- 1)] = element
    count &+= 1
  }

  /// Takes the element that came first, nil when there is none.
  @inline(__always)
  mutating func popFirst() -> Element? {
    if count == 0 { return nil }
    let element = ring[head]
    head = (head &+ 1) & (ring.count &- 1)
    count &-= 1
    return element
  }

  @inline(never)
  private mutating func grow(_ filler: Element) {
    var larger = ContiguousArray(repeating: filler, count: max(16, ring.count * 2))
    for offset in 0..<count { larger[offset] = ring[(head + offset) & (ring.count - 1)] }
    (ring, head) = (larger, 0)
  }
}
