import SpindleModel

/// Task-locals: what a scope binds, the code in it and the tasks that it makes can read.
///
/// The bindings of a task are a list, innermost first, which the tasks that are made in it go on from: children and
/// `Task { }` see what was bound when they were made, `Task.detached { }` nothing. Code of no task has a list
/// by its thread. Source: SE-0311; swift:stdlib/public/Concurrency/TaskLocal.cpp.
extension ConcurrencyRuntime {
  /// The innermost binding that the code of a thread sees.
  mutating func bindings(on thread: ThreadID, _ process: borrowing Process)
    -> TaskLocalBinding.Index
  {
    let task = task(of: thread, process)
    if !task.isNone { return tasks[task].bindings }
    return thread.isNone ? .none : threads.of(thread, process.kernel).bindings
  }

  mutating func setBindings(
    _ first: TaskLocalBinding.Index, on thread: ThreadID, _ process: borrowing Process
  ) {
    let task = task(of: thread, process)
    if !task.isNone {
      tasks[task].bindings = first
    } else {
      threads.change(thread, process.kernel) { $0.bindings = first }
    }
  }

  /// What a task-local is worth to a call.
  mutating func readLocal(_ call: Call, _ process: inout Process) {
    let key = process.argument(0, call)
    var binding = bindings(on: call.thread, process)
    while !binding.isNone {
      if locals[binding].key == key { return process.give(locals[binding].value, call) }
      binding = locals[binding].outer
    }
    process.give(process.argument(1, call), call)
  }

  mutating func bindLocal(_ call: Call, _ process: inout Process) {
    let bound = locals.add(
      TaskLocalBinding(
        key: process.argument(0, call), value: process.argument(1, call),
        outer: bindings(on: call.thread, process)))
    setBindings(bound, on: call.thread, process)
  }

  mutating func unbindLocal(_ call: Call, _ process: inout Process) {
    let bound = bindings(on: call.thread, process)
    demand(!bound.isNone, "a task-local binding ends, but none is active")
    let outer = locals[bound].outer
    if locals[bound].users > 1 { shareBindings(outer) }
    setBindings(outer, on: call.thread, process)
    if locals[bound].users > 1 {
      locals[bound].users -= 1
    } else {
      locals.remove(bound)
    }
  }

  /// One more list goes on from a binding.
  func shareBindings(_ first: TaskLocalBinding.Index) {
    if !first.isNone { locals[first].users += 1 }
  }

  /// A list goes no more: what nobody else goes on from is forgotten.
  mutating func dropBindings(of task: TaskRecord.Index) {
    var binding = tasks[task].bindings
    tasks[task].bindings = .none
    while !binding.isNone {
      demand(locals[binding].users > 0, "binding \(binding) of task \(task) has no users")
      locals[binding].users -= 1
      if locals[binding].users > 0 { return }
      let outer = locals[binding].outer
      locals.remove(binding)
      binding = outer
    }
  }
}

/// What a scope binds a task-local to.
struct TaskLocalBinding: BitwiseCopyable {
  typealias Index = TableIndex<TaskLocalBinding>

  var key: Int64
  var value: Int64
  /// The binding around it.
  var outer: Index
  /// How many lists go on from it.
  var users: Int32 = 1
}
