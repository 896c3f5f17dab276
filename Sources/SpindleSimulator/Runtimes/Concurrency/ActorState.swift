import SpindleModel

/// What tasks know of an actor's state, so that it is seen when that changes behind their back.
///
/// A call of an actor may read a member, wait, and find that another call has changed it meanwhile: that
/// alone is right. It is a mistake when the call then changes the member without a look at it. Source:
/// SE-0306, actor reentrancy.
extension ConcurrencyRuntime {
  /// The actor that an instance is.
  mutating func actor(of instance: Int64, _ process: borrowing Process) -> ActorRecord.Index {
    let record = process.instances.instance(instance)
    let fields = process.program.classes[Int(record.type)].fields.count
    let executor = process.instances.field(0, of: instance, fields).pointee.value
    checkIndex(Int(executor), of: actors.count)
    return ActorRecord.Index(register: executor)
  }

  /// A call, by the key of its frame, looks at a member of an actor.
  ///
  /// What is read to be changed in place is no look.
  mutating func noteRead(
    _ field: Int32, of instance: Int64, _ thread: ThreadID, by key: UInt64, at place: Int32,
    _ process: borrowing Process
  ) {
    let task = task(of: thread, process)
    if task.isNone || tasks[task].change.isOf(field, of: instance, by: key) { return }
    let actor = actor(of: instance, process)
    let known = find(actor, field, key, part: noValue, of: task)
    tasks[task].lastLook = LastLook(
      field: field, key: key, version: known.isNone ? -1 : reads[known].version,
      place: known.isNone ? -1 : reads[known].place)
    look(at: field, part: noValue, of: actor, task, by: key, at: place)
  }

  private mutating func look(
    at field: Int32, part: Int64, of actor: ActorRecord.Index, _ task: TaskRecord.Index,
    by key: UInt64,
    at place: Int32
  ) {
    let version = fieldWrites[slot(of: field, actor)].version
    let known = find(actor, field, key, part: part, of: task)
    let read = StateRead(
      actor: actor, field: field, key: key, part: part, version: version, place: place,
      next: known.isNone ? tasks[task].firstRead : reads[known].next)
    if !known.isNone {
      reads[known] = read
    } else {
      tasks[task].firstRead = reads.add(read)
      tasks[task].readCount += 1
      if tasks[task].readCount > Self.keptReads { dropLastRead(of: task) }
    }
  }

  /// Of a member that holds a collection a part is looked at, by what was read last, or is to be changed.
  mutating func noteUse(
    _ use: StateUse, isChange: Bool, _ thread: ThreadID, at place: Int32,
    _ process: borrowing Process
  ) {
    let task = task(of: thread, process)
    if task.isNone { return }
    if isChange {
      tasks[task].change = use
      return
    }
    let actor = actor(of: use.instance, process)
    let last = tasks[task].lastLook
    if last.field == use.field && last.key == use.key {
      // The look at the whole was none: what was known before is known still.
      let whole = find(actor, use.field, use.key, part: noValue, of: task)
      if !whole.isNone { (reads[whole].version, reads[whole].place) = (last.version, last.place) }
      tasks[task].lastLook = LastLook()
    }
    look(at: use.field, part: use.part, of: actor, task, by: use.key, at: place)
  }

  /// A call changes a member of an actor: it is told where it has looked at that before others changed it.
  mutating func noteWrite(
    _ field: Int32, of instance: Int64, _ thread: ThreadID, by key: UInt64, at place: Int32,
    _ process: inout Process
  ) {
    let task = task(of: thread, process)
    if task.isNone { return }
    let actor = actor(of: instance, process)
    let slot = slot(of: field, actor)
    let isPart = tasks[task].change.isOf(field, of: instance, by: key)
    let part = isPart ? tasks[task].change.part : noValue
    tasks[task].change = StateUse()
    let version = fieldWrites[slot].version &+ 1
    var index = tasks[task].firstRead
    while !index.isNone {
      let read = reads[index]
      defer { index = read.next }
      guard read.actor == actor, read.field == field, read.key == key, read.version >= 0,
        read.part == part || read.part == noValue || part == noValue
      else { continue }
      let write = lastWrite(slot, read.part)
      if read.version < write.version && write.task != task,
        !process.kernel.hasTold(.actorReentrancy, at: read.place)
      {
        report(read, write, task, thread, at: place, of: instance, &process)
      }
      // What it has now is its own.
      reads[index].version = version
    }
    let write = FieldWrite(version: version, place: place, task: task)
    var (whole, wholePlace, wholeTask) = (version, place, task)
    if part != noValue {
      partWrites[StatePart(slot: slot, part: part)] = write
      let before = fieldWrites[slot]
      (whole, wholePlace, wholeTask) = (before.whole, before.wholePlace, before.wholeTask)
    }
    fieldWrites[slot] = write
    let record = fieldWrites.at(slot)
    (record.pointee.whole, record.pointee.wholePlace) = (whole, wholePlace)
    record.pointee.wholeTask = wholeTask
  }

