import Testing

@testable import SpindleSimulator

/// The ring behaves like an array that is taken from the front.
@Suite struct FIFOQueueTests {
  @Test func agreesWithAnArray() {
    var queue = FIFOQueue<Int>()
    var model: [Int] = []
    var state: UInt64 = 7
    for step in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      switch state >> 60 {
      case 0..<8:
        queue.append(step)
        model.append(step)
      default:
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.count == model.count)
      #expect(queue.first == model.first)
    }
  }
}
