/// Traces of recordings without cores, or of workloads: there is nothing to compare with their simulation.
package enum ExportedTrace {
  /// The message about a folder: Instruments' own recordings are folders.
  package static func folderAdvice(_ name: String) -> String {
    "\(name) is a folder: of a recording of Instruments, a table is read, exported with "
      + InstrumentsTable.command("thread-state", of: name.contains("'") ? "X.trace" : "'\(name)'")
  }

  /// The trace of such a recording, which is called `recording`; nil of any other.
  package static func text(
    _ bytes: any RecordingBytes, recording: String, _ choice: RecordingChoice = .init()
  ) throws -> String? {
    switch try RecordingFormat.of(bytes) {
    case .rtApp: try RTAppTrace.text(bytes, recording: recording)
    case .swiftTasks: try TaskTrace.text(bytes, recording: recording, choice)
    case .runLoops: try RunLoopTrace.text(bytes, recording: recording, choice)
    case .kernelText, .systrace, .perfetto, .babeltrace, .instruments: nil
    }
  }
}
