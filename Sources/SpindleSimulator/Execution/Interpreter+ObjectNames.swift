import SpindleModel

/// What the objects that values of the trace hold are called.
extension Interpreter {
  /// The names of the objects that a global holds, one for each element of an array; empty texts for
  /// those that have none.
  func names(of global: Int) -> [String] {
    let value = globals[global]
    guard value != noValue, let handle = process.program.globals[global].handle else { return [] }
    guard process.program.globals[global].format == .array else { return [name(of: value, handle)] }
    demand(
      value >= 0 && value < process.arrays.count,
      "global \(global) is array \(value), which is none")
    return process.arrays[Int(value)].map { $0 == noValue ? "" : name(of: $0, handle) }
  }

  /// A lock in the words of a finding, with quotes: where others have its name, which one of them it is,
  /// as the log counts them, and whose.
  func called(_ lock: LockRecord.Index) -> FindingStatement {
    let (name, number) = (locks.name(lock, process.kernel), locks.locks[lock].name)
    var (count, place) = (0, 0)
    for other in 0..<Int32(locks.locks.count) where locks.locks[.init(other)].name == number {
      count += 1
      if other == lock.raw { place = count }
    }
    assert(place > 0, "lock \(lock.raw) is not among those of its name")
    if count == 1 { return FindingText.lock(name, owner: nil) }
    return FindingText.lock(place == 1 ? name : "\(name)#\(place)", owner: owner(of: lock))
  }

  /// The name of the instance that has a lock in one of its fields, the first that was made; nil where
  /// none has it.
  private func owner(of lock: LockRecord.Index) -> String? {
    for instance in process.instances.alive {
      let record = process.instances.instance(instance)
      let fields = process.program.classes[Int(record.type)].fields
      for (number, field) in fields.enumerated() {
        guard let handle = field.handle, field.format != .array, handle.isLock else {
          continue
        }
        let value = process.instances.field(Int32(number), of: instance, fields.count).pointee.value
        if value != noValue && Process.index(value) == lock.raw {
          return process.kernel.text(record.name)
        }
      }
    }
    return nil
  }

  /// The name of the object of a class that a value stands for; empty for one without a name.
  func name(of value: Int64, _ handle: HandleClass) -> String {
    let index = Process.index(value)
    switch handle {
    case .thread, .runLoop: return process.resolve(value).map { process.kernel.name(of: $0) } ?? ""
    case .operationQueue: return operations.operationQueueName(.init(index), process)
    case .queue: return dispatch.name(.init(index), process.kernel)
    case .executor:
      switch ExecutorHandle(value).class {
      case .dispatchQueue: return dispatch.name(.init(index), process.kernel)
      case .operationQueue: return operations.operationQueueName(.init(index), process)
      case .executor: return process.kernel.text(executors.executors[.init(index)].name)
      case .tasks: return process.kernel.text(concurrency.executors[.init(index)].name)
      }
    case .taskExecutor: return process.kernel.text(concurrency.executors[.init(index)].name)
    case .threadPerTask, .threadPool:
      return process.kernel.text(executors.executors[.init(index)].name)
    case .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite:
      return process.kernel.text(locks.locks[LockRecord.Index(index)].name)
    case .semaphore: return process.kernel.text(semaphores.semaphores[.init(index)].name)
    case .group: return process.kernel.text(dispatch.groups.groups[.init(index)].name)
    case .timer: return process.kernel.text(runLoops.timers[.init(index)].name.index)
    case .source: return process.kernel.text(runLoops.sources[.init(index)].name.index)
    case .port: return process.kernel.text(runLoops.ports[.init(index)].name.index)
    case .workItem: return process.kernel.text(dispatch.workItems[.init(index)].name)
    case .dispatchSource: return process.kernel.text(sources.sources[.init(index)].name)
    case .pipe: return process.kernel.text(sources.pipes[.init(index)].name)
    case .onceToken: return process.kernel.text(dispatch.onces[.init(index)].name)
    case .operation: return process.kernel.text(operations.operations[.init(index)].name)
    case .task, .taskResult: return concurrency.number(.init(index), process.kernel)
    case .asyncStream, .streamInput:
      return process.kernel.text(concurrency.streams[.init(index)].name)
    case .accelerator: return process.kernel.text(accelerators.accelerators[.init(index)].name)
    case .observer, .process, .backgroundTask, .runLoopItem, .taskGroup,
      .continuation:
      return ""
    }
  }
}
