import Testing

@testable import SpindleSimulator

/// The list and the heap of items do what an array does, when there are few, many, and in between.
@Suite struct ItemListTests {
  /// A small repeatable generator, apart from the simulator's own.
  private struct Generator {
    var state: UInt64

    mutating func draw(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
  }

  @Test("a list keeps the order of adding", arguments: [4, 9, 12, 60])
  func listAgreesWithAnArray(items: Int) {
    var (list, model) = (ItemList<Int32>(), [Int32]())
    var generator = Generator(state: UInt64(items))
    for step in 0..<20_000 {
      // It grows for a while, and then shrinks.
      let grows = generator.draw(10) < (step / 200 % 2 == 0 ? 7 : 3)
      let item = Int32(generator.draw(items))
      if grows {
        #expect(list.append(item) == !model.contains(item))
        if !model.contains(item) { model.append(item) }
      } else {
        #expect(list.remove(item) == model.contains(item))
        model.removeAll { $0 == item }
      }
      if step % 1_000 == 999 {
        list.sort { Int64($0 % 3) }
        model = (0..<3).flatMap { part in model.filter { $0 % 3 == part } }
      }
      #expect(list.count == model.count && list.isEmpty == model.isEmpty)
      #expect(list.contains(item) == model.contains(item))
      if step % 7 == 0 || model.count < 12 { #expect(Array(list) == model, "step \(step)") }
    }
  }

  @Test("a heap gives its items by their keys", arguments: [4, 9, 12, 60])
  func heapAgreesWithAnArray(items: Int) {
    var (heap, model) = (ItemHeap(), [ItemHeap.Entry]())
    var generator = Generator(state: UInt64(items))
    for step in 0..<20_000 {
      let item = Int32(generator.draw(items))
      let known = model.firstIndex { $0.item == item }
      #expect(heap.contains(item) == (known != nil))
      #expect(heap.entry(of: item)?.second == known.map { model[$0].second })
      if generator.draw(10) < (step / 200 % 2 == 0 ? 3 : 7), let known {
        #expect(heap.remove(item)?.second == model[known].second)
        model.remove(at: known)
      } else if known == nil {
        let entry = ItemHeap.Entry(
          first: Int64(generator.draw(20)), second: Int64(step), item: item)
        heap.insert(entry)
        model.append(entry)
      }
      if step % 1_000 == 999 {
        heap.rekey { $0.first % 7 }
        for index in model.indices { model[index].first %= 7 }
      }
      model.sort { ($0.first, $0.second) < ($1.first, $1.second) }
      #expect(heap.count == model.count && heap.first?.item == model.first?.item)
      if step % 7 == 0 || model.count < 12 {
        #expect(heap.all.map(\.item) == model.map(\.item), "step \(step)")
        let due = model.filter { $0.first <= 9 }.map(\.item)
        var found: [Int32] = []
        heap.forEach(upTo: 9) { found.append($0) }
        #expect(found == due, "step \(step)")
      }
    }
  }

  @Test func shortcutsPassWhatIsPassed() {
    var (shortcuts, passed) = (Shortcuts(), Set<Int32>())
    var generator = Generator(state: 5)
    for _ in 0..<2_000 {
      passed.insert(Int32(generator.draw(1_000)))
      let start = Int32(generator.draw(1_000))
      var expected = start
      while expected >= 0 && passed.contains(expected) { expected -= 1 }
      let found = shortcuts.next(
        from: .init(start), { passed.contains($0.raw) }, { .init($0.raw - 1) })
      #expect(found.raw == expected)
    }
  }
}
