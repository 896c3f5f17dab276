import SpindleModel

extension Evaluation {
  /// The value of a measure in the run.
  func value(_ measure: Measure) throws(Unanswerable) -> ExpectationValue {
    switch measure {
    case .outcome: return .symbol(record.outcome.kind.name)
    case .makespan: return .duration(Nanoseconds(record.makespan.nanoseconds))
    case .output: return .list(observations.output.map { .string(text($0)) })
    case .findings: return .list(findings.map { .symbol($0) })
    case .values: return .table(try recordedValues())
    case .crashMessage:
      switch record.outcome.kind {
      case .crashed, .refused, .policyFault: return .string(record.outcome.message)
      case .finished, .deadlock, .killed, .timeLimit, .stepLimit: return .none
      }
    case .crashPlace:
      guard let place = record.outcome.place else { return .none }
      return .string(program.source.position(of: place))
    case .finalValue(let global):
      if let fault = record.finalFaults[Int(global.index)] {
        throw Unanswerable(
          cause: .notOne,
          explanation: "\(MeasureText.text(measure, program)) has no value: \(fault)")
      }
      return finalValue(global)
    case .timeline(let thread, _): return .timeline(try timeline(of: thread))
    case .started, .ended, .threadOf, .cpu, .state, .threadCount, .order:
      return try itemValue(measure)
    case .itemTime, .count, .rate, .runningPeak: return try kindValue(measure)
    case .spanTime, .spanCount, .openSpans: return try spanValue(measure)
    case .sampleValue(let samples, let statistic):
      return try observed(samples).distribution.value(statistic, samples.format)
    case .sampleCount(let samples):
      return .integer(observations.samples[samples]?.distribution.count ?? 0)
    case .share(let limit): return .decimal(try share(above: limit))
    case .threadsPeak, .threadsCreated, .threadsLive, .threadsCreatedBy, .memoryPeak, .switches,
      .migrations, .clusterMigrations, .cacheRefills, .cacheRefillTime, .utilization,
      .mainLongestStall, .energy:
      return try machineValue(measure)
    }
  }

  /// The kinds of the findings that matter, each once, in the order in which they came.
  private var findings: [String] {
    var found: [String] = []
    for finding in metrics.findings
    where finding.kind.severity >= .warning && !found.contains(finding.kind.rawValue) {
      found.append(finding.kind.rawValue)
    }
    return found
  }

  private func recordedValues() throws(Unanswerable) -> [ExpectationValue.TableRow] {
    var rows: [ExpectationValue.TableRow] = []
    var firsts: [String: Int64] = [:]
    for record in observations.records {
      let key = text(record.key)
      if let first = firsts[key] {
        throw Unanswerable(
          cause: .notOne,
          explanation: "\(ValueText.quoted(key)) was recorded twice, at \(Instant(first)) and "
            + "at \(Instant(record.time))")
      }
      firsts[key] = record.time
      rows.append(.init(key: key, value: constant(record.value, record.format)))
    }
    return rows
  }

  private func finalValue(_ global: GlobalID) -> ExpectationValue {
    let index = Int(global.index)
    let format = program.globals[index].told
    if program.globals[index].format == .array {
      let elements = index < record.globalArrays.count ? record.globalArrays[index] : []
      return .list(
        elements.enumerated().map { position, element in
          let name = format == .thread || format == .object ? objectName(global, position) : nil
          return name.map { .string($0) } ?? constant(element, format)
        })
    }
    if (format == .thread || format == .object), let name = objectName(global, 0) {
      return .string(name)
    }
    return index < record.globals.count ? constant(record.globals[index], format) : .none
  }

  /// The marks of one thread, or of all.
  func marks(of thread: Measure.ObjectReference?) throws(Unanswerable) -> [MarkObservation] {
    guard let thread else { return observations.marks }
    let serial = try self.thread(thread).serial
    return observations.marks.filter { $0.thread == serial }
  }

