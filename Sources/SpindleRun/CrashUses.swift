package import SpindleModel
import SpindleReports

extension CrashReport {
  /// Says what was done with the object that the crash is about, by a run of `program` once more.
  package mutating func findUses(_ program: Program, _ request: RunRequest) {
    guard let object else { return }
    let history = ObjectHistory(of: object)
    _ = request.run(program, consumers: [history])
    (uses, objectName) = (history.uses, history.name)
  }
}
