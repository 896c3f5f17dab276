import SpindleModel

/// Whether code is on the actor that it says it is on.
extension ConcurrencyRuntime {
  /// `assumeIsolated`, `preconditionIsolated`: goes on where the code is on the actor, crashes elsewhere.
  ///
  /// Code of the main thread is on the main actor, whatever runs it; code of a queue is on the actors whose
  /// executor that is, also in a `sync`; for any other actor only a task of it is. Source:
  /// swift:stdlib/public/Concurrency/Actor.cpp, swift_task_isCurrentExecutor; the words are those of Swift
  /// 6.3 on Linux, which has dispatch look at executors that are queues.
  mutating func checkIsolation(
    _ call: Call, _ dispatch: inout DispatchRuntime, _ process: inout Process
  ) -> CallResult {
    let executor = ExecutorID(register: process.argument(0, call))
    checkIndex(Int(executor.raw), of: actors.count)
    let task = task(of: call.thread, process)
    let ending = isolatedEnds.isEmpty ? nil : self.executor(ofDeinitOn: call.thread, task)
    if let own = ending ?? (!task.isNone ? tasks[task].executor : nil), own == executor {
      return .next
    }
    let queue = actors[executor.actor].queue
    if queue.isNone {
      let type = process.kernel.text(process.object(1, call))
      return process.crash(
        "Incorrect actor executor assumption; expected '\(type)' executor.", call)
    }
    if dispatch.isRunning(on: queue, call.thread, process) { return .next }
    let name = dispatch.name(queue, process.kernel)
    return process.crash(
      "BUG IN CLIENT OF LIBDISPATCH: Block was expected to execute on queue [\(name)]", call)
  }
}
