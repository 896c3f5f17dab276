import Testing

@testable import SpindleSimulator

/// A slot table gives the last index that was given back, and keeps what is in use.
@Suite struct SlotTableTests {
  /// What it should do, with arrays.
  struct Model {
    var records: [Int64?] = []
    var free: [Int] = []

    mutating func insert(_ record: Int64) -> Int {
      if let index = free.popLast() {
        records[index] = record
        return index
      }
      records.append(record)
      return records.count - 1
    }

    mutating func remove(_ index: Int) {
      records[index] = nil
      free.append(index)
    }
  }

  private static func compare(_ table: borrowing SlotTable<Int64>, _ model: Model) {
    #expect(table.count == model.records.count)
    #expect(table.usedCount == model.records.count - model.free.count)
    for (index, record) in model.records.enumerated() {
      if table.contains(Int32(index)) != (record != nil) { Issue.record("slot \(index)") }
      if let record, table[Int32(index)] != record { Issue.record("slot \(index): \(record)") }
    }
    #expect(!table.contains(-1) && !table.contains(Int32(model.records.count)))
  }

  /// Every sequence of eight operations: one more, the first, the middle or the last given back.
  @Test func everyOrderOfOperations() {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    for code in 0..<65_536 {
      var table = SlotTable<Int64>(.items, storage)
      var (model, rest) = (Model(), code)
      for step in 0..<8 {
        let used = model.records.indices.filter { model.records[$0] != nil }
        let choice = used.isEmpty ? 0 : rest & 3
        rest >>= 2
        if choice == 0 {
          let index = table.insert(Int64(step))
          if Int(index) != model.insert(Int64(step)) { Issue.record("\(code): slot \(index)") }
        } else {
          let index = [used[0], used[used.count / 2], used[used.count - 1]][choice - 1]
          table.remove(Int32(index))
          model.remove(index)
        }
      }
      Self.compare(table, model)
    }
  }

  /// Many, so that the table, the free ones and the bits of those in use grow.
  @Test(arguments: 0..<8) func manyAtRandom(seed: UInt64) {
    let storage = Storage(limit: Int.max)
    defer { storage.deallocate() }
    var table = SlotTable<Int64>(.items, storage)
    var model = Model()
    var used: [Int] = []
    for step in 0..<6_000 {
      let number = RandomStreams.mix(seed << 32 | UInt64(step))
      if used.isEmpty || number & 7 < (step < 4_000 ? 5 : 2) {
        let index = number & 8 == 0 ? table.insert(Int64(step)) : table.insertAny()
        table.unchecked(index).pointee = Int64(step)
        table[index] += 1
        #expect(Int(index) == model.insert(Int64(step + 1)))
        used.append(Int(index))
      } else {
        let place = Int(number >> 8) % used.count
        table.remove(Int32(used[place]))
        model.remove(used.remove(at: place))
      }
    }
    Self.compare(table, model)
  }

  private static func misuse(_ body: (inout SlotTable<Int64>) -> Void) {
    let storage = Storage(limit: Int.max)
    var table = SlotTable<Int64>(.items, storage)
    for record in 0..<Int64(3) { _ = table.insert(record) }
    table.remove(1)
    body(&table)
  }

  @Test func misuseIsNoticed() async {
    Self.misuse { $0.remove(2) }
    await #expect(processExitsWith: .failure) { Self.misuse { $0.remove(1) } }
    await #expect(processExitsWith: .failure) { Self.misuse { $0.remove(3) } }
    await #expect(processExitsWith: .failure) { Self.misuse { $0.remove(-1) } }
    await #expect(processExitsWith: .failure) { Self.misuse { _ = $0[3] } }
    await #expect(processExitsWith: .failure) { Self.misuse { _ = $0.at(-1).pointee } }
  }
}
