/// Items in the order in which they were added, each at most once.
///
/// Adding, taking out and asking are amortised O(1): where there are more than a few, a table says where
/// each one stands, and one that is taken out leaves a gap until there are many.
struct ItemList<Item: Hashable>: Sequence {
  /// Up to how many there are no gaps, and no table.
  private static var few: Int { 8 }

  private var slots: [Item?] = []
  private var places: [Item: Int] = [:]
  /// How many there are.
  private(set) var count = 0

  /// Whether there is none.
  var isEmpty: Bool { count == 0 }

  /// Whether an item is there.
  func contains(_ item: Item) -> Bool { place(of: item) != nil }

  private func place(of item: Item) -> Int? {
    slots.count <= Self.few ? slots.firstIndex(of: item) : places[item]
  }

  /// Adds an item at the end, unless it is there; whether it did.
  @discardableResult
  mutating func append(_ item: Item) -> Bool {
    if contains(item) { return false }
    slots.append(item)
    count += 1
    if slots.count == Self.few + 1 {
      noteAll()
    } else if slots.count > Self.few {
      places[item] = slots.count - 1
    }
    return true
  }

  /// Takes an item out; whether it was there.
  @discardableResult
  mutating func remove(_ item: Item) -> Bool {
    guard let place = place(of: item) else { return false }
    demand(count > 0 && slots[place] == item, "an item is not at place \(place), where it stands")
    count -= 1
    if slots.count <= Self.few {
      slots.remove(at: place)
      return true
    }
    slots[place] = nil
    places[item] = nil
    if count * 2 < slots.count { close() }
    return true
  }

  /// Puts the items into the order of a key; equals keep theirs.
  mutating func sort(by key: (Item) -> Int64) {
    let items = slots.compactMap { $0 }
    let order = items.indices.sorted {
      let (left, right) = (key(items[$0]), key(items[$1]))
      return left == right ? $0 < $1 : left < right
    }
    slots = order.map { items[$0] }
    noteAll()
  }

  /// Closes the gaps.
  private mutating func close() {
    slots = slots.filter { $0 != nil }
    demand(slots.count == count, "\(slots.count) items are left of \(count)")
    noteAll()
  }

  private mutating func noteAll() {
    places.removeAll(keepingCapacity: true)
    if slots.count <= Self.few { return }
    for (place, item) in slots.enumerated() {
      if let item { places[item] = place }
    }
  }

  /// Goes through the items in their order.
  struct Iterator: IteratorProtocol {
    fileprivate let slots: [Item?]
    fileprivate var place = 0

    mutating func next() -> Item? {
      while place < slots.count {
        place += 1
        if let item = slots[place - 1] { return item }
      }
      return nil
    }
  }

  func makeIterator() -> Iterator { Iterator(slots: slots) }
}
