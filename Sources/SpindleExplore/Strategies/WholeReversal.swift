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
  /// What some steps use besides their objects, by their numbers.
  private var otherUses: [Int: [StepUse]] = [:]
  /// The steps that come first on each object, as far as nothing on it comes behind, by the number of the object; each with
  /// how it uses that.
  private var last: [Int32: [Use]] = [:]

  private struct Use {
    let step: RecordedStep
    let mode: StepMode
  }

  /// More lines than that take longer than they are worth.
  private static let mostLines = 1_000

  init(_ steps: [RecordedStep], _ otherUses: [StepUse], _ pair: StepPair) {
    self.steps = steps
    for use in otherUses { self.otherUses[Int(use.step), default: []].append(use) }
    let (first, second) = (Int(pair.first), Int(pair.second))
    var late = Set<Int>()
    var following = Following(steps[first], uses(of: first))
    for index in steps.indices where index >= first {
      let isLate =
        index == first
        || index != second
          && (index > second || following.takes(steps[index], uses(of: index)))
      if isLate { late.insert(index) }
    }
    for index in steps.indices where index <= second && !late.contains(index) {
      for use in uses(of: index) {
        order(steps[index], use)
        place(steps[index], use)
      }
    }
    // Of each thread, the first on each object: the rest comes behind that.
    var seen: Set<StepKey> = []
    for index in steps.indices where late.contains(index) {
      for use in uses(of: index) {
        let key = StepKey(actor: steps[index].key.actor, verb: .reads, object: use.object)
        if seen.insert(key).inserted { order(steps[index], use) }
      }
    }
    if (lines?.count ?? 0) > Self.mostLines { lines = nil }
  }

  /// All that a step uses.
  private func uses(of index: Int) -> [StepUse] {
    let step = steps[index]
    let own = StepUse(step: Int32(index), object: step.key.object, mode: step.mode)
    return [own] + otherUses[index, default: []]
  }

  /// A step comes behind those on an object that it conflicts with.
  private mutating func order(_ step: RecordedStep, _ use: StepUse) {
    for other in last[use.object, default: []]
    where other.step.key.actor != step.key.actor && other.mode.conflicts(with: use.mode) {
      lines?.append((other.step, step))
    }
  }

  private mutating func place(_ step: RecordedStep, _ use: StepUse) {
    last[use.object, default: []].removeAll {
      use.mode.covers($0.mode) && use.mode.conflicts(with: $0.mode)
    }
    last[use.object, default: []].append(Use(step: step, mode: use.mode))
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

    init(_ step: RecordedStep, _ uses: [StepUse]) {
      actors = [step.key.actor]
      for each in uses { use(each) }
    }

    private mutating func use(_ use: StepUse) {
      if use.mode == .reads {
        read.insert(use.object)
      } else {
        written.insert(use.object)
      }
    }

    /// Whether a later step follows, too; then so does what comes behind it.
    mutating func takes(_ step: RecordedStep, _ uses: [StepUse]) -> Bool {
      guard actors.contains(step.key.actor) || uses.contains(where: follows) else { return false }
      actors.insert(step.key.actor)
      for each in uses { use(each) }
      return true
    }

    private func follows(_ use: StepUse) -> Bool {
      written.contains(use.object) || use.mode != .reads && read.contains(use.object)
    }
  }
}
