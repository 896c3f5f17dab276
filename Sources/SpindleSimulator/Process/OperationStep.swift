/// How far the frame of an operation has come; its counter.
enum OperationStep: Int32 {
  /// A thread has it.
  case taken
  /// What it costs is paid.
  case started
  /// Its blocks run, one after the other.
  case blocks
  /// The closure of an asynchronous one has returned.
  case returned
  /// Its end has been reported.
  case reported
  /// Its teardown has run.
  case over
}

extension FrameArena {
  /// How far the frame of an operation has come.
  @inline(__always)
  func operationStep(_ frame: FrameIndex) -> OperationStep {
    guard let step = OperationStep(rawValue: counter(frame)) else {
      fatalError("the operation's frame \(frame) is at step \(counter(frame))")
    }
    return step
  }

  /// The frame of an operation has come so far.
  @inline(__always)
  func setOperationStep(_ frame: FrameIndex, _ step: OperationStep) {
    setCounter(frame, step.rawValue)
  }
}
