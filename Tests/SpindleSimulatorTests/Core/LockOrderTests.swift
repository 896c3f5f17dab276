import SpindleModel
import Testing

@testable import SpindleSimulator

/// The circles of locks are those of a model that keeps every step as sets, and tries every way through them.
@Suite struct LockOrderTests {
  /// A step as the model has it.
  private struct Step: Equatable {
    let number: Int
    let thread: Int
    let from: (lock: Int, isShared: Bool)
    let taken: (lock: Int, isShared: Bool)
    let held: [(lock: Int, isShared: Bool)]
    /// The steps that come before.
    let past: Set<Int>

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    func canMeet(_ other: Step) -> Bool {
      if past.contains(other.number) || other.past.contains(number) || thread == other.thread {
        return false
      }
      for mine in held {
        for its in other.held where mine.lock == its.lock && !(mine.isShared && its.isShared) {
          return false
        }
      }
      return true
    }

    func leads(to other: Step) -> Bool {
      taken.lock == other.from.lock && !(taken.isShared && other.from.isShared)
    }
  }

  /// All that threads do, without clocks.
  private struct Model {
    var steps: [Step] = []
    /// By thread: what it has, and the numbers of the steps that come before what it does next.
    var held: [[(lock: Int, isShared: Bool)]]
    var past: [Set<Int>]
    var left: [Int: Set<Int>] = [:]

    /// Takes a lock; whether a circle through one of the new steps can close.
    mutating func take(_ lock: Int, isShared: Bool, by thread: Int, isTry: Bool) -> Bool {
      let others = held[thread]
      held[thread].append((lock, isShared))
      if isTry || others.contains(where: { $0.lock == lock }) { return false }
      var found = false
      let known = past[thread]
      for other in others {
        let step = Step(
          number: steps.count, thread: thread, from: other, taken: (lock, isShared), held: others,
          past: known)
        // The steps of one moment are of one thread.
        if closes([step]) { found = true }
        steps.append(step)
        past[thread].insert(step.number)
      }
      return found
    }

    private func closes(_ path: [Step]) -> Bool {
      for next in steps where path[path.count - 1].leads(to: next) {
        if path.contains(where: { $0.from.lock == next.from.lock }) { continue }
        if !path.allSatisfy({ $0.canMeet(next) }) { continue }
        if next.leads(to: path[0]) || closes(path + [next]) { return true }
      }
      return false
    }
  }

  /// Random threads take locks in any order, also as readers, also by trying, and signal each other; each at a place of its
  /// own, so that nothing is told twice.
  @Test(arguments: 1...300) func agreesWithSets(seed: UInt64) {
    var draws = Draws(seed: seed)
    let (threads, locks) = (2 + draws.next(3), 2 + draws.next(4))
    let tries = Set((0..<Int32(300)).filter { _ in draws.next(6) == 0 })
    var order = LockOrder(isOn: true, sharesNumbers: draws.next(2) == 0, tries: tries)
    var model = Model(
      held: Array(repeating: [], count: threads), past: Array(repeating: [], count: threads))
    for thread in 0..<threads { order.order.begin(ThreadID(thread), servesAll: true, by: .none) }
    for step in 0..<40 {
      let thread = draws.next(threads)
      switch draws.next(8) {
      case 0:
        let object = draws.next(2)
        order.order.release(.init(kind: .semaphore, number: Int32(object)), by: ThreadID(thread))
        model.left[object, default: []].formUnion(model.past[thread])
      case 1:
        let object = draws.next(2)
        order.order.acquire(.init(kind: .semaphore, number: Int32(object)), by: ThreadID(thread))
        model.past[thread].formUnion(model.left[object] ?? [])
      case 2...4 where !model.held[thread].isEmpty:
        let index = draws.next(model.held[thread].count)
        let lock = model.held[thread][index].lock
        // The last time that it took it.
        let last = model.held[thread].lastIndex { $0.lock == lock } ?? index
        model.held[thread].remove(at: last)
        order.give(.init(kind: .lock, number: Int32(lock)), by: ThreadID(thread))
      default:
        let (lock, isShared) = (draws.next(locks), draws.next(4) == 0)
        // One that it has it takes again as it has it: nobody is a reader and a writer at once.
        if model.held[thread].contains(where: { $0.lock == lock && $0.isShared != isShared }) {
          continue
        }
        let isExpected = model.take(
          lock, isShared: isShared, by: thread, isTry: tries.contains(Int32(step)))
        let circle = order.take(
          .init(
            object: .init(kind: .lock, number: Int32(lock)), name: -1, isShared: isShared,
            place: Int32(step)),
          by: ThreadID(thread), 0, ThreadName())
        #expect((circle != nil) == isExpected, "step \(step)")
        if let circle { check(circle) }
      }
    }
  }

  /// Each step of a circle begins with what the one before takes, and the last one takes what the first begins with.
  private func check(_ circle: [LockOrder.Step]) {
    #expect(circle.count > 1)
    for (step, next) in zip(circle, circle.dropFirst() + circle.prefix(1)) {
      #expect(step.taken.excludes(next.from))
    }
    for (index, step) in circle.enumerated() {
      for other in circle.dropFirst(index + 1) { #expect(step.canMeet(other)) }
    }
  }

  /// A circle is told once, though its steps come again, and of two circles through one step both are.
  @Test func tellsOfACircleOnce() {
    var order = LockOrder(isOn: true, sharesNumbers: true)
    for thread in 0...1 { order.order.begin(ThreadID(thread), servesAll: true, by: .none) }
    func hold(_ lock: Int32, at place: Int32) -> LockOrder.Hold {
      .init(object: .init(kind: .lock, number: lock), name: -1, place: place)
    }
    var told = 0
    for _ in 0..<200 {
      for (thread, locks): (Int32, [Int32]) in [(0, [0, 1]), (1, [1, 0])] {
        for lock in locks {
          let circle = order.take(
            hold(lock, at: 10 * thread + lock), by: ThreadID(thread), 0, ThreadName())
          if circle != nil { told += 1 }
        }
        for lock in locks { order.give(.init(kind: .lock, number: lock), by: ThreadID(thread)) }
      }
    }
    #expect(told == 1)
  }

  /// A thread whose number had been another one's has nothing.
  @Test func aNewThreadHasNothing() {
    var order = LockOrder(isOn: true, sharesNumbers: true)
    order.order.begin(ThreadID(0), servesAll: true, by: .none)
    let hold = LockOrder.Hold(object: .init(kind: .lock, number: 0), name: -1, place: 0)
    #expect(order.have(hold, ThreadID(0), 0).isEmpty)
    #expect(order.have(hold, ThreadID(0), 0).count == 1)
    #expect(order.have(hold, ThreadID(0), 1).isEmpty)
  }
}
