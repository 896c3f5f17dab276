import SpindleModel
import Testing

@testable import SpindleSimulator

/// The queue behaves like an array that is taken from the front, also while it grows.
@Suite struct ReadyQueueTests {
  @Test func agreesWithAnArray() {
    var queue = ReadyQueue(room: 1)
    var (model, next, state): ([Int32], Int32, UInt64) = ([], 0, 7)
    for step in 0..<40_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      // It grows in the first half and is emptied in the second.
      if state >> 60 < (step < 20_000 ? 10 : 6) {
        queue.append(ThreadID(next))
        model.append(next)
        next += 1
      } else {
        #expect(queue.popFirst()?.index == (model.isEmpty ? nil : model.removeFirst()))
      }
    }
    while !model.isEmpty { #expect(queue.popFirst()?.index == model.removeFirst()) }
    #expect(queue.popFirst() == nil)
  }
}
