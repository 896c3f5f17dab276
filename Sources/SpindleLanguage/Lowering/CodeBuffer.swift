import SpindleModel

/// The instructions of a block while it is made, with their places.
///
/// In pieces, so that a long block moves into the program piece by piece and is never there twice.
struct CodeBuffer {
  private struct Line {
    var instruction: Instruction
    var place: SourceRange
  }

  /// How many instructions there are.
  private(set) var count = 0
  private var full: [[Line]] = []
  private var last: [Line] = []

  /// The pieces that are full take 34 MB each: so much memory goes back to the system at once.
  private static let pieceLength = 1_400_000

  /// The place of the last instruction.
  var lastPlace: SourceRange? { last.last?.place ?? full.last?.last?.place }

  /// Appends an instruction that comes from the text at `place`.
  mutating func append(_ instruction: Instruction, _ place: SourceRange) {
    if last.count == CodeBuffer.pieceLength { beginPiece() }
    last.append(Line(instruction: instruction, place: place))
    count += 1
  }

  private mutating func beginPiece() {
    full.append(last)
    last = []
    last.reserveCapacity(CodeBuffer.pieceLength)
  }

  /// Takes all away, and keeps storage for as much as most blocks need.
  mutating func removeAll() {
    count = 0
    if !full.isEmpty { full = [] }
    if !last.isEmpty { last.removeAll(keepingCapacity: true) }
  }

  /// Moves all to the end of `program`; each instruction is what `transform` makes of it.
  mutating func move(into program: inout Program, _ transform: Relocation?) {
    if !full.isEmpty {
      full.append(last)
      last = []
      full.reverse()
      while let piece = full.popLast() { CodeBuffer.append(piece, to: &program, transform) }
    } else {
      CodeBuffer.append(last, to: &program, transform)
    }
    removeAll()
  }

  private static func append(
    _ lines: [Line], to program: inout Program, _ transform: Relocation?
  ) {
    for line in lines {
      program.instructions.append(transform?.final(line.instruction) ?? line.instruction)
      program.places.append(line.place)
    }
  }
}
