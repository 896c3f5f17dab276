package import SpindleLanguage
import SpindleModel
package import SpindleSimulator

extension Compiler {
  /// The compiler of everything that runs traces: it knows what this simulator can simulate, and reads
  /// the files that a trace names.
  package static var standard: Compiler {
    var compiler = Compiler(catalogue: MachineCatalog.catalogue)
    compiler.fileReader = NamedFiles.reader
    return compiler
  }
}

extension MachineCatalog {
  /// The names of all policies, each of which is one without its arguments too.
  package static var policyNames: [String] { catalogue.policies.map(\.name) }

  /// The names of all cost profiles.
  package static var costNames: [String] { catalogue.costs.map(\.name) }
}
