package import SpindleModel
import SpindleReports
import SpindleSimulator

/// A program that is run many times, with what its runs share.
package struct RepeatedProgram: Sendable {
  package let program: Program
  let prepared: PreparedProgram
  /// What it expects; nil where no run is asked for that.
  let expected: ExpectedOfProgram?

  /// Makes what all runs of `program` share that a request is for.
  package init(_ program: Program, for request: RunRequest) {
    self.program = program
    prepared = PreparedProgram(program)
    expected = request.checksExpectations ? ExpectedOfProgram(program) : nil
  }
}
