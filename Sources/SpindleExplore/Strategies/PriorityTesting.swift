import SpindleSimulator

/// Lets the thread with the highest priority go on, and lowers the priority at a few steps that are drawn.
///
/// A failure of depth d is found with at least 1 in n * k^(d-1) runs, for n threads and k steps. Source: Burckhardt, Kothari,
/// Musuvathi and Nagarakatte 2010, A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs.
final class PriorityTesting: StepChooser {
  @exclusivity(unchecked) private var numbers: KeyedNumbers
  /// By the number of the actor; 0 for those that have none yet.
  @exclusivity(unchecked) private var priorities = NumberedTable<UInt64>(zero: 0)
  @exclusivity(unchecked) private var changes: [Int]
  @exclusivity(unchecked) private var taken = 0

  init(_ numbers: KeyedNumbers, depth: Int, steps: Int) {
    self.numbers = numbers
    changes = []
    for _ in 1..<max(2, depth) where depth > 1 {
      changes.append(self.numbers.below(max(1, steps)))
    }
  }

  func choose(among held: [HeldStep]) -> Int {
    for step in held where priorities[step.key.actor] == 0 {
      // Those that are lowered are below all others.
      priorities[step.key.actor] = numbers.next() | 1 << 63
    }
    defer { taken += 1 }
    let best = highest(held)
    guard let change = changes.firstIndex(of: taken) else { return best }
    priorities[held[best].key.actor] = UInt64(change) + 1
    return highest(held)
  }

  private func highest(_ held: [HeldStep]) -> Int {
    var (best, highest): (Int, UInt64) = (0, 0)
    for place in held.indices where priorities[held[place].key.actor] > highest {
      (best, highest) = (place, priorities[held[place].key.actor])
    }
    return best
  }
}
