import SpindleHost
import SpindleModel

/// The instructions of the blocks that are being made, with their places, one block behind the
/// other.
///
/// Blocks are nested, and the innermost one ends first: then it moves into the program, and the one
/// around it goes on where it was left. In pieces, so that a long block is never there twice.
final class CodeStack {
  /// Room for instructions and, behind them, their places.
  fileprivate struct Piece: BitwiseCopyable {
    /// A power of two, so that a position tells piece and place by its bits; and 50 MB, of which most
    /// programs touch little: so much memory goes back to the system at once.
    static let length = 1 << 21

    let instructions: UnsafeMutablePointer<Instruction>
    let places: UnsafeMutablePointer<SourceRange>

    init(length: Int = Piece.length) {
      let stride = (MemoryLayout<Instruction>.stride, MemoryLayout<SourceRange>.stride)
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: length * (stride.0 + stride.1), alignment: 16)
      instructions = memory.bindMemory(to: Instruction.self, capacity: length)
      places = (memory + length * stride.0).bindMemory(to: SourceRange.self, capacity: length)
    }

    func deallocate() { instructions.deallocate() }
  }

  /// By pointer, since it is asked for with each instruction.
  fileprivate struct Storage {
    /// How many instructions there are.
    var count = 0
    var pieces = [Piece()]
    /// The piece that the next instruction goes to, unless it begins one.
    var top: Piece
    /// Blocks that are complete and not yet in the program: many are short, and go there together.
    let finished = Piece(length: Storage.finishedLength)
    var finishedCount = 0
    static let finishedLength = 8_192

    init() { top = pieces[0] }

    /// Goes on in the piece that begins at `count`.
    mutating func beginPiece() {
      let index = count / Piece.length
      if index == pieces.count { pieces.append(Piece()) }
      top = pieces[index]
    }

    /// Forgets the pieces that are full of a block from `start` to `end`: they are given back.
    mutating func forgetPieces(from start: Int, to end: Int) {
      let first = (start + Piece.length - 1) / Piece.length
      guard end / Piece.length > first else { return }
      pieces.removeSubrange(first..<(end / Piece.length))
      // There is always one.
      if pieces.isEmpty { pieces.append(Piece()) }
    }

    /// Moves all complete blocks to the end of `program`.
    mutating func flush(into program: inout Program) {
      program.instructions.append(
        contentsOf: UnsafeBufferPointer(start: finished.instructions, count: finishedCount))
      program.places.append(
        contentsOf: UnsafeBufferPointer(start: finished.places, count: finishedCount))
      finishedCount = 0
    }

    /// Takes away what stands from `start` on.
    mutating func truncate(to start: Int) {
      if start % Piece.length > 0 && start / Piece.length != count / Piece.length {
        top = pieces[start / Piece.length]
      }
      count = start
    }
  }

  fileprivate let storage: UnsafeMutablePointer<Storage>

  /// How many instructions the blocks have that are being made.
  var count: Int { storage.pointee.count }

  /// The memory of the next `count` of them, as far as it is in the present piece.
  func roomAhead(_ count: Int) -> [LargeBuffer.Range] {
    let index = storage.pointee.count % Piece.length
    let count = min(count, Piece.length - index)
    let top = storage.pointee.top
    return [
      LargeBuffer.Range(top.instructions + index, count: count),
      LargeBuffer.Range(top.places + index, count: count),
    ]
  }

  /// How many instructions of complete blocks are not yet in the program.
  var finishedCount: Int { storage.pointee.finishedCount }

  /// Adds an instruction to the complete blocks.
  func finish(_ instruction: Instruction, _ place: SourceRange, into program: inout Program) {
    if finishedCount == Storage.finishedLength { storage.pointee.flush(into: &program) }
    (storage.pointee.finished.instructions + finishedCount).initialize(to: instruction)
    (storage.pointee.finished.places + finishedCount).initialize(to: place)
    storage.pointee.finishedCount += 1
  }

  /// Moves all complete blocks to the end of `program`.
  func flush(into program: inout Program) { storage.pointee.flush(into: &program) }

  /// Creates an empty stack.
  init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage())
  }

  deinit {
    for piece in storage.pointee.pieces { piece.deallocate() }
    storage.pointee.finished.deallocate()
    storage.deinitialize(count: 1)
    storage.deallocate()
  }
}

/// The instructions of one block while it is made: the part of a stack from `start` on.
///
/// Whoever makes the block keeps the stack alive.
struct CodeBuffer: BitwiseCopyable {
  private let stack: UnsafeMutablePointer<CodeStack.Storage>
  private var start: Int

  /// Begins a block on top of `stack`.
  init(on stack: CodeStack) {
    self.stack = stack.storage
    start = self.stack.pointee.count
  }

  /// Begins another block on top of the stack.
  mutating func restart() { start = stack.pointee.count }

  /// How many instructions there are.
  var count: Int { stack.pointee.count - start }

  /// The place of the last instruction.
  var lastPlace: SourceRange? {
    guard count > 0 else { return nil }
    let last = stack.pointee.count - 1
    return stack.pointee.pieces[last / CodeStack.Piece.length]
      .places[last % CodeStack.Piece.length]
  }

  /// Appends an instruction that comes from the text at `place`.
  @inline(__always)
  func append(_ instruction: Instruction, _ place: SourceRange) {
    let index = stack.pointee.count & (CodeStack.Piece.length - 1)
    if index == 0 { stack.pointee.beginPiece() }
    (stack.pointee.top.instructions + index).initialize(to: instruction)
    (stack.pointee.top.places + index).initialize(to: place)
    stack.pointee.count += 1
  }

  /// Takes all away.
  func removeAll() { stack.pointee.truncate(to: start) }

  /// Adds all to the complete blocks, with their final registers and positions.
  func finish(_ relocation: Relocation?, into program: inout Program) {
    let end = stack.pointee.count
    var position = start
    while position < end {
      let index = position % CodeStack.Piece.length
      let room = CodeStack.Storage.finishedLength - stack.pointee.finishedCount
      let count = min(CodeStack.Piece.length - index, end - position, room)
      let from = stack.pointee.pieces[position / CodeStack.Piece.length]
      let (to, first) = (stack.pointee.finished, stack.pointee.finishedCount)
      for offset in 0..<count {
        let instruction = from.instructions[index + offset]
        (to.instructions + first + offset).initialize(
          to: relocation?.final(instruction) ?? instruction)
      }
      (to.places + first).update(from: from.places + index, count: count)
      stack.pointee.finishedCount += count
      position += count
      if count == room { stack.pointee.flush(into: &program) }
      // What a long block took goes back as soon as it is in the program.
      let isAtEnd = position % CodeStack.Piece.length == 0
      if isAtEnd && position - CodeStack.Piece.length >= start { from.deallocate() }
    }
    stack.pointee.forgetPieces(from: start, to: end)
    removeAll()
  }
}
