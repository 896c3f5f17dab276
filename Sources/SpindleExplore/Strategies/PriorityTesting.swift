import SpindleSimulator

/// Lets the thread with the highest priority go on, and lowers the priority at a few steps that are drawn.
///
/// A failure of depth d is found with at least 1 in n * k^(d-1) runs, for n threads and k steps. Source: Burckhardt, Kothari,
/// Musuvathi and Nagarakatte 2010, A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs.
final class PriorityTesting: StepChooser {
  private var numbers: KeyedNumbers
  private var priorities: [Int32: UInt64] = [:]
  private var changes: [Int]
  private var taken = 0

  init(_ numbers: KeyedNumbers, depth: Int, steps: Int) {
    self.numbers = numbers
    changes = []
    for _ in 1..<max(2, depth) where depth > 1 {
      changes.append(self.numbers.below(max(1, steps)))
    }
  }

  func choose(among held: [HeldStep]) -> Int {
    for step in held where priorities[step.key.actor] == nil {
      // Lowered ones are below all others.
      priorities[step.key.actor] = numbers.next() | 1 << 63
    }
    let best = highest(held)
    if let change = changes.firstIndex(of: taken) {
      priorities[held[best].key.actor] = UInt64(change)
    }
    taken += 1
    return highest(held)
  }

  private func highest(_ held: [HeldStep]) -> Int {
    held.indices.max {
      priorities[held[$0].key.actor, default: 0] < priorities[held[$1].key.actor, default: 0]
    } ?? 0
  }
}
