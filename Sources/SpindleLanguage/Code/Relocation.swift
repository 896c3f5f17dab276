import SpindleModel

/// Gives the instructions of a finished frame their final registers and positions.
///
/// Registers in a frame are, in this order: captured values, then what the frame allocated, pinned
/// registers, counters of sites.
struct Relocation {
  var captureCount: Int
  var high: Int
  /// The position in the program of the frame's first instruction.
  var offset: Int32
  /// The positions of the frame's labels.
  var labels: [Int32]

  /// The final number of a register.
  func callAsFunction(_ register: Register) -> Register {
    let index = Int(register.index)
    if index >= Frame.captureBase { return Register(index - Frame.captureBase) }
    if index >= Frame.pinnedBase {
      return Register(index - Frame.pinnedBase + captureCount + high)
    }
    return Register(index + captureCount)
  }

  /// The position in the program of a label.
  func position(_ label: Int32) -> Int32 { labels[Int(label)] + offset }

  /// The final form of a handler.
  func final(_ handler: Block.Handler) -> Block.Handler {
    Block.Handler(
      start: handler.start + offset, end: handler.end + offset, target: handler.target + offset,
      error: self(handler.error), origin: handler.origin.map { self($0) })
  }

  /// The final form of an instruction.
  func final(_ instruction: Instruction) -> Instruction {
    switch instruction {
    case .jump(let to): .jump(position(to))
    case .jumpIf(let r, let to): .jumpIf(self(r), position(to))
    case .jumpUnless(let r, let to): .jumpUnless(self(r), position(to))
    case .jumpUnlessLess(let a, let b, let to): .jumpUnlessLess(self(a), self(b), position(to))
    case .increment(let r): .increment(self(r))
    case .call(let block, let base, let site): .call(block, base: self(base), site)
    case .callClosure(let r, let base, let site): .callClosure(self(r), base: self(base), site)
    case .finish: .finish
    case .finishWith(let r): .finishWith(self(r))
    case .raise(let r): .raise(self(r))
    case .rethrow(let r, let origin): .rethrow(self(r), from: self(origin))
    case .closure(let r, let block, let base): .closure(self(r), block, base: self(base))
    case .freeClosure(let r): .freeClosure(self(r))
    case .draw(let base, let site, let count, let distribution):
      .draw(base: self(base), site, count: count, distribution)
    case .perform(let primitive, let base, let site): .perform(primitive, base: self(base), site)
    case .constant, .copy, .loadGlobal, .storeGlobal, .readShared, .readToChange, .writeShared,
      .now,
      .textBegin, .textLiteral, .textValue, .textEnd, .arrayMake, .arrayCopy, .arrayAppend,
      .arrayGet, .arraySet, .arrayCount, .arrayInsert, .arrayRemove, .entryGet, .entrySet,
      .entryRemove, .entryKeys, .instanceMake, .instanceIs, .fieldLoad,
      .fieldStore, .fieldRead, .fieldReadToChange, .fieldWrite, .actorUse, .hold, .retain, .keep,
      .release,
      .releaseOwned, .loadWeak, .checkUnowned, .countElements, .adoptElements, .disownElements,
      .instanceEnd:
      finalValue(instruction)
    case .add, .subtract, .multiply, .divide, .remainder, .shiftLeft, .shiftRight, .bitAnd, .bitOr,
      .bitXor, .wrap, .negate, .scale, .unscale, .ratio,
      .advance, .equal, .notEqual, .less, .lessOrEqual, .not:
      finalArithmetic(instruction)
    case .workConstant, .drawConstant, .nextRound, .submit:
      preconditionFailure("instructions are joined when all blocks are final")
    }
  }

  private func finalValue(_ instruction: Instruction) -> Instruction {
    switch instruction {
    case .constant(let value, let r): .constant(value, to: self(r))
    case .copy(let r, let from): .copy(self(r), from: self(from))
    case .loadGlobal(let r, let global): .loadGlobal(self(r), global)
    case .storeGlobal(let global, let r): .storeGlobal(global, from: self(r))
    case .readShared(let r, let global): .readShared(self(r), global)
    case .readToChange(let r, let global): .readToChange(self(r), global)
    case .writeShared(let global, let r): .writeShared(global, from: self(r))
    case .now(let r): .now(self(r))
    case .textBegin: .textBegin
    case .textLiteral(let name): .textLiteral(name)
    case .textValue(let r, let format): .textValue(self(r), format)
    case .textEnd(let r): .textEnd(self(r))
    case .arrayMake(let r, let base, let count): .arrayMake(self(r), base: self(base), count: count)
    case .arrayCopy(let r, let from): .arrayCopy(self(r), from: self(from))
    case .arrayAppend(let r, let value): .arrayAppend(self(r), value: self(value))
    case .arrayGet(let r, let array, let index):
      .arrayGet(self(r), array: self(array), index: self(index))
    case .arraySet(let r, let index, let value):
      .arraySet(self(r), index: self(index), value: self(value))
    case .arrayCount(let r, let array): .arrayCount(self(r), array: self(array))
    case .arrayInsert(let r, let index, let value):
      .arrayInsert(self(r), index: self(index), value: self(value))
    case .arrayRemove(let r, let array, let index):
      .arrayRemove(self(r), array: self(array), index: self(index))
    case .entryGet(let r, let of, let key): .entryGet(self(r), of: self(of), key: self(key))
    case .entrySet(let r, let key, let value):
      .entrySet(self(r), key: self(key), value: self(value))
    case .entryRemove(let r, let of, let key): .entryRemove(self(r), of: self(of), key: self(key))
    case .entryKeys(let r, let of): .entryKeys(self(r), of: self(of))
    default: finalField(instruction)
    }
  }

