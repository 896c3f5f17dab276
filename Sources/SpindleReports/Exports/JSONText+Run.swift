package import SpindleModel

extension JSONText {
  /// One run, without a line break at the end.
  package static func run(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, verdicts: [Verdict],
    digest: String
  ) -> String {
    run(
      program: program, machine: machine, metrics: metrics, verdicts: verdicts, measured: [],
      digest: digest)
  }

  /// The same with what the measures of the program came to.
  package static func run(
    program: Program, machine: ResolvedMachine, metrics: RunMetrics, verdicts: [Verdict],
    measured: [MeasuredValue], steadyState: SteadyState? = nil, cut: RunCut? = nil,
    output: PrintedLines? = nil, digest: String
  ) -> String {
    var members: [(key: String, value: JSONValue)] = [
      ("format", .integer(2)),
      ("title", .string(program.title)),
      ("file", .string(program.source.name)),
      ("seed", .string(String(program.seed))),
      (
        "parameters",
        .object(program.parameters.map { ($0.name, .string($0.value)) })
      ),
      ("machine", value(machine)),
      ("cutOff", cut.map { .string($0.rawValue) } ?? .null),
      ("metrics", value(metrics)),
      ("kinds", .array(metrics.kinds.map(value))),
      ("locks", .array(metrics.locks.map(value))),
      ("findings", .array(metrics.findings.map { value($0, program.source) })),
      (
        "findingCounts",
        .object(metrics.findingCounts.map { ($0.kind.rawValue, .integer(Int64($0.count))) })
      ),
      ("expectations", .array(verdicts.map { value($0, program.source) })),
    ]
    if let crash = metrics.crash { members.append(("crash", value(crash, program.source))) }
    if !metrics.actors.isEmpty {
      members.append(("actors", .array(metrics.actors.map(value))))
    }
    if !metrics.accelerators.isEmpty {
      members.append(("accelerators", .array(metrics.accelerators.map(value))))
    }
    if !metrics.samples.isEmpty {
      members.append(("samples", .array(metrics.samples.map(value))))
    }
    if !program.measures.isEmpty {
      members.append(("measures", measures(program, measured, steadyState)))
    }
    if let steadyState {
      members.append(("warmUp", value(steadyState)))
    }
    if let output {
      members.append(("output", .array(output.first.map { .string($0) })))
      members.append(("outputCount", .integer(output.count)))
    }
    members.append(("digest", .string(digest)))
    return JSONValue.object(members).text
  }

  private static func measures(
    _ program: Program, _ measured: [MeasuredValue], _ steadyState: SteadyState?
  ) -> JSONValue {
    let values = program.measures.indices.map { index -> JSONValue in
      let measure = program.measures[index]
      var members: [(key: String, value: JSONValue)] = [
        ("measure", .string(measure.text)),
        ("unit", .string(unit(measure.unit))),
        ("value", value(measured[index], measure.unit)),
      ]
      if let interval = steadyState?.intervals[index] {
        members.append(("halfWidth", measure.unit.plain(interval.halfWidth).json))
        members.append(("isIndependent", .boolean(interval.isIndependent)))
      }
      return .object(members)
    }
    return .array(values)
  }

  private static func value(_ state: SteadyState) -> JSONValue {
    .object([
      ("endNanoseconds", .integer(state.start.nanoseconds)),
      ("isFound", .boolean(state.isFound)),
      ("batchNanoseconds", state.batchLength.map { .integer($0.rawValue) } ?? .null),
    ])
  }

  private static func value(_ machine: ResolvedMachine) -> JSONValue {
    .object([
      ("platform", .string(machine.platform.rawValue)),
      (
        "cores",
        .array(
          machine.cores.map {
            .object([
              ("cluster", .string($0.cluster.rawValue)), ("speed", .string($0.speed.description)),
            ])
          })
      ),
      ("memoryBytes", .integer(machine.memory.rawValue)),
      ("costs", .string(machine.costs)),
      ("policy", .string(machine.policy)),
    ])
  }

