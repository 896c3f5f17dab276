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
        .measure, "LIST", "measure this of each run, 'makespan' unless said", isRepeatable: true),
      seeds,
      OptionDescription(
        .shard, "K/N", "run part K of N, and write it for 'spindle merge' to join"),
      output, resultForm, resultJSON,
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs, replacement, parameter, seed, until, warmUp, jobs, steps, invariants, color,
      helpOption,
    ],
    discussion: """
      Every combination of the values of all '--over' is a cell, of which there may be 10,000,000; \
      the last one varies fastest. Cells are run side by side and written in order, as soon as they \
      are there: what is written does not depend on '--jobs', nor memory on the number of cells. \
      Two '--over' make a map for each measure where there is room for one; the darker a cell, the \
      worse it is among all. Progress is shown on a terminal only.

      With '--shard' a part of the cells is run, every N-th from the K-th on, and written in a form \
      of its own. A file of '--output' is written whole or not at all, so that a part that was \
      stopped leaves nothing behind and is run again.

      Examples:
        spindle sweep feed.trace --over cores=1...16 --over images=10,100,1000
        spindle sweep feed.trace --over limit=1...8 --seeds 20 --format csv \\
          --measure 'latency("frame*").p99, makespan'
        spindle sweep feed.trace --over cores=1...16 --shard 3/16 --output part-3
      """)

  static let merge = CommandDescription(
    name: .merge, summary: "join the parts of a sweep", operands: "PART...",
    operandCount: 1...Int.max, operandCompletion: .file,
    options: [output, resultForm, resultJSON, color, helpOption],
    discussion: """
      Each PART is a file of 'spindle sweep --shard K/N', in any order. Joined they are what one \
      machine would have written, to the byte. Parts that are missing, there twice, cut off, or of \
      another trace, version, grid, measure or option are refused by name, with status 66.

      Examples:
        spindle merge part-* --format csv --output sweep.csv
      """)

  static let tune = CommandDescription(
    name: .tune, summary: "search the values with which a measure is best", operands: "FILE",
    operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(
        .over, "NAME=VALUES",
        "search a parameter or cores from 'LOW...HIGH', or any of a list",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.minimize, "MEASURE", "make this measure as small as can be"),
      OptionDescription(.maximize, "MEASURE", "make this measure as great as can be"),
      OptionDescription(
        .subjectTo, "LIST", "allow only what meets these conditions, with every seed",
        isRepeatable: true),
      seeds, resultForm, resultJSON,
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs, replacement, parameter, seed, until, warmUp, jobs, steps, invariants, color,
      helpOption,
    ],
    discussion: """
      It looks at a grid first: 17 values from LOW to HIGH of one parameter, 9 of each of two, 5 of \
      each of more, evenly or, over more than a hundredfold, by ratio; and all values of a list. \
      From the best point it halves the distances to the neighbours, moves to what is better, and \
      stops within 1%. It is the same search each time, and says how many runs it took. What lies \
      between points of the grid and was not looked at may be better.

      A run that does not finish, or that '--until' cuts off, is not allowed. The exit status is 1 \
      when no point is.

      Examples:
        spindle tune feed.trace --over quantum=1ms...100ms --minimize makespan
        spindle tune feed.trace --over limit=1...64 --minimize makespan \\
          --subject-to 'latency("frame*").p99 <= 16ms, memory.peak < 100MB'
      """)

  private static let seeds = OptionDescription(
    .seeds, "N", "run with N seeds, from the trace's own or '--seed' on")
  private static let output = OptionDescription(
    .output, "FILE", "write to FILE, whole or not at all", completion: .file)
  private static let resultJSON = OptionDescription(.json, "print JSON; '--format json'")
  private static let parameter = OptionDescription(
    .set, "NAME=VALUE", "give a parameter another value",
    completion: .parameter, isRepeatable: true)
  private static let replacement = OptionDescription(
    .replace, "NAME=VALUE", "put another executor or lock into the 'let' NAME", isRepeatable: true)
}
