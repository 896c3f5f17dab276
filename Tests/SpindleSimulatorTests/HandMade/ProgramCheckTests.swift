import SpindleModel
import Testing

/// Programs that lead outside of themselves, and what is said of them.
@Suite struct ProgramCheckTests {
  private typealias Made = HandMadeProgram

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What of the message must be there; nil when nothing is wrong.
    let fault: String?
    let program: @Sendable () -> Program

    init(_ claim: String, _ fault: String?, _ program: @escaping @Sendable () -> Program) {
      (testDescription, self.fault, self.program) = (claim, fault, program)
    }

    /// A program whose main block has 8 registers and these instructions.
    static func code(
      _ claim: String, _ fault: String?, _ instructions: [Instruction]
    ) -> Row {
      Row(claim, fault) {
        var made = Made()
        _ = made.site()
        made.setMain(made.block("main", instructions))
        return made.finished()
      }
    }

    /// The same after a change.
    static func changed(
      _ claim: String, _ fault: String?, _ change: @escaping @Sendable (inout Program) -> Void
    ) -> Row {
      Row(claim, fault) {
        var made = Made()
        _ = made.site()
        made.setMain(made.block("main", [.finish]))
        _ = made.block("other", [.constant(1, to: Register(0)), .finish])
        var program = made.finished()
        change(&program)
        return program
      }
    }
  }

  private static func register(_ index: Int) -> Register { Register(index) }

  static let codeRows: [Row] = [
    .code("the last register is there", nil, [.constant(1, to: register(7)), .finish]),
    .code("one behind it is not", "8 registers", [.constant(1, to: register(8)), .finish]),
    .code(
      "nor is one in front", "does not fit", [.copy(register(0), from: register(-1)), .finish]),
    .code("a jump stays in its block", nil, [.jump(1), .finish]),
    .code("and goes not behind it", "instructions 0..<2", [.jump(2), .finish]),
    .code(
      "a loop's foot goes to a head with a body", "nextRound",
      [.nextRound(register(0), register(1), 1), .finish]),
    .code("a block ends", "goes on behind", [.constant(1, to: register(0))]),
    .code("by an error, too", nil, [.raise(register(0))]),
    .code("a loop for ever ends", nil, [.increment(register(0)), .jump(0)]),
    .code("a crash ends", nil, [.perform(.doing(.fatalError), base: register(0), SiteID(-1))]),
    .code(
      "a call need not have a site", nil,
      [.perform(.doing(.yield), base: register(0), SiteID(-1)), .finish]),
    .code(
      "but no other one", "perform",
      [.perform(.doing(.yield), base: register(0), SiteID(1)), .finish]),
    .code(
      "a draw has a site", "draw",
      [.draw(base: register(0), SiteID(-1), count: 1, .exponential), .finish]),
    .code(
      "and parameters that are registers", "draw",
      [.draw(base: register(7), SiteID(0), count: 2, .uniform), .finish]),
    .code(
      "as many as it is of", "draw",
      [.draw(base: register(0), SiteID(0), count: 1, .uniform), .finish]),
    .code(
      "an array's values are registers", "arrayMake",
      [.arrayMake(register(0), base: register(4), count: 5), .finish]),
    .code("there is no global", "loadGlobal", [.loadGlobal(register(0), GlobalID(0)), .finish]),
    .code("a text has a name", "textLiteral", [.textLiteral(NameID(-1)), .finish]),
    .code(
      "a joined instruction has all behind it", "workConstant",
      [.workConstant(1, at: register(0)), .finish]),
    .code(
      "that is, work and what follows", nil,
      [
        .workConstant(1, at: register(0)), .perform(.doing(.work), base: register(0), SiteID(-1)),
        .finish,
      ]),
    .code(
      "nobody is called that is not there", "call",
      [.call(BlockID(1), base: register(0), SiteID(0)), .finish]),
  ]

  static let changedRows: [Row] = [
    .changed("the world runs a block that is there", "block 7 of 2 is run") {
      $0.main = BlockID(7)
    },
    .changed("with instructions", "is empty") { $0.blocks[0].end = 0 },
    .changed("two blocks share no instruction", "shares") { $0.blocks[0].end = 3 },
    .changed("no block ends behind the program", "0..<4 of 3") { $0.blocks[0].end = 4 },
    .changed("captured values are registers", "registers for 9") { $0.blocks[1].captureCount = 9 },
    .changed("main captures none", "captures") { $0.blocks[0].captureCount = 1 },
    .changed("a block's name is one", "has name") { $0.blocks[1].name = NameID(1000) },
    .changed("a handler that covers nothing may lead anywhere", nil) {
      $0.blocks[1].handlers = [.init(start: 1, end: 1, target: -1, error: Register(99))]
    },
    .changed("one that covers something leads into its block", "handler at 0") {
      $0.blocks[1].handlers = [.init(start: 1, end: 2, target: 0, error: Register(0))]
    },
    .changed("every instruction has a place", "2 places") {
      $0.places = CodeTable($0.places.dropLast())
    },
    .changed("the names that all programs know come first", "first names") {
      $0.names[3] = "other"
    },
    .changed("a thread has a name", "a thread has name") { $0.threadNames = [NameID(-1)] },
  ]

  @Test("a program is sound, or it is said what is wrong", arguments: codeRows + changedRows)
  func faultIsNamed(row: Row) {
    let fault = row.program().fault()
    if let expected = row.fault {
      #expect(fault?.contains(expected) == true, "\(fault ?? "nothing is wrong")")
    } else {
      #expect(fault == nil)
    }
  }

  /// A site counts in a register of the block that it stands in.
  @Test func siteCountsInARegister() {
    var made = Made()
    let site = made.site()
    made.setMain(
      made.block("main", [.draw(base: Register(0), site, count: 1, .exponential), .finish]))
    var program = made.finished()
    for (counter, isSound) in [(-1, true), (7, true), (8, false)] as [(Int32, Bool)] {
      program.sites[0].counter = counter
      #expect((program.fault() == nil) == isSound, "\(counter)")
    }
  }

  /// A call takes over the closure that was made for it, and no call after it.
  @Test func closureIsTakenOnce() async {
    await #expect(processExitsWith: .failure) {
      var made = HandMadeProgram()
      let item = made.block("item", [.finish])
      let kind = made.kind("item")
      let call = HandMadeProgram.call(
        .thread(.detach), [.left, .value(kind), .closure(item)], made.site())
      made.setMain(made.block("main", call + [call[3], .finish]))
      _ = made.run()
    }
  }

  @Test func programThatIsNotSoundIsRefused() async {
    await #expect(processExitsWith: .failure) {
      var made = HandMadeProgram()
      made.setMain(made.block("main", [.jump(9)]))
      _ = made.run()
    }
  }
}
