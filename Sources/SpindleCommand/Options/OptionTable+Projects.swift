/// The command that starts a project.
extension OptionTable {
  static let initialize = CommandDescription(
    name: .`init`, summary: "write a first trace, a folder for tests and a CI workflow",
    operands: "[FOLDER]", operandCount: 0...1, operandCompletion: .file,
    options: [quiet, helpOption],
    discussion: """
      Creates 'Traces/first.trace' and '.github/workflows/spindle.yml' in FOLDER, or in the current folder. \
      Prints the next steps. Existing files are never changed: when one of the two exists, neither is \
      written, the message names it, and the exit status is 73.

      The trace has expectations, so 'spindle test' checks it. The workflow runs 'spindle test' on GitHub for \
      each pull request.

      Example:
        spindle init MyApp
      """)
}
