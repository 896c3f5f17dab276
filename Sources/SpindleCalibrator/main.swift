import Foundation

/// One round of all measurements, in nanoseconds; later ones are corrected by earlier ones.
struct Round {
  private var values: [String: Double] = [:]
  private let isQuick: Bool

  /// Begins a round; a quick one has a quarter of the samples.
  init(isQuick: Bool) { self.isQuick = isQuick }

  /// A cost by the name of its field.
  subscript(field: String) -> Double {
    get { values[field, default: 0] }
    set { values[field] = newValue }
  }

  /// How many samples are taken where a full round takes so many.
  func samples(_ count: Int) -> Int { isQuick ? max(8, count / 4) : count }

  /// The fields that it has, in the order of their names.
  var fields: [String] { values.keys.sorted() }

  /// Measures everything that this host lets be measured.
  mutating func measure() {
    pages()
    locks()
    queues()
    operations()
    runLoops()
    // Without two cores that threads can be kept on, nothing of these can be told apart.
    if ProcessInfo.processInfo.activeProcessorCount < 2 || !canPin() { return }
    share()
    switches()
    threads()
    unmapping()
    stacks()
    sleeps()
    wakes()
  }

  private func canPin() -> Bool {
    let answer = Samples(1)
    CalibrationHost.onThread { answer[0] = CalibrationHost.pin(to: 1) ? 1 : 0 }
    return answer[0] == 1
  }
}

/// The share of the processors that two threads do not get when they ask for all of it.
func noise() -> Double {
  let (wall, used) = (Samples(2), Samples(2))
  let done = DispatchGroup()
  for index in 0..<2 {
    done.enter()
    Thread.detachNewThread {
      let (start, time) = (CalibrationHost.now(), CalibrationHost.threadTime())
      while CalibrationHost.now() < start + 60_000_000 {}
      (wall[index], used[index]) = (
        CalibrationHost.now() - start, CalibrationHost.threadTime() - time
      )
      done.leave()
    }
  }
  done.wait()
  return max(0, 1 - (used[0] + used[1]) / (wall[0] + wall[1]))
}

/// Prints a line at once: `spindle calibrate` shows from it how far this is.
func tell(_ line: String) {
  print(line)
  fflush(nil)
}

let known = ["--once", "--quick"]
if !CommandLine.arguments.dropFirst().allSatisfy(known.contains) {
  tell("'spindle calibrate' runs this to measure what acts cost, and makes costs of what it prints")
  exit(CommandLine.arguments.contains { $0 == "--help" || $0 == "-h" } ? 0 : 64)
}
// '--once' is for who measures again and again, with something else in between.
let isOnce = CommandLine.arguments.contains("--once")
let isQuick = isOnce || CommandLine.arguments.contains("--quick")
let rounds = isOnce ? 1 : isQuick ? 5 : 15
var (measured, disturbed): ([Round], [Double]) = ([], [noise()])
tell("rounds \(rounds)")
for _ in 0..<rounds {
  var round = Round(isQuick: isQuick)
  round.measure()
  measured.append(round)
  disturbed.append(noise())
  tell("round \(measured.count)")
}
print("noise \(Int(Spread(disturbed).median * 1_000))")
for field in measured[0].fields {
  let spread = Spread(measured.map { $0[field] })
  print("field \(field) \(Int(spread.median)) \(Int(spread.low)) \(Int(spread.high))")
}
exit(0)
