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
}
