/// Why a thread waits.
public enum WaitReason: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case io, sleep, lock, condition, semaphore, group, join, runLoop, idleWorker
  case sync, workItem, apply, once, perform, operation, operations, job
  case accelerator, addressSpace, stackList, taskStatus
  /// A schedule keeps it from its next step.
  case held

  /// Whether a thread that waits like this when nothing can happen any more is stuck.
  package var canDeadlock: Bool { facts.canDeadlock }

  /// Its name in exports, which is that of its case.
  package var name: String { String(describing: self) }
}