  private func timeline(
    of thread: Measure.ObjectReference?
  ) throws(Unanswerable) -> [ExpectationValue.TimelineRow] {
    try marks(of: thread).map { mark in
      .init(earliest: Instant(mark.time), latest: Instant(mark.time), labels: [text(mark.name)])
    }
  }

  private func itemValue(_ measure: Measure) throws(Unanswerable) -> ExpectationValue {
    switch measure {
    case .started(let name): return .duration(Nanoseconds(try start(of: name).time))
    case .ended(let name): return .duration(Nanoseconds(try end(of: name).time))
    case .threadOf(let name):
      _ = try start(of: name)
      let observation = observation(name)
      if observation.ranOnMain { return .string(WellKnownName.main.text) }
      return .string(observation.thread.text(names) ?? "")
    case .cpu(let reference): return .duration(Nanoseconds(try thread(reference).processor))
    case .state(let reference): return .symbol(try state(of: reference).name)
    case .threadCount(let names):
      var threads: Set<Int64> = []
      for name in names {
        let observation = observation(name)
        if observation.startCount == 0 {
          throw neverHappened("\(ValueText.quoted(name)) never ran")
        }
        threads.formUnion(observation.threads)
      }
      return .integer(Int64(threads.count))
    case .order(let names): return .boolean(try orderDifference(names) == nil)
    default: preconditionFailure("not a measure of an item")
    }
  }

  private func kindValue(_ measure: Measure) throws(Unanswerable) -> ExpectationValue {
    switch measure {
    case .itemTime(let time, let pattern, let statistic):
      let distribution =
        switch time {
        case .latency: kind(pattern).latency
        case .wait: kind(pattern).wait
        case .waiting: observations.waiting.distribution(of: pattern)
        case .sinceArrival: observations.arrivals.distribution(of: pattern)
        }
      if time == .sinceArrival, distribution.count == 0, kind(pattern).latency.count > 0 {
        throw neverHappened("no \(ValueText.quoted(pattern)) came from an arrival")
      }
      if distribution.count == 0 { throw none(pattern, time == .wait ? "started" : "ended") }
      return .duration(distribution[statistic])
    case .count(let pattern): return .integer(kind(pattern).count)
    case .rate(let pattern): return .decimal(try rate(of: pattern))
    case .runningPeak(let pattern): return .integer(kind(pattern).runningPeak)
    default: preconditionFailure("not a measure of a kind")
    }
  }

  /// How many items ended in a second, up to the makespan or within the window.
  private func rate(of pattern: String) throws(Unanswerable) -> FixedDecimal {
    let length = metrics.measuredSpan.rawValue
    guard length > 0 else { throw neverHappened("no time passed") }
    let scale = Int128(FixedDecimal.scale)
    let ended = Int128(kind(pattern).latency.count)
    return FixedDecimal(
      billionths: Int64(
        clamping: (ended * scale * 1_000_000_000 + Int128(length) / 2) / Int128(length)))
  }

  private func spanValue(_ measure: Measure) throws(Unanswerable) -> ExpectationValue {
    switch measure {
    case .spanTime(let span, let statistic):
      let distribution = observations.spans[span]?.histogram.distribution
      guard let distribution, distribution.count > 0 else { throw noSpan(span) }
      return .duration(distribution[statistic])
    case .spanCount(let span):
      return .integer(observations.spans[span]?.histogram.distribution.count ?? 0)
    case .openSpans(let span): return .integer(observations.spans[span]?.openCount ?? 0)
    default: preconditionFailure("not a measure of a span")
    }
  }

  /// Why there is no time of a span: no start, or no end behind one.
  private func noSpan(_ span: Measure.Span) -> Unanswerable {
    let open = observations.spans[span]?.openCount ?? 0
    return neverHappened(
      open == 0
        ? "no mark and no item is called \(ValueText.quoted(span.start))"
        : "no \(ValueText.quoted(span.end)) came after \(ValueText.quoted(span.start))")
  }

