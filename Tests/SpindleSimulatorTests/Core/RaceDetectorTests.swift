import SpindleModel
import Testing

@testable import SpindleSimulator

/// The detector finds the pairs of accesses that nothing orders, whether strands share numbers or not.
@Suite struct RaceDetectorTests {
  /// What is known, as sets of accesses: no clocks and no numbers of strands.
  private struct Sets {
    /// By thread: what each of its strands comes after, the innermost last.
    var threads: [[Set<Int>]]
    var objects: [Int: Set<Int>] = [:]
    var writes: Set<Int> = []

    func top(_ thread: Int) -> Set<Int> { threads[thread].last ?? [] }

    mutating func learn(_ thread: Int, _ past: Set<Int>) {
      threads[thread][threads[thread].count - 1].formUnion(past)
    }

    /// Takes the next access, and gives those before it that it races with.
    mutating func access(_ number: Int, isWrite: Bool, by thread: Int, after all: Int) -> Set<Int> {
      let past = top(thread)
      learn(thread, [number])
      if isWrite { writes.insert(number) }
      return Set((0..<all).filter { !past.contains($0) && (isWrite || writes.contains($0)) })
    }
  }

  /// A detector whose strands share numbers, and one where each has its own.
  private struct Twins: ~Copyable {
    var sharing = RaceDetector(sharesNumbers: true)
    var counting = RaceDetector(sharesNumbers: false)

    mutating func each(_ body: (inout RaceDetector) -> Void) {
      body(&sharing)
      body(&counting)
    }
  }

  /// Random threads, items and objects of three variables; each access at a place of its own, so that none is forgotten.
  @Test(arguments: 1...150) func agreesWithSets(seed: UInt64) {
    var draws = Draws(seed: seed)
    let threads = 2 + draws.next(4)
    var detectors = Twins()
    var sets = Sets(threads: Array(repeating: [[]], count: threads))
    detectors.each { detector in
      for thread in 0..<threads {
        detector.order.begin(ThreadID(thread), servesAll: true, by: .none)
      }
    }
    var accesses: [[Int]] = [[], [], []]
    for step in 0..<400 {
      let thread = draws.next(threads)
      let number = draws.next(5)
      let object = SyncObject(kind: .queue, number: Int32(number))
      switch draws.next(12) {
      case 0, 1:
        detectors.each { $0.order.release(object, by: ThreadID(thread)) }
        sets.objects[number, default: []].formUnion(sets.top(thread))
      case 2:
        detectors.each { $0.order.release(object, by: ThreadID(thread), isAlone: true) }
        sets.objects[number] = sets.top(thread)
      case 3, 4:
        detectors.each { $0.order.acquire(object, by: ThreadID(thread)) }
        sets.learn(thread, sets.objects[number] ?? [])
      case 5:
        let other = draws.next(threads)
        if other == thread { continue }
        detectors.each { $0.order.transfer(from: ThreadID(other), to: ThreadID(thread)) }
        sets.learn(thread, sets.top(other))
      case 6, 7:
        detectors.each { $0.order.replace(on: ThreadID(thread), with: object) }
        sets.threads[thread][sets.threads[thread].count - 1] = sets.objects[number] ?? []
      case 8 where sets.threads[thread].count < 3:
        detectors.each { $0.order.push(on: ThreadID(thread), with: object) }
        sets.threads[thread].append(sets.objects[number] ?? [])
      case 9 where sets.threads[thread].count > 1:
        detectors.each { $0.order.pop(on: ThreadID(thread)) }
        sets.threads[thread].removeLast()
      default:
        let (variable, isWrite) = (draws.next(3), draws.next(3) == 0)
        let races = sets.access(step, isWrite: isWrite, by: thread, after: step)
        let expected = races.intersection(accesses[variable])
        accesses[variable].append(step)
        detectors.each { detector in
          let access = detector.access(
            isWrite ? .write : .read, by: ThreadID(thread), at: Int32(step),
            threadName: ThreadName())
          guard let access else { return }
          let found = detector.note(
            access, to: SharedVariable(owner: -1, number: Int32(variable)))
          #expect(Set(found.map { Int($0.earlier.place) }) == expected, "step \(step)")
        }
      }
    }
    let counts = (detectors.sharing.order.lastTimes.count, detectors.counting.order.lastTimes.count)
    #expect(counts.0 <= counts.1)
  }

  /// Items of a serial queue come one after another, which is known when they have begun: a thousand of them need the
  /// numbers of what is side by side, so that clocks do not get longer with each.
  @Test(arguments: [false, true]) func itemsOfASerialQueueShareANumber(isConcurrent: Bool) {
    var races = RaceDetector(sharesNumbers: true)
    for thread in 0...1 { races.order.begin(ThreadID(thread), servesAll: thread == 1, by: .none) }
    for number: Int32 in 0..<1_000 {
      let item = SyncObject(kind: .item, number: number)
      races.order.release(item, by: ThreadID(0), isAlone: true)
      races.order.replace(on: ThreadID(1), with: item)
      if !isConcurrent { races.order.acquire(.init(kind: .queue, number: 0), by: ThreadID(1)) }
      if number % 3 != 0 {
        _ = races.access(.write, by: ThreadID(1), at: number, threadName: ThreadName())
      }
      races.order.release(.init(kind: .queue, number: 0), by: ThreadID(1))
      // What comes behind the queue's order, as that it leaves a group, is no access.
      races.order.release(.init(kind: .group, number: 0), by: ThreadID(1))
    }
    // Those of a concurrent queue have no order, so that each that has an access needs a number.
    let count = races.order.lastTimes.count
    #expect(isConcurrent ? count > 600 : count <= 3)
  }

  /// The twin counts them all.
  @Test func itemsHaveNumbersOfTheirOwnWhereThatIsWanted() {
    var races = RaceDetector(sharesNumbers: false)
    races.order.begin(ThreadID(0), servesAll: true, by: .none)
    for _ in 0..<100 { races.order.replace(on: ThreadID(0), with: nil) }
    let count = races.order.lastTimes.count
    #expect(count == 101)
  }
}
