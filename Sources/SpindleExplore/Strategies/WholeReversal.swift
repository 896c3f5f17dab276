import SpindleModel
import SpindleSimulator

/// The reversal of a pair of steps of a run, with all that comes before it written out.
///
/// What was done before the first step, and what of the rest does not follow from that step, comes in the same order; then
/// comes the second step, and whatever else is on the objects of all these comes behind them.
/// Source: Abdulla, Aronis, Jonsson and Sagonas 2014, Optimal Dynamic Partial Order Reduction.
struct WholeReversal {
  /// The orders of steps, the earlier one of each first; nil where there are too many.
  private(set) var lines: [(first: RecordedStep, second: RecordedStep)]? = []
  private let steps: [RecordedStep]
  /// The steps that come first.
  private var early: [RecordedStep] = []
  /// Those on each object that nothing on it comes behind, by the number of the object.
  private var last: [Int32: [RecordedStep]] = [:]

  /// More lines than that take longer than they are worth.
  private static let mostLines = 1_000

  init(_ steps: [RecordedStep], _ pair: StepPair) {
    self.steps = steps
    let (first, second) = (Int(pair.first), Int(pair.second))
    var late = Set<Int>()
    var following = Following(steps[first])
    for index in steps.indices where index >= first {
      if index == first || index != second && (index > second || following.takes(steps[index])) {
        late.insert(index)
      }
    }
    for index in steps.indices where index <= second && !late.contains(index) {
      order(steps[index])
      place(steps[index])
    }
    // Of each thread, the first on each object: the rest comes behind that.
    var seen: Set<StepKey> = []
    for index in steps.indices where late.contains(index) {
      let step = steps[index]
      let use = StepKey(actor: step.key.actor, verb: .reads, object: step.key.object)
      if seen.insert(use).inserted { order(step) }
    }
    if (lines?.count ?? 0) > Self.mostLines { lines = nil }
  }

  /// A step comes behind those on its object that it conflicts with.
  private mutating func order(_ step: RecordedStep) {
    for other in last[step.key.object, default: []]
    where other.key.actor != step.key.actor && other.mode.conflicts(with: step.mode) {
      lines?.append((other, step))
    }
  }

  private mutating func place(_ step: RecordedStep) {
    last[step.key.object, default: []].removeAll {
      step.mode.covers($0.mode) && step.mode.conflicts(with: $0.mode)
    }
    last[step.key.object, default: []].append(step)
  }

  /// Whether it is so in a run already, of which names are numbered in another way.
  func holds(in run: ArraySlice<RecordedStep>, _ runNames: StepNames, _ names: StepNames) -> Bool {
    guard let lines else { return false }
    var places: [UInt64: Int] = [:]
    places.reserveCapacity(run.count)
    for (place, step) in run.enumerated() { places[runNames.hash(step.key, step.time)] = place }
    return lines.allSatisfy { line in
      guard let first = places[names.hash(line.first.key, line.first.time)] else { return false }
      return first < places[names.hash(line.second.key, line.second.time)] ?? run.count
    }
  }

  /// What follows from a step: what its thread does behind it, and what others do behind that on the same objects.
  private struct Following {
    private var actors: Set<Int32>
    private var read: Set<Int32> = []
    private var written: Set<Int32> = []

    init(_ step: RecordedStep) {
      actors = [step.key.actor]
      use(step)
    }

    private mutating func use(_ step: RecordedStep) {
      if step.mode == .reads {
        read.insert(step.key.object)
      } else {
        written.insert(step.key.object)
      }
    }

    /// Whether a later step follows, too; then so does what comes behind it.
    mutating func takes(_ step: RecordedStep) -> Bool {
      let object = step.key.object
      guard
        actors.contains(step.key.actor) || written.contains(object)
          || step.mode != .reads && read.contains(object)
      else { return false }
      actors.insert(step.key.actor)
      use(step)
      return true
    }
  }
}
