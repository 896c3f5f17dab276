import SpindleModel
import Testing

@testable import SpindleLanguage

/// Where the instructions of nested blocks come to stand.
@Suite struct CodeStackTests {
  /// The blocks that are made, as lists: what the stack must have is what they have.
  private struct Lists {
    var complete: [Int64] = []
    var open: [[Int64]] = []

    mutating func endInnermost() { complete += open.removeLast() }
  }

  @Test("nested blocks end inside out, the outermost last", arguments: 1...40)
  func nesting(seed: UInt64) {
    var random = Random(seed: seed)
    let stack = CodeStack(expecting: random.below(300))
    var (lists, buffers): (Lists, [CodeBuffer]) = (Lists(), [])
    var number: Int64 = 0
    for _ in 0..<2_000 {
      switch random.below(8) {
      case 0 where buffers.count < 6:
        buffers.append(CodeBuffer(on: stack))
        lists.open.append([])
      case 1 where !buffers.isEmpty:
        buffers.removeLast().complete(nil)
        lists.endInnermost()
      case 2 where !buffers.isEmpty && random.below(4) == 0:
        buffers.removeLast().removeAll()
        lists.open.removeLast()
      case 3:
        guard let buffer = buffers.last else { continue }
        number += 1
        buffer.insert(.constant(number, to: Register(0)), SourceRange(0, Int(number)))
        lists.complete.append(number)
      default:
        guard let buffer = buffers.last else { continue }
        for _ in 0...random.below(40) {
          number += 1
          buffer.append(.constant(number, to: Register(0)), SourceRange(0, Int(number)))
          lists.open[lists.open.count - 1].append(number)
        }
        #expect(buffer.lastPlace == SourceRange(0, Int(number)))
        #expect(buffer.count == lists.open.last?.count)
      }
      #expect(CodeBuffer(on: stack).position == lists.complete.count)
    }
    while let buffer = buffers.popLast() {
      buffer.complete(nil)
      lists.endInnermost()
    }
    expect(stack, has: lists.complete)
  }

  @Test(
    "a long outermost block stays, and what follows stands behind it", arguments: [10, 200_000])
  func longBlocks(expected: Int) {
    let stack = CodeStack(expecting: expected)
    var numbers: [Int64] = []
    for length in [3, 70_000, 5, 150_000, 80_000, 2] {
      let outer = CodeBuffer(on: stack)
      var outerNumbers: [Int64] = []
      for index in 0..<Int64(length) {
        outer.append(.constant(index, to: Register(0)), SourceRange(0, Int(index)))
        outerNumbers.append(index)
        if index % 10 == 0 {
          let inner = CodeBuffer(on: stack)
          inner.append(.constant(-index - 1, to: Register(0)), SourceRange(0, Int(-index - 1)))
          inner.complete(nil)
          numbers.append(-index - 1)
        }
      }
      outer.complete(nil)
      numbers += outerNumbers
    }
    expect(stack, has: numbers)
    #expect(CodeBuffer(on: stack).position == 0, "it has handed all over")
  }

  private func expect(_ stack: CodeStack, has numbers: [Int64]) {
    let code = stack.take()
    #expect(code.instructions.elementsEqual(numbers.map { .constant($0, to: Register(0)) }))
    #expect(code.places.elementsEqual(numbers.map { SourceRange(0, Int($0)) }))
  }

  @Test func tablesAreValues() {
    let one: CodeTable = [1, 2, 3]
    var other = one
    other[1] = 5
    #expect(one == [1, 2, 3] && other == [1, 5, 3] && one != other)
    other.withUnsafeMutableBufferPointer { $0[0] = 7 }
    #expect(Array(other) == [7, 5, 3])
    #expect(CodeTable<Int>([]).isEmpty)
  }
}
