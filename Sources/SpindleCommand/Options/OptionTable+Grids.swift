/// The commands that run a trace many times: sweeps, their parts, and searches.
extension OptionTable {
  static let sweep = CommandDescription(
    name: .sweep, summary: "run a trace for every cell of a grid", operands: "FILE",
    operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(
        .over, "NAME=LIST",
        "vary a parameter, cores, policy, platform, costs, seed or a 'let': '1...16', '10,100'",
        completion: .parameter, isRepeatable: true),
      OptionDescription(
        .measure, "LIST", "measure this of each run (default 'makespan')", isRepeatable: true),
      seeds,
      OptionDescription(
        .shard, "K/N", "run part K of N, for 'spindle merge' to join"),
      output, resultForm, resultJSON,
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs, replacement, parameter, seed, until, warmUp, jobs, steps, invariants, color,
      helpOption,
    ],
    discussion: """
      Every combination of the values of all '--over' is a cell, up to 10,000,000; the last list varies \
      fastest. Cells run in parallel and are written in order as they complete: the output does not \
      depend on '--jobs', nor the memory on the number of cells. Two '--over' make a map for each measure \
      where it fits; a darker cell is worse. Progress is shown on a terminal only.

      With '--shard' every N-th cell from the K-th on is run and written in a special format. The file of \
      '--output' is written completely or not at all: a part that was stopped leaves nothing behind and \
      has to be run again.

      Examples:
        spindle sweep feed.trace --over cores=1...16 --over images=10,100,1000
        spindle sweep feed.trace --over limit=1...8 --seeds 20 --format csv \\
          --measure 'latency("frame*").p99, makespan'
        spindle sweep feed.trace --over cores=1...16 --shard 3/16 --output part-3
      """)

  static let merge = CommandDescription(
    name: .merge, summary: "join the parts of a sweep or of a search", operands: "PART...",
    operandCount: 1...Int.max, operandCompletion: .file,
    options: [output, resultForm, resultJSON, color, helpOption],
    discussion: """
      Each PART is a file of 'spindle sweep --shard K/N', in any order. The result equals the output of \
      one machine, to the byte. Parts of 'spindle explore --shard K/N' are joined to what they have found \
      together, which takes '--json' and no '--format'. Parts that are missing, duplicate, cut off, or of \
      another trace, version, grid, measure or option are refused by name, with status 66.

      Examples:
        spindle merge part-* --format csv --output sweep.csv
      """)

  static let tune = CommandDescription(
    name: .tune, summary: "search for the values that optimize a measure", operands: "FILE",
    operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(
        .over, "NAME=VALUES",
        "search a parameter or cores, 'LOW...HIGH' or a list",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.minimize, "MEASURE", "minimize this measure"),
      OptionDescription(.maximize, "MEASURE", "maximize this measure"),
      OptionDescription(
        .subjectTo, "LIST", "accept only points that meet these conditions with every seed",
        isRepeatable: true),
      seeds, resultForm, resultJSON,
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs, replacement, parameter, seed, until, warmUp, jobs, steps, invariants, color,
      helpOption,
    ],
    discussion: """
      The search starts with a grid: 17 values from LOW to HIGH of one parameter, 9 of each of two, 5 of \
      each of more, evenly or, over more than a hundredfold, by ratio; and all values of a list. From the \
      best point it halves the distances to the neighbours, moves to a better one, and stops within 1%. \
      The search is deterministic and reports its number of runs. A better point between those of the \
      grid may be missed.

      A point whose run does not finish, or is cut off by '--until', is not accepted. The exit status is \
      1 when no point is.

      Examples:
        spindle tune feed.trace --over quantum=1ms...100ms --minimize makespan
        spindle tune feed.trace --over limit=1...64 --minimize makespan \\
          --subject-to 'latency("frame*").p99 <= 16ms, memory.peak < 100MB'
      """)

  private static let seeds = OptionDescription(
    .seeds, "N", "run with N seeds, from the trace's own or '--seed' on")
  static let output = OptionDescription(
    .output, "FILE", "write to FILE, completely or not at all", completion: .file)
  private static let resultJSON = OptionDescription(.json, "print JSON; '--format json'")
  private static let parameter = OptionDescription(
    .set, "NAME=VALUE", "give a parameter another value",
    completion: .parameter, isRepeatable: true)
  private static let replacement = OptionDescription(
    .replace, "NAME=VALUE", "replace the executor or lock of 'let' NAME", isRepeatable: true)
}
