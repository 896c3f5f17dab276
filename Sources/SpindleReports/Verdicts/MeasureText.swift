import SpindleModel

/// Spells measures as the trace language does.
enum MeasureText {
  /// The measure: `latency("image*").p95`.
  static func text(_ measure: Measure, _ program: Program) -> String {
    switch measure {
    case .outcome: "outcome"
    case .makespan: "makespan"
    case .output: "output"
    case .findings: "findings"
    case .values: "values"
    case .crashMessage: "crash.message"
    case .crashPlace: "crash.place"
    case .finalValue(let global): "value(\(program.globals[Int(global.index)].name))"
    case .timeline(let thread, let within): timeline(thread, within, program)
    case .started(let name): "started(\(ValueText.quoted(name)))"
    case .ended(let name): "ended(\(ValueText.quoted(name)))"
    case .threadOf(let name): "thread(\(ValueText.quoted(name)))"
    case .cpu(let thread): "cpu(of: \(text(thread, program)))"
    case .state(let operation): "state(of: \(text(operation, program)))"
    case .threadCount(let names): "threads(of: \(list(names))).count"
    case .order(let names): "order(\(list(names)))"
    case .itemTime(let time, let pattern, let statistic):
      "\(time.spelled(of: ValueText.quoted(pattern))).\(statistic.rawValue)"
    case .spanTime(let span, let statistic): "\(text(span)).\(statistic.rawValue)"
    case .spanCount(let span): "\(text(span)).count"
    case .openSpans(let span): "\(text(span)).open"
    case .sampleValue(let samples, let statistic): "\(text(samples)).\(statistic.rawValue)"
    case .sampleCount(let samples): "\(text(samples)).count"
    case .share(let limit): "\(text(limit.quantities)).share(above: \(greatest(limit)))"
    case .count(let pattern): "count(of: \(ValueText.quoted(pattern)))"
    case .rate(let pattern): "rate(of: \(ValueText.quoted(pattern)))"
    case .runningPeak(let pattern): "running(\(ValueText.quoted(pattern))).peak"
    case .threadsPeak: "threads.peak"
    case .threadsCreated: "threads.created"
    case .threadsLive: "threads.live"
    case .threadsCreatedBy(let executor): "threads.created(by: \(text(executor, program)))"
    case .memoryPeak: "memory.peak"
    case .switches: "switches"
    case .migrations: "migrations"
    case .clusterMigrations: "clusterMigrations"
    case .cacheRefills: "cache.refills"
    case .cacheRefillTime: "cache.refillTime"
    case .utilization: "utilization"
    case .mainLongestStall: "main.longestStall"
    case .energy: "energy.picojoules"
    }
  }

  private static func text(_ span: Measure.Span) -> String {
    "span(\(list([span.start, span.end])))"
  }

  private static func text(_ samples: Measure.Samples) -> String {
    "samples(\(ValueText.quoted(samples.pattern)))"
  }

  private static func greatest(_ limit: Measure.Limit) -> String {
    var format = ValueFormat.duration
    if case .samples(let samples) = limit.quantities { format = samples.format }
    return ValueText.text(limit.greatest, format, NameTable([]))
  }

  private static func text(_ quantities: Measure.Quantities) -> String {
    switch quantities {
    case .items(let time, let pattern): time.spelled(of: ValueText.quoted(pattern))
    case .span(let span): text(span)
    case .samples(let samples): text(samples)
    }
  }

  /// The object: `workers[3]`, `"main"`.
  static func text(_ reference: Measure.ObjectReference, _ program: Program) -> String {
    switch reference {
    case .global(let global): program.globals[Int(global.index)].name
    case .element(let global, let index): "\(program.globals[Int(global.index)].name)[\(index)]"
    case .named(let name): ValueText.quoted(name)
    }
  }

  private static func timeline(
    _ thread: Measure.ObjectReference?, _ within: Nanoseconds, _ program: Program
  ) -> String {
    var arguments: [String] = []
    if let thread { arguments.append("of: \(text(thread, program))") }
    if within > .zero { arguments.append("within: \(within)") }
    return arguments.isEmpty ? "timeline" : "timeline(\(arguments.joined(separator: ", ")))"
  }

  private static func list(_ names: [String]) -> String {
    names.map(ValueText.quoted).joined(separator: ", ")
  }
}
