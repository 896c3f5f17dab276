package import SpindleModel

/// The part of a recording that is taken.
package struct RecordingChoice: Hashable, Sendable {
  /// The process, by number or name; nil for the one that computed most.
  package var process: String?
  /// Whether the other threads take part too, with what they computed at the time at which they did.
  package var takesOthers = false
  /// Whether it becomes queues and items where probes in libdispatch recorded them, and not threads only.
  package var takesQueues = true
  /// Whether what probes took of the program's threads is part of its work.
  package var keepsProbes = false
  /// From which moment of the recording on, and up to which; nil for all that the program does.
  package var from: Nanoseconds?
  package var to: Nanoseconds?

  /// Everything, as it is.
  package init() {}
}
