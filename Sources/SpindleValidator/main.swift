import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Runs one call, behind another one where it needs that, and prints what it took: nanoseconds, threads that live at
/// its end, and thousandths of a processor that others had meanwhile.
func measure(_ call: MeasuredCall, behind first: MeasuredCall?) -> Never {
  guard let program = call.program() else {
    print("there is no such program")
    exit(1)
  }
  let before = first?.program()
  if first != nil && before == nil {
    print("there is no such program to run before")
    exit(1)
  }
  prepareWork()
  before?()
  let (busy, used) = (ValidationHost.busy, ValidationHost.time(CLOCK_PROCESS_CPUTIME_ID))
  let start = ValidationHost.time(CLOCK_MONOTONIC)
  program()
  let took = ValidationHost.time(CLOCK_MONOTONIC) - start
  print("took \(Int(took))")
  if let count = ValidationHost.threadCount { print("threads \(count)") }
  if let busy, let now = ValidationHost.busy {
    // A tick of the system's own clock is no disturbance.
    let own = ValidationHost.time(CLOCK_PROCESS_CPUTIME_ID) - used
    let others = max(0, now - busy - own - 15_000_000) / max(took, 10_000_000)
    print("others \(Int(others * 1_000))")
  }
  exit(0)
}

/// The share of two processors, in thousandths, that two threads do not get when they ask for all of it.
func noise() -> Int {
  let count = min(2, ProcessInfo.processInfo.activeProcessorCount)
  let shares = (0..<5).map { _ -> Double in
    let (wall, used) = (Amount(), Amount())
    let done = DispatchGroup()
    for _ in 0..<count {
      done.enter()
      Thread.detachNewThread {
        let (start, time) = (
          ValidationHost.time(CLOCK_MONOTONIC), ValidationHost.time(CLOCK_THREAD_CPUTIME_ID)
        )
        while ValidationHost.time(CLOCK_MONOTONIC) < start + 60_000_000 {}
        wall.add(ValidationHost.time(CLOCK_MONOTONIC) - start)
        used.add(ValidationHost.time(CLOCK_THREAD_CPUTIME_ID) - time)
        done.leave()
      }
    }
    done.wait()
    return max(0, 1 - used.value / wall.value)
  }
  return Int(shares.sorted()[2] * 1_000)
}

/// The programs as one text, which a trace takes as it is.
func texts() -> String {
  let files = [
    PackageResources.Threads_txt, PackageResources.Pools_txt, PackageResources.Waits_txt,
    PackageResources.WarmUp_txt,
  ]
  return files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "list": print(caseLines)
case "texts": print(texts())
case "noise": print("noise \(noise())")
case "run":
  // 'run CALL' or 'run CALL FIRST'.
  guard words.count == 2 || words.count == 3, let call = MeasuredCall(words[1]) else {
    print("what to run is not said")
    exit(1)
  }
  let first = words.count == 3 ? MeasuredCall(words[2]) : nil
  if words.count == 3 && first == nil {
    print("what to run before is no call: \(words[2])")
    exit(1)
  }
  measure(call, behind: first)
default:
  print("spindle validate runs this: list, texts, noise, run CALL [FIRST]")
  exit(64)
}
