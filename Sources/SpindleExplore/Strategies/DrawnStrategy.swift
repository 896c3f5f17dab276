import SpindleModel
import SpindleSimulator

/// A strategy that draws each run by itself, from the run's number.
package enum DrawnStrategy: Hashable, Sendable {
  /// Any thread, each as likely.
  case random
  /// By how many steps each thread has left, so that all orders are about as likely.
  case urw
  /// The same for the steps on one object, which is drawn.
  case surw
  /// Each step has a priority, drawn anew when one on its object was done.
  case pos
  /// Threads have priorities, which change at some moments: the depth is the number of these and one.
  case pct(Int)

  /// What the default strategy uses in turn.
  static let inTurn: [DrawnStrategy] = [.surw, .urw, .pos, .pct(2), .surw, .urw, .pos, .pct(3)]

  /// The name, as `--strategy` takes it.
  package var name: String {
    switch self {
    case .random: "random"
    case .urw: "urw"
    case .surw: "surw"
    case .pos: "pos"
    case .pct(let depth): "pct(\(depth))"
    }
  }

  /// Who chooses in one run.
  func chooser(_ profile: StepProfile, seed: UInt64, run: Int, _ driver: ScheduleDriver)
    -> any StepChooser
  {
    let numbers = KeyedNumbers(seed, run)
    switch self {
    case .random: return RandomWalk(numbers)
    case .urw: return UniformWalk(numbers, profile, driver)
    case .surw: return SelectiveWalk(numbers, profile, driver)
    case .pos: return PartialOrderSampling(numbers)
    case .pct(let depth): return PriorityTesting(numbers, depth: depth, steps: profile.count)
    }
  }
}

/// How many steps of which kind the normal run has, by who does them.
struct StepProfile: Sendable {
  /// By actor and object, in the order of the run.
  private(set) var counts: [(actor: Schedule.Subject, object: Schedule.Subject, count: Int)] = []
  /// How many steps there are.
  let count: Int

  init(_ trial: Trial) {
    count = trial.steps.count
    var places: [Int64: Int] = [:]
    for step in trial.steps {
      let key = Int64(step.key.actor) << 32 | Int64(step.key.object)
      if let place = places[key] {
        counts[place].count += 1
      } else {
        places[key] = counts.count
        counts.append(
          (trial.names.subject(step.key.actor), trial.names.subject(step.key.object), 1))
      }
    }
  }
}