  private func finalField(_ instruction: Instruction) -> Instruction {
    switch instruction {
    case .instanceMake(let r, let made, let name): .instanceMake(self(r), made, name)
    case .instanceIs(let r, let of, let asked): .instanceIs(self(r), of: self(of), asked)
    case .fieldLoad(let r, let of, let field): .fieldLoad(self(r), of: self(of), field)
    case .fieldStore(let r, let field, let from): .fieldStore(self(r), field, from: self(from))
    case .fieldRead(let r, let of, let field): .fieldRead(self(r), of: self(of), field)
    case .fieldReadToChange(let r, let of, let field):
      .fieldReadToChange(self(r), of: self(of), field)
    case .fieldWrite(let r, let field, let from): .fieldWrite(self(r), field, from: self(from))
    case .actorUse(let of, let field, let key, let isChange):
      .actorUse(of: self(of), field, key: self(key), isChange: isChange)
    case .hold(let r, let from, let kind): .hold(self(r), from: self(from), kind)
    case .retain(let r, let from, let kind): .retain(self(r), from: self(from), kind)
    case .keep(let r, let kind): .keep(self(r), kind)
    case .release(let r, let kind): .release(self(r), kind)
    case .releaseOwned: .releaseOwned
    case .loadWeak(let r, let from): .loadWeak(self(r), from: self(from))
    case .checkUnowned(let r): .checkUnowned(self(r))
    case .countElements(let r, let kind): .countElements(self(r), kind)
    case .adoptElements(let r, let kind): .adoptElements(self(r), kind)
    case .disownElements(let r): .disownElements(self(r))
    case .instanceEnd(let r): .instanceEnd(self(r))
    default: preconditionFailure("no instruction on values")
    }
  }

  private func finalArithmetic(_ instruction: Instruction) -> Instruction {
    switch instruction {
    case .add(let r, let a, let b): .add(self(r), self(a), self(b))
    case .subtract(let r, let a, let b): .subtract(self(r), self(a), self(b))
    case .multiply(let r, let a, let b): .multiply(self(r), self(a), self(b))
    case .divide(let r, let a, let b): .divide(self(r), self(a), self(b))
    case .remainder(let r, let a, let b): .remainder(self(r), self(a), self(b))
    case .shiftLeft(let r, let a, let b): .shiftLeft(self(r), self(a), by: self(b))
    case .shiftRight(let r, let a, let b): .shiftRight(self(r), self(a), by: self(b))
    case .bitAnd(let r, let a, let b): .bitAnd(self(r), self(a), self(b))
    case .bitOr(let r, let a, let b): .bitOr(self(r), self(a), self(b))
    case .bitXor(let r, let a, let b): .bitXor(self(r), self(a), self(b))
    case .wrap(let r, let a, let b, let operation): .wrap(self(r), self(a), self(b), operation)
    case .negate(let r, let a): .negate(self(r), self(a))
    case .scale(let r, let a, let b): .scale(self(r), self(a), by: self(b))
    case .unscale(let r, let a, let b): .unscale(self(r), self(a), by: self(b))
    case .ratio(let r, let a, let b): .ratio(self(r), self(a), self(b))
    case .advance(let r, let a, let b): .advance(self(r), self(a), by: self(b))
    case .equal(let r, let a, let b): .equal(self(r), self(a), self(b))
    case .notEqual(let r, let a, let b): .notEqual(self(r), self(a), self(b))
    case .less(let r, let a, let b): .less(self(r), self(a), self(b))
    case .lessOrEqual(let r, let a, let b): .lessOrEqual(self(r), self(a), self(b))
    case .not(let r, let a): .not(self(r), self(a))
    default: preconditionFailure("no arithmetic")
    }
  }
}
