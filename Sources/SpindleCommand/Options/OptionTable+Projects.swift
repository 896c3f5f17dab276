/// The command that begins a project.
extension OptionTable {
  static let initialize = CommandDescription(
    name: .`init`, summary: "write a first trace, a folder for tests and a CI workflow",
    operands: "[FOLDER]", operandCount: 0...1, operandCompletion: .file,
    options: [quiet, helpOption],
    discussion: """
      Creates 'Traces/first.trace' and '.github/workflows/spindle.yml' in FOLDER, or in the current folder. \
      Existing files are never changed: when one of the two exists, neither is written, and the exit status \
      is 73.

      Example:
        spindle init MyApp
      """)
}
