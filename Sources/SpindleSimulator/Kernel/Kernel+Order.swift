/// What the runtimes say of order that the log does not tell, to whoever looks for races.
extension Kernel {
  /// Whether anybody does.
  @inline(__always) var watchesRaces: Bool { races != nil }

  /// The detector, which has read all that was recorded.
  @inline(never)
  mutating func presentRaces() -> RaceDetector {
    guard let races else { fatalError("nobody looks for races") }
    recorder.flush()
    return races
  }

  /// A thread leaves at an object what it knows.
  @inline(__always)
  mutating func releases(_ kind: SyncObject.Kind, _ number: Int32, by thread: Int32) {
    if watchesRaces { presentRaces().release(.init(kind: kind, number: number), by: thread) }
  }

  /// A thread knows from now on what is known at an object.
  @inline(__always)
  mutating func acquires(_ kind: SyncObject.Kind, _ number: Int32, by thread: Int32) {
    if watchesRaces { presentRaces().acquire(.init(kind: kind, number: number), by: thread) }
  }

  /// The number of an object is another one's from now on.
  @inline(__always)
  mutating func reuses(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesRaces { presentRaces().forget(.init(kind: kind, number: number)) }
  }

  /// What is known at an object, whoever hands over the next item knows as well.
  @inline(__always)
  mutating func lends(_ kind: SyncObject.Kind, _ number: Int32) {
    if watchesRaces { presentRaces().lend(.init(kind: kind, number: number)) }
  }

  /// An item of a dispatch queue is handed over, or kept for later.
  @inline(__always)
  mutating func handsOver(_ item: Int32, by thread: Int32) {
    if watchesRaces {
      presentRaces().handOver(.init(kind: .dispatchItem, number: item), by: thread)
    }
  }

  /// What was kept for later is handed over now.
  @inline(__always)
  mutating func handsOverKept(_ item: Int32) {
    if !watchesRaces { return }
    let kept = SyncObject(kind: .dispatchItem, number: item)
    presentRaces().lend(kept)
    presentRaces().forget(kept)
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
    if watchesRaces { presentRaces().push(on: thread, with: .init(kind: .apply, number: apply)) }
  }

  /// It has ended.
  @inline(__always)
  mutating func endsIteration(of apply: Int32, on thread: Int32) {
    if !watchesRaces { return }
    releases(.iterations, apply, by: thread)
    presentRaces().pop(on: thread)
  }

  /// A thread knows from now on what another one does.
  @inline(__always)
  mutating func transfers(from other: Int32, to thread: Int32) {
    if watchesRaces { presentRaces().transfer(from: other, to: thread) }
  }

  @inline(never)
  private mutating func beginItem(_ item: Int32, on thread: Int32, isMain: Bool) {
    let object = SyncObject(kind: .dispatchItem, number: item)
    if isMain {
      presentRaces().acquire(object, by: thread)
    } else {
      presentRaces().replace(on: thread, with: object)
    }
    presentRaces().forget(object)
  }
}