  /// What was sampled, at least once.
  private func observed(_ samples: Measure.Samples) throws(Unanswerable) -> SampleObservation {
    guard let seen = observations.samples[samples], seen.distribution.count > 0 else {
      throw neverHappened("nothing was sampled under \(ValueText.quoted(samples.pattern))")
    }
    return seen
  }

  /// The share of values that are above a limit.
  private func share(above limit: Measure.Limit) throws(Unanswerable) -> FixedDecimal {
    let counts: (all: Int64, above: Int64)
    switch limit.quantities {
    case .items(let time, let pattern):
      counts = observations.limits.counts(limit)
      if counts.all == 0 { throw none(pattern, time == .wait ? "started" : "ended") }
    case .span(let span):
      guard let seen = observations.spans[span], seen.histogram.distribution.count > 0 else {
        throw noSpan(span)
      }
      counts = (seen.histogram.distribution.count, seen.limits.count(above: limit.greatest))
    case .samples(let samples):
      let seen = try observed(samples)
      counts = (seen.distribution.count, seen.limits.count(above: limit.greatest))
    }
    let scaled = Int128(counts.above) * Int128(FixedDecimal.scale)
    return FixedDecimal(billionths: Int64(scaled / Int128(counts.all)))
  }

  private func machineValue(_ measure: Measure) throws(Unanswerable) -> ExpectationValue {
    switch measure {
    case .threadsPeak: return .integer(metrics.threadsPeak)
    case .threadsCreated: return .integer(metrics.threadsCreated)
    case .threadsLive: return .integer(metrics.threadsLive)
    case .threadsCreatedBy(let reference): return .integer(try threadsCreated(by: reference))
    case .memoryPeak: return .size(metrics.memoryPeak)
    case .switches: return .integer(metrics.switches)
    case .migrations: return .integer(metrics.migrations)
    case .clusterMigrations: return .integer(metrics.clusterMigrations)
    case .cacheRefills: return .integer(metrics.cacheRefills)
    case .cacheRefillTime: return .duration(metrics.cacheRefillTime)
    case .utilization: return .decimal(metrics.usedShare)
    case .mainLongestStall: return .duration(metrics.mainLongestStall)
    case .energy:
      guard let energy = metrics.energy else {
        throw Unanswerable(
          cause: .notAnswering,
          explanation: "no core has a power, or only a part of the run is measured")
      }
      return .integer(energy)
    default: preconditionFailure("not a measure of the machine")
    }
  }

  /// The numbers of the kind with this pattern, or of all items whose names match it.
  private func kind(_ pattern: String) -> KindMetrics {
    if observations.inquiry.isKind(pattern) {
      return metrics(ofKind: pattern) ?? KindMetrics(pattern: pattern, isNamed: true)
    }
    let seen = observation(pattern)
    var kind = KindMetrics(pattern: pattern, isNamed: true)
    (kind.submitted, kind.count) = (seen.submissions, seen.startCount - seen.forgottenStarts)
    (kind.wait, kind.latency) = (seen.wait.distribution, seen.latency.distribution)
    kind.runningPeak = seen.runningPeak
    return kind
  }

  /// That no work of a kind did something, and what work without a name is called that begins alike.
  private func none(_ pattern: String, _ what: String) -> Unanswerable {
    let said = "no \(ValueText.quoted(pattern)) \(what)"
    let beginning = pattern.prefix { $0 != "*" }
    let alike = metrics.kinds.first {
      !beginning.isEmpty && !$0.isNamed && $0.pattern.hasPrefix(beginning) && $0.pattern != pattern
    }
    guard let alike else { return neverHappened(said) }
    return neverHappened(
      said
        + "; work without a name is called after its line, such as \(ValueText.quoted(alike.pattern))"
    )
  }

  private func neverHappened(_ explanation: String) -> Unanswerable {
    Unanswerable(cause: .never, explanation: explanation)
  }

  /// The text of a name by its number.
  func text(_ name: Int32) -> String { ValueText.name(Int64(name), names) }
}
