/// The commands that test traces.
extension OptionTable {
  static let test = CommandDescription(
    name: .test, summary: "check traces against what they expect and against their logs",
    operands: "PATH...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(.update, "write the logs anew, and say what changed"),
      OptionDescription(.review, "show each change of a log, and ask whether to take it"),
      OptionDescription(.keepLog, "record whole logs, however long they are"),
      OptionDescription(.list, "name the tests and run none"),
      OptionDescription(.filter, "REGEX", "run the tests whose path matches"),
      OptionDescription(.tag, "TAG", "run the tests with a comment '// tags: TAG' at the top"),
      OptionDescription(.shard, "PART/COUNT", "run one part of the tests, such as 2/8"),
      OptionDescription(.failFast, "stop at the first failure"),
      OptionDescription(.verbose, "name the tests that passed, too"),
      OptionDescription(.durations, "N", "name the N slowest tests"),
      OptionDescription(.all, "run also what has not changed since it passed"),
      OptionDescription(
        .changedSince, "FILE", "run what has changed since '--digests' wrote this file",
        completion: .file),
      OptionDescription(
        .digests, "FILE", "write which tests passed, with digests of all that they depend on",
        completion: .file),
      jobs,
      OptionDescription(.junit, "FILE", "write the results as JUnit XML", completion: .file),
      OptionDescription(
        .sarif, "FILE", "write failures, diagnostics and findings as SARIF", completion: .file),
      steps, invariants, color, helpOption,
    ],
    discussion: """
      Each PATH is a trace, or a folder with traces in it or below. A trace passes when all that \
      it expects holds and its run agrees with NAME.log beside NAME.trace, where there is one. A \
      failure says what was seen, what was found in the run, how it ended and where it parts from \
      the recorded log.

      '--update' writes the logs of all runs that differ, '--review' asks for each; both refuse \
      when CI is set. Of a log of more than 200 lines, what is kept are the numbers of its end and \
      digests of its order, its times and its threads for each of ten stretches; '--keep-log' keeps \
      all of it. Whoever has the whole log of a run beside its trace is told of every step.

      Unless CI is set, a test is not run whose trace and log, and the tool itself, are what they \
      were when it passed; the last line counts such tests, and '--all' runs them. Which have \
      passed is kept in the user's folder of caches.

      Where GITHUB_ACTIONS is 'true', failures are annotated at their lines.

      A trace that must be refused says so in comments under the offending text, and has no log. \
      The caret stands under the text's first character:
        work(5)
        //   ^ error: a duration needs a unit; did you mean '5ms'?

      Examples:
        spindle test Traces --jobs 4
        spindle test Traces --filter 'queues/.*barrier' --verbose
        spindle test Traces --shard 2/8 --junit results.xml
        spindle test cache.trace --review
      """)

  static let verify = CommandDescription(
    name: .verify, summary: "run traces in ways that must not matter, and say whether they did",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .with, "TOOL", "compare with the runs of another build of the tool", completion: .file),
      jobs, steps, invariants, helpOption,
    ],
    discussion: """
      Each FILE is run in two fresh processes, in one with a fixed hash seed, in one with another \
      language, time zone and a large environment, four times at once in one process, and once \
      with nobody who looks at the run. All that is known of each run is compared.

      The exit status is 3 when a run differs, and the first line in which it does is shown.

      Example:
        spindle verify Traces/notes/E1-modules.trace --with .build/debug/spindle
      """)

  static let reduce = CommandDescription(
    name: .reduce, summary: "make a trace small that still fails for the same reason",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(
        .keep, "WHAT",
        "what it must go on to show: 'finding KIND', 'outcome KIND', 'expectation N', or a command"),
      OptionDescription(
        .output, "FILE", "write the trace there and not to standard output", completion: .file),
      steps, helpOption,
    ],
    discussion: """
      Statements, declarations and arguments are left out, counts become less and times simple, as \
      long as the trace has no errors and shows the same; the result has no single step left that \
      makes it smaller. Comments go. Without '--keep' it is the first of what goes wrong: an error \
      that was found, another outcome than finished, an expectation that is not met, a warning.

      'expectation 2' is the second in the text that has to stay unmet; it may also be written out as \
      it stands there. A command is given the name of a file with the trace, and ends with 0 when the trace still shows what is looked for.

      A circle of threads that wait for each other stays one, and no other kind of error or warning comes.

      What is left of a finding or an outcome expects it, so that 'spindle test' tests for it.

      Examples:
        spindle reduce app.trace --keep 'finding deadlock' --output deadlock.trace
        spindle reduce app.trace --keep './shows-it.sh'
      """)
}
