package import SpindleModel
import SpindleReports
import SpindleSimulator

extension CrashReport {
  /// Says what was done with the object that the crash is about, by a run of `program` once more.
  package mutating func findUses(_ program: Program, limits: RunLimits) {
    guard let object else { return }
    let history = ObjectHistory(of: object)
    _ = Simulation(program, limits: limits).run(consumers: [history])
    (uses, objectName) = (history.uses, history.name)
  }
}
