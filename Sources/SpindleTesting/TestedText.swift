import SpindleLanguage
import SpindleModel
import SpindleRun

/// The text of a trace under test, and the file that it is in or belongs to.
struct TestedText: Sendable {
  let source: SourceText
  /// A path beside which the files are that the text includes: that of the trace, or of the test that has its text.
  let path: String

  init(_ text: String, named name: String, beside path: String) {
    (source, self.path) = (SourceText(name: name, text), path)
  }

  /// Compiles it, as `spindle simulate` does.
  ///
  /// - Throws: ``TraceErrors`` when it has errors.
  func program(_ overrides: Overrides) throws(TraceErrors) -> Program {
    var compiler = Compiler.standard
    let (name, path) = (source.name, path)
    compiler.fileReader = Overrides.FileReader { pattern, from in
      NamedFiles.reader.matches(pattern, from == name ? path : from)
    } _: { file, from in
      NamedFiles.reader.read(file, from == name ? path : from)
    }
    let (program, diagnostics) = compiler.compile(source, overrides: overrides)
    guard let program else {
      throw TraceErrors(
        description: renderedReport(diagnostics.filter { $0.severity == .error }))
    }
    return program
  }
}
