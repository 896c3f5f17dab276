package import SpindleModel

/// What all runs of one program share: it is checked, and its machine and its table of names are made, once.
///
/// Whoever runs a program many times makes one and gives each run a copy of what a run changes.
package struct PreparedProgram: Sendable {
  let program: Program
  let machine: Machine
  let resolved: ResolvedMachine
  /// Whether anything in it can be a race.
  let mayRace: Bool
  /// The names of the program; runs have copies.
  private let table: Names

  /// A table that nobody changes any more.
  private struct Names: @unchecked Sendable { let table: NameTable }

  /// Checks a program, and makes what its runs share.
  package init(_ program: Program) {
    if let fault = program.fault() { fatalError("the program can't be run: \(fault)") }
    self.program = program
    machine = Machine(program.machine, policies: PolicyCatalog.signatures)
    resolved = machine.resolved
    mayRace = RaceDetector.isNeeded(program)
    table = Names(table: NameTable(program.names))
  }

  /// The names of the program, for one run.
  func names() -> NameTable { NameTable(copying: table.table) }
}
