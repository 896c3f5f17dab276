import SpindleModel
import TestSupport

@testable import SpindleSimulator

/// A kernel with nothing above it.
enum SmallKernel {
  /// Calls `body` with the kernel of a machine, as a trace describes it.
  static func with(
    _ machine: String = "machine { platform: .ideal; cores: 2 }",
    _ body: (inout Kernel) -> Void
  ) {
    guard let program = TestRun("\(machine)\nmain { }").program else { return }
    let storage = Storage(limit: 1 << 30)
    defer { storage.deallocate() }
    var kernel = Kernel(
      machine: Machine(program.machine, policies: PolicyCatalog.signatures),
      names: NameTable(program.names), places: program.places, storage: storage, consumers: [],
      races: RaceDetector(isOn: false, sharesNumbers: false),
      lockOrder: LockOrder(isOn: false, sharesNumbers: false), driver: nil, sizes: .standard,
      shortcuts: .all,
      seed: 0)
    body(&kernel)
  }
}
