import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Judges inputs one after the other in this process, and tells whoever started it where it is.
///
/// Each line that it writes is a word and what belongs to it; `ChildProgress` reads them. Should the
/// process end in between, the last line says by which input and in which part.
struct Batch {
  private let options: FuzzOptions

  /// Creates a batch.
  init(_ options: FuzzOptions) {
    self.options = options
    limitMemory()
  }

  /// Judges all seeds.
  func run(_ corpus: Corpus) {
    for seed in options.seeds {
      say("seed \(seed)")
      judge(options.text(of: seed, corpus))
    }
  }

  /// Judges one text.
  func judge(_ text: String) {
    func begin(_ part: String) {
      say("part \(part)")
      limitTime()
      fail(text)
    }
    let result =
      options.makesPrograms
      ? ProgramJudge(steps: options.steps, begin: begin).judge(text)
      : Judge(steps: options.steps, begin: begin).judge(text)
    for fault in result.faults { say("fault \(fault)") }
    say(result.ran ? "ran" : "refused")
  }

  /// Fails as it is asked to.
  private func fail(_ text: String) {
    if let word = options.plantedCrash, text.contains(word) { abort() }
    if let word = options.plantedHang, text.contains(word) { while true {} }
  }

  /// Ends the process by a signal when the next part takes too long.
  private func limitTime() { options.limitTime() }

  /// A run that takes all memory is then a crash of its own, and no trouble for others.
  private func limitMemory() { options.limitMemory() }
}

extension FuzzOptions {
  /// The input of a seed.
  func text(of seed: Int, _ corpus: Corpus) -> String {
    makesPrograms ? RandomProgram(seed: seed).text : Mutant(seed: seed, corpus: corpus).text
  }

  /// Ends the process by a signal when what follows takes too long: in time of a processor, so that
  /// a busy machine changes nothing.
  func limitTime() {
    var timer = itimerval()
    timer.it_value.tv_sec = seconds
    #if canImport(Glibc)
      setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    #else
      setitimer(ITIMER_PROF, &timer, nil)
    #endif
  }

  /// Bounds the memory that the process may take.
  func limitMemory() {
    guard gigabytes > 0 else { return }
    var limit = rlimit()
    limit.rlim_cur = rlim_t(gigabytes) << 30
    limit.rlim_max = limit.rlim_cur
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
      setrlimit(RLIMIT_AS, &limit)
    #endif
  }
}

/// Writes a line at once: whoever reads it may look before the process ends.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
