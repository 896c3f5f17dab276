import SpindleModel

/// What the runtimes say of order that the log does not tell, to whoever looks for races and for locks in both orders.
extension Kernel {
  /// Whether anybody does.
  @inline(__always) var watchesOrder: Bool { recorder.watchesOrder }

  /// A thread leaves at an object what it knows.
  @inline(__always)
  mutating func releases(_ kind: SyncObject.Kind, _ number: Int32, by thread: ThreadID) {
    if watchesOrder { release(.init(kind: kind, number: number), by: thread) }
  }

  /// A thread knows from now on what is known at an object.
  @inline(__always)
  mutating func acquires(_ kind: SyncObject.Kind, _ number: Int32, by thread: ThreadID) {
    if watchesOrder { acquire(.init(kind: kind, number: number), by: thread) }
  }

  /// A thread does an atomic operation on the value with a number.
  ///
  /// What is relaxed orders nothing, and forgets nothing. Source: llvm:compiler-rt/lib/tsan/rtl/tsan_interface_atomic.cpp.
  mutating func accesses(_ number: Int32, acquires: Bool, releases: Bool, by thread: ThreadID) {
    if !watchesOrder || !(acquires || releases) { return }
    let object = SyncObject(kind: .lock, number: number)
    recorder.tellOrder { order in
      if !order.isOrdered(by: .lock, number) { return }
      if acquires { order.acquire(object, by: thread) }
      if releases { order.release(object, by: thread) }
    }
  }

  /// The number of an object is another one's from now on.
  @inline(__always)
  mutating func reuses(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesOrder { recorder.tellOrder { $0.forget(.init(kind: kind, number: number)) } }
  }

  /// What is known at an object, whoever hands over the next item knows as well.
  @inline(__always)
  mutating func lends(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesOrder { recorder.tellOrder { $0.lend(.init(kind: kind, number: number)) } }
  }

  /// An item of a dispatch queue is handed over, or kept for later.
  @inline(__always)
  mutating func handsOver(_ item: Int32, by thread: ThreadID) {
    if !watchesOrder { return }
    recorder.tellOrder { $0.handOver(.init(kind: .dispatchItem, number: item), by: thread) }
  }

  /// What was kept for later is handed over now.
  @inline(__always)
  mutating func handsOverKept(_ item: Int32) {
    if !watchesOrder { return }
    let kept = SyncObject(kind: .dispatchItem, number: item)
    recorder.tellOrder { order in
      order.lend(kept)
      order.forget(kept)
    }
  }

  /// A thread begins an item of a dispatch queue: behind what handed it over, and on the main thread behind all
  /// that it has done.
  @inline(__always)
  mutating func begins(_ item: Int32, on thread: ThreadID, isMain: Bool) {
    if !watchesOrder { return }
    let object = SyncObject(kind: .dispatchItem, number: item)
    recorder.tellOrder { order in
      if isMain {
        order.acquire(object, by: thread)
      } else {
        order.replace(on: thread, with: object)
      }
      order.forget(object)
    }
  }

  /// A thread begins one of several iterations.
  @inline(__always)
  mutating func beginsIteration(of apply: Int32, on thread: ThreadID) {
    if !watchesOrder { return }
    recorder.tellOrder { $0.push(on: thread, with: .init(kind: .apply, number: apply)) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endsIteration(of apply: Int32, on thread: ThreadID) {
    if !watchesOrder { return }
    releases(.iterations, apply, by: thread)
    recorder.tellOrder { $0.pop(on: thread) }
  }

  /// A task has ended.
  @inline(__always)
  mutating func ends(task: Int32) {
    if watchesOrder { recorder.tellOrder { $0.end(task: task) } }
  }

  /// The variables of an instance are gone.
  @inline(__always)
  mutating func forgets(instance: Int64, fields: Int) {
    if recorder.races.isOn { recorder.races.forget(instance: instance, fields: fields) }
  }
}

/// What is said by those who have asked whether anybody wants to know.
extension Kernel {
  /// A thread leaves at an object what it knows.
  mutating func release(_ object: SyncObject, by thread: ThreadID) {
    recorder.tellOrder { $0.release(object, by: thread) }
  }

  /// A thread knows from now on what is known at an object.
  mutating func acquire(_ object: SyncObject, by thread: ThreadID) {
    recorder.tellOrder { $0.acquire(object, by: thread) }
  }

  /// A task that no thread runs just now leaves at an object what it knows, else the thread does that runs it.
  mutating func release(_ object: SyncObject, task: Int32, by thread: ThreadID) {
    recorder.tellOrder { order in
      if order.isOff(task) {
        order.release(object, task: task)
      } else {
        order.release(object, by: thread)
      }
    }
  }

  /// A thread goes on with a task; where it does so in the midst of its own code, that comes before it.
  mutating func enter(task: Int32, on thread: ThreadID, inOrder: Bool) {
    demand(task >= 0 && !thread.isNone, "thread \(thread.index) goes on with task \(task)")
    recorder.tellOrder { $0.enter(task: task, on: thread, inOrder: inOrder) }
  }

  /// A thread is done with a task for now.
  mutating func leave(task: Int32, on thread: ThreadID, inOrder: Bool) {
    recorder.tellOrder { $0.leave(task: task, on: thread, inOrder: inOrder) }
  }
}
