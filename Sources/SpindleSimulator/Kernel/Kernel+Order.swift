/// What the runtimes say of order that the log does not tell, to whoever looks for races.
extension Kernel {
  /// Whether anybody does.
  @inline(__always) var watchesRaces: Bool { recorder.races.isOn }

  /// A thread leaves at an object what it knows.
  @inline(__always)
  mutating func releases(_ kind: SyncObject.Kind, _ number: Int32, by thread: Int32) {
    if watchesRaces { release(.init(kind: kind, number: number), by: thread) }
  }

  /// A thread knows from now on what is known at an object.
  @inline(__always)
  mutating func acquires(_ kind: SyncObject.Kind, _ number: Int32, by thread: Int32) {
    if watchesRaces { acquire(.init(kind: kind, number: number), by: thread) }
  }

  /// The number of an object is another one's from now on.
  @inline(__always)
  mutating func reuses(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesRaces { forget(.init(kind: kind, number: number)) }
  }

  /// What is known at an object, whoever hands over the next item knows as well.
  @inline(__always)
  mutating func lends(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesRaces { lend(.init(kind: kind, number: number)) }
  }

  /// An item of a dispatch queue is handed over, or kept for later.
  @inline(__always)
  mutating func handsOver(_ item: Int32, by thread: Int32) {
    if watchesRaces { handOver(.init(kind: .dispatchItem, number: item), by: thread) }
  }

  /// What was kept for later is handed over now.
  @inline(__always)
  mutating func handsOverKept(_ item: Int32) {
    if !watchesRaces { return }
    let kept = SyncObject(kind: .dispatchItem, number: item)
    lend(kept)
    forget(kept)
  }

  /// A thread begins an item of a dispatch queue: behind what handed it over, and on the main thread behind all
  /// that it has done.
  @inline(__always)
  mutating func begins(_ item: Int32, on thread: Int32, isMain: Bool) {
    if watchesRaces { beginItem(item, on: thread, isMain: isMain) }
  }

  /// A thread begins one of several iterations.
  @inline(__always)
  mutating func beginsIteration(of apply: Int32, on thread: Int32) {
    if watchesRaces { push(on: thread, with: .init(kind: .apply, number: apply)) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endsIteration(of apply: Int32, on thread: Int32) {
    if !watchesRaces { return }
    releases(.iterations, apply, by: thread)
    recorder.races.pop(on: thread)
  }

  /// A thread knows from now on what another one does.
  @inline(__always)
  mutating func transfers(from other: Int32, to thread: Int32) {
    if watchesRaces { transfer(from: other, to: thread) }
  }

  @inline(never)
  private mutating func beginItem(_ item: Int32, on thread: Int32, isMain: Bool) {
    let object = SyncObject(kind: .dispatchItem, number: item)
    recorder.catchUp()
    if isMain {
      recorder.races.acquire(object, by: thread)
    } else {
      recorder.races.replace(on: thread, with: object)
    }
    recorder.races.forget(object)
  }
}

/// What is said to the detector itself, which has read all that was recorded before.
extension Kernel {
  /// A thread leaves at an object what it knows.
  @inline(never)
  mutating func release(_ object: SyncObject, by thread: Int32) {
    recorder.catchUp()
    recorder.races.release(object, by: thread)
  }

  /// A thread knows from now on what is known at an object.
  @inline(never)
  mutating func acquire(_ object: SyncObject, by thread: Int32) {
    recorder.catchUp()
    recorder.races.acquire(object, by: thread)
  }

  @inline(never)
  private mutating func forget(_ object: SyncObject) {
    recorder.catchUp()
    recorder.races.forget(object)
  }

  @inline(never)
  private mutating func lend(_ object: SyncObject) {
    recorder.catchUp()
    recorder.races.lend(object)
  }

  @inline(never)
  private mutating func handOver(_ object: SyncObject, by thread: Int32) {
    recorder.catchUp()
    recorder.races.handOver(object, by: thread)
  }

  @inline(never)
  private mutating func push(on thread: Int32, with object: SyncObject) {
    recorder.catchUp()
    recorder.races.push(on: thread, with: object)
  }

  @inline(never)
  private mutating func transfer(from other: Int32, to thread: Int32) {
    recorder.catchUp()
    recorder.races.transfer(from: other, to: thread)
  }

  /// A task that no thread runs just now leaves at an object what it knows, else the thread does that runs it.
  @inline(never)
  mutating func release(_ object: SyncObject, task: Int32, by thread: Int32) {
    recorder.catchUp()
    if recorder.races.isOff(task) {
      recorder.races.release(object, task: task)
    } else {
      recorder.races.release(object, by: thread)
    }
  }

  /// A thread goes on with a task; where it does so in the midst of its own code, that comes before it.
  @inline(never)
  mutating func enter(task: Int32, on thread: Int32, inOrder: Bool) {
    demand(task >= 0 && thread >= 0, "thread \(thread) goes on with task \(task)")
    recorder.catchUp()
    recorder.races.enter(task: task, on: thread, inOrder: inOrder)
  }

  /// A thread is done with a task for now.
  @inline(never)
  mutating func leave(task: Int32, on thread: Int32, inOrder: Bool) {
    recorder.catchUp()
    recorder.races.leave(task: task, on: thread, inOrder: inOrder)
  }

  /// A task has ended.
  @inline(__always)
  mutating func ends(task: Int32) {
    if !watchesRaces { return }
    recorder.catchUp()
    recorder.races.end(task: task)
  }

  /// The variables of an instance are gone.
  @inline(__always)
  mutating func forgets(instance: Int64, fields: Int) {
    if watchesRaces { recorder.races.forget(instance: instance, fields: fields) }
  }
}
