/// The processes of an export, of which one is taken.
struct ExportedProcesses {
  /// By number: how long ran what it has in the table.
  private var ran: [Int64: Int64] = [:]
  private let names: [Int64: String]

  /// Processes with these names, none of which has run yet.
  init(names: [Int64: String]) { self.names = names }

  /// Something of a process ran for a time.
  mutating func ran(_ process: Int64, for time: Int64) { ran[process, default: 0] += time }

  /// The process that is asked for by number or name, or the one of which most ran; nil for all, or for none.
  ///
  /// Where nothing is called so, the mistake names those that there are, by `what` of them ran.
  func chosen(_ wanted: String?, of what: String) throws -> Int64? {
    if wanted == "all" { return nil }
    let all = ran.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let wanted else { return all.first?.key }
    let found = all.first { "\($0.key)" == wanted || names[$0.key] == wanted }
    if let found { return found.key }
    let known = all.prefix(5).map { "\(names[$0.key] ?? "a process") (\($0.key))" }
    throw RecordingMistake(
      .whole,
      "no process is called '\(wanted)'; those whose \(what) ran most are "
        + known.joined(separator: ", "))
  }
}
