import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleLanguage

/// No block of a compiled program reads a register before it has written it, on any way through it.
@Suite struct InitialisationTests {
  /// How many registers each primitive finds its arguments in, as far as rows of the vocabulary say it.
  ///
  /// The rows of one primitive may leave out what comes last.
  private static let widths: [Primitive: Int] = {
    var widths: [Primitive: Int] = [:]
    func note(_ primitive: Primitive, _ width: Int) {
      widths[primitive] = min(widths[primitive] ?? width, width)
    }
    func note(_ table: MemberTable, ofObject: Bool) {
      for name in table.names {
        for member in table.overloads(name) ?? [] {
          if case .perform(let primitive) = member.action { note(primitive, member.steps.count) }
        }
        guard let property = table.property(name) else { continue }
        if case .perform(let primitive) = property.get { note(primitive, ofObject ? 1 : 0) }
        for set in [property.set, property.setClosure].compactMap(\.self) {
          note(set, ofObject ? 2 : 1)
        }
      }
    }
    let vocabulary = Vocabulary.standard
    note(vocabulary.free, ofObject: false)
    for type in vocabulary.types { note(type.statics, ofObject: false) }
    for table in vocabulary.instances { note(table, ofObject: true) }
    return widths
  }()

  private static func fault(_ text: String, _ name: String) -> String? {
    var compiler = Compiler(catalogue: MachineCatalog.catalogue)
    for joins in [true, false] {
      compiler.joinsInstructions = joins
      guard let program = compiler.compile(SourceText(name: name, text)).program else { return nil }
      if let fault = program.uninitialisedRead({ widths[$0] ?? 0 }) { return fault }
    }
    return nil
  }

  @Test(
    "each register is written before it is read",
    arguments: Repository.files(below: "Traces", suffix: ".trace"))
  func isWritten(path: String) throws {
    #expect(Self.fault(try Repository.text(path), path) == nil)
  }

  @Test(arguments: Repository.files(below: "Traces/language/spellings", suffix: ".txt"))
  func registersAreWrittenInSmallTexts(path: String) throws {
    for text in try Repository.text(path).split(separator: "\n## ") {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      let body = lines.filter { !["> ", "| ", "! "].contains(String($0.prefix(2))) }
      #expect(
        Self.fault(body.joined(separator: "\n"), path) == nil, "\(path): \(text.prefix(60))")
    }
  }

  @Test func whatIsWrittenOnOneWayOnlyIsFound() {
    #expect(Self.fault(ofMain: [.constant(1, to: Register(0)), .finishWith(Register(0))]) == nil)
    #expect(Self.fault(ofMain: [.finishWith(Register(0))]) != nil)
    // The register is written where the jump is not taken.
    let branch: [Instruction] = [
      .constant(1, to: Register(0)), .jumpIf(Register(0), 3), .constant(2, to: Register(1)),
      .finishWith(Register(1)),
    ]
    #expect(Self.fault(ofMain: branch) != nil)
    var both = branch
    both[0] = .constant(1, to: Register(1))
    both[1] = .jumpIf(Register(1), 3)
    #expect(Self.fault(ofMain: both) == nil)
    // A loop writes it behind the reading.
    let loop: [Instruction] = [
      .constant(1, to: Register(0)), .copy(Register(2), from: Register(1)),
      .constant(2, to: Register(1)), .jumpIf(Register(0), 1), .finish,
    ]
    #expect(Self.fault(ofMain: loop) != nil)
  }

  @Test func whatAnErrorPassesIsFound() {
    let thrown: [Instruction] = [
      .constant(1, to: Register(0)), .raise(Register(0)), .constant(2, to: Register(1)), .finish,
      .finishWith(Register(1)),
    ]
    let handler = Block.Handler(start: 0, end: 3, target: 4, error: Register(2))
    #expect(Self.fault(ofMain: thrown, [handler]) != nil)
    var before = thrown
    before[0] = .constant(1, to: Register(1))
    before[1] = .raise(Register(1))
    #expect(Self.fault(ofMain: before, [handler]) == nil)
  }

  private static func fault(
    ofMain instructions: [Instruction], _ handlers: [Block.Handler] = []
  ) -> String? {
    var program = Program()
    program.instructions = CodeTable(instructions)
    program.blocks = [
      Block(
        entry: 0, end: Int32(instructions.count), registerCount: 3, captureCount: 0,
        parameterCount: 0, handlers: handlers, name: .none)
    ]
    return program.uninitialisedRead { _ in 0 }
  }
}
