import SpindleModel

/// Of what kinds of work a program can notice the end, but by what waits for it.
struct AskedEnds: OptionSet, BitwiseCopyable {
  let rawValue: UInt8

  /// Threads that are asked whether they have finished.
  static let threads = AskedEnds(rawValue: 1)
  /// Work items that something follows, or that are waited for with a limit.
  static let workItems = AskedEnds(rawValue: 2)
  /// Tasks that can be cancelled.
  static let tasks = AskedEnds(rawValue: 4)
}

extension AskedEnds {
  /// What the calls of a program can notice.
  init(_ program: Program) {
    self = []
    for instruction in program.instructions {
      guard case .perform(let primitive, _, _) = instruction else { continue }
      switch primitive {
      case .thread(.isFinished), .thread(.isExecuting): insert(.threads)
      case .workItem(.notify), .workItem(.notifyItem), .workItem(.wait): insert(.workItems)
      case .task(.cancel), .taskGroup(.cancelAll): insert(.tasks)
      default: break
      }
    }
  }
}
