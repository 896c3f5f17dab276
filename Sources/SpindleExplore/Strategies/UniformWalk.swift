import SpindleSimulator

/// Chooses a thread as often as it has steps left, by the counts of the normal run: then all orders of steps are about as
/// likely.
///
/// Source: Zhao, Wolff, Mathur and Roychoudhury 2025, Selectively Uniform Concurrency Testing.
final class UniformWalk: StepChooser {
  private var numbers: KeyedNumbers
  /// By the number of the actor.
  private var left: [Int32: Int] = [:]

  init(_ numbers: KeyedNumbers, _ profile: StepProfile, _ driver: ScheduleDriver) {
    self.numbers = numbers
    for entry in profile.counts {
      left[driver.names.number(entry.actor), default: 0] += entry.count
    }
  }

  func choose(among held: [HeldStep]) -> Int {
    let place = numbers.place(held.map { max(1, left[$0.key.actor, default: 0]) })
    left[held[place].key.actor, default: 0] -= 1
    return place
  }
}
