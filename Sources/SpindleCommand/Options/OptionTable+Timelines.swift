import SpindleReports

/// The commands that look into one run.
extension OptionTable {
  /// The options that determine the run, as in `simulate`.
  private static let runOptions = [
    OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
    OptionDescription(.cores, "N", "give the machine N cores"),
    platform, costs,
    OptionDescription(
      .set, "NAME=VALUE", "give a parameter another value",
      completion: .parameter, isRepeatable: true),
    seed, until, schedule, steps, color, helpOption,
  ]

  static let timeline = CommandDescription(
    name: .timeline, summary: "draw threads, cores or queues over time in the terminal",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.from, "TIME", "begin at this moment (default: the start)"),
      OptionDescription(.to, "TIME", "end at this moment (default: the end)"),
      OptionDescription(
        .by, "WHAT", "a lane for each thread, core, queue or task (default: thread)",
        completion: .words(LanePicture.Lanes.allCases.map(\.rawValue))),
      OptionDescription(.only, "NAMES", "show these only, such as 'main,worker*'"),
      OptionDescription(.width, "N", "draw N columns wide, from 40 to 400"),
      OptionDescription(
        .svg, "FILE", "write a drawing of threads or cores for slides and papers",
        completion: .file),
    ] + runOptions,
    discussion: """
      Each lane is a line, and each letter the state that took most of its time. Where a thread runs for a \
      part of it, the height of a block shows the share. A legend explains the letters. Idle lanes are \
      folded into one line. FILE may also be a log that '--log' wrote.

      '--svg' draws the same as a Gantt chart: threads in the order in which they were created, with their \
      states, or with '--by core' what each core ran. Ten pixels are a column.

      Examples:
        spindle timeline stutter.trace --from 180ms --to 260ms
        spindle timeline round-robin.trace --by core --svg gantt.svg
        spindle timeline stutter.trace --by core
        spindle timeline stutter.trace --only 'main,worker*' --width 120
      """)

  static let explain = CommandDescription(
    name: .explain, summary: "show the causes of a stall, a latency or a finding",
    operands: "FILE|FINDING", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.at, "TIME", "show what every thread does at this moment"),
      OptionDescription(.thread, "NAME", "with --at: only this thread"),
      OptionDescription(.item, "NAME", "show the causes of this item's latency"),
      OptionDescription(
        .value, "NAME", "show all writes of a variable or property, or what was recorded"),
      OptionDescription(.stall, "show the causes of the main thread's longest stall"),
      OptionDescription(.criticalPath, "show the critical path of the run"),
      OptionDescription(.finding, "N", "show finding N of the summary and the time around it"),
    ] + runOptions,
    discussion: """
      By default, explains a crash, the longest stall of the main thread and the critical path. The critical path \
      is the chain of work, waits and wake-ups in which any delay delays the end of the run.

      With the name of a finding, prints its page: its meaning, its remedies, and a small trace that has \
      it. FILE may also be a log that '--log' wrote; it has no source positions.

      Examples:
        spindle explain priorityInversion
        spindle explain stutter.trace --stall
        spindle explain stutter.trace --at 192ms --thread main
        spindle explain stutter.trace --item frame12
        spindle explain stutter.trace --finding 2
        spindle explain search.trace --value model.results
      """)
}
