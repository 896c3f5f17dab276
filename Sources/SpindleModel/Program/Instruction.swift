/// What an activity can do in one step.
///
/// Instructions work on the registers of the running frame. Jumps give the index of an instruction
/// in `Program.instructions`. Integers, durations, instants, sizes and decimals share the same
/// arithmetic; overflow and division by zero crash the simulated program, as they do in Swift.
/// An instruction takes 16 bytes; the order of the payloads keeps it so.
package enum Instruction: Hashable, Sendable {
  // MARK: Values

  /// Puts a constant into a register.
  case constant(Int64, to: Register)
  /// Copies `from`.
  case copy(Register, from: Register)
  /// Reads a `let` of the top level.
  case loadGlobal(Register, GlobalID)
  /// Initialises a `let` or `var` of the top level; not an event.
  case storeGlobal(GlobalID, from: Register)
  /// Reads a `var` of the top level: an event.
  case readShared(Register, GlobalID)
  /// Reads a `var` of the top level in a statement that then writes it: an event.
  case readToChange(Register, GlobalID)
  /// Writes a `var` of the top level: an event.
  case writeShared(GlobalID, from: Register)
  /// The present virtual time.
  case now(Register)

  // MARK: Arithmetic

  case add(Register, Register, Register)
  case subtract(Register, Register, Register)
  case multiply(Register, Register, Register)
  /// Truncates towards zero.
  case divide(Register, Register, Register)
  /// Has the sign of the dividend.
  case remainder(Register, Register, Register)
  /// Shifts the second by the third, to the other side where that is negative; what is shifted out is lost, and to
  /// the right the sign comes in.
  case shiftLeft(Register, Register, by: Register)
  case shiftRight(Register, Register, by: Register)
  /// What both have, what either has and what only one has of the bits of the second and the third.
  case bitAnd(Register, Register, Register)
  case bitOr(Register, Register, Register)
  case bitXor(Register, Register, Register)
  /// Arithmetic that does not overflow: what does not fit is cut off.
  case wrap(Register, Register, Register, WrappingOperation)
  case negate(Register, Register)
  /// Multiplies the second with the third, which is a decimal; rounds to nearest, ties away from 0.
  case scale(Register, Register, by: Register)
  /// Divides the second by the third, which is a decimal; rounds to nearest, ties away from 0.
  case unscale(Register, Register, by: Register)
  /// The quotient of two like quantities as a decimal; rounds to nearest, ties away from 0.
  case ratio(Register, Register, Register)
  /// Instant plus duration: distant moments stay distant.
  case advance(Register, Register, by: Register)

  // MARK: Comparison

  case equal(Register, Register, Register)
  case notEqual(Register, Register, Register)
  case less(Register, Register, Register)
  case lessOrEqual(Register, Register, Register)
  case not(Register, Register)

  // MARK: Control flow

  case jump(Int32)
  case jumpIf(Register, Int32)
  case jumpUnless(Register, Int32)
  /// Jumps unless the first is less than the second: the head of a counting loop.
  case jumpUnlessLess(Register, Register, Int32)
  /// Adds one: the foot of a counting loop.
  case increment(Register)
  /// Runs a function on a new frame. Its arguments stand from `base` on; so does its result.
  case call(BlockID, base: Register, SiteID)
  /// Runs a closure on a new frame. Its arguments stand from `base` on; so does its result.
  case callClosure(Register, base: Register, SiteID)
  /// Leaves the frame without a result.
  case finish
  /// Leaves the frame with a result.
  case finishWith(Register)
  /// Throws the error whose message, a name, is in the register.
  case raise(Register)
  /// Throws an error again that a handler has stopped, with the instruction, in the second register, that threw it first.
  case rethrow(Register, from: Register)

  // MARK: Closures

  /// Makes a closure of a block, with the captured values that stand from `base` on.
  case closure(Register, BlockID, base: Register)
  /// Frees a closure that nothing else took.
  case freeClosure(Register)

  // MARK: Text

  /// Begins a text. Only the two appending instructions may stand between this and `textEnd`.
  case textBegin
  case textLiteral(NameID)
  case textValue(Register, ValueFormat)
  /// Puts the name of the text that was built into the register.
  case textEnd(Register)

  // MARK: Arrays

  /// Makes an array of `count` values that stand from `base` on.
  case arrayMake(Register, base: Register, count: Int32)
  case arrayCopy(Register, from: Register)
  case arrayAppend(Register, value: Register)
  /// Reads an element; an index out of range crashes the simulated program.
  case arrayGet(Register, array: Register, index: Register)
  /// Writes an element; an index out of range crashes the simulated program.
  case arraySet(Register, index: Register, value: Register)
  case arrayCount(Register, array: Register)
  /// Puts a value in front of the element at an index; one out of range crashes the simulated program.
  case arrayInsert(Register, index: Register, value: Register)
  /// Takes an element out; an index out of range crashes the simulated program.
  case arrayRemove(Register, array: Register, index: Register)

  // MARK: Dictionaries and sets

  // A dictionary is an array, of its values, that has keys too: one for each value, in the order in which
  // they came. What reads, copies and holds arrays does so with it.

  /// Reads the value of a key; `noValue` where there is none.
  case entryGet(Register, of: Register, key: Register)
  /// Gives a key another value, or comes behind all that there are.
  case entrySet(Register, key: Register, value: Register)
  /// Takes a key and its value out; `noValue` where there is none.
  case entryRemove(Register, of: Register, key: Register)
  /// Makes an array of the keys.
  case entryKeys(Register, of: Register)

  // MARK: Instances of classes

  /// Makes an instance whose fields hold nothing yet; the name is `none` for one without.
  case instanceMake(Register, ClassID, NameID)
  /// Whether a register holds an instance of a class: 1 or 0.
  case instanceIs(Register, of: Register, ClassID)
  /// Reads a field that is never shared, or not yet: not an event. With the instance, and the field's number.
  case fieldLoad(Register, of: Register, Int32)
  /// Writes a field of an instance that nothing else knows yet: not an event.
  case fieldStore(Register, Int32, from: Register)
  /// Reads a `var` of an instance: an event.
  case fieldRead(Register, of: Register, Int32)
  /// Reads a `var` of an instance in a statement that then writes it: an event.
  case fieldReadToChange(Register, of: Register, Int32)
  /// Writes a `var` of an instance: an event.
  case fieldWrite(Register, Int32, from: Register)
  /// Says how a member of an actor is used that holds a collection: its key, `noValue` for the whole, is looked at by what
  /// was read last, or is changed by what is written next, for which it is read first. Not an event.
  case actorUse(of: Register, Int32, key: Register, isChange: Bool)

  // MARK: Lives

  /// Lets a register hold the object of `from`, whose present hold it takes over, and let go of its own.
  case hold(Register, from: Register, LifeKind)
  /// Lets a register hold the object of `from` too, and let go of its own.
  case retain(Register, from: Register, LifeKind)
  /// Holds an object once more, for whoever gets the register's value.
  case keep(Register, LifeKind)
  /// Lets go of a register's object; the register holds nothing then.
  case release(Register, LifeKind)
  /// Lets go of all that the frame holds, the last first.
  case releaseOwned
  /// Lets a register hold the instance of a weak reference, or nothing when it is gone.
  case loadWeak(Register, from: Register)
  /// Crashes the simulated program when the instance of an unowned reference is gone.
  case checkUnowned(Register)
  /// From now on an array holds its elements; or it is counted who holds a new object of the library.
  case countElements(Register, LifeKind)
  /// From now on an array holds its elements, as what they came from did until now.
  case adoptElements(Register, LifeKind)
  /// From now on an array does not hold its elements: they are moved about.
  case disownElements(Register)
  /// The last of a `deinit`: the instance lets go of what it holds, and is gone. Leaves the frame.
  case instanceEnd(Register)

  // MARK: Chance

  /// Draws a duration. Its `count` parameters stand from `base` on; so does the result.
  case draw(base: Register, SiteID, count: UInt16, Distribution)

  // MARK: The vocabulary

  /// Does what a member of the vocabulary does. Arguments stand from `base` on; so does the result.
  case perform(Primitive, base: Register, SiteID)

  // MARK: Several at once

  // Each stands in the place of the first of several instructions that busy programs have one after
  // the other, and does what all of them do; the others stay where they are, for who jumps to them
  // and for what the first does not hold. They count as many steps as they stand for.

  /// `constant` and `perform(.work)`.
  case workConstant(Int64, at: Register)
  /// `constant` and an exponential `draw` with that mean; and the work or the input behind it that
  /// takes as long, if there is one.
  case drawConstant(Int64, at: Register)
  /// `increment` and a `jump` to a `jumpUnlessLess` of the same register, which is done too when it
  /// goes on: the foot of a loop. With the register, the limit, and the place of the head.
  case nextRound(Register, Register, Int32)
  /// `loadGlobal`, three `constant`s, `closure` and `perform(.executorAsync)`: an item for an
  /// executor, with a name or none, its kind, and no group. With the executor, the closure's block, and the base of its captured values.
  case submit(GlobalID, BlockID, base: Register)
}

/// A distribution of durations; computed with integers only, and never negative.
@usableFromInline
package enum Distribution: UInt8, Hashable, Sendable, CaseIterable {
  /// `exponential(mean)`.
  case exponential
  /// `uniform(least, most)`: both included.
  case uniform
  /// `normal(mean, deviation)`: a negative draw is 0.
  case normal
  /// `pareto(least, shape)`: the shape is a decimal.
  case pareto
  /// `choice(a, b, …)`: one of its parameters, each as likely.
  case choice
}
