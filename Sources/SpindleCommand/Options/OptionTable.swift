import SpindleModel
import SpindleReports
import SpindleSimulator

/// All commands with all their options.
enum OptionTable {
  /// Commands that serve one purpose.
  struct Group: Sendable {
    /// What they are for, in a few words.
    let title: String
    /// The commands, the most used first.
    let commands: [CommandDescription]
  }

  /// The groups, in the order of the help text.
  static let groups = [
    Group(title: "run", commands: [initialize, simulate, check, format]),
    Group(title: "compare", commands: [compare, diff, sweep, merge, tune]),
    Group(title: "explain", commands: [explain, timeline]),
    Group(title: "test", commands: [test, explore, verify, reduce]),
    Group(
      title: "real machines", commands: [recordingImport, replay, calibrate, validate]),
    Group(title: "this tool", commands: [completions, help]),
  ]

  /// All commands, in the order of the help text.
  static let commands = groups.flatMap(\.commands)

  /// The command with this name, nil when there is none.
  static func command(named name: String) -> CommandDescription? {
    commands.first { $0.name.rawValue == name }
  }

  private static let simulate = CommandDescription(
    name: .simulate, summary: "run traces in virtual time and summarize the results",
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
        .seeds, "N",
        "run with N seeds, from the trace's own or '--seed' on, and report the spread"),
      until, schedule, warmUp,
      OptionDescription(
        .measure, "LIST", "print these measures: 'threads.peak, latency(\"a*\").p99'",
        isRepeatable: true),
      OptionDescription(
        .table, "WHAT", "print the times of each thread, item or span, or each sample",
        completion: .words(RunTableSubject.allCases.map(\.rawValue))),
      resultForm,
      OptionDescription(
        .log, "FILE", "write the log of the run; '-' for standard output", completion: .file),
      OptionDescription(
        .export, "[FORMAT=]FILE", "write the run for a viewer or another tool",
        completion: .file, isRepeatable: true),
    ] + html + [
      OptionDescription(
        .json, "print JSON: an object, or an array of them for several runs; '--format json'"),
      OptionDescription(.quiet, "print only problems, and what '--measure' requests"),
      OptionDescription(
        .hideExpected, "print only the place of an unmet expectation, as for an exercise"),
      jobs, steps, invariants, color, helpOption,
    ],
    discussion: """
      Each FILE is a trace; '-' reads one from standard input. The exit status is 0 when all \
      expectations are met, and 1 otherwise.

      With '--log -' the log goes to standard output and the summary to standard error. '--quiet' prints \
      only errors, warnings and unmet expectations, and what '--measure' or '--table' requests.

      '--export' writes a FORMAT. The suffix of the file's name selects it unless it is given:
      \(exportFormats)
      '--html' writes one file that a browser opens offline: problems with their causes, and timelines \
      of cores, threads and queues. Of a long run it keeps the time around problems, or the '--window', \
      and the file states what it leaves out.

      '--measure' takes what a trace's 'expect' accepts: a measure, a sum or quotient of measures, or a \
      condition. '--table' replaces the summary and uses the terms of textbooks: turnaround is \
      completion minus arrival, response is first run minus arrival, and waiting is the time spent \
      runnable without a core. With several traces or with 'all', CSV and Markdown are one table of all \
      runs.

      '--warm-up' discards the time before that moment and reports the confidence of each mean, \
      percentile or share, from the means of 20 batches of the rest. With 'auto', MSER-5 finds the \
      moment from the measured latencies and waits. '--seeds' reports mean, deviation and 95% confidence \
      interval of each measure, or of the columns of 'spindle compare'.

      On a terminal, a run of more than a second shows its progress. ^C ends it as '--until' would: the \
      results so far are printed, and the exit status is 130. A second ^C ends at once.

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
    name: .compare, summary: "run variants of traces and compare the results",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .policies, "LIST", "one variant for each policy; 'all' for every policy",
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
        .platform, "LIST", "one variant for each platform; 'all' for every platform",
        completion: platform.completion.severally),
      OptionDescription(
        .costs, "LIST",
        "one variant for each cost profile or file such as 'my.costs'; 'all' for every profile",
        completion: costs.completion.severally),
      OptionDescription(
        .measure, "LIST", "compare these measures: 'main.longestStall, latency(\"frame*\").p99'",
        isRepeatable: true),
      OptionDescription(.sort, "MEASURE", "sort the variants by this measure, the best first"),
      OptionDescription(
        .pareto, "LIST", "mark the variants that no other variant beats in all of these measures"),
      OptionDescription(
        .crossover, "NAME=LOW...HIGH",
        "find the values of a parameter at which one variant becomes better than another",
        completion: .parameter),
      OptionDescription(
        .seeds, "N",
        "run each variant with N seeds, from the trace's own or '--seed' on, and compare seed by seed"
      ),
      OptionDescription(
        .schedule, "SCHEDULE", "two variants: the normal run, and one under this schedule",
        completion: .file),
      OptionDescription(
        .untilPrecision, "PERCENT",
        "add seeds until the confidence intervals are within this share of the first variant: 2%"),
      seed, until, warmUp,
      OptionDescription(.expect, "evaluate the expectations of the trace for every run"),
    ] + html + [
      resultForm,
      OptionDescription(.json, "print JSON; '--format json'"),
      OptionDescription(.quiet, "print only the table and problems"),
      jobs, steps, invariants, color, helpOption,
    ],
    discussion: """
      Commas outside parentheses, brackets and quotes separate the values of a LIST. Several lists \
      make every combination, up to 10,000; several FILEs are a list too. The first variant is the \
      baseline of the others, and the best value of each column is marked. A run that does not finish, \
      or that '--until' cuts off, is neither ranked nor compared.

      '--measure' takes what a trace's 'expect' accepts: a measure, a sum or quotient of measures, or a \
      condition. Without it, the table shows what differs: the makespan, the 95th percentile of the \
      latency of the two kinds of work that differ most (the means over all items where each kind is \
      one item), the main thread's longest stall, threads, memory, switches and utilization. A line \
      below lists what is equal everywhere. CSV has a line for each run, in nanoseconds and bytes.

      '--crossover' compares pairs of values of the first LIST above that has several, for each \
      combination of the others. NAME is a whole number, a duration or a size. The search samples 17 \
      values from LOW to HIGH, evenly or, over more than a hundredfold, by ratio. Where two neighbours \
      differ in which variant has the smaller makespan, or the better '--measure', it samples between \
      them until they are within 1%, with at most 200 values for each pair.

      '--until-precision' checks the intervals of the makespan or of '--measure' after 8, 16, 32 and so \
      on up to 1,024 seeds, or up to '--seeds'. The checks share the 5%: over all of them, at most 5% of \
      equal variants are reported as different.

      '--html' writes one file that a browser opens offline: the table, and the timelines of the first \
      six variants, two at a time on one axis, with their settings and the first step that differs.

      A line reports where more cores, or less work or io by a parameter, take longer by 1% or more.

      The exit status is 0 however the runs end, even when one crashes. With '--expect' it is 1 when an \
      expectation is not met in a run.

      Examples:
        spindle compare reuse.trace --policies 'fifo, roundRobin(quantum: 10ms)'
        spindle compare reuse.trace --replace 'q=ThreadPerTask, ThreadPool(width: 8)'
        spindle compare reuse.trace --cores 1,2,4,8 --set images=10,100 --seeds 20
        spindle compare size.trace --set design=all --costs apple,linux \\
          --crossover unit=1us...10ms
        spindle compare feed.trace --set limit=1...8 --sort makespan \\
          --measure 'latency("frame*").p99, makespan'
        spindle compare feed.trace --policies all --format csv
        spindle compare cache.trace --schedule cache-1.schedule --html both.html
      """)

  private static let check = CommandDescription(
    name: .check, summary: "report mistakes in traces without running them",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .sarif, "FILE", "also write the mistakes as SARIF; '-' for standard output",
        completion: .file),
      color, helpOption,
    ],
    discussion: """
      Prints nothing when there are no mistakes. The exit status is 2 when a trace has errors, and 0 \
      with warnings only.
      """)

  private static let format = CommandDescription(
    name: .format, summary: "format traces",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(.check, "change nothing; list what would change, and exit with 1"),
      color, helpOption,
    ],
    discussion: """
      Rewrites files and keeps their comments; '-' formats standard input to standard output. A \
      trace with syntax errors is not changed.

      A file is replaced by a new one with the same permissions and owner. A file with hard links or \
      another owner, or in a folder that can't be written, is written in place.
      """)

  private static let completions = CommandDescription(
    name: .completions, summary: "print the completion script of a shell",
    operands: Shell.allCases.map(\.rawValue).joined(separator: "|"), operandCount: 1...1,
    operandCompletion: .words(Shell.allCases.map(\.rawValue)), options: [helpOption],
    discussion: """
      To install them permanently, add to the shell's start-up file:
        bash    source <(spindle completions bash)
        zsh     source <(spindle completions zsh)
        fish    spindle completions fish | source
      """)

  private static let help = CommandDescription(
    name: .help, summary: "explain a command or a topic", operands: "[COMMAND|TOPIC]",
    operandCount: 0...1,
    operandCompletion: .words(
      CommandDescription.Name.allCases.map(\.rawValue) + HelpTopic.allCases.map(\.rawValue)),
    options: [helpOption],
    discussion: """
      Topics:
        policies  the scheduling policies, with their arguments and default values
        costs     the cost profiles
      """)

  static let policies = MachineCatalog.catalogue.policies.map(\.name)
  static let platform = OptionDescription(
    .platform, "PLATFORM", "use the defaults of this platform",
    completion: .words(Platform.allCases.map(\.rawValue)))
  static let costs = OptionDescription(
    .costs, "PROFILE", "use this cost profile, or a file such as 'my.costs'",
    completion: .words(MachineCatalog.catalogue.costs.map(\.name)))
  static let seed = OptionDescription(.seed, "N", "use seed N for random numbers")
  static let until = OptionDescription(
    .until, "TIME", "end the run at this virtual time, such as 2s")
  static let resultForm = OptionDescription(
    .format, "FORMAT", "write the results as a table, or as csv, markdown or json",
    completion: .words(ComparisonReport.Format.allCases.map(\.rawValue)))
  static let warmUp = OptionDescription(
    .warmUp, "TIME",
    "discard the time before this moment; 'auto' finds it (MSER-5)",
    completion: .words(["auto"]))
  static let steps = OptionDescription(
    .steps, "N", "end the run after N instructions and events (default 1,000,000,000)")
  static let jobs = OptionDescription(
    .jobs, "N", "run up to N simulations at a time (default: one for each processor)")
  static let invariants = OptionDescription(
    .checkInvariants, "check all invariants after every event; slow")
  static let color = OptionDescription(
    .color, "WHEN", "colour the output: auto, always or never",
    completion: .words(ColorChoice.allCases.map(\.rawValue)))
  static let quiet = OptionDescription(.quiet, "print only problems")
  static let helpOption = OptionDescription(.help, "show this help; also -h")
}
