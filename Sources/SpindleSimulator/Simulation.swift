public import SpindleModel

/// Runs a program in virtual time.
///
/// A run is a pure function of the program and its limits: it reads no clock and depends on no hash,
/// address or host thread. Several simulations may run side by side on threads of the host.
public struct Simulation: ~Copyable {
  private let prepared: PreparedProgram
  /// The program with the seed of this run.
  private let program: Program
  private let limits: RunLimits
  private let custom: (any SchedulingPolicy)?
  /// At which sizes the structures of the run grow; the result does not depend on them.
  package var sizes = StructureSizes.standard
  /// Which ways of saving time it takes; the result does not depend on them.
  package var shortcuts = ShortcutSet.all
  /// Whether the calls are kept that are going on at each write of a variable and each `record`.
  package var tracesWrites = false
  /// Whether it is noted whom the policy prefers to threads that could run.
  package var watchesPolicy = false
  /// How many events it has had before it begins; the result does not depend on it, as long as they do not end.
  package var eventsBefore: UInt64 = 0

  /// Creates a run of `program`; `policy` takes the place of the one that its machine names.
  public init(
    _ program: Program, limits: RunLimits = RunLimits(), policy: (any SchedulingPolicy)? = nil
  ) {
    self.init(PreparedProgram(program), limits: limits, policy: policy)
  }

  /// Creates a run of a program that others run, too; `seed` takes the place of its own.
  package init(
    _ prepared: PreparedProgram, seed: UInt64? = nil, limits: RunLimits = RunLimits(),
    policy: (any SchedulingPolicy)? = nil
  ) {
    var program = prepared.program
    if let seed { program.seed = seed }
    (self.prepared, self.program, self.limits, custom) = (prepared, program, limits, policy)
  }

  /// Runs to the end and gives all that happens to `consumers`.
  ///
  /// Ends at the first of: the process ends, crashes or is killed; a limit is reached; nothing can
  /// happen any more. Each call is a run of its own with the same result.
  ///
  /// Where the program has a schedule, threads are held in front of their steps as that says.
  public func run(consumers: [any RunConsumer] = []) -> RunRecord {
    let consumers = consumers.compactMap { $0 as? any LogConsumer }
    guard let scheduled = program.schedule, !scheduled.schedule.isEmpty else {
      return run(consumers: consumers, driver: nil)
    }
    let driver = ScheduleDriver()
    driver.recordsSteps = false
    driver.patience = limits.steps / 2
    // The normal run, by which items of one name are told apart.
    driver.prepare(Schedule())
    _ = run(consumers: [], driver: driver, predicts: false)
    driver.prepare(scheduled.schedule)
    var record = run(consumers: consumers, driver: driver)
    for (index, fault) in driver.faults().enumerated() {
      guard let fault else { continue }
      let place = index < scheduled.places.count ? scheduled.places[index] : nil
      record.scheduleFaults.append(
        ScheduleFault(
          line: scheduled.schedule.lines[index], place: place,
          reason: fault.reason(of: scheduled.schedule.lines[index])))
    }
    return record
  }

  /// The same under a schedule: `driver` holds threads in front of their steps.
  ///
  /// Without `predicts` nothing is looked for that could go wrong in another order: neither accesses that nothing orders
  /// nor locks that are taken in both orders.
  package func run(
    consumers: [any LogConsumer], driver: ScheduleDriver?, predicts: Bool = true
  ) -> RunRecord {
    let names = prepared.names()
    var resolved = prepared.resolved
    if let custom { resolved.policy = custom.name }
    let description = RunDescription(program: program, machine: resolved, names: names)
    for consumer in consumers { consumer.begin(description) }
    driver?.begin(program, names)
    let record = withTables { tables in
      var interpreter = Interpreter(
        program, tables, machine: prepared.machine, limits: limits, names: names,
        consumers: consumers, driver: driver, predicts: predicts, mayRace: prepared.mayRace,
        sizes: sizes,
        shortcuts: driver == nil ? shortcuts : shortcuts.subtracting(.skipsSteps))
      interpreter.process.kernel.begin(behind: eventsBefore)
      if tracesWrites { interpreter.process.tracedWrites = [] }
      if custom != nil || watchesPolicy {
        interpreter.process.kernel.use(custom, isWatched: watchesPolicy)
      }
      return interpreter.runToEnd(on: resolved)
    }
    driver?.end()
    for consumer in consumers { consumer.end(record) }
    return record
  }

  /// Runs `body` on the program's tables in place.
  private func withTables(_ body: (Process.Tables) -> RunRecord) -> RunRecord {
    program.instructions.withUnsafeBufferPointer { code in
      program.blocks.withUnsafeBufferPointer { blocks in
        program.sites.withUnsafeBufferPointer { sites in
          body(Process.Tables(code: code, blocks: blocks, sites: sites))
        }
      }
    }
  }
}

/// What a machine can be made of.
public enum MachineCatalog {
  /// The policies and cost profiles that the simulator knows.
  public static let catalogue = MachineCatalogue(
    policies: PolicyCatalog.signatures, costs: CostCatalog.signatures)
}
