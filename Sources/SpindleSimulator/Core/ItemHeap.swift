/// Numbered items by a key of two parts, the least first; each at most once.
///
/// Looking at the first is O(1), adding and taking out any of them is logarithmic. A few stand in order;
/// more are a binary heap, with a table that says where each one stands.
struct ItemHeap {
  /// An item with its key; of two with the same first part the second decides, which no two share.
  struct Entry {
    var first: Int64
    var second: Int64
    var item: Int32

    fileprivate func isBefore(_ other: Entry) -> Bool {
      first != other.first ? first < other.first : second < other.second
    }
  }

  /// Up to how many stand in order, without a table.
  private static let few = 8

  private var heap: [Entry] = []
  private var places: [Int32: Int] = [:]

  /// How many there are.
  var count: Int { heap.count }
  /// Whether there is none.
  var isEmpty: Bool { heap.isEmpty }
  /// The item with the least key; nil when there is none.
  var first: Entry? { heap.first }

  /// An item with its key; nil when it is not there.
  func entry(of item: Int32) -> Entry? { place(of: item).map { heap[$0] } }

  /// Whether an item is there.
  func contains(_ item: Int32) -> Bool { place(of: item) != nil }

  private func place(of item: Int32) -> Int? {
    if heap.count > Self.few { return places[item] }
    for index in heap.indices where heap[index].item == item { return index }
    return nil
  }

  /// Adds an item that is not there.
  mutating func insert(_ entry: Entry) {
    assert(!contains(entry.item), "item \(entry.item) is in the heap already")
    if heap.count < Self.few {
      var place = heap.count
      while place > 0 && entry.isBefore(heap[place - 1]) { place -= 1 }
      if place == heap.count { heap.append(entry) } else { heap.insert(entry, at: place) }
      return
    }
    heap.append(entry)
    if heap.count == Self.few + 1 { noteAll() }
    rise(heap.count - 1)
  }

  /// Takes an item out; nil when it was not there.
  @discardableResult
  mutating func remove(_ item: Int32) -> Entry? {
    guard let place = place(of: item) else { return nil }
    demand(
      heap[place].item == item, "item \(item) stands at \(place), where \(heap[place].item) is")
    if heap.count <= Self.few { return heap.remove(at: place) }
    let entry = heap[place]
    places[item] = nil
    let last = heap.removeLast()
    if place < heap.count {
      put(last, place)
      rise(place)
      sink(places[last.item] ?? place)
    }
    if heap.count == Self.few {
      heap.sort { $0.isBefore($1) }
      places.removeAll(keepingCapacity: true)
    }
    return entry
  }

  /// All entries, in order.
  var all: [Entry] { heap.sorted { $0.isBefore($1) } }

  /// Hands over the items whose keys' first parts are at most `limit`, in order; O(n log n) in how many
  /// they are.
  @inline(__always)
  func forEach(upTo limit: Int64, _ body: (Int32) -> Void) {
    if heap.count > Self.few {
      for entry in entries(upTo: limit) { body(entry.item) }
      return
    }
    for entry in heap {
      if entry.first > limit { return }
      body(entry.item)
    }
  }

  /// The same of more than a few.
  private func entries(upTo limit: Int64) -> [Entry] {
    var found: [Entry] = []
    var open = [0]
    while let place = open.popLast() {
      if place >= heap.count || heap[place].first > limit { continue }
      found.append(heap[place])
      open.append(2 * place + 1)
      open.append(2 * place + 2)
    }
    found.sort { $0.isBefore($1) }
    return found
  }

  /// Gives each item a new first part of its key.
  mutating func rekey(_ key: (Entry) -> Int64) {
    for place in heap.indices { heap[place].first = key(heap[place]) }
    // What is in order is a heap.
    heap.sort { $0.isBefore($1) }
    if heap.count > Self.few { noteAll() }
  }

  private mutating func noteAll() {
    demand(heap.count > Self.few, "a table of \(heap.count) places, which are few")
    for place in heap.indices { places[heap[place].item] = place }
  }

  private mutating func put(_ entry: Entry, _ place: Int) {
    heap[place] = entry
    places[entry.item] = place
  }

  /// Moves an entry toward the first as far as it belongs.
  private mutating func rise(_ start: Int) {
    let entry = heap[start]
    var place = start
    while place > 0 && entry.isBefore(heap[(place - 1) / 2]) {
      put(heap[(place - 1) / 2], place)
      place = (place - 1) / 2
    }
    put(entry, place)
  }

  /// Moves an entry away from the first as far as it belongs.
  private mutating func sink(_ start: Int) {
    let entry = heap[start]
    var place = start
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count && heap[child + 1].isBefore(heap[child]) { child += 1 }
      if !heap[child].isBefore(entry) { break }
      put(heap[child], place)
      place = child
    }
    put(entry, place)
  }
}
