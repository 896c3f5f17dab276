import SpindleModel

/// What tasks know of an actor's state, so that it is seen when that changes behind their back.
///
/// A call of an actor may read a member, wait, and find that another call has changed it meanwhile: that
/// alone is right. It is a mistake when the call then changes the member without a look at it. Source:
/// SE-0306, actor reentrancy.
extension ConcurrencyRuntime {
  /// The actor that an instance is.
  mutating func actor(of instance: Int64, _ process: borrowing Process) -> Int32 {
    let record = process.instances.instance(instance)
    let fields = process.program.classes[Int(record.type)].fields.count
    let executor = process.instances.field(0, of: instance, fields).pointee.value
    checkIndex(Int(executor), of: actors.count)
    return Int32(truncatingIfNeeded: executor)
  }

  /// A call, by the key of its frame, looks at a member of an actor.
  mutating func noteRead(
    _ field: Int32, of instance: Int64, _ thread: Int32, by key: UInt64, at place: Int32,
    _ process: borrowing Process
  ) {
    let task = task(of: thread, process)
    if task < 0 { return }
    let actor = actor(of: instance, process)
    let version = fieldWrites[actors[actor].firstField + field].version
    let known = find(actor, field, key, of: task)
    let read = StateRead(
      actor: actor, field: field, key: key, version: version, place: place,
      next: known < 0 ? tasks[task].firstRead : reads[known].next)
    if known >= 0 {
      reads[known] = read
    } else {
      tasks[task].firstRead = reads.insert(read)
      tasks[task].readCount += 1
      if tasks[task].readCount > Self.keptReads { dropLastRead(of: task) }
    }
  }

  /// A call changes a member of an actor.
  mutating func noteWrite(
    _ field: Int32, of instance: Int64, _ thread: Int32, by key: UInt64, at place: Int32,
    _ process: inout Process
  ) {
    let task = task(of: thread, process)
    if task < 0 { return }
    let actor = actor(of: instance, process)
    let write = fieldWrites.at(actors[actor].firstField + field)
    let known = find(actor, field, key, of: task)
    if known >= 0 {
      let read = reads[known]
      demand(
        read.version <= write.pointee.version,
        "field \(field) of actor \(actor) was read in a later state than it is in")
      if read.version < write.pointee.version && write.pointee.task != task,
        !process.kernel.hasTold(.actorReentrancy, at: read.place)
      {
        report(read, write.pointee, task, thread, at: place, of: instance, &process)
      }
      // What it has now is its own.
      reads[known].version = write.pointee.version &+ 1
    }
    write.pointee = FieldWrite(version: write.pointee.version &+ 1, place: place, task: task)
  }

  private func report(
    _ read: StateRead, _ write: FieldWrite, _ task: Int32, _ thread: Int32, at place: Int32,
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
  private func ordinal(of task: Int32) -> String {
    let (name, kind) = (tasks[task].name, tasks[task].workKind)
    let count = (0...task).count {
      tasks[$0].name == name && (name >= 0 || tasks[$0].workKind == kind)
    }
    return count > 1 ? "#\(count)" : ""
  }

  // MARK: What is kept

  /// How many of its looks are kept of a task: those of calls that have ended go with the time.
  private static let keptReads: Int32 = 8

  private func find(_ actor: Int32, _ field: Int32, _ key: UInt64, of task: Int32) -> Int32 {
    var index = tasks[task].firstRead
    while index >= 0 {
      let read = reads[index]
      if read.actor == actor && read.field == field && read.key == key { return index }
      index = read.next
    }
    return -1
  }

  /// Forgets the oldest look of a task.
  private mutating func dropLastRead(of task: Int32) {
    var (before, last) = (Int32(-1), tasks[task].firstRead)
    while reads[last].next >= 0 { (before, last) = (last, reads[last].next) }
    demand(before >= 0, "task \(task) has one look to forget, and \(tasks[task].readCount) counted")
    reads[before].next = -1
    reads.remove(last)
    tasks[task].readCount -= 1
  }

  /// Forgets what a task has looked at, which has ended.
  mutating func dropReads(of task: Int32) {
    var index = tasks[task].firstRead
    while index >= 0 {
      let next = reads[index].next
      reads.remove(index)
      tasks[task].readCount -= 1
      index = next
    }
    demand(tasks[task].readCount == 0, "task \(task) has \(tasks[task].readCount) looks left")
    tasks[task].firstRead = -1
  }
}

/// A look of a call at a member of an actor.
struct StateRead: BitwiseCopyable {
  var actor: Int32
  var field: Int32
  /// The call, by the key of its frame.
  var key: UInt64
  /// How often the member had been changed.
  var version: Int32
  var place: Int32
  /// The look before it of the same task; -1 for none.
  var next: Int32
}

/// The last change of a member of an actor.
struct FieldWrite: BitwiseCopyable {
  /// How many there were.
  var version: Int32 = 0
  var place: Int32 = -1
  /// Who did it; -1 for nobody.
  var task: Int32 = -1
}
