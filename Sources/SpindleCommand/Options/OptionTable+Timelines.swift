import SpindleReports

/// The commands that look into one run.
extension OptionTable {
  /// What makes the run that is looked into, as `simulate` has it.
  private static let runOptions = [
    OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
    OptionDescription(.cores, "N", "give the machine N cores"),
    platform, costs,
    OptionDescription(
      .set, "NAME=VALUE", "give a parameter another value",
      completion: .parameter, isRepeatable: true),
    seed, until, steps, color, helpOption,
  ]

  static let timeline = CommandDescription(
    name: .timeline, summary: "draw what ran where and who waited, in the terminal",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.from, "TIME", "begin at this moment (the start unless said)"),
      OptionDescription(.to, "TIME", "end at this moment (the end unless said)"),
      OptionDescription(
        .by, "WHAT", "a lane for each thread, core, queue or task (thread unless said)",
        completion: .words(LanePicture.Lanes.allCases.map(\.rawValue))),
      OptionDescription(.only, "NAMES", "show these only, such as 'main,worker*'"),
      OptionDescription(.width, "N", "draw N columns wide, from 40 to 400"),
    ] + runOptions,
    discussion: """
      Each lane is a line, and each letter the state that most of its time had; where a thread is on a \
      core for a part of it, a block is as high as that part. The letters are told below. What is idle is folded into one line. A log that '--log' wrote may stand for the trace.

      Examples:
        spindle timeline stutter.trace --from 180ms --to 260ms
        spindle timeline stutter.trace --by core
        spindle timeline stutter.trace --only 'main,worker*' --width 120
      """)

  static let explain = CommandDescription(
    name: .explain, summary: "say why something took as long as it did",
    operands: "FILE|FINDING", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.at, "TIME", "what went on at this moment"),
      OptionDescription(.thread, "NAME", "with --at: of this thread (all unless said)"),
      OptionDescription(.item, "NAME", "why this item took as long as it did"),
      OptionDescription(.stall, "why the main thread could not answer for the longest time"),
      OptionDescription(.criticalPath, "why the run took as long as it did"),
      OptionDescription(.finding, "N", "finding N of the summary, and what went on then"),
    ] + runOptions,
    discussion: """
      Without any of these it explains the longest stall of the main thread and the critical path. \
      The critical path is the chain of work, waits and wakes of which no part could be later without \
      the end being later too.

      With the name of a finding it prints its page: what it means, what to do, and a small trace that \
      has it. A log that '--log' wrote may stand for the trace; it has no places in the text.

      Examples:
        spindle explain priorityInversion
        spindle explain stutter.trace --stall
        spindle explain stutter.trace --at 192ms --thread main
        spindle explain stutter.trace --item frame12
        spindle explain stutter.trace --finding 2
      """)
}