  private static func value(_ metrics: RunMetrics) -> JSONValue {
    let deadlines = metrics.deadlines.map { [("deadlines", value($0))] } ?? []
    let realtime = metrics.realtime.map { [("realtime", value($0))] } ?? []
    let caches = caches(metrics)
    let energy = metrics.energy.map { [("energyPicojoules", JSONValue.integer($0))] } ?? []
    let fault = metrics.policyFault.map { [("policyFault", value($0))] } ?? []
    return .object(
      [
        ("outcome", .string(metrics.outcome.kind.name)),
        ("message", .string(metrics.outcome.message)),
        ("exitCode", metrics.outcome.exitCode.map { .integer($0) } ?? .null),
        ("makespanNanoseconds", .integer(metrics.makespan.nanoseconds)),
        ("endNanoseconds", .integer(metrics.end.nanoseconds)),
        ("steps", .integer(metrics.steps)),
        ("schedulingEvents", .integer(metrics.schedulingEvents)),
        ("logEntries", .integer(metrics.entries)),
        ("threadsCreated", .integer(metrics.threadsCreated)),
        ("threadsPeak", .integer(metrics.threadsPeak)),
        ("threadsLive", .integer(metrics.threadsLive)),
        ("threadsReused", .integer(metrics.threadsReused)),
        ("memoryPeakBytes", .integer(metrics.memoryPeak.rawValue)),
        ("reservedPeakBytes", .integer(metrics.reservedPeak.rawValue)),
        ("switches", .integer(metrics.switches)),
        ("switchesVoluntary", .integer(metrics.switchesVoluntary)),
        ("switchesForced", .integer(metrics.switchesForced)),
        ("migrations", .integer(metrics.migrations)),
        ("utilization", share(metrics.utilization)),
        ("overheadShare", share(metrics.overheadShare)),
        ("cores", .array(metrics.cores.map(value))),
        ("mainLongestStallNanoseconds", .integer(metrics.mainLongestStall.rawValue)),
        ("fairness", metrics.fairness.map { .number($0) } ?? .null),
        ("throughputPerSecond", metrics.throughput.map { .number($0) } ?? .null),
        ("items", value(metrics.items)),
      ] + fault + caches + coreLoads(metrics) + energy + deadlines + realtime)
  }

  private static func value(_ fault: PolicyFault) -> JSONValue {
    .object([
      ("policy", .string(fault.policy)),
      ("rule", .string(fault.rule.rawValue)),
      ("timeNanoseconds", .integer(fault.time.nanoseconds)),
      ("thread", fault.thread.map { .string($0) } ?? .null),
    ])
  }

  private static func caches(_ metrics: RunMetrics) -> [(String, JSONValue)] {
    if metrics.clusterMigrations + metrics.cacheRefills == 0 { return [] }
    return [
      ("clusterMigrations", .integer(metrics.clusterMigrations)),
      ("cacheRefills", .integer(metrics.cacheRefills)),
      ("cacheRefillNanoseconds", .integer(metrics.cacheRefillTime.rawValue)),
    ]
  }

  private static func coreLoads(_ metrics: RunMetrics) -> [(String, JSONValue)] {
    if metrics.coreLoads.isEmpty { return [] }
    let loads = metrics.coreLoads.map { load -> JSONValue in
      .object([
        ("cluster", .string(load.cluster.rawValue)), ("speed", .string("\(load.speed)")),
        ("cores", .integer(Int64(load.cores))), ("offeredCores", .number(load.offered)),
      ])
    }
    return [("coreLoads", .array(loads))]
  }

  private static func value(_ deadlines: DeadlineMetrics) -> JSONValue {
    .object([
      ("threads", .integer(deadlines.threads)),
      ("count", .integer(deadlines.count)),
      ("missed", .integer(deadlines.missed)),
      ("greatestLatenessNanoseconds", .integer(deadlines.greatestLateness.rawValue)),
    ])
  }

  private static func value(_ core: CoreMetrics) -> JSONValue {
    .object([
      ("busyNanoseconds", .integer(core.busy.rawValue)),
      ("overheadNanoseconds", .integer(core.overhead.rawValue)),
      ("idleNanoseconds", .integer(core.idle.rawValue)),
      ("utilization", share(core.utilization)),
    ])
  }

