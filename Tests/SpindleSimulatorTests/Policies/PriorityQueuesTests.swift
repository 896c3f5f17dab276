import SpindleModel
import Testing

@testable import SpindleSimulator

/// The queues give the first of the highest priority, and take threads out of the middle.
@Suite struct PriorityQueuesTests {
  @Test func agreesWithASortedList() {
    var queues = PriorityQueues()
    var model: [(thread: Int, priority: Int)] = []
    var state: UInt64 = 3
    func draw(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % below
    }
    for _ in 0..<20_000 {
      let thread = draw(200)
      switch draw(4) {
      case 0, 1:
        if model.contains(where: { $0.thread == thread }) { break }
        let (priority, atFront) = (draw(128), draw(5) == 0)
        queues.insert(ThreadID(thread), priority: priority, atFront: atFront)
        let place =
          atFront
          ? model.firstIndex { $0.priority <= priority }
          : model.firstIndex { $0.priority < priority }
        model.insert((thread, priority), at: place ?? model.count)
      case 2:
        queues.remove(ThreadID(thread))
        model.removeAll { $0.thread == thread }
      default:
        let popped = queues.popHighest()
        #expect(popped == model.first.map { ThreadID($0.thread) })
        if !model.isEmpty { model.removeFirst() }
      }
      #expect(queues.count == model.count)
      #expect(queues.highest == model.first?.priority)
    }
    #expect(queues.all == model.map { ThreadID($0.thread) })
  }
}
