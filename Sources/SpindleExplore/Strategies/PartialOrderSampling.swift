import SpindleSimulator

/// Gives each step that is next a priority, and draws it anew when a step on the same object was done.
///
/// Source: Yuan, Yang and Gu 2018, Partial Order Aware Concurrency Sampling.
final class PartialOrderSampling: StepChooser {
  private var numbers: KeyedNumbers
  /// By the thread.
  private var priorities: [Int32: UInt64] = [:]

  init(_ numbers: KeyedNumbers) { self.numbers = numbers }

  func choose(among held: [HeldStep]) -> Int {
    var best = 0
    for place in held.indices {
      if priorities[held[place].thread] == nil { priorities[held[place].thread] = numbers.next() }
      let mine = priorities[held[place].thread, default: 0]
      if mine > priorities[held[best].thread, default: 0] { best = place }
    }
    let chosen = held[best]
    priorities[chosen.thread] = nil
    for other in held where other.thread != chosen.thread && other.key.object == chosen.key.object {
      if other.mode.conflicts(with: chosen.mode) { priorities[other.thread] = nil }
    }
    return best
  }
}
