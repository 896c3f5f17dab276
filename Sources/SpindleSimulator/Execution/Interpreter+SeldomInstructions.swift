import SpindleModel

/// The instructions that busy code seldom has: shared variables, decimals, texts, arrays.
extension Interpreter {
  /// Runs one instruction that neither jumps nor calls; false when it ends the run.
  @inline(never)
  mutating func runSeldom(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    if process.isDriven && isHeld(before: instruction, registers, thread, counter) { return false }
    switch instruction {
    case .storeGlobal(let global, let from):
      if let life = process.program.globals[Int(global.index)].life {
        process.retain(registers[from], life)
      }
      globals[Int(global.index)] = registers[from]
      if process.isDriven { noteArray(registers[from], of: global) }
    case .readShared(let to, let global):
      registers[to] = globals[Int(global.index)]
      noteShared(.sharedRead, global, registers[to], thread, counter)
    case .readToChange(let to, let global):
      registers[to] = valueToChange(global, thread)
      noteShared(.sharedRead, global, registers[to], thread, counter)
    case .writeShared(let global, let from):
      noteWrite(global, thread)
      if let life = process.program.globals[Int(global.index)].life {
        process.retain(registers[from], life)
        process.release(globals[Int(global.index)], life)
      }
      globals[Int(global.index)] = registers[from]
      if process.isDriven { noteArray(registers[from], of: global) }
      noteShared(.sharedWritten, global, registers[from], thread, counter)
      process.traceWrite(registers, counter)
    case .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr, .bitXor, .wrap, .negate,
      .scale, .unscale, .ratio, .advance:
      return compute(instruction, registers, thread, counter)
    case .textBegin, .textLiteral, .textValue, .textEnd:
      return build(instruction, registers, thread, counter)
    case .arrayMake, .arrayCopy, .arrayAppend, .arrayGet, .arraySet, .arrayCount, .arrayInsert,
      .arrayRemove:
      return changeArray(instruction, registers, thread, counter)
    case .entryGet, .entrySet, .entryRemove, .entryKeys:
      return useEntries(instruction, registers, thread, counter)
    case .instanceMake, .instanceIs, .fieldLoad, .fieldStore, .fieldRead, .fieldReadToChange,
      .fieldWrite, .actorUse:
      return useInstance(instruction, registers, thread, counter)
    case .hold, .retain, .keep, .release, .loadWeak, .checkUnowned, .countElements,
      .adoptElements, .disownElements:
      return useLife(instruction, registers, thread, counter)
    case .releaseOwned, .instanceEnd, .constant, .copy, .loadGlobal, .now, .add, .subtract,
      .multiply, .equal, .notEqual, .less,
      .lessOrEqual, .not, .jump, .jumpIf, .jumpUnless, .jumpUnlessLess, .increment, .call,
      .callClosure, .finish, .finishWith, .raise, .rethrow, .closure, .freeClosure, .draw, .perform,
      .workConstant, .drawConstant, .nextRound, .submit:
      fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// Gives a register a number, unless it is the one that stands for no value.
  private mutating func give(
    _ value: Int64, _ to: Register, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    if value == noValue { return overflows(thread, counter) }
    registers[to] = value
    return true
  }

  /// Arithmetic that can fail in more than one way.
  private mutating func compute(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .divide(let to, let a, let b):
      if registers[b] == 0 { return divides(thread, counter) }
      let (value, overflow) = registers[a].dividedReportingOverflow(by: registers[b])
      if overflow { return overflows(thread, counter) }
      registers[to] = value
    case .remainder(let to, let a, let b):
      if registers[b] == 0 {
        return fails("Division by zero in remainder operation", thread, counter)
      }
      let (value, overflow) = registers[a].remainderReportingOverflow(dividingBy: registers[b])
      if overflow {
        return fails("Division results in an overflow in remainder operation", thread, counter)
      }
      registers[to] = value
    case .shiftLeft(let to, let a, let b):
      return give(registers[a] << registers[b], to, registers, thread, counter)
    case .shiftRight(let to, let a, let b):
      return give(registers[a] >> registers[b], to, registers, thread, counter)
    case .bitAnd(let to, let a, let b):
      return give(registers[a] & registers[b], to, registers, thread, counter)
    case .bitOr(let to, let a, let b): registers[to] = registers[a] | registers[b]
    case .bitXor(let to, let a, let b):
      return give(registers[a] ^ registers[b], to, registers, thread, counter)
    case .wrap(let to, let a, let b, let operation):
      return give(operation(registers[a], registers[b]), to, registers, thread, counter)
    case .negate(let to, let a):
      let (value, overflow) = Int64(0).subtractingReportingOverflow(registers[a])
      if overflow { return overflows(thread, counter) }
      registers[to] = value
    case .scale(let to, let a, let b):
      guard let value = Arithmetic.scaled(registers[a], by: registers[b]) else {
        return overflows(thread, counter)
      }
      registers[to] = value
    case .unscale(let to, let a, let b), .ratio(let to, let a, let b):
      if registers[b] == 0 { return divides(thread, counter) }
      guard let value = Arithmetic.ratio(registers[a], registers[b]) else {
        return overflows(thread, counter)
      }
      registers[to] = value
    case .advance(let to, let a, let b):
      let moment = Instant(registers[a])
      let isDistant = moment == .distantFuture || moment == .distantPast
      registers[to] =
        isDistant ? moment.nanoseconds : (moment + Nanoseconds(registers[b])).nanoseconds
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// Building a text.
  private mutating func build(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .textBegin:
      text.removeAll(keepingCapacity: true)
    case .textLiteral(let name):
      let piece = process.kernel.names.utf8(name)
      guard fits(piece.count, thread, counter) else { return false }
      text.append(contentsOf: piece)
    case .textValue(let a, .string) where registers[a] != noValue:
      let piece = process.kernel.names.utf8(NameID(Int(registers[a])))
      guard fits(piece.count, thread, counter) else { return false }
      text.append(contentsOf: piece)
    case .textValue(let a, let format):
      appendText(registers[a], format)
    case .textEnd(let to):
      registers[to] = Int64(text.withUnsafeBufferPointer { process.kernel.intern($0) }.index)
      return fits(thread, counter)
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// Arrays.
  private mutating func changeArray(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .arrayMake(let to, let base, let count):
      let first = registers + Int(base.index)
      registers[to] = process.keep(Array(UnsafeBufferPointer(start: first, count: Int(count))))
      return fits(thread, counter)
    case .arrayCopy(let to, let from):
      let array = registers[from]
      registers[to] = array == noValue ? noValue : process.copyOfArray(Int(array))
      return fits(thread, counter)
    case .arrayAppend(let array, let value):
      // Three times the element: what holds an array doubles, and is copied then.
      process.kernel.storage.take(.arrays, 24)
      process.arrays[Int(registers[array])].append(registers[value])
      process.retainElement(registers[value], of: registers[array])
      return fits(thread, counter)
    case .arrayGet(let to, let array, let index):
      let position = registers[index]
      if position < 0 || position >= process.arrays[Int(registers[array])].count {
        return fails("Index out of range", thread, counter)
      }
      registers[to] = process.arrays[Int(registers[array])][Int(position)]
    case .arraySet(let array, let index, let value):
      let position = registers[index]
      if position < 0 || position >= process.arrays[Int(registers[array])].count {
        return fails("Index out of range", thread, counter)
      }
      process.retainElement(registers[value], of: registers[array])
      let old = process.arrays[Int(registers[array])][Int(position)]
      process.arrays[Int(registers[array])][Int(position)] = registers[value]
      process.releaseElement(old, of: registers[array])
    case .arrayCount(let to, let array):
      registers[to] = Int64(process.arrays[Int(registers[array])].count)
    case .arrayInsert(let array, let index, let value):
      let position = registers[index]
      if position < 0 || position > process.arrays[Int(registers[array])].count {
        return fails("Array index is out of range", thread, counter)
      }
      process.kernel.storage.take(.arrays, 24)
      process.arrays[Int(registers[array])].insert(registers[value], at: Int(position))
      process.retainElement(registers[value], of: registers[array])
      return fits(thread, counter)
    case .arrayRemove(let to, let array, let index):
      let position = registers[index]
      let count = process.arrays[Int(registers[array])].count
      if position < 0 || position >= count {
        return fails(removalFault(position, of: count), thread, counter)
      }
      registers[to] = process.arrays[Int(registers[array])].remove(at: Int(position))
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }

  /// What Swift's library says of an element that can't be taken out: swift:stdlib/public/core, the
  /// collections' `removeFirst`, `removeLast` and `remove(at:)`.
  private func removalFault(_ position: Int64, of count: Int) -> String {
    guard count == 0, position <= 0 else { return "Index out of range" }
    return "Can't remove \(position == 0 ? "first" : "last") element from an empty collection"
  }

  // MARK: Room and errors

  /// Whether what the program has made by now fits; when not, that has ended the run.
  mutating func fits(_ thread: ThreadID, _ counter: Int) -> Bool {
    if !process.kernel.storage.mustEnd { return true }
    endEarly(thread, at: Int32(truncatingIfNeeded: counter))
    return false
  }

  /// Whether the text that is being built fits with so many bytes more, before they are copied.
  private mutating func fits(_ bytes: Int, _ thread: ThreadID, _ counter: Int) -> Bool {
    demand(bytes >= 0, "a piece of a text has \(bytes) bytes")
    let length = Kernel.storage(ofText: text.count + bytes)
    if process.kernel.storage.hasRoom(for: length) { return true }
    process.kernel.storage.take(.texts, length)
    return fits(thread, counter)
  }

  private mutating func overflows(_ thread: ThreadID, _ counter: Int) -> Bool {
    _ = overflowed(thread, counter)
    return false
  }

  /// Something is divided by zero.
  private mutating func divides(_ thread: ThreadID, _ counter: Int) -> Bool {
    _ = dividedByZero(thread, counter)
    return false
  }

  private mutating func fails(_ message: String, _ thread: ThreadID, _ counter: Int) -> Bool {
    _ = stop(message, thread, counter)
    return false
  }
}
