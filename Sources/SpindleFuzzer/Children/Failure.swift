import Foundation

/// What an input did that none may do.
struct Failure {
  /// The input's seed.
  let seed: Int
  /// What happened, without where.
  let kind: String
  /// Where it happened, as far as that is known: equal for equal mistakes.
  var place = ""

  /// What a process that came to its end so has found, beside the faults that it named.
  init?(_ child: Child) {
    seed = child.progress.seed
    switch child.end {
    case .exit(0): return nil
    case .exit(let status): kind = "exit \(status) in \(child.progress.part)"
    case .signal(let number): kind = "signal \(number) in \(child.progress.part)"
    case .timeOut: kind = "time-out in \(child.progress.part)"
    }
  }

  /// A fault that the judge named; numbers in it tell no two mistakes apart.
  init(seed: Int, fault: String) {
    self.seed = seed
    kind = fault.split(separator: ":").first.map(String.init) ?? fault
  }

  /// Whether it takes long to see.
  var isSlow: Bool { kind.hasPrefix("time-out") }

  /// The first places in the project's sources that a backtrace names, with the run-time's message.
  static func place(in errors: String) -> String {
    var places: [String] = []
    for line in errors.split(separator: "\n") {
      guard let start = line.range(of: "/Sources/"), line.contains(".swift:"), places.count < 2
      else { continue }
      let path = line[start.upperBound...].split(separator: "/").last ?? ""
      let parts = path.split(separator: ":")
      guard parts.count > 1 else { continue }
      places.append("\(parts[0]):\(parts[1].prefix { $0.isNumber })")
    }
    let message = errors.split(separator: "\n").first { $0.contains("Fatal error") }
    let told = message.flatMap { $0.split(separator: ":").last }.map { [String($0)] } ?? []
    return (places + told).joined(separator: ", ")
  }
}