  /// Where the last change of a member of an actor is kept.
  private func slot(of field: Int32, _ actor: ActorRecord.Index) -> FieldWrite.Index {
    FieldWrite.Index(actors[actor].firstField.raw + field)
  }

  /// The last change of a part of a member, or of the whole, which changes each part.
  private func lastWrite(_ slot: FieldWrite.Index, _ part: Int64) -> FieldWrite {
    let last = fieldWrites[slot]
    if part == noValue { return last }
    let whole = FieldWrite(version: last.whole, place: last.wholePlace, task: last.wholeTask)
    guard let own = partWrites[StatePart(slot: slot, part: part)] else { return whole }
    return own.version > whole.version ? own : whole
  }

  private func report(
    _ read: StateRead, _ write: FieldWrite, _ task: TaskRecord.Index, _ thread: ThreadID,
    at place: Int32,
    of instance: Int64, _ process: inout Process
  ) {
    let owner = process.instances.instance(instance)
    let field = process.program.classes[Int(owner.type)].fields[Int(read.field)].name
    let member = "\(process.kernel.text(owner.name)).\(field)"
    var (own, other) = (name(task, process), name(write.task, process))
    if own == other { (own, other) = (own + ordinal(of: task), other + ordinal(of: write.task)) }
    process.kernel.report(
      .actorReentrancy, thread: thread, places: [read.place, write.place, place],
      FindingText.actorReentrancy(own, member: member, other: other))
  }

  /// Which task of its name one is, as the log says it: nothing for the first, `#2` for the second.
  private func ordinal(of task: TaskRecord.Index) -> String {
    let (name, kind) = (tasks[task].name, tasks[task].workKind)
    let count = (0...task.raw).count {
      tasks[$0].name == name && (name >= 0 || tasks[$0].workKind == kind)
    }
    return count > 1 ? "#\(count)" : ""
  }

  // MARK: What is kept

  /// How many of its looks are kept of a task: those of calls that have ended go with the time.
  private static let keptReads: Int32 = 8

  private func find(
    _ actor: ActorRecord.Index, _ field: Int32, _ key: UInt64, part: Int64,
    of task: TaskRecord.Index
  ) -> StateRead.Index {
    var index = tasks[task].firstRead
    while !index.isNone {
      let read = reads[index]
      if read.actor == actor && read.field == field && read.key == key && read.part == part {
        return index
      }
      index = read.next
    }
    return .none
  }

  /// Forgets the oldest look of a task.
  private mutating func dropLastRead(of task: TaskRecord.Index) {
    var (before, last) = (StateRead.Index.none, tasks[task].firstRead)
    while !reads[last].next.isNone { (before, last) = (last, reads[last].next) }
    demand(
      !before.isNone, "task \(task) has one look to forget, and \(tasks[task].readCount) counted")
    reads[before].next = .none
    reads.remove(last)
    tasks[task].readCount -= 1
  }

  /// Forgets what a task has looked at, which has ended.
  mutating func dropReads(of task: TaskRecord.Index) {
    var index = tasks[task].firstRead
    while !index.isNone {
      let next = reads[index].next
      reads.remove(index)
      tasks[task].readCount -= 1
      index = next
    }
    demand(tasks[task].readCount == 0, "task \(task) has \(tasks[task].readCount) looks left")
    tasks[task].firstRead = .none
  }
}

/// A look of a call at a member of an actor.
struct StateRead: BitwiseCopyable {
  typealias Index = TableIndex<StateRead>

  var actor: ActorRecord.Index
  var field: Int32
  /// The call, by the key of its frame.
  var key: UInt64
  /// The key of the element; `noValue` for the whole member.
  var part: Int64
  /// How often the member had been changed; -1 where it was no look after all.
  var version: Int32
  var place: Int32
  /// The look before it of the same task.
  var next: Index
}

/// The last change of a member of an actor.
struct FieldWrite: BitwiseCopyable {
  typealias Index = TableIndex<FieldWrite>

  /// How many there were.
  var version: Int32 = 0
  var place: Int32 = -1
  /// Who did it; -1 for nobody.
  var task = TaskRecord.Index.none
  /// The same of the last change of the whole of it.
  var whole: Int32 = 0
  var wholePlace: Int32 = -1
  var wholeTask = TaskRecord.Index.none
}

/// A part of a member that holds a collection, by its key.
struct StatePart: Hashable {
  let slot: FieldWrite.Index
  let part: Int64
}

/// What a call is about to change of a member.
struct StateUse: BitwiseCopyable {
  var instance: Int64 = noValue
  var field: Int32 = -1
  /// The call, by the key of its frame.
  var key: UInt64 = 0
  /// The key of the element; `noValue` for the whole.
  var part: Int64 = noValue

  func isOf(_ field: Int32, of instance: Int64, by key: UInt64) -> Bool {
    self.field == field && self.instance == instance && self.key == key
  }
}

/// The last look of a task at the whole of a member, and what was known of it before.
struct LastLook: BitwiseCopyable {
  var field: Int32 = -1
  var key: UInt64 = 0
  /// -1 where there was no look before.
  var version: Int32 = -1
  var place: Int32 = -1
}
