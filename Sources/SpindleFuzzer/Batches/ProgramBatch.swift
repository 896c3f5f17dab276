import SpindleGenerator
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleRun
import SpindleSimulator

/// Judges damaged programs one after the other in this process, as `Batch` does with damaged texts.
///
/// What is damaged is a number in a compiled program that leads somewhere: to an instruction, a block, a
/// register, a site, a global, a name. The program is refused with a message; or it passes, and then its
/// run ends. A register that was taken for another one may hold anything: who takes its value for an index
/// may stop the process, in order, which the campaign counts as a refusal.
struct ProgramBatch {
  private let options: FuzzOptions
  private let texts: [String]

  /// Creates a batch of programs that are made of these traces.
  init(_ options: FuzzOptions, _ texts: [String]) {
    (self.options, self.texts) = (options, texts)
    options.limitMemory()
  }

  /// Judges all seeds.
  func run() {
    for seed in options.seeds {
      say("seed \(seed)")
      options.limitTime()
      var random = Randomness(seed: seed)
      var compiler = Compiler(catalogue: MachineCatalog.catalogue)
      compiler.joinsInstructions = !random.isOne(in: 4)
      let text = texts[random.below(texts.count)]
      guard var program = compiler.compile(SourceText(name: "damaged", text)).program else {
        say("refused")
        continue
      }
      if let fault = program.fault() ?? program.uninitialisedRead({ _ in 0 }) {
        say("fault a compiled program: \(fault)")
      }
      ProgramDamage.damage(&program, &random)
      if let fault = program.fault() {
        if fault.isEmpty { say("fault no message") }
        say("refused")
        continue
      }
      say("part run")
      var limits = RunLimits()
      limits.steps = options.steps
      _ = RunRequest(limits: limits).run(program, consumers: [LogDigest()])
      say("ran")
    }
  }
}
