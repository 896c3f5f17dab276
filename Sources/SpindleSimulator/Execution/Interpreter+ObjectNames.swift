import SpindleModel

/// What the objects that values of the trace hold are called.
extension Interpreter {
  /// The names of the objects that a global holds, one for each element of an array; empty texts for
  /// those that have none.
  func names(of global: Int) -> [String] {
    let value = globals[global]
    guard value != noValue, let handle = program.globals[global].handle else { return [] }
    guard program.globals[global].format == .array else { return [name(of: value, handle)] }
    return arrays[Int(value)].map { $0 == noValue ? "" : name(of: $0, handle) }
  }

  /// The name of the object of a class that a value stands for; empty for one without a name.
  func name(of value: Int64, _ handle: HandleClass) -> String {
    let index = Self.index(value)
    switch handle {
    case .thread, .runLoop: return resolve(value).map { kernel.name(of: $0) } ?? ""
    case .operationQueue: return operationQueueName(index)
    case .queue: return dispatch.name(index, kernel)
    case .executor:
      // The class of executors stands above the index.
      switch value >> 48 {
      case 1: return dispatch.name(index, kernel)
      case 2: return operationQueueName(index)
      default: return text(executors.executors[index].name)
      }
    case .threadPerTask, .threadPool: return text(executors.executors[index].name)
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite:
      return text(locks.locks[index].name)
    case .semaphore: return text(semaphores.semaphores[index].name)
    case .group: return text(groups.groups[index].name)
    case .timer: return text(runLoops.timers[Int(index)].name)
    case .source: return text(runLoops.sources[Int(index)].name)
    case .port: return text(runLoops.ports[Int(index)].name)
    case .workItem: return text(workItems[index].name)
    case .dispatchSource: return text(sources.sources[index].name)
    case .pipe: return text(sources.pipes[index].name)
    case .onceToken: return text(onces[index].name)
    case .operation: return text(operations.operations[index].name)
    case .observer, .process, .backgroundTask, .accelerator, .runLoopItem: return ""
    }
  }

  /// Notes in the log that a call has made an object.
  mutating func noteMaking(
    _ handle: HandleClass, _ number: Int32, _ name: Int32, _ call: Call, quality: Int32 = -1,
    value: Int64 = 0
  ) {
    kernel.recordMaking(
      handle, number, name: name, by: call.thread, place: Int32(truncatingIfNeeded: call.counter),
      quality: quality, value: value)
  }

  private func text(_ name: Int32) -> String {
    name < 0 ? "" : kernel.names.text(NameID(Int(name)))
  }
}
