import SpindleModel

/// The simulator's own frames: to whom they belong.
extension Interpreter {
  /// Resumes a frame of the simulator's own, which is the innermost of a running thread.
  @inline(never)
  mutating func resume(_ frame: Int32, _ thread: Int32) -> FrameResult {
    guard let activity = process.frames.activity(frame) else {
      fatalError("frame \(frame) is no activity")
    }
    process.kernel.breakWork()
    switch activity {
    case .operation: return resumeOperation(frame, thread)
    case .queueWorker: return resumeWorker(frame, thread)
    case .lane: return resumeLane(frame, thread)
    case .mainDrain: return resumeMainDrain(frame, thread)
    case .dispatchMain: return resumeDispatchMain(frame, thread)
    case .apply: return resumeApply(frame, thread)
    case .performItem: return resumePerformedItem(frame, thread)
    case .runLoopRun: return resumeRun(frame, thread)
    case .runLoopRepeat: return resumeRepetition(frame, thread)
    case .timerFire: return resumeFire(frame, thread)
    }
  }

  /// Lets go of what a frame of the simulator's own holds, since its thread exits.
  mutating func abandon(_ frame: Int32, _ thread: Int32) {
    guard let activity = process.frames.activity(frame) else { return }
    switch activity {
    case .runLoopRun: abandonRun(frame, thread)
    case .operation: abandonOperation(frame)
    default: break
    }
  }
}
