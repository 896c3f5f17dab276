import SpindleModel

/// Instances that tasks hold which wait for ever, and that hold these tasks themselves.
///
/// A task that waits is held by whatever will wake it, and holds what its code has: `self` too, where that is no weak
/// reference. Source: *The Swift Programming Language*, "Automatic Reference Counting"; run with Swift 6.3.1: the `deinit`
/// that would cancel the task never runs.
extension Interpreter {
  /// Reports the cycles that lead through tasks: first of those whose handle is in the cycle, and then of those that
  /// wait for a stream which is.
  mutating func reportHeldByTasks(_ objects: [ObjectKey: ObjectHolding]) {
    if process.endsProcess || process.instances.alive.isEmpty { return }
    let waiting = concurrency.tasks.indices.filter { waitsForEver($0, 8) }
    if waiting.isEmpty { return }
    var held = objects
    let keys = waiting.map { ObjectKey(handle: .task, object: $0.register) }
    for task in waiting {
      held[ObjectKey(handle: .task, object: task.register)] = holding(ofTask: task, among: waiting)
    }
    let known = process.reportNeverReleased(held, through: keys)
    for task in waiting where concurrency.tasks[task].wait == .stream {
      let stream = AsyncStreamRecord.Index(concurrency.tasks[task].waitObject)
      let key = ObjectKey(handle: .asyncStream, object: stream.register)
      guard process.objectHolds.isCounted(key) else { continue }
      var known = held[key] ?? ObjectHolding(frames: [], madeAt: concurrency.streams[stream].madeAt)
      if held[key] == nil {
        let input = ObjectKey(handle: .streamInput, object: stream.register)
        known.holders =
          process.objectHolds.holders(of: key) + process.objectHolds.holders(of: input)
      }
      known.values.append((task.register, .object(.task)))
      held[key] = known
      held[ObjectKey(handle: .task, object: task.register)]?.holders += 1
    }
    process.reportNeverReleased(held, through: keys, known: known)
  }

  /// Whether a task waits for what does not come: for an element of a stream, or for tasks that do; when nothing can
  /// happen any more, for anything.
  private func waitsForEver(_ task: TaskRecord.Index, _ depth: Int) -> Bool {
    let record = concurrency.tasks[task]
    guard record.state == .suspended, !record.isMain, depth > 0 else { return false }
    if process.isQuiescent { return true }
    switch record.wait {
    case .stream: return true
    case .task: return waitsForEver(.init(record.waitObject), depth - 1)
    case .group, .groupEnd:
      let children = children(of: task)
      return !children.isEmpty && children.allSatisfy { waitsForEver($0, depth - 1) }
    case .executor, .sleep, .io, .yield, .continuation: return false
    }
  }

  /// The children of a task that have not ended.
  private func children(of task: TaskRecord.Index) -> [TaskRecord.Index] {
    var found: [TaskRecord.Index] = []
    var child = concurrency.tasks[task].firstChild
    while !child.isNone {
      assert(concurrency.tasks[child].parent == task, "task \(child) is no child of task \(task)")
      found.append(child)
      child = concurrency.tasks[child].nextSibling
    }
    return found
  }

  /// What a task that waits holds: by its code, and its children.
  private func holding(ofTask task: TaskRecord.Index, among waiting: [TaskRecord.Index])
    -> ObjectHolding
  {
    let record = concurrency.tasks[task]
    var holding = ObjectHolding(frames: [], madeAt: record.madeAt)
    holding.holders = process.objectHolds.holders(
      of: ObjectKey(handle: .task, object: task.register))
    if !record.parent.isNone && waiting.contains(record.parent) { holding.holders += 1 }
    for child in children(of: task) where waiting.contains(child) {
      holding.values.append((child.register, .object(.task)))
    }
    var frame = record.inner
    while !frame.isNone && frame != record.frame {
      if !process.frames.isNative(frame) {
        for each in process.program.owned[Int(process.frames.block(frame))] {
          holding.values.append((process.frames.registers(frame)[each.register], each.kind))
        }
      }
      frame = process.frames.parent(frame)
    }
    return holding
  }
}
