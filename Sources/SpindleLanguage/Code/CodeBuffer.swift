import SpindleHost
import SpindleModel

/// The instructions of a program that is being made, and their places.
///
/// In front stand the blocks that are complete, behind a gap those that are being made, each behind
/// the one around it. The innermost ends first: then it moves to the front, and the one around it goes
/// on where it was left. When the outermost ends, what is shorter moves so that there is no gap: a
/// long block, as `main` often is, stays where it was made.
final class CodeStack {
  /// By pointer, and without references that would be counted: it is asked for with each instruction.
  fileprivate struct Storage: BitwiseCopyable {
    /// How many instructions there is room for, the gap included.
    var room: Int
    var instructions: UnsafeMutablePointer<Instruction>
    var places: UnsafeMutablePointer<SourceRange>
    /// Whose the memory is; given back by `release`.
    let memory: (Unmanaged<CodeMemory>, Unmanaged<CodeMemory>)
    /// Where the complete blocks begin, and how many instructions they have.
    var first = 0
    var completeCount = 0
    /// Where the blocks begin that are being made, and where the next instruction goes.
    var bottom: Int
    var top: Int

    init(room: Int, bottom: Int) {
      let memory = (
        CodeMemory(of: Instruction.self, room: room), CodeMemory(of: SourceRange.self, room: room)
      )
      self.room = room
      self.memory = (Unmanaged.passRetained(memory.0), Unmanaged.passRetained(memory.1))
      (instructions, places) = (memory.0.start(), memory.1.start())
      (self.bottom, top) = (bottom, bottom)
    }

    func release() {
      memory.0.release()
      memory.1.release()
    }

    /// Where the next instruction of a complete block goes.
    var end: Int { first + completeCount }

    /// Copies the instructions of a stretch of another memory, or of this one, to a place in this one.
    @inline(__always)
    func copy(_ count: Int, from source: Int, of other: Storage, to target: Int) {
      (instructions + target).update(from: other.instructions + source, count: count)
      (places + target).update(from: other.places + source, count: count)
    }

    /// Adds a stretch of what is being made to the complete blocks.
    @inline(__always)
    mutating func complete(_ count: Int, from source: Int) {
      copy(count, from: source, of: self, to: end)
      completeCount += count
    }

    /// Moves all to memory with room for twice as many, and a gap that is twice as large.
    @inline(never)
    mutating func grow(by need: Int = 0) {
      let open = top - bottom
      let gap = 2 * (bottom - end) + CodeStack.leastGap + need
      var larger = Storage(
        room: 2 * (completeCount + open) + gap + CodeStack.leastGap, bottom: completeCount + gap)
      larger.copy(completeCount, from: first, of: self, to: 0)
      larger.copy(open, from: bottom, of: self, to: larger.bottom)
      (larger.completeCount, larger.top) = (completeCount, larger.bottom + open)
      release()
      self = larger
    }

    /// Makes the gap wide enough for `count` instructions.
    @inline(__always)
    mutating func open(_ count: Int) { if end + count > bottom { grow(by: count) } }

    /// Makes all that is being made complete where it stands, or where the complete blocks end.
    mutating func closeGap() {
      let open = top - bottom
      if open > CodeStack.leastMoved && open > completeCount {
        copy(completeCount, from: first, of: self, to: bottom - completeCount)
        first = bottom - completeCount
        completeCount += open
      } else {
        complete(open, from: bottom)
      }
      if end > bottom { bottom = end + min(CodeStack.leastMoved, (room - end) / 2) }
      top = bottom
    }
  }

  /// How wide the gap is at least when it is new.
  fileprivate static let leastGap = 256
  /// Blocks that are shorter than this move to those that are complete.
  fileprivate static let leastMoved = 1 << 16

  fileprivate let storage: UnsafeMutablePointer<Storage>

  /// Creates a stack with room for `count` complete instructions and twice as many others.
  init(expecting count: Int) {
    let gap = count + CodeStack.leastGap
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage(room: 3 * gap, bottom: gap))
  }

  deinit {
    storage.pointee.release()
    storage.deallocate()
  }

  /// Hands `body` the instructions of the complete blocks, which it may change.
  func withComplete<Result>(_ body: (UnsafeMutableBufferPointer<Instruction>) -> Result) -> Result {
    body(
      UnsafeMutableBufferPointer(
        start: storage.pointee.instructions + storage.pointee.first,
        count: storage.pointee.completeCount))
  }

  /// Hands the complete blocks over, and has none any more.
  func take() -> (instructions: CodeTable<Instruction>, places: CodeTable<SourceRange>) {
    let full = storage.pointee
    storage.pointee = Storage(room: 3 * CodeStack.leastGap, bottom: CodeStack.leastGap)
    return (
      CodeTable(
        full.instructions + full.first, count: full.completeCount,
        in: full.memory.0.takeRetainedValue()),
      CodeTable(
        full.places + full.first, count: full.completeCount, in: full.memory.1.takeRetainedValue())
    )
  }
}

/// The instructions of one block while it is made: the part of a stack from `start` on.
///
/// Whoever makes the block keeps the stack alive.
struct CodeBuffer: BitwiseCopyable {
  private let stack: UnsafeMutablePointer<CodeStack.Storage>
  /// How many instructions the blocks around it have.
  private var start = 0

  /// Begins a block on top of `stack`.
  init(on stack: CodeStack) {
    self.stack = stack.storage
    restart()
  }

  /// Begins another block on top of the stack.
  mutating func restart() { start = stack.pointee.top - stack.pointee.bottom }

  /// How many instructions there are.
  var count: Int { stack.pointee.top - stack.pointee.bottom - start }

  /// The place of the last instruction.
  var lastPlace: SourceRange? { count > 0 ? stack.pointee.places[stack.pointee.top - 1] : nil }

  /// Appends an instruction that comes from the text at `place`.
  @inline(__always)
  func append(_ instruction: Instruction, _ place: SourceRange) {
    if stack.pointee.top == stack.pointee.room { stack.pointee.grow() }
    let index = stack.pointee.top
    (stack.pointee.instructions + index).initialize(to: instruction)
    (stack.pointee.places + index).initialize(to: place)
    stack.pointee.top = index &+ 1
  }

  /// How many instructions the complete blocks have: where this one will begin.
  var position: Int { stack.pointee.completeCount }

  /// Adds an instruction to the complete blocks, in front of this one.
  func insert(_ instruction: Instruction, _ place: SourceRange) {
    stack.pointee.open(1)
    (stack.pointee.instructions + stack.pointee.end).initialize(to: instruction)
    (stack.pointee.places + stack.pointee.end).initialize(to: place)
    stack.pointee.completeCount += 1
  }

  /// Takes all away.
  func removeAll() { stack.pointee.top = stack.pointee.bottom + start }

  /// Adds all to the complete blocks, with their final registers and positions.
  func complete(_ relocation: Relocation?) {
    let count = count
    if let relocation {
      let first = stack.pointee.instructions + (stack.pointee.top - count)
      for index in 0..<count { first[index] = relocation.final(first[index]) }
    }
    if start == 0 { return stack.pointee.closeGap() }
    stack.pointee.open(count)
    stack.pointee.complete(count, from: stack.pointee.top - count)
    removeAll()
  }
}
