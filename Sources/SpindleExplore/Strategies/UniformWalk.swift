import SpindleSimulator

/// Chooses a thread as often as it has steps left, by the counts of the normal run: then all orders of steps are about as
/// likely.
///
/// Source: Zhao, Wolff, Mathur and Roychoudhury 2025, Selectively Uniform Concurrency Testing.
final class UniformWalk: StepChooser {
  @exclusivity(unchecked) private var numbers: KeyedNumbers
  /// By the number of the actor.
  @exclusivity(unchecked) private var left: NumberedTable<Int>

  init(_ numbers: KeyedNumbers, _ profile: StepProfile) {
    self.numbers = numbers
    left = NumberedTable(profile.countsOfActors, zero: 0)
  }

  func choose(among held: [HeldStep]) -> Int {
    let place = numbers.place(of: held.count) { max(1, left[held[$0].key.actor]) }
    left[held[place].key.actor] -= 1
    return place
  }
}
