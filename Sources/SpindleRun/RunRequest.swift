package import SpindleModel
package import SpindleSimulator

/// What is asked of one run of a program.
package struct RunRequest: Sendable {
  /// What ends the run, and how closely it is watched.
  package var limits = RunLimits()
  /// A policy in place of the one that the program's machine names.
  package var policy: (any SchedulingPolicy)?
  /// Whether the program's expectations are judged.
  package var checksExpectations = true
  /// Whether the log's digest is computed; what only compares numbers is faster without.
  package var takesDigest = true
  /// Whether the lines that the program prints are kept.
  package var keepsOutput = false
  /// Which part of the run its measures are taken from; nil for the whole run.
  package var observing: ObservedPart?
  /// Whether it is noted whom the policy prefers to threads that could run: the reasons for a wait are taken from that.
  package var watchesPolicy = false
  /// Whether the calls are kept that are going on at each write of a variable and each `record`.
  package var tracesWrites = false
  /// At which sizes the structures of the run grow; the result does not depend on them.
  package var sizes = StructureSizes.standard
  /// Which ways of saving time the run takes; the result does not depend on them.
  package var shortcuts = ShortcutSet.all

  /// Creates a request for everything but the printed lines, with the given limits.
  package init(limits: RunLimits = RunLimits()) { self.limits = limits }

  /// A request for the numbers of a run and what its program expects, without a digest.
  package static func judged(limits: RunLimits) -> RunRequest {
    var request = RunRequest(limits: limits)
    request.takesDigest = false
    return request
  }

  /// A request for the numbers of a run alone: no expectations, no digest.
  package static func numbers(limits: RunLimits) -> RunRequest {
    var request = RunRequest(limits: limits)
    (request.checksExpectations, request.takesDigest) = (false, false)
    return request
  }

  /// A request for a run that is shown or explained: with whom its policy prefers.
  package static func explained(limits: RunLimits) -> RunRequest {
    var request = RunRequest(limits: limits)
    request.watchesPolicy = true
    return request
  }

  /// Runs `program` and gives its log to `consumers`: below each `TraceRun`, and alone where nothing is judged.
  package func run(_ program: Program, consumers: [any LogConsumer] = []) -> RunRecord {
    run(PreparedProgram(program), seed: program.seed, consumers: consumers)
  }

  /// The same for a program that others run, too, with a seed in place of its own.
  func run(
    _ prepared: PreparedProgram, seed: UInt64, consumers: [any LogConsumer]
  ) -> RunRecord {
    var simulation = Simulation(prepared, seed: seed, limits: limits, policy: policy)
    (simulation.sizes, simulation.shortcuts) = (sizes, shortcuts)
    (simulation.watchesPolicy, simulation.tracesWrites) = (watchesPolicy, tracesWrites)
    return simulation.run(consumers: consumers)
  }
}
