import SpindleModel

/// What nothing holds any more: instances until their `deinit` runs, objects of the library until they
/// have died.
struct Lives {
  /// The first to run is the first here.
  private var dying: [(instance: Int64, depth: Int32)] = []
  private var dyingObjects: [(key: ObjectKey, depth: Int32)] = []
  /// What is to be let go of, and how deep: kept between calls, so that it is made once.
  fileprivate var pending: [(value: Int64, kind: LifeKind, depth: Int32)] = []
  /// How many bytes of stack the releases have that are going on, one within the other.
  var depth: Int32 = 0
  /// Whether they have needed more than their thread's stack.
  private(set) var haveOverflowed = false
  /// Whether some `deinit` is due, or an object is to die.
  private(set) var hasDying = false
  /// The thread whose code lets go of something, or none.
  var thread = ThreadID.none
  /// Whether a `deinit` may read what others wrote, and somebody looks for races.
  var areOrdered = false

  /// Notes an instance whose `deinit` is due.
  mutating func die(_ instance: Int64) {
    dying.append((instance, depth))
    hasDying = true
  }

  /// The last one, and how deep its release is; nil when none is left.
  mutating func takeLastDying() -> (instance: Int64, depth: Int32)? {
    hasDying = dying.count > 1 || !dyingObjects.isEmpty
    return dying.popLast()
  }

  /// Notes an object of the library that nothing holds any more.
  mutating func die(_ object: ObjectKey) {
    dyingObjects.append((object, depth))
    hasDying = true
  }

  /// The first of these, and how deep its release is; nil when none is left.
  mutating func takeFirstObject() -> (key: ObjectKey, depth: Int32)? {
    if dyingObjects.isEmpty { return nil }
    let object = dyingObjects.removeFirst()
    hasDying = !dying.isEmpty || !dyingObjects.isEmpty
    return object
  }

  /// The releases need more than the stack: the run ends where it looks for what is dying.
  mutating func overflow() { (haveOverflowed, hasDying) = (true, true) }
}

/// Counting who holds what: each `let` and `var`, each field and element, and each closure for what it
/// captures.
///
/// As Swift counts (*The Swift Programming Language*, "Automatic Reference Counting"); what is let go of
/// last is gone at once, with what it alone held, in a fixed order.
extension Process {
  /// Whether the program has anything that is counted.
  @inline(__always)
  var counts: Bool { !program.owned.isEmpty }

  /// Something more holds what a value stands for.
  mutating func retain(_ value: Int64, _ kind: LifeKind) {
    if isNil(value) { return }
    if kind.element != nil {
      arrayHolds[Int(value)].holders += 1
    } else if kind == .closure {
      let frame = closure(value)
      frames.setKey(frame, frames.key(frame) &+ 1)
    } else if let handle = kind.handle {
      if isOfBefore(value, handle) { return }
      _ = objectHolds.change(ObjectKey(handle: handle, object: value), by: 1)
    } else {
      instances.hold(value)
    }
  }

  /// Whether a value is nil, also as what an optional holds that is in another one: the nil of each is one more.
  @inline(__always)
  func isNil(_ value: Int64) -> Bool { value <= noValue + Int64(Int8.max) }

  /// Whether a value stands for a thread that has ended, and whose number another one has.
  private func isOfBefore(_ value: Int64, _ handle: HandleClass) -> Bool {
    handle == .thread && resolve(value) == nil
  }

  /// Something lets go of what a value stands for.
  mutating func release(_ value: Int64, _ kind: LifeKind) {
    if isNil(value) { return }
    lives.pending.append((value, kind, lives.depth))
    releasePending()
  }

  private mutating func releasePending() {
    if lives.haveOverflowed { return lives.pending.removeAll() }
    let outer = lives.depth
    while let next = lives.pending.popLast() {
      lives.depth = next.depth
      letGo(of: next.value, next.kind)
      if next.depth >= StackUse.least && !hasStack(for: next.depth) {
        lives.overflow()
        break
      }
    }
    lives.depth = outer
  }

