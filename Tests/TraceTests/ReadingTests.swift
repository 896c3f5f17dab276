import SpindleModel
import SpindleSimulator
import TestSupport
import Testing

@testable import SpindleLanguage

/// A trace comes to the same whether an earlier one has declared the library or not.
@Suite struct ReadingTests {
  /// The declarations of the library serve one trace after the other, and come back from each as they were.
  @Test func theLibraryIsDeclaredOnce() throws {
    var shared = Compiler(catalogue: MachineCatalog.catalogue)
    let traces = Repository.files(below: "Traces", suffix: ".trace")
    for path in Effort.sample(traces, oneIn: 9, from: 4) {
      let source = SourceText(name: path, try Repository.text(path))
      shared.takesShortcuts = true
      let one = shared.compile(source)
      shared.takesShortcuts = false
      same(one, shared.compile(source), path)
    }
  }

  private typealias Compiled = (program: Program?, diagnostics: [Diagnostic])

  /// Checks that two ways to compile a text come to the same.
  private func same(_ pieces: Compiled, _ whole: Compiled, _ name: String) {
    #expect((pieces.program == nil) == (whole.program == nil), "\(name)")
    #expect(pieces.diagnostics == whole.diagnostics, "\(name)")
    let (one, other) = (pieces.program, whole.program)
    #expect(one?.title == other?.title && one?.main == other?.main, "\(name)")
    #expect(one?.initializer == other?.initializer, "\(name)")
    #expect(one?.machine == other?.machine && one?.until == other?.until, "\(name)")
    #expect(one?.seed == other?.seed && one?.threadNames == other?.threadNames, "\(name)")
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