  private static func value(_ kind: KindMetrics) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("pattern", .string(kind.pattern)),
      ("isNamed", .boolean(kind.isNamed)),
      ("submitted", .integer(kind.submitted)),
      ("count", .integer(kind.count)),
      ("runningPeak", .integer(kind.runningPeak)),
      ("waitingPeak", .integer(kind.waitingPeak)),
      ("wait", value(kind.wait)),
      ("service", value(kind.service)),
      ("latency", value(kind.latency)),
    ]
    if let arrivals = kind.arrivals { members.append(("arrivals", value(arrivals))) }
    return .object(members)
  }

  private static func value(_ arrivals: ArrivalMetrics) -> JSONValue {
    .object([
      ("count", .integer(arrivals.count)), ("isHandedOn", .boolean(arrivals.isHandedOn)),
      ("perSecond", .number(arrivals.rate)),
      ("servedPerSecond", .number(arrivals.servedRate)),
      ("pool", arrivals.pool.map { .string($0) } ?? .null),
      ("offeredThreads", .number(arrivals.offered)),
      ("waitingAtLast", .integer(arrivals.waiting)), ("isOverload", .boolean(arrivals.isOverload)),
    ])
  }

  private static func value(_ distribution: LatencyDistribution) -> JSONValue {
    .object(
      [("count", .integer(distribution.count))]
        + Measure.Statistic.allCases.map {
          (
            "\($0.rawValue)Nanoseconds",
            distribution.count > 0 ? .integer(distribution[$0].rawValue) : .null
          )
        })
  }

  private static func value(_ samples: SampleMetrics) -> JSONValue {
    .object(
      [
        ("name", .string(samples.name)), ("unit", .string(unit(of: samples.format))),
        ("count", .integer(samples.distribution.count)),
      ]
        + Measure.Statistic.allCases.map {
          ($0.rawValue, number(samples.distribution.value($0, samples.format)))
        })
  }

  private static func unit(of format: ValueFormat) -> String {
    switch format {
    case .duration: "nanoseconds"
    case .size: "bytes"
    case .integer, .decimal, .boolean, .instant, .string, .symbol, .thread, .object, .array,
      .quoted:
      "none"
    }
  }

  private static func number(_ value: ExpectationValue) -> JSONValue {
    switch value {
    case .integer(let number): .integer(number)
    case .duration(let length): .integer(length.rawValue)
    case .size(let size): .integer(size.rawValue)
    case .decimal(let decimal):
      .number(Double(decimal.billionths) / Double(FixedDecimal.scale))
    default: .null
    }
  }

  private static func value(_ lock: LockMetrics) -> JSONValue {
    .object([
      ("name", .string(lock.name)),
      ("acquisitions", .integer(lock.acquisitions)),
      ("waits", .integer(lock.waits)),
      ("totalWaitNanoseconds", .integer(lock.totalWait.rawValue)),
      ("longestWaitNanoseconds", .integer(lock.longestWait.rawValue)),
      ("unfinishedWaits", .integer(lock.unfinishedWaits)),
      ("isSeveral", .boolean(lock.isSeveral)),
    ])
  }

  private static func value(_ actor: ActorMetrics) -> JSONValue {
    .object([
      ("name", .string(actor.name)), ("turns", .integer(actor.turns)),
      (
        "waits",
        .object(TaskPriority.allCases.map { ($0.name, times(actor.waits[Int($0.rawValue)])) })
      ),
      ("held", times(actor.held)),
    ])
  }

  private static func value(_ accelerator: AcceleratorMetrics) -> JSONValue {
    .object([
      ("name", .string(accelerator.name)), ("served", times(accelerator.served)),
      ("waited", times(accelerator.waited)),
    ])
  }

  private static func times(_ times: ActorMetrics.Times) -> JSONValue {
    .object([
      ("count", .integer(times.count)), ("totalNanoseconds", .integer(times.total.rawValue)),
      ("longestNanoseconds", .integer(times.longest.rawValue)),
    ])
  }

  private static func value(_ verdict: Verdict, _ source: SourceText) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("text", .string(verdict.text)),
      ("place", verdict.place.count > 0 ? .string(source.position(of: verdict.place)) : .null),
      ("holds", .boolean(verdict.holds)),
      ("seen", .string(verdict.seen)),
    ]
    if let ratchet = verdict.ratchet {
      members.append(
        (
          "ratchet",
          .object([
            ("measure", .string(ratchet.measure)), ("value", .string(ratchet.text)),
            ("better", .string(ratchet.better.rawValue)),
          ])
        ))
    }
    return .object(members)
  }

  private static func share(_ share: Percentage) -> JSONValue {
    .number(Double(share.hundredths) / 10_000)
  }
}
