import SpindleModel

/// Goes over the numbers in an instruction that lead somewhere, and changes one of them.
struct InstructionIndices {
  /// Which one is changed, in the order of the instruction; -1 for none.
  let chosen: Int
  /// What becomes of it.
  let changed: (Int32) -> Int32
  /// How many there have been.
  private(set) var seen = 0

  /// Creates a change of the number `chosen`.
  init(chosen: Int, _ changed: @escaping (Int32) -> Int32) {
    (self.chosen, self.changed) = (chosen, changed)
  }

  private mutating func number(_ value: Int32) -> Int32 {
    defer { seen += 1 }
    return seen == chosen ? changed(value) : value
  }

  private mutating func index(_ a: Register) -> Register { Register(Int(number(a.index))) }
  private mutating func index(_ block: BlockID) -> BlockID { BlockID(Int(number(block.index))) }
  private mutating func index(_ site: SiteID) -> SiteID { SiteID(Int(number(site.index))) }
  private mutating func index(_ global: GlobalID) -> GlobalID {
    GlobalID(Int(number(global.index)))
  }

  /// The instruction with what was changed.
  mutating func instruction(_ old: Instruction) -> Instruction {
    switch old {
    case .loadGlobal(let a, let global): .loadGlobal(index(a), index(global))
    case .storeGlobal(let global, let a): .storeGlobal(index(global), from: index(a))
    case .readShared(let a, let global): .readShared(index(a), index(global))
    case .readToChange(let a, let global): .readToChange(index(a), index(global))
    case .writeShared(let global, let a): .writeShared(index(global), from: index(a))
    case .jump(let to): .jump(number(to))
    case .jumpIf(let a, let to): .jumpIf(index(a), number(to))
    case .jumpUnless(let a, let to): .jumpUnless(index(a), number(to))
    case .jumpUnlessLess(let a, let b, let to): .jumpUnlessLess(index(a), index(b), number(to))
    case .call(let block, let base, let site): .call(index(block), base: index(base), index(site))
    case .callClosure(let a, let base, let site):
      .callClosure(index(a), base: index(base), index(site))
    case .closure(let a, let block, let base): .closure(index(a), index(block), base: index(base))
    case .instanceMake(let a, let made, let name):
      .instanceMake(index(a), ClassID(Int(number(made.index))), NameID(Int(number(name.index))))
    case .instanceIs(let a, let b, let asked):
      .instanceIs(index(a), of: index(b), ClassID(Int(number(asked.index))))
    case .fieldLoad(let a, let b, let field): .fieldLoad(index(a), of: index(b), number(field))
    case .fieldRead(let a, let b, let field): .fieldRead(index(a), of: index(b), number(field))
    case .fieldReadToChange(let a, let b, let field):
      .fieldReadToChange(index(a), of: index(b), number(field))
    case .fieldStore(let a, let field, let b): .fieldStore(index(a), number(field), from: index(b))
    case .fieldWrite(let a, let field, let b): .fieldWrite(index(a), number(field), from: index(b))
    case .textLiteral(let name): .textLiteral(NameID(Int(number(name.index))))
    case .arrayMake(let a, let base, let count):
      .arrayMake(index(a), base: index(base), count: number(count))
    case .draw(let base, let site, let count, let distribution):
      .draw(
        base: index(base), index(site),
        count: UInt16(truncatingIfNeeded: number(Int32(count))), distribution)
    case .perform(let primitive, let base, let site):
      .perform(primitive, base: index(base), index(site))
    case .nextRound(let a, let b, let head): .nextRound(index(a), index(b), number(head))
    case .submit(let global, let block, let base):
      .submit(index(global), index(block), base: index(base))
    case .workConstant(let value, let a): .workConstant(value, at: index(a))
    case .drawConstant(let value, let a): .drawConstant(value, at: index(a))
    case .finish, .textBegin: old
    default: onRegisters(old)
    }
  }

  private mutating func onRegisters(_ old: Instruction) -> Instruction {
    switch old {
    case .constant(let value, let a): .constant(value, to: index(a))
    case .copy(let a, let b): .copy(index(a), from: index(b))
    case .now(let a): .now(index(a))
    case .increment(let a): .increment(index(a))
    case .finishWith(let a): .finishWith(index(a))
    case .raise(let a): .raise(index(a))
    case .rethrow(let a, let b): .rethrow(index(a), from: index(b))
    case .freeClosure(let a): .freeClosure(index(a))
    case .textValue(let a, let format): .textValue(index(a), format)
    case .textEnd(let a): .textEnd(index(a))
    case .hold(let a, let b, let kind): .hold(index(a), from: index(b), kind)
    case .retain(let a, let b, let kind): .retain(index(a), from: index(b), kind)
    case .keep(let a, let kind): .keep(index(a), kind)
    case .release(let a, let kind): .release(index(a), kind)
    case .loadWeak(let a, let b): .loadWeak(index(a), from: index(b))
    case .checkUnowned(let a): .checkUnowned(index(a))
    case .countElements(let a, let kind): .countElements(index(a), kind)
    case .adoptElements(let a, let kind): .adoptElements(index(a), kind)
    case .disownElements(let a): .disownElements(index(a))
    case .instanceEnd(let a): .instanceEnd(index(a))
    case .arrayCopy(let a, let b): .arrayCopy(index(a), from: index(b))
    case .arrayAppend(let a, let b): .arrayAppend(index(a), value: index(b))
    case .arrayGet(let a, let b, let c): .arrayGet(index(a), array: index(b), index: index(c))
    case .arraySet(let a, let b, let c): .arraySet(index(a), index: index(b), value: index(c))
    case .arrayCount(let a, let b): .arrayCount(index(a), array: index(b))
    case .arrayInsert(let a, let b, let c):
      .arrayInsert(index(a), index: index(b), value: index(c))
    case .arrayRemove(let a, let b, let c):
      .arrayRemove(index(a), array: index(b), index: index(c))
    case .entryGet(let a, let b, let c): .entryGet(index(a), of: index(b), key: index(c))
    case .entrySet(let a, let b, let c): .entrySet(index(a), key: index(b), value: index(c))
    case .entryRemove(let a, let b, let c): .entryRemove(index(a), of: index(b), key: index(c))
    case .entryKeys(let a, let b): .entryKeys(index(a), of: index(b))
    case .negate(let a, let b): .negate(index(a), index(b))
    case .not(let a, let b): .not(index(a), index(b))
    case .add(let a, let b, let c): .add(index(a), index(b), index(c))
    case .subtract(let a, let b, let c): .subtract(index(a), index(b), index(c))
    case .multiply(let a, let b, let c): .multiply(index(a), index(b), index(c))
    case .divide(let a, let b, let c): .divide(index(a), index(b), index(c))
    case .less(let a, let b, let c): .less(index(a), index(b), index(c))
    case .equal(let a, let b, let c): .equal(index(a), index(b), index(c))
    default: old
    }
  }
}
