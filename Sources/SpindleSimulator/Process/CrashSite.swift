import SpindleModel

/// Where the process crashed, and on what, until the end of the run makes a report of it.
struct CrashSite {
  /// The thread; none for code without one.
  var thread = ThreadID.none
  /// The innermost frame; -1 where there is none.
  var frame = FrameIndex.none
  /// The instruction; -1 where none did it.
  var instruction: Int32 = -1
  /// The object of the library that it is about; nil for none.
  var object: ObjectKey?
  /// Whether the frame is the one that the interpreter is in, which it tells when it stops.
  var needsFrame = false
}

extension Process {
  /// The object that a call is about; nil where it is about none.
  func receiver(of call: Call) -> ObjectKey? {
    guard case .perform(let primitive, let base, _) = code[call.counter], base == call.base,
      let handle = primitive.receiver
    else { return nil }
    let value = frames.registers(call.frame)[base]
    return value == noValue ? nil : ObjectKey(handle: handle, object: value)
  }

  /// What is known of the crash that ended the run, whose thread is called `thread`.
  func crashReport(thread: String?) -> CrashReport {
    let (calls, depth) = activeCalls(
      of: crashSite.frame, at: crashSite.instruction, limit: CrashReport.keptCalls)
    let object = crashSite.object.map {
      CrashReport.Object(handle: $0.handle, number: $0.index)
    }
    return CrashReport(thread: thread, calls: calls, depth: depth, object: object)
  }
}