  /// Notes what is to be let go of by a release that needs so many bytes of stack for it.
  private mutating func releaseLater(_ value: Int64, _ kind: LifeKind, taking bytes: Int32) {
    lives.pending.append((value, kind, lives.depth + bytes))
  }

  /// Does what follows within a release that needs so many bytes of stack for it.
  mutating func nest(_ bytes: Int32, _ release: (inout Process) -> Void) {
    lives.depth += bytes
    release(&self)
    lives.depth -= bytes
  }

  /// Whether the stack of the thread that lets go is large enough for releases that are nested so deep.
  func hasStack(for depth: Int32) -> Bool {
    if lives.thread.isNone { return true }
    let thread = kernel.threads[lives.thread]
    let most = thread.stackSize / StackUse.frame
    let frames =
      isAsync(thread.frame, within: most) ? 0 : min(Int64(thread.depth), most) * StackUse.frame
    return Int64(depth) <= max(Int64(StackUse.least), thread.stackSize - StackUse.start - frames)
  }

  private mutating func letGo(of value: Int64, _ kind: LifeKind) {
    if isNil(value) { return }
    if kind.element != nil {
      arrayHolds[Int(value)].holders -= 1
      let isLast = arrayHolds[Int(value)].holders == 0
      order(.arrayLife, Int32(truncatingIfNeeded: value), isLast: isLast)
      guard arrayHolds[Int(value)].holders == 0,
        let element = arrayHolds[Int(value)].kind?.element
      else { return }
      let bytes = entryKeys[value] == nil ? StackUse.array : StackUse.dictionary
      let depth = lives.depth + bytes
      lives.pending.append(contentsOf: arrays[Int(value)].reversed().map { ($0, element, depth) })
      arrays[Int(value)] = []
      if !entryKeys.isEmpty { entryKeys[value] = nil }
    } else if kind == .closure {
      // A closure that nobody has counted yet has one holder: whoever made it.
      let frame = closure(value)
      let others = frames.key(frame)
      order(.closureLife, frame.raw, isLast: others == 0)
      if others > 0 { return frames.setKey(frame, others &- 1) }
      releaseLater(capturesOf: frame)
      frames.release(frame)
    } else if let handle = kind.handle {
      if isOfBefore(value, handle) { return }
      let key = ObjectKey(handle: handle, object: value)
      if objectHolds.change(key, by: -1) || isLetGo(whole: key) { lives.die(key) }
    } else {
      let (wasAlive, isLast) = (instances.isAlive(value), instances.letGo(value))
      if wasAlive { order(.instanceLife, InstanceTable.index(value), isLast: isLast) }
      if !isLast { return noteParent(of: value) }
      if program.classes[Int(instances.instance(value).type)].deinitializer == nil
        || !isComplete(value)
      {
        releaseLater(fieldsOf: value)
        remove(value)
      } else {
        lives.die(value)
      }
    }
  }

  /// Whether nothing of the trace holds an object: of one that is an instance, neither it nor that, but each the other.
  func isLetGo(_ key: ObjectKey) -> Bool { objectHolds.isAbandoned(key) || isLetGo(whole: key) }

  private func isLetGo(whole key: ObjectKey) -> Bool {
    guard let whole = objectHolds.whole(of: key), objectHolds.holders(of: key) == 1 else {
      return false
    }
    return instances.isThere(whole) && instances.instance(whole).holders <= 1
  }

  /// The operation or the thread that an instance is holds that: the two may die when nothing else does.
  private mutating func noteParent(of instance: Int64) {
    guard objectHolds.hasWholes, instances.isAlive(instance),
      instances.instance(instance).holders == 1, let key = parent(of: instance)
    else { return }
    lives.die(key)
  }

