import SpindleSimulator

/// Makes all orders of the steps on one object about as likely, and draws the rest.
///
/// The thread for the next step on the object is drawn by how many such steps each thread has left; other threads in front
/// of such a step wait. Source: Zhao, Wolff, Mathur and Roychoudhury 2025, Selectively Uniform Concurrency Testing.
final class SelectiveWalk: StepChooser {
  private var numbers: KeyedNumbers
  private var object: Int32 = -1
  private var left: [Int32: Int] = [:]
  private var actors: [Int32] = []
  private var next: Int32 = -1

  init(_ numbers: KeyedNumbers, _ profile: StepProfile, _ driver: ScheduleDriver) {
    self.numbers = numbers
    if profile.counts.isEmpty { return }
    // An object is drawn as often as it has steps.
    let place = self.numbers.place(profile.counts.map(\.count))
    let chosen = profile.counts[place].object
    object = driver.names.number(chosen)
    for entry in profile.counts where entry.object == chosen {
      let actor = driver.names.number(entry.actor)
      if left.updateValue(left[actor, default: 0] + entry.count, forKey: actor) == nil {
        actors.append(actor)
      }
    }
    draw()
  }

  private func draw() {
    next = actors.isEmpty ? -1 : actors[numbers.place(actors.map { max(0, left[$0, default: 0]) })]
  }

  func choose(among held: [HeldStep]) -> Int {
    let free = held.indices.filter { held[$0].key.object != object || held[$0].key.actor == next }
    let place = free.isEmpty ? numbers.below(held.count) : free[numbers.below(free.count)]
    if held[place].key.object == object {
      left[held[place].key.actor, default: 0] -= 1
      draw()
    }
    return place
  }
}
