import Foundation

/// A call of one of the programs, `sleepers(200, 300ms)`.
struct Call {
  private let name: Substring
  private let arguments: [Substring]

  /// Reads a call as a trace writes it; nil where it is none.
  init?(_ text: String) {
    guard let open = text.firstIndex(of: "("), text.last == ")" else { return nil }
    name = text[..<open]
    let list = text[text.index(after: open)...].dropLast()
    arguments = list.split(separator: ",").map { $0.drop { $0 == " " } }
  }

  private func count(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }

  private func time(_ index: Int) -> Duration {
    let text = arguments[index]
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let units: [Substring: Double] = ["ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9]
    let scale = units[text.dropFirst(digits.count)] ?? 0
    return .nanoseconds(Int64((Double(digits) ?? 0) * scale))
  }

  /// Runs the program; false where there is none of this name.
  func run() -> Bool { runThreads() || runPools() || runWaits() }

  private func runThreads() -> Bool {
    switch name {
    case "sleepers": sleepers(count(0), time(1))
    case "computers": computers(count(0), time(1))
    case "inTurn": inTurn(count(0))
    case "naps": naps(count(0), time(1))
    case "inPlace": inPlace(count(0), count(1), time(2))
    case "onThreads": onThreads(count(0), count(1), time(2))
    case "onSleepingThreads": onSleepingThreads(count(0), count(1), time(2))
    default: return false
    }
    return true
  }

  private func runPools() -> Bool {
    switch name {
    case "poolSleeping": poolSleeping(count(0), time(1))
    case "poolComputing": poolComputing(count(0), time(1))
    case "poolMixed": poolMixed(count(0), time(1), time(2))
    case "serialQueues": serialQueues(count(0), count(1), time(2))
    case "onQueue": onQueue(count(0), count(1), time(2))
    case "onSleepingQueue": onSleepingQueue(count(0), count(1), time(2))
    case "perform": perform(count(0), count(1), time(2))
    case "performUneven": performUneven(count(0), time(1))
    case "forkJoin": forkJoin(count(0), time(1))
    case "operations": operations(count(0), count(1), time(2), time(3))
    case "emptyOperations": emptyOperations(count(0), count(1))
    default: return false
    }
    return true
  }

  private func runWaits() -> Bool {
    switch name {
    case "lock": lock(count(0), count(1), time(2), time(3))
    case "syncs": syncs(count(0), count(1), time(2), time(3))
    case "emptySyncs": emptySyncs(count(0))
    case "emptyBlocks": emptyBlocks(count(0))
    case "pipeline": pipeline(count(0), time(1), time(2), time(3))
    case "pingPong": pingPong(count(0))
    case "barrier": barrier(count(0), count(1), time(2))
    case "buffer": buffer(count(0), count(1), time(2), time(3))
    case "delays": delays(count(0), time(1))
    default: return false
    }
    return true
  }
}