  /// The operation or the thread that an instance is; nil for one that is none.
  func parent(of instance: Int64) -> ObjectKey? {
    let type = Int(instances.instance(instance).type)
    guard let number = program.classes[type].parent else { return nil }
    let fields = program.classes[type].fields
    let value = instances.field(Int32(number), of: instance, fields.count).pointee.value
    guard let handle = fields[number].life?.handle, value != noValue, !isOfBefore(value, handle)
    else { return nil }
    return ObjectKey(handle: handle, object: value)
  }

  /// Whether an instance has all its values: where its `init` threw before, no `deinit` runs.
  ///
  /// Source: *The Swift Programming Language*, "Two-Phase Initialization"; run with Swift 6.3.1.
  private func isComplete(_ instance: Int64) -> Bool {
    let fields = program.classes[Int(instances.instance(instance).type)].fields
    return fields.indices.allSatisfy { number in
      !fields[number].isNeeded
        || instances.field(Int32(number), of: instance, fields.count).pointee.value != noValue
    }
  }

  /// Whoever lets go of something comes before what is run at its end by whoever lets go of it last.
  ///
  /// Source: swift:stdlib/public/SwiftShims/swift/shims/RefCount.h, doDecrement: a release each time, and an
  /// acquire in front of the `deinit`.
  @inline(__always)
  private mutating func order(_ kind: SyncObject.Kind, _ number: Int32, isLast: Bool) {
    if lives.areOrdered { note(kind, number, isLast: isLast) }
  }

  @inline(never)
  private mutating func note(_ kind: SyncObject.Kind, _ number: Int32, isLast: Bool) {
    assert(
      kernel.recorder.races.isOn, "the ends of lives are put in order, and nobody looks for races")
    kernel.releases(kind, number, by: lives.thread)
    if !isLast { return }
    kernel.acquires(kind, number, by: lives.thread)
    kernel.reuses(kind, number)
  }

  private mutating func releaseLater(capturesOf frame: FrameIndex) {
    guard counts else { return }
    let block = Int(frames.block(frame))
    // What a closure takes alone is its context itself.
    let bytes = blocks[block].captureCount == 1 ? 0 : StackUse.closure
    // The last one noted is the first to go.
    for each in program.owned[block].reversed()
    where each.register.index < blocks[block].captureCount {
      releaseLater(frames.registers(frame)[each.register], each.kind, taking: bytes)
    }
  }

  private mutating func releaseLater(fieldsOf instance: Int64) {
    let type = Int(instances.instance(instance).type)
    let fields = program.classes[type].fields
    if let key = parent(of: instance), objectHolds.whole(of: key) != nil {
      objectHolds.part(key)
      kernel.storage.give(.instances, 64)
    }
    let bytes =
      program.classes[type].deinitializer == nil
      ? StackUse.instance : StackUse.instanceWithDeinit
    let base = program.classes[type].parent
    for number in program.classes[type].releaseOrder.reversed() {
      guard let life = fields[number].life else { continue }
      let record = instances.field(Int32(number), of: instance, fields.count)
      let taken = fields[number].isLink ? 0 : number == base ? StackUse.base : bytes
      releaseLater(record.pointee.value, life, taking: taken)
      record.pointee.value = noValue
    }
  }

  /// What a program says that crashes because something holds an instance of a class when its `deinit` has run.
  static func outlived(_ className: String, count: Int) -> String {
    "Object of class \(className) deallocated with non-zero retain count \(count). This object's deinit, or something "
      + "called from it, may have created a strong reference to self which outlived deinit, resulting in a "
      + "dangling reference."
  }

  /// An instance whose `deinit` has run lets go of what it holds, and is gone, unless something holds it still.
  mutating func endInstance(_ instance: Int64) {
    let isHeld = instances.instance(instance).holders < 0
    nest(instances.instance(instance).depth) { process in
      process.releaseLater(fieldsOf: instance)
      if !isHeld { process.remove(instance) }
      process.releasePending()
    }
  }

