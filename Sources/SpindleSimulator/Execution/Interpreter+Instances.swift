import SpindleModel

/// Instances of the trace's classes: making them, and their fields.
///
/// A `var` of an instance is shared like one at the top of the trace: each read and write is an event,
/// and updates that begin at one instant are lost by the same rule.
extension Interpreter {
  /// Runs an instruction on an instance; false when it ends the run.
  mutating func useInstance(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    if let instance = instruction.instance, !process.instances.isThere(registers[instance]) {
      return usesTheAbsent(registers[instance], thread, counter)
    }
    switch instruction {
    case .instanceMake(let to, let type, let name):
      let made = process.program.classes[Int(type.index)]
      let given = name == .none ? noValue : Int64(name.index)
      registers[to] = process.instances.make(
        type, fields: made.fields.count, name: process.objectName(given, made.name),
        at: Int32(truncatingIfNeeded: counter))
      return fits(thread, counter)
    case .instanceIs(let to, let instance, let type):
      let value = registers[instance]
      assert(Int(type.index) < process.program.classes.count, "\(type.index) is no class")
      registers[to] =
        process.instances.isThere(value) && process.instances.instance(value).type == type.index
        ? 1 : 0
    case .fieldLoad(let to, let instance, let field):
      registers[to] = self.field(field, of: registers[instance]).pointee.value
    case .fieldStore(let instance, let field, let from):
      keep(registers[from], in: field, of: registers[instance])
    case .fieldRead(let to, let instance, let field):
      // The value may come where the instance is.
      let owner = registers[instance]
      let record = self.field(field, of: owner)
      registers[to] = record.pointee.value
      noteField(.sharedRead, field, owner, record, registers[to], thread, counter)
      if isActor(owner) {
        concurrency.noteRead(
          field, of: owner, thread, by: FrameArena.key(below: registers),
          at: Int32(truncatingIfNeeded: counter), process)
      }
    case .fieldReadToChange(let to, let instance, let field):
      let owner = registers[instance]
      let record = self.field(field, of: owner)
      registers[to] = valueToChange(record.pointee.write, record.pointee.value, thread)
      noteField(.sharedRead, field, owner, record, registers[to], thread, counter)
    case .fieldWrite(let instance, let field, let from):
      let record = self.field(field, of: registers[instance])
      record.pointee.write = noted(record.pointee.write, of: record.pointee.value, thread)
      keep(registers[from], in: field, of: registers[instance])
      noteField(
        .sharedWritten, field, registers[instance], record, registers[from], thread, counter)
      process.traceWrite(registers, counter)
      if isActor(registers[instance]) {
        concurrency.noteWrite(
          field, of: registers[instance], thread, by: FrameArena.key(below: registers),
          at: Int32(truncatingIfNeeded: counter), &process)
      }
    case .actorUse: noteUse(instruction, registers, thread, counter)
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// The use of an instance that is not there: a place has none while a call changes its value, and one is gone.
  private mutating func usesTheAbsent(_ value: Int64, _ thread: ThreadID, _ counter: Int) -> Bool {
    _ = stop(
      value == noValue
        ? "Simultaneous accesses, but modification requires exclusive access"
        : "an object was used after it was deallocated", thread, counter)
    return false
  }

  /// Notes which part of an actor's member is looked at or changed.
  private mutating func noteUse(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) {
    guard case .actorUse(let instance, let field, let key, let isChange) = instruction else {
      fatalError("\(instruction) says nothing of an actor's member")
    }
    let use = StateUse(
      instance: registers[instance], field: field, key: FrameArena.key(below: registers),
      part: registers[key])
    let place = Int32(truncatingIfNeeded: counter)
    concurrency.noteUse(use, isChange: isChange, thread, at: place, process)
  }

  private func isActor(_ instance: Int64) -> Bool {
    demand(process.instances.isThere(instance), "a member of what is gone was used")
    return process.program.classes[Int(process.instances.instance(instance).type)].isActor
  }

  /// A field of the instance that a register holds.
  func field(_ number: Int32, of value: Int64) -> UnsafeMutablePointer<FieldRecord> {
    let type = process.instances.instance(value).type
    return process.instances.field(
      number, of: value, process.program.classes[Int(type)].fields.count)
  }

  /// Puts a value into a field, which holds it and lets go of what it had.
  private mutating func keep(_ value: Int64, in number: Int32, of instance: Int64) {
    let type = process.instances.instance(instance).type
    let record = field(number, of: instance)
    let old = record.pointee.value
    record.pointee.value = value
    if process.isDriven { noteArray(value, of: number, instance) }
    guard let life = process.program.classes[Int(type)].fields[Int(number)].life else { return }
    process.retain(value, life)
    process.release(old, life)
    if let handle = life.handle, process.program.classes[Int(type)].parent == Int(number) {
      process.kernel.storage.take(.instances, 64)
      process.objectHolds.join(ObjectKey(handle: handle, object: value), to: instance)
    }
  }

  /// Notes that a `var` of an instance was read or written.
  private mutating func noteField(
    _ event: LogEvent, _ number: Int32, _ instance: Int64,
    _ record: UnsafeMutablePointer<FieldRecord>, _ value: Int64, _ thread: ThreadID, _ counter: Int
  ) {
    process.kernel.endChain()
    if !process.kernel.recorder.isOn { return }
    let owner = process.instances.instance(instance)
    let field = process.program.classes[Int(owner.type)].fields[Int(number)]
    if record.pointee.name < 0 {
      record.pointee.name = process.kernel.intern(name(of: number, instance)).index
    }
    process.kernel.recordAccess(
      event, thread, field.format, name: record.pointee.name, at: counter,
      value: field.isClosure ? told(closure: value) : told(value, field.format, field.handle))
    if process.isDriven { endStep(thread) }
    if process.kernel.recorder.races.isOn {
      noteAccess(
        .init(event, process.code[counter]), SharedVariable(owner: instance, number: number),
        record.pointee.name, thread, counter)
    }
  }

  /// What a field of an instance is called.
  func name(of field: Int32, _ instance: Int64) -> String {
    let owner = process.instances.instance(instance)
    let own = process.kernel.text(owner.name)
    let name = process.program.classes[Int(owner.type)].fields[Int(field)].name
    return name.isEmpty ? own : "\(own).\(name)"
  }

  /// What the log says of a closure in a shared variable: whether there is one.
  ///
  /// The number of its frame depends on which frames were made before, and so on shortcuts.
  func told(closure value: Int64) -> Int64 { value == noValue ? value : 1 }

  /// What the log says of a value of a shared variable: of an array how long it is, of an object its name.
  mutating func told(_ value: Int64, _ format: ValueFormat, _ handle: HandleClass?) -> Int64 {
    if value == noValue { return value }
    if format == .array { return Int64(process.arrays[Int(value)].count) }
    if let handle { return Int64(process.kernel.intern(name(of: value, handle)).index) }
    if format != .object { return value }
    return process.instances.isThere(value)
      ? Int64(process.instances.instance(value).name) : noValue
  }
}

extension Instruction {
  /// The register of the instance whose field it uses; nil for none.
  fileprivate var instance: Register? {
    switch self {
    case .fieldLoad(_, let instance, _), .fieldRead(_, let instance, _),
      .fieldReadToChange(_, let instance, _), .fieldStore(let instance, _, _),
      .fieldWrite(let instance, _, _), .actorUse(let instance, _, _, _):
      instance
    default: nil
    }
  }
}
