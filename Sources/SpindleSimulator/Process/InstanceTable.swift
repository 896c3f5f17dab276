import SpindleModel

/// An instance of a class of the trace.
struct InstanceRecord: BitwiseCopyable {
  /// Its class, by its index in the program.
  var type: Int32
  /// Where its fields begin.
  var fields: Int32
  /// The number of its name.
  var name: Int32
  /// How many hold it: 0 when it is dying, and below that, how many more hold it then.
  var holders: Int32 = 1
  /// How many had its place before it, so that a weak reference to one of those finds it gone.
  var generation: Int32 = 0
  /// The next free place of its class; -1 for none.
  var nextFree: Int32 = -1
  /// The instruction that made it.
  var madeAt: Int32
  /// How many bytes of stack the releases have in which it ends.
  var depth: Int32 = 0
}

/// A field of an instance.
struct FieldRecord: BitwiseCopyable {
  var value: Int64 = noValue
  /// The number of its name in the log, `model.count`; -1 before that is asked for.
  var name: Int32 = -1
  /// The last writes within one instant.
  var write = SharedWrite()
}

/// The instances of the trace's classes.
struct InstanceTable: ~Copyable {
  private(set) var instances: Table<InstanceRecord>
  private var fields: Table<FieldRecord>
  /// By class: the first place that may be used again.
  private var free: Table<Int32>

  /// Creates an empty table whose memory counts in `storage`.
  init(_ storage: Storage) {
    instances = Table(.instances, storage)
    fields = Table(.instances, storage)
    free = Table(.instances, storage)
  }

  /// Makes an instance with `count` fields that hold nothing; gives what a register holds for it.
  mutating func make(
    _ type: ClassID, fields count: Int, name: Int32, at instruction: Int32
  ) -> Int64 {
    while free.count <= Int(type.index) { free.append(-1) }
    let used = free[type.index]
    if used >= 0 {
      let record = instances.at(used)
      free[type.index] = record.pointee.nextFree
      (record.pointee.name, record.pointee.holders) = (name, 1)
      record.pointee.madeAt = instruction
      for field in 0..<Int32(count) { fields[record.pointee.fields + field] = FieldRecord() }
      return InstanceTable.value(used, record.pointee.generation)
    }
    let first = Int32(truncatingIfNeeded: fields.count)
    for _ in 0..<count { fields.append(FieldRecord()) }
    let made = instances.append(
      InstanceRecord(type: type.index, fields: first, name: name, madeAt: instruction))
    return InstanceTable.value(made, 0)
  }

  private static func value(_ index: Int32, _ generation: Int32) -> Int64 {
    Int64(generation) << 32 | Int64(index)
  }

  static func index(_ value: Int64) -> Int32 {
    Int32(truncatingIfNeeded: value & 0xFFFF_FFFF)
  }

  /// How many there were at once, at most.
  var count: Int { instances.count }

  /// What registers hold for those that something holds, in the order of their places.
  var alive: [Int64] {
    (0..<Int32(truncatingIfNeeded: count)).compactMap { index in
      let record = instances[index]
      return record.holders > 0 ? InstanceTable.value(index, record.generation) : nil
    }
  }

  /// The instance that a register holds.
  func instance(_ value: Int64) -> InstanceRecord { instances[InstanceTable.index(value)] }

  /// Whether an instance is still there: while its `deinit` runs, too.
  func isThere(_ value: Int64) -> Bool {
    value >= 0 && instance(value).generation == Int32(truncatingIfNeeded: value >> 32)
  }

  /// Whether an instance is still there, and not dying.
  func isAlive(_ value: Int64) -> Bool { isThere(value) && instance(value).holders > 0 }

  /// Something more holds an instance.
  func hold(_ value: Int64) {
    guard isThere(value) else { return }
    let record = instances.at(InstanceTable.index(value))
    record.pointee.holders += record.pointee.holders > 0 ? 1 : -1
  }

  /// Something lets go of an instance; whether it was the last.
  func letGo(_ value: Int64) -> Bool {
    guard isThere(value) else { return false }
    let record = instances.at(InstanceTable.index(value))
    if record.pointee.holders <= 0 {
      if record.pointee.holders < 0 { record.pointee.holders += 1 }
      return false
    }
    record.pointee.holders -= 1
    return record.pointee.holders == 0
  }

  /// An instance is dying within releases that have so many bytes of stack.
  func noteDepth(_ depth: Int32, of value: Int64) {
    instances.at(InstanceTable.index(value)).pointee.depth = depth
  }

  /// An instance is gone: its place is used again.
  mutating func remove(_ value: Int64) {
    let record = instances.at(InstanceTable.index(value))
    record.pointee.generation &+= 1
    record.pointee.nextFree = free[record.pointee.type]
    free[record.pointee.type] = InstanceTable.index(value)
  }

  /// A field of the instance that a register holds, whose class has so many; valid until the next
  /// instance is made.
  func field(_ number: Int32, of value: Int64, _ count: Int) -> UnsafeMutablePointer<FieldRecord> {
    checkIndex(Int(number), of: count)
    return fields.at(instance(value).fields + number)
  }
}
