import SpindleModel
import SpindleSimulator

/// Holds the normal run's steps one after another, then two at once and so on: bounded delays and bounded preemptions.
struct HoldSearch {
  private let lines: [Schedule.Line]
  private let most: Int
  private var chosen: [Int]
  private var isOver: Bool

  /// Each step is late by a length.
  init(delaysOf normal: Trial, by delay: Nanoseconds, most: Int) {
    self.init(normal.steps.map { .late(normal.words(of: $0), by: delay) }, most: most)
  }

  /// Each step waits for the last step of each other thread.
  init(preemptionsOf normal: Trial, most: Int) {
    var last: [Int32: Int] = [:]
    var order: [Int32] = []
    for (index, step) in normal.steps.enumerated()
    where last.updateValue(index, forKey: step.key.actor) == nil {
      order.append(step.key.actor)
    }
    var lines: [Schedule.Line] = []
    for (index, step) in normal.steps.enumerated() {
      for actor in order where actor != step.key.actor {
        guard let end = last[actor], end > index else { continue }
        let (first, held) = (normal.words(of: normal.steps[end]), normal.words(of: step))
        if first.actor != held.actor { lines.append(.order(first, before: held)) }
      }
    }
    self.init(lines, most: most)
  }

  private init(_ lines: [Schedule.Line], most: Int) {
    (self.lines, self.most) = (lines, most)
    chosen = lines.isEmpty ? [] : [0]
    isOver = lines.isEmpty || most < 1
  }

  var isExhausted: Bool { isOver }

  /// How many holds the next schedule has.
  var level: Int { chosen.count }

  /// The next schedule: all with one hold, then all with two, in the order of the run.
  mutating func next() -> Schedule? {
    if isOver { return nil }
    let schedule = Schedule(chosen.map { lines[$0] })
    advance()
    return schedule
  }

  private mutating func advance() {
    var place = chosen.count - 1
    while place >= 0 {
      chosen[place] += 1
      if chosen[place] <= lines.count - (chosen.count - place) {
        for later in chosen.indices where later > place { chosen[later] = chosen[later - 1] + 1 }
        return
      }
      place -= 1
    }
    if chosen.count == most || chosen.count == lines.count {
      isOver = true
    } else {
      chosen = Array(0...chosen.count)
    }
  }
}
