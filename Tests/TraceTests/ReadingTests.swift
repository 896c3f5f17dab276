import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleLanguage

/// A trace whose `main` is lowered while it is read comes to the same as one that is read first.
@Suite struct ReadingTests {
  static let traces = Repository.files(below: "Traces", suffix: ".trace")

  @Test("in pieces as at once", arguments: traces)
  func inPiecesAsAtOnce(path: String) throws {
    let lines = try Repository.lines(path)
    check(lines.joined(separator: "\n"), path)
    // With a line missing most traces have mistakes, of form or of meaning.
    for missing in stride(from: 1, to: lines.count, by: max(1, lines.count / 8)) {
      var rest = lines
      rest.remove(at: missing)
      check(rest.joined(separator: "\n"), "\(path) without line \(missing + 1)")
    }
  }

  @Test func mostTracesAreReadInPieces() throws {
    let count = try Self.traces.filter { path in
      let source = SourceText(name: path, try Repository.text(path))
      return compiler.compileReading(source, overrides: Overrides()) != nil
    }.count
    #expect(count * 2 > Self.traces.count, "\(count) of \(Self.traces.count)")
  }

  private let compiler = Compiler(catalogue: MachineCatalog.catalogue)

  private func check(_ text: String, _ name: String) {
    let source = SourceText(name: name, text)
    guard let pieces = compiler.compileReading(source, overrides: Overrides()) else { return }
    let whole = compiler.compileWhole(source, overrides: Overrides())
    #expect(pieces.diagnostics == whole.diagnostics, "\(name)")
    let (one, other) = (pieces.program, whole.program)
    #expect(one?.title == other?.title && one?.main == other?.main, "\(name)")
    #expect(one?.instructions == other?.instructions, "\(name)")
    #expect(one?.places == other?.places, "\(name)")
    #expect(one?.blocks == other?.blocks, "\(name)")
    #expect(one?.sites == other?.sites, "\(name)")
    #expect(one?.names == other?.names && one?.kinds == other?.kinds, "\(name)")
    #expect(one?.globals == other?.globals && one?.arrivals == other?.arrivals, "\(name)")
    #expect(one?.parameters == other?.parameters, "\(name)")
    #expect("\(one?.expectations ?? [])" == "\(other?.expectations ?? [])", "\(name)")
  }
}
