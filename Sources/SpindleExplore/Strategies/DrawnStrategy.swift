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
  func chooser(_ profile: StepProfile, seed: UInt64, run: Int) -> any StepChooser {
    let numbers = KeyedNumbers(seed, run)
    switch self {
    case .random: return RandomWalk(numbers)
    case .urw: return UniformWalk(numbers, profile)
    case .surw: return SelectiveWalk(numbers, profile)
    case .pos: return PartialOrderSampling(numbers)
    case .pct(let depth): return PriorityTesting(numbers, depth: depth, steps: profile.count)
    }
  }
}

/// How many steps of which kind the normal run has, by who does them: by the numbers of its names, which all runs have.
struct StepProfile: Sendable {
  /// By actor and object, in the order of the run.
  private(set) var counts: [(actor: Int32, object: Int32, count: Int)] = []
  /// How many steps each actor does.
  private(set) var countsOfActors: [Int]
  /// How many steps there are.
  let count: Int

  init(_ trial: Trial) {
    count = trial.steps.count
    countsOfActors = Array(repeating: 0, count: trial.names.count)
    var places: [Int64: Int] = [:]
    for step in trial.steps {
      countsOfActors[Int(step.key.actor)] += 1
      let key = Int64(step.key.actor) << 32 | Int64(step.key.object)
      if let place = places[key] {
        counts[place].count += 1
      } else {
        places[key] = counts.count
        counts.append((step.key.actor, step.key.object, 1))
      }
    }
  }
}

/// A number for each actor or thread of a run, 0 for those that were not met.
struct NumberedTable<Element> {
  private var elements: [Element]
  private let zero: Element

  init(_ elements: [Element] = [], zero: Element) { (self.elements, self.zero) = (elements, zero) }

  subscript(number: Int32) -> Element {
    get { Int(number) < elements.count ? elements[Int(number)] : zero }
    set {
      let missing = Int(number) + 1 - elements.count
      if missing > 0 { elements.append(contentsOf: repeatElement(zero, count: missing)) }
      elements[Int(number)] = newValue
    }
  }
}
