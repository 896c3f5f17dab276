import Foundation

/// A call of one of the programs, `sleepers(200, 300ms)`: all that it is given is read before it is run, so that what is
/// measured is the program.
struct MeasuredCall {
  private let name: Substring
  /// What its arguments are as counts and as times; 0 for what is none.
  private let counts: [Int]
  private let times: [Duration]

  /// Reads a call as a trace writes it; nil where it is none.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), text.last == ")" else { return nil }
    name = text[..<open]
    let list = text[text.index(after: open)...].dropLast()
    let arguments = list.split(separator: ",").map { $0.drop { $0 == " " } }
    counts = arguments.map { Int($0) ?? 0 }
    times = arguments.map(Self.time)
  }

  private static func time(_ text: Substring) -> Duration {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9]
    let scale = units[text.dropFirst(digits.count)] ?? 0
    return Duration(nanoseconds: Int((Double(digits) ?? 0) * scale))
  }

  /// The program; nil where there is none of this name.
  func program() -> (() -> Void)? { threadProgram() ?? poolProgram() ?? waitProgram() }

  private func threadProgram() -> (() -> Void)? {
    let (n, t) = (counts, times)
    switch name {
    case "sleepers": return { sleepers(n[0], t[1]) }
    case "computers": return { computers(n[0], t[1]) }
    case "inTurn": return { inTurn(n[0]) }
    case "warmUp": return { warmUp(t[0]) }
    case "naps": return { naps(n[0], t[1]) }
    case "inPlace": return { inPlace(n[0], n[1], t[2]) }
    case "onThreads": return { onThreads(n[0], n[1], t[2]) }
    case "onSleepingThreads": return { onSleepingThreads(n[0], n[1], t[2]) }
    default: return nil
    }
  }

  private func poolProgram() -> (() -> Void)? {
    let (n, t) = (counts, times)
    switch name {
    case "poolSleeping": return { poolSleeping(n[0], t[1]) }
    case "poolComputing": return { poolComputing(n[0], t[1]) }
    case "poolMixed": return { poolMixed(n[0], t[1], t[2]) }
    case "serialQueues": return { serialQueues(n[0], n[1], t[2]) }
    case "onQueue": return { onQueue(n[0], n[1], t[2]) }
    case "onSleepingQueue": return { onSleepingQueue(n[0], n[1], t[2]) }
    case "perform": return { perform(n[0], n[1], t[2]) }
    case "performUneven": return { performUneven(n[0], t[1]) }
    case "forkJoin": return { forkJoin(n[0], t[1]) }
    case "operations": return { operations(n[0], n[1], t[2], t[3]) }
    case "emptyOperations": return { emptyOperations(n[0], n[1]) }
    default: return nil
    }
  }

  private func waitProgram() -> (() -> Void)? {
    let (n, t) = (counts, times)
    switch name {
    case "lock": return { lock(n[0], n[1], t[2], t[3]) }
    case "syncs": return { syncs(n[0], n[1], t[2], t[3]) }
    case "emptySyncs": return { emptySyncs(n[0]) }
    case "emptyBlocks": return { emptyBlocks(n[0]) }
    case "pipeline": return { pipeline(n[0], t[1], t[2], t[3]) }
    case "pingPong": return { pingPong(n[0]) }
    case "barrier": return { barrier(n[0], n[1], t[2]) }
    case "buffer": return { buffer(n[0], n[1], t[2], t[3]) }
    case "delays": return { delays(n[0], t[1]) }
    default: return nil
    }
  }
}
