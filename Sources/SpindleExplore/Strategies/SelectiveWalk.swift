import SpindleSimulator

/// Makes all orders of the steps on one object about as likely, and draws the rest.
///
/// The thread for the next step on the object is drawn by how many such steps each thread has left; other threads in front
/// of such a step wait. Source: Zhao, Wolff, Mathur and Roychoudhury 2025, Selectively Uniform Concurrency Testing.
final class SelectiveWalk: StepChooser {
  @exclusivity(unchecked) private var numbers: KeyedNumbers
  private let object: Int32
  /// Who uses the object, and how often each still does.
  private let actors: [Int32]
  @exclusivity(unchecked) private var left: NumberedTable<Int>
  @exclusivity(unchecked) private var next: Int32 = -1

  init(_ numbers: KeyedNumbers, _ profile: StepProfile) {
    self.numbers = numbers
    left = NumberedTable(zero: 0)
    let counts = profile.counts
    if counts.isEmpty {
      (object, actors) = (-1, [])
      return
    }
    // An object is drawn as often as it has steps.
    object = counts[self.numbers.place(of: counts.count) { counts[$0].count }].object
    var actors: [Int32] = []
    for entry in counts where entry.object == object {
      actors.append(entry.actor)
      left[entry.actor] = entry.count
    }
    self.actors = actors
    draw()
  }

  private func draw() {
    if actors.isEmpty { return }
    next = actors[numbers.place(of: actors.count) { max(0, left[actors[$0]]) }]
  }

  func choose(among held: [HeldStep]) -> Int {
    let count = held.count { isFree($0) }
    var place = numbers.below(count > 0 ? count : held.count)
    if count > 0 {
      // The place of the one that was drawn among those that are free.
      var before = place
      place = 0
      while before > 0 || !isFree(held[place]) {
        if isFree(held[place]) { before -= 1 }
        place += 1
      }
    }
    if held[place].key.object == object {
      left[held[place].key.actor] -= 1
      draw()
    }
    return place
  }

  /// Whether a thread does not have to wait for the one whose turn it is.
  private func isFree(_ step: HeldStep) -> Bool {
    step.key.object != object || step.key.actor == next
  }
}
