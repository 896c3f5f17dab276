/// The format of a recording, by its content, never by its name.
package enum RecordingFormat: String, CaseIterable, Sendable {
  /// The kernel's `trace`, `trace-cmd report`, `perf script`.
  case kernelText
  /// A page of systrace or atrace.
  case systrace
  /// Perfetto's protobuf.
  case perfetto
  /// Babeltrace's text of a recording of LTTng.
  case babeltrace
  /// The states of threads, as Instruments exports them.
  case instruments
  /// The states of Swift tasks, as Instruments exports them.
  case swiftTasks
  /// The passes of run loops, as Instruments exports them.
  case runLoops
  /// A workload of rt-app, which describes what threads are to do.
  case rtApp

  /// The name of the format in messages.
  package var name: String {
    switch self {
    case .kernelText: "the kernel's trace as text"
    case .systrace: "a page of systrace"
    case .perfetto: "Perfetto's protobuf"
    case .babeltrace: "babeltrace's text"
    case .instruments: "Instruments' table of thread states"
    case .swiftTasks: "Instruments' table of Swift tasks"
    case .runLoops: "Instruments' table of run loops"
    case .rtApp: "a workload of rt-app"
    }
  }
}
