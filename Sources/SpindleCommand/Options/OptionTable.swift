import SpindleModel
import SpindleReports
import SpindleSimulator

/// All commands with all their options.
enum OptionTable {
  /// The commands, in the order of the help text.
  static let commands = [
    simulate, compare, explain, timeline, diff, sweep, merge, tune, test, verify, reduce, check,
    recordingImport, replay, format, calibrate, validate, completions, help,
  ]

  /// The command with this name, nil when there is none.
  static func command(named name: String) -> CommandDescription? {
    commands.first { $0.name.rawValue == name }
  }

  private static let simulate = CommandDescription(
    name: .simulate, summary: "run traces in virtual time and say what happened",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs,
      OptionDescription(
        .set, "NAME=VALUE", "give a parameter another value; 'all' for one run of each listed",
        completion: .parameter, isRepeatable: true),
      seed,
      OptionDescription(
        .seeds, "N", "run with N seeds, from the trace's own or '--seed' on, and say how it spreads"
      ),
      until, warmUp,
      OptionDescription(
        .measure, "LIST", "say what these measures came to: 'threads.peak, latency(\"a*\").p99'",
        isRepeatable: true),
      OptionDescription(
        .table, "WHAT", "print when each of the threads or items came, ran and was done",
        completion: .words(TurnaroundTable.Subject.allCases.map(\.rawValue))),
      resultForm,
      OptionDescription(
        .log, "FILE", "write the log of the run; '-' for standard output", completion: .file),
      OptionDescription(
        .export, "[FORMAT=]FILE", "write the run for a viewer or another tool",
        completion: .file, isRepeatable: true),
    ] + html + [
      OptionDescription(
        .json, "print JSON: an object, or an array of them for several runs; '--format json'"),
      jobs, steps, invariants, color, helpOption,
    ],
    discussion: """
      Each FILE is a trace; '-' reads one from standard input. The exit status is 0 when all that \
      the traces expect holds, and 1 when something does not.

      With '--log -' the log is all that standard output gets; the summary goes to standard error.

      '--export' writes a FORMAT, which the end of the file's name tells where it is not said:
      \(exportFormats)
      '--html' writes one file that a browser opens without a network: what went wrong with its causes, \
      and timelines of cores, threads and queues. A long run is kept in full around what went wrong, or \
      in the '--window'; the file says what it leaves out.

      '--measure' takes what a trace's 'expect' may ask of a run: a measure, a sum or quotient of \
      measures, or a condition. '--table' is printed instead of the summary, in the words of \
      textbooks: turnaround is completion less arrival, response the first run less arrival, and \
      waiting the time in which it could have run and had no core. With several traces or values of \
      'all', CSV and Markdown are one table of all runs.

      '--warm-up' takes what '--measure' asks from that moment on, and says how sure each mean, \
      percentile or share is by the means of 20 batches of the rest. With 'auto' MSER-5 finds the \
      moment, from the latencies and waits that are asked. '--seeds' says mean, deviation and 95% \
      confidence interval of each measure, or of the columns of 'spindle compare'.

      On a terminal a run of more than a second says how far it is, and ^C ends it there as '--until' \
      would: what is known so far is printed, and the exit status is 130. A second ^C ends at once.

      Examples:
        spindle simulate queue.trace --warm-up auto --measure 'wait("job*").mean'
        spindle simulate feed.trace --seeds 20
        spindle simulate feed.trace --measure 'latency("frame*").p99, makespan'
        spindle simulate round-robin.trace --table threads
        spindle simulate reuse.trace --policy 'roundRobin(quantum: 5ms)' --cores 4
        spindle simulate reuse.trace --set images=100 --log reuse.txt
        spindle simulate reuse.trace --export reuse.pftrace
        spindle simulate reuse.trace --html reuse.html
      """)

  /// A report as a page.
  private static let html = [
    OptionDescription(
      .html, "FILE", "write a report that a browser opens", completion: .file),
    OptionDescription(
      .window, "FROM...TO", "with --html: keep this time in full, such as 180ms...260ms"),
    OptionDescription(
      .htmlSize, "SIZE", "with --html: how large the file may be, from 300KB to 10MB (2MB)"),
  ]

  /// A line for each format of an export.
  private static let exportFormats = ExportFormat.allCases.map { format in
    let name = format.rawValue + String(repeating: " ", count: 10 - format.rawValue.count)
    return "  \(name) \(format.endings.joined(separator: ", ")): \(format.summary)\n"
  }.joined()

  private static let compare = CommandDescription(
    name: .compare, summary: "run variants of traces and put them side by side",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .policies, "LIST", "one variant for each policy; 'all' for every one there is",
        completion: .list(policies + ["all"])),
      OptionDescription(
        .replace, "NAME=LIST", "one variant for each executor or lock in 'let' NAME",
        isRepeatable: true),
      OptionDescription(
        .set, "NAME=LIST",
        "one variant for each value of a parameter: '1, 2', '1...100 by 10', 'all' that it lists",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.cores, "LIST", "one variant for each number of cores"),
      OptionDescription(
        .platform, "LIST", "one variant for the defaults of each platform; 'all' for every one",
        completion: platform.completion.severally),
      OptionDescription(
        .costs, "LIST",
        "one variant for each cost profile, 'all' for every one, or file as 'my.costs'",
        completion: costs.completion.severally),
      OptionDescription(
        .measure, "LIST", "compare these measures: 'main.longestStall, latency(\"frame*\").p99'",
        isRepeatable: true),
      OptionDescription(.sort, "MEASURE", "sort the variants by this measure, the best first"),
      OptionDescription(
        .pareto, "LIST", "mark the variants that no other beats in all of these measures"),
      OptionDescription(
        .crossover, "NAME=LOW...HIGH",
        "find the values of a parameter at which one variant becomes better than another",
        completion: .parameter),
      OptionDescription(
        .seeds, "N",
        "run each variant with N seeds, from the trace's own or '--seed' on, and compare seed by seed"
      ),
      OptionDescription(
        .untilPrecision, "PERCENT",
        "add seeds until differences are known within this share of the first variant: 2%"),
      seed, until, warmUp,
      OptionDescription(.expect, "evaluate what the trace expects, for every run"),
    ] + html + [
      resultForm,
      OptionDescription(.json, "print JSON; '--format json'"),
      jobs, steps, invariants, color, helpOption,
    ],
    discussion: """
      Commas outside parentheses, brackets and quotes separate the values of a LIST. Several lists \
      make every combination, of which there may be 10,000; several FILEs are a list too. The first \
      variant is what the others are compared with, and the best of each column is marked. A run \
      that does not finish, or that '--until' cuts off, is neither ranked nor compared.

      '--measure' takes what a trace's 'expect' may ask of a run: a measure, a sum or quotient of \
      measures, or a condition. Without it the columns are the makespan, the 95th percentile of the \
      latency of the two kinds of work that differ most, or the means over all items where each \
      kind is one item, the main thread's longest stall, threads, memory, switches and utilization, \
      as far as they differ; what is equal everywhere stands in a line below. CSV has a line for \
      each run, in nanoseconds and bytes.

      '--crossover' compares in pairs the values of the first LIST that has several, in the order \
      above, and does so for each combination of the others. NAME is a whole number, a duration or \
      a size. It looks at 17 values from LOW to HIGH, evenly or, over more than a hundredfold, by \
      ratio; where two neighbours differ in which variant has the less makespan, or is better in \
      the one '--measure', it looks between them until they are within 1%. It looks at 200 values \
      for each pair at most.

      '--until-precision' looks at the intervals after 8, 16, 32 and so on up to 1,024 seeds, or up \
      to '--seeds', of the makespan or of what '--measure' asks. Each look has its share of the 5%, \
      so that over all looks at most 5% of equal variants are told apart.

      '--html' writes one file that a browser opens without a network: the table, and the timelines of \
      the first six variants, two at a time on one axis, with what makes them differ and where they part.

      A line says where more cores, or less work or io by a parameter, take longer by 1% or more.

      The exit status is 0 however the runs end, also when one crashes. With '--expect' it is 1 when \
      something that the trace expects does not hold in a run.

      Examples:
        spindle compare reuse.trace --policies 'fifo, roundRobin(quantum: 10ms)'
        spindle compare reuse.trace --replace 'q=ThreadPerTask, ThreadPool(width: 8)'
        spindle compare reuse.trace --cores 1,2,4,8 --set images=10,100 --seeds 20
        spindle compare size.trace --set design=all --costs apple,linux \\
          --crossover unit=1us...10ms
        spindle compare feed.trace --set limit=1...8 --sort makespan \\
          --measure 'latency("frame*").p99, makespan'
        spindle compare feed.trace --policies all --format csv
      """)

  private static let check = CommandDescription(
    name: .check, summary: "say what is wrong with traces, without running them",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .sarif, "FILE", "write what is wrong as SARIF too; '-' for standard output",
        completion: .file),
      color, helpOption,
    ],
    discussion: """
      Prints nothing when nothing is wrong. The exit status is 2 when a trace has errors; \
      warnings leave it at 0.
      """)

  private static let format = CommandDescription(
    name: .format, summary: "bring traces into the canonical form",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(.check, "change nothing; list what would change, and exit with 1"),
      color, helpOption,
    ],
    discussion: """
      Rewrites files and keeps their comments; '-' formats standard input to standard output. A \
      trace with errors in its syntax is left alone.

      A file is replaced by a whole new one, with the same rights and owner. Where that would part \
      it from its other names or its owner, or its folder can't be written, it is written in place.
      """)

  private static let completions = CommandDescription(
    name: .completions, summary: "print the completion script of a shell",
    operands: Shell.allCases.map(\.rawValue).joined(separator: "|"), operandCount: 1...1,
    operandCompletion: .words(Shell.allCases.map(\.rawValue)), options: [helpOption],
    discussion: """
      To install them for good, add to the shell's start-up file:
        bash    source <(spindle completions bash)
        zsh     source <(spindle completions zsh)
        fish    spindle completions fish | source
      """)

  private static let help = CommandDescription(
    name: .help, summary: "explain a command", operands: "[COMMAND]", operandCount: 0...1,
    operandCompletion: .words(CommandDescription.Name.allCases.map(\.rawValue)),
    options: [helpOption], discussion: "")

  static let policies = MachineCatalog.catalogue.policies.map(\.name)
  static let platform = OptionDescription(
    .platform, "PLATFORM", "take the defaults of this platform",
    completion: .words(Platform.allCases.map(\.rawValue)))
  static let costs = OptionDescription(
    .costs, "PROFILE", "let acts cost what this profile says, or a file as 'my.costs'",
    completion: .words(MachineCatalog.catalogue.costs.map(\.name)))
  static let seed = OptionDescription(.seed, "N", "draw from the random numbers of seed N")
  static let until = OptionDescription(
    .until, "TIME", "end the run at this moment of virtual time, such as 2s")
  static let resultForm = OptionDescription(
    .format, "FORMAT", "write the results as a table, or as csv, markdown or json",
    completion: .words(ComparisonReport.Format.allCases.map(\.rawValue)))
  static let warmUp = OptionDescription(
    .warmUp, "TIME",
    "leave out what comes before this moment; 'auto' finds it (MSER-5)",
    completion: .words(["auto"]))
  static let steps = OptionDescription(
    .steps, "N", "end the run after N instructions and events (1,000,000,000 unless said)")
  static let jobs = OptionDescription(
    .jobs, "N", "run up to N simulations at a time (as many as processors unless said)")
  static let invariants = OptionDescription(
    .checkInvariants, "check the simulator's whole state after every event; slow")
  static let color = OptionDescription(
    .color, "WHEN", "colour the output: auto, always or never",
    completion: .words(ColorChoice.allCases.map(\.rawValue)))
  static let helpOption = OptionDescription(.help, "show this help; also -h")
}
