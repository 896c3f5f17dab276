import SpindleHost
package import SpindleModel
import SpindleReports
package import SpindleSimulator

/// Runs one program under one schedule after another.
///
/// What a run gives depends on the program, the schedule and the chooser alone: runs may be made side by side on
/// threads of the host. Nothing is made again that all runs share, and a run has no consumer but what its
/// expectations ask for: it makes neither a log, nor a digest, nor a timeline.
package final class TrialRunner: Sendable {
  package let program: Program
  private let prepared: PreparedProgram
  private let expected: ExpectedOfProgram
  private let limits: RunLimits
  private let drivers = Monitor<[Drivers]>([])
  /// The kinds of findings that the normal run has.
  private let usual: Set<Finding.Kind>
  /// The normal run.
  package let normal: Trial
  /// Whether what the program does may depend on how late it is.
  let asksForTime: Bool
  /// What the program may do in another order, and that no schedule varies: as far as its text shows that.
  let unvaried: Set<UnvariedOrder>

  /// Boxes a driver, which one run at a time uses.
  private struct Drivers: @unchecked Sendable { let driver: ScheduleDriver }

  /// Creates a runner of a program, and runs it as it is.
  package init(_ program: Program, limits: RunLimits) {
    self.program = program
    prepared = PreparedProgram(program)
    expected = ExpectedOfProgram(program)
    asksForTime = program.asksForTime
    unvaried = UnvariedOrder.ofText(program)
    let driver = ScheduleDriver()
    normal = Self.run(
      prepared, expected, Schedule(), driver, limits: limits, usual: [], isNormal: true)
    // Where the normal run fails, it has nothing that is as it should be.
    usual = normal.failure == nil ? Set(normal.findings.map(\.kind)) : []
    // A run that is held up takes more steps, and one that spins for ever is to end some time.
    var more = limits
    more.steps = min(limits.steps, 20 * normal.stepCount + 20_000)
    self.limits = more
    drivers.change { $0.append(Drivers(driver: driver)) }
  }

  /// Runs under a schedule, or as a chooser decides.
  package func run(_ schedule: Schedule, chooser: (any StepChooser)? = nil) -> Trial {
    let driver = drivers.change { $0.popLast()?.driver } ?? makeDriver()
    defer { drivers.change { $0.append(Drivers(driver: driver)) } }
    driver.chooser = chooser
    driver.patience = limits.steps / 4
    return Self.run(
      prepared, expected, schedule, driver, limits: limits, usual: usual, isNormal: false)
  }

  /// A driver to which everything in the normal run has the same number as to all others.
  private func makeDriver() -> ScheduleDriver {
    let driver = ScheduleDriver()
    driver.names = normal.names
    return driver
  }

  private static func run(
    _ prepared: PreparedProgram, _ expected: ExpectedOfProgram, _ schedule: Schedule,
    _ driver: ScheduleDriver, limits: RunLimits, usual: Set<Finding.Kind>, isNormal: Bool
  ) -> Trial {
    driver.prepare(schedule)
    let evaluator = ExpectationEvaluator(expected)
    let metrics = evaluator.needsMetrics ? Metrics() : nil
    var simulation = Simulation(prepared, limits: limits)
    simulation.sizes = .brief
    // What the expectations come to is what they come to in a replay.
    let record = simulation.run(
      consumers: metrics.map { [$0, evaluator] } ?? [evaluator], driver: driver,
      predicts: isNormal || expected.mentionsFindings)
    let verdicts =
      metrics.map { evaluator.verdicts($0.result, record) } ?? evaluator.verdicts(record)
    let unmet = verdicts.filter { !$0.holds }
    let faults = driver.faults()
    return Trial(
      schedule: schedule,
      failure: failure(record, unmet, usual: usual, isNormal: isNormal),
      faults: faults.compactMap { $0 }, faultyLines: faults.indices.filter { faults[$0] != nil },
      isTired: driver.isTired, hasForgotten: driver.recorder.hasForgotten,
      signature: driver.recorder.signature, steps: driver.recorder.steps,
      pairs: driver.recorder.pairs, pending: driver.recorder.pending,
      otherUses: driver.recorder.otherUses, unvaried: driver.unvaried, names: driver.names,
      longestHold: Nanoseconds(driver.heldLongest),
      outcome: record.outcome, end: record.end, findings: record.findings,
      stepCount: record.steps, globals: record.globals, cycles: driver.cycles,
      unmet: unmet.map {
        Trial.Unmet(text: $0.text, seen: $0.seen, place: $0.place, isImplied: $0.isImplied)
      })
  }

  private static func failure(
    _ record: RunRecord, _ unmet: [Verdict], usual: Set<Finding.Kind>, isNormal: Bool
  ) -> FailureKind? {
    var found: [FailureKind.Found] = []
    for finding in record.findings
    where finding.kind.severity == .error && !usual.contains(finding.kind) {
      found.append(.init(finding))
    }
    if unmet.isEmpty && (found.isEmpty || isNormal) { return nil }
    let hasEnded = record.outcome.kind == .finished
    // The first finding is the cause: waits for the stuck threads are found after it.
    return FailureKind(
      outcome: hasEnded ? nil : record.outcome.kind, place: record.outcome.place,
      expectations: hasEnded ? unmet.map(\.place).sorted(by: SourceRange.isBefore) : [],
      findings: Array(found.prefix(1)))
  }
}

extension UnvariedOrder {
  /// What the text of a program shows that it may do in another order, and that no schedule varies.
  fileprivate static func ofText(_ program: Program) -> Set<UnvariedOrder> {
    var found: Set<UnvariedOrder> = []
    var (cancels, waits) = (false, false)
    program.instructions.withUnsafeBufferPointer { code in
      for instruction in code {
        switch instruction {
        case .loadWeak, .checkUnowned, .instanceEnd: found.insert(.lives)
        case .perform(let primitive, _, _):
          switch primitive {
          case .timer, .dispatchSource(.schedule), .runLoop(.performAfterDelay):
            found.insert(.timers)
          case .task(.cancel), .taskGroup(.cancelAll): cancels = true
          case .task(.sleep), .task(.sleepUntil), .task(.io), .task(.ioThrowing): waits = true
          default: break
          }
        default: break
        }
      }
    }
    if cancels && waits { found.insert(.cancellation) }
    return found
  }
}

extension Program {
  /// Whether what it does may depend on how late it is: it asks for the time, or waits no longer than to a moment.
  fileprivate var asksForTime: Bool {
    if !arrivals.isEmpty { return true }
    return instructions.withUnsafeBufferPointer { code in
      code.contains { instruction in
        switch instruction {
        case .now: true
        case .perform(let primitive, _, _): primitive.waitsForTime
        default: false
        }
      }
    }
  }
}

extension Primitive {
  fileprivate var waitsForTime: Bool {
    switch self {
    case .lock(.lockBefore), .lock(.lockWhenBefore), .lock(.waitUntil), .queue(.asyncAfter),
      .queue(.asyncAfterItem), .dispatchSource(.schedule), .doing(.sleep), .doing(.sleepUntil),
      .doing(.work), .doing(.io), .task(.sleep), .task(.sleepUntil), .task(.io), .queue(.io),
      .timer:
      true
    default: false
    }
  }
}
