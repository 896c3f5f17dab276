import SpindleModel
import Testing

@testable import SpindleSimulator

/// The parts that textbook policies are made of, each beside a plain twin.
@Suite struct TextbookPartsTests {
  private struct Draws {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// Silberschatz, Galvin, Gagne, chapter 5: with a weight of 1/2 and a first guess of 10, bursts of 6, 4,
  /// 6, 4, 13, 13 and 13 are guessed as 10, 8, 6, 6, 5, 9 and 11, and the next one as 12.
  @Test func guessesAreThoseOfTheBook() {
    let given = Configuration(
      name: "shortestJobFirst", arguments: [.init(label: "predicted", value: 1)])
    var bursts = BurstLengths(PolicyValues(given))
    let thread = ThreadID(0)
    bursts.admit(thread)
    var guesses = [bursts.rest(of: thread)]
    for burst in [6, 4, 6, 4, 13, 13, 13] {
      bursts.ran(thread, for: .milliseconds(Int64(burst)))
      bursts.begin(thread)
      guesses.append(bursts.rest(of: thread))
    }
    #expect(guesses.map { $0 / 1_000_000 } == [10, 8, 6, 6, 5, 9, 11, 12])
    #expect(guesses.allSatisfy { $0 % 1_000_000 == 0 })
  }

  @Test(arguments: 0..<8)
  func heapIsASortedList(seed: Int) {
    var draws = Draws(state: UInt64(seed) + 1)
    var heap = ThreadHeap<Int64>()
    var list: [(key: Int64, order: Int, thread: Int)] = []
    for step in 1...400 {
      let thread = draws.below(40)
      let isIn = list.contains { $0.thread == thread }
      #expect(heap.contains(ThreadID(thread)) == isIn)
      switch draws.below(4) {
      case 0:
        let first = list.min { ($0.key, $0.order) < ($1.key, $1.order) }
        #expect(heap.leastKey == first?.key)
        let popped = heap.popFirst()
        #expect(popped == first.map { ThreadID($0.thread) })
        list.removeAll { $0.thread == first?.thread }
      case 1:
        let wasIn = heap.remove(ThreadID(thread))
        #expect(wasIn == isIn)
        list.removeAll { $0.thread == thread }
      default:
        if isIn { continue }
        let (key, atFront) = (Int64(draws.below(6)), draws.below(3) == 0)
        heap.insert(ThreadID(thread), key: key, atFront: atFront)
        list.append((key, atFront ? -step : step, thread))
      }
      #expect(heap.count == list.count)
    }
  }

  @Test(arguments: 0..<8)
  func ticketsLieInALine(seed: Int) {
    var draws = Draws(state: UInt64(seed) + 5)
    var line = TicketLine()
    var tickets: [Int: Int64] = [:]
    for _ in 0..<300 {
      let thread = draws.below(150)
      if tickets[thread] != nil {
        let wasIn = line.remove(ThreadID(thread))
        #expect(wasIn)
        tickets[thread] = nil
      } else {
        let count = Int64(1 + draws.below(50))
        line.insert(ThreadID(thread), tickets: count)
        tickets[thread] = count
      }
      #expect(line.total == tickets.values.reduce(0, +) && line.count == tickets.count)
      if tickets.isEmpty { continue }
      let drawn = Int64(draws.below(Int(line.total)))
      var rest = drawn
      var owner = -1
      for (thread, count) in tickets.sorted(by: { $0.key < $1.key }) where owner < 0 {
        if rest < count { owner = thread } else { rest -= count }
      }
      #expect(line.owner(of: drawn) == ThreadID(owner))
    }
  }

  @Test(arguments: 0..<8)
  func linesOfCoresHaveTwoEnds(seed: Int) {
    var draws = Draws(state: UInt64(seed) + 9)
    var lines = CoreDeques(cores: 3)
    var lists: [[Int]] = [[], [], []]
    for _ in 0..<400 {
      let (thread, core) = (draws.below(20), draws.below(3))
      let end: CoreDeques.End = draws.below(2) == 0 ? .top : .bottom
      if draws.below(2) == 0 {
        let expected = end == .top ? lists[core].first : lists[core].last
        let popped = lines.pop(end, of: core)
        #expect(popped == expected.map { ThreadID($0) })
        if expected != nil { lists[core].remove(at: end == .top ? 0 : lists[core].count - 1) }
      } else if !lists.joined().contains(thread) {
        lines.push(ThreadID(thread), at: end, of: core)
        lists[core].insert(thread, at: end == .top ? 0 : lists[core].count)
      }
      #expect(lines.count == lists.joined().count)
      #expect(lines.contains(ThreadID(thread)) == lists.joined().contains(thread))
    }
  }
}
