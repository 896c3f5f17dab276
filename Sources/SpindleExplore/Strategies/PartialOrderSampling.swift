import SpindleModel
import SpindleSimulator

/// Gives each step that is next a priority, and draws it anew when a step on the same object was done.
///
/// Source: Yuan, Yang and Gu 2018, Partial Order Aware Concurrency Sampling.
final class PartialOrderSampling: StepChooser {
  @exclusivity(unchecked) private var numbers: KeyedNumbers
  /// By the number of the actor; 0 for none.
  @exclusivity(unchecked) private var priorities = NumberedTable<UInt64>(zero: 0)

  init(_ numbers: KeyedNumbers) { self.numbers = numbers }

  func choose(among held: [HeldStep]) -> Int {
    var (best, highest): (Int, UInt64) = (0, 0)
    for place in held.indices {
      var mine = priorities[held[place].key.actor]
      if mine == 0 {
        mine = numbers.next() | 1
        priorities[held[place].key.actor] = mine
      }
      if mine > highest { (best, highest) = (place, mine) }
    }
    let chosen = held[best]
    priorities[chosen.key.actor] = 0
    for other in held where other.thread != chosen.thread && other.key.object == chosen.key.object {
      if other.mode.conflicts(with: chosen.mode) { priorities[other.key.actor] = 0 }
    }
    return best
  }
}
