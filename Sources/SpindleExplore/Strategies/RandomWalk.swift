import SpindleSimulator

/// Chooses each thread as often as any other.
final class RandomWalk: StepChooser {
  @exclusivity(unchecked) private var numbers: KeyedNumbers

  init(_ numbers: KeyedNumbers) { self.numbers = numbers }

  func choose(among held: [HeldStep]) -> Int { numbers.below(held.count) }
}