  private mutating func remove(_ instance: Int64) {
    let type = Int(instances.instance(instance).type)
    kernel.forgets(instance: instance, fields: program.classes[type].fields.count)
    instances.remove(instance)
  }

  // MARK: Frames and closures

  /// A frame lets go of all that it holds: the last first, and then of what its closure took, in the order in which
  /// that named it.
  ///
  /// Run with Swift 6.3.1, whose closures have what they take in that order.
  ///
  /// With `stopsAtDeath` only up to the first thing that dies of it: gives whether something did.
  @discardableResult
  mutating func releaseOwned(_ frame: FrameIndex, stopsAtDeath: Bool = false) -> Bool {
    guard counts else { return false }
    let block = Int(frames.block(frame))
    let taken = blocks[block].captureCount
    for each in program.owned[block].reversed() where each.register.index >= taken {
      release(each, of: frame)
      if stopsAtDeath && lives.hasDying { return true }
    }
    if taken == 0 { return false }
    for each in program.owned[block] where each.register.index < taken {
      release(each, of: frame)
      if stopsAtDeath && lives.hasDying { return true }
    }
    return false
  }

  private mutating func release(_ each: OwnedRegister, of frame: FrameIndex) {
    let value = frames.registers(frame)[each.register]
    frames.registers(frame)[each.register] = noValue
    release(value, each.kind)
  }

  /// A closure, or a frame that is run of one, holds what it captured.
  mutating func retainCaptures(_ frame: FrameIndex) {
    guard counts else { return }
    let block = Int(frames.block(frame))
    for each in program.owned[block] where each.register.index < blocks[block].captureCount {
      retain(frames.registers(frame)[each.register], each.kind)
    }
  }

  /// Whether the closure of a handler holds anything that is counted.
  func holdsAnything(_ handler: Handler) -> Bool {
    guard counts, handler.isSet else { return false }
    let block = Int(frames.block(handler.closure))
    return program.owned[block].contains { $0.register.index < blocks[block].captureCount }
  }

  /// Gives a closure back that nothing will run.
  mutating func drop(_ closure: FrameIndex) {
    releaseLater(capturesOf: closure)
    releasePending()
    frames.release(closure)
  }

  // MARK: Arrays

  /// From now on an array holds its elements; or it is counted who holds a new object of the library,
  /// which whoever made it does.
  mutating func countElements(of array: Int64, _ kind: LifeKind) {
    if let handle = kind.handle {
      return objectHolds.begin(ObjectKey(handle: handle, object: array))
    }
    guard array != noValue, arrayHolds[Int(array)].kind == nil, let element = kind.element else {
      return
    }
    arrayHolds[Int(array)].kind = kind
    for each in arrays[Int(array)] { retain(each, element) }
  }

  /// A copy of an array, which holds its elements too where that does.
  mutating func copyOfArray(_ array: Int) -> Int64 {
    let copy = keep(arrays[array])
    if !entryKeys.isEmpty, let keys = entryKeys[Int64(array)] {
      kernel.storage.take(.arrays, 72 * keys.inOrder.count)
      entryKeys[copy] = keys
    }
    if counts, let kind = arrayHolds[array].kind { countElements(of: copy, kind) }
    return copy
  }

  /// An array has got an element.
  mutating func retainElement(_ value: Int64, of array: Int64) {
    if counts, let kind = arrayHolds[Int(array)].kind?.element { retain(value, kind) }
  }

  /// An array has lost an element.
  mutating func releaseElement(_ value: Int64, of array: Int64) {
    if counts, let kind = arrayHolds[Int(array)].kind?.element { release(value, kind) }
  }
}

/// Who holds an array, and whether that holds its elements.
struct ArrayHold: BitwiseCopyable {
  var holders: Int32 = 1
  /// nil when its elements are not counted.
  var kind: LifeKind?
}
