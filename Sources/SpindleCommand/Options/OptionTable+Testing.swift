/// The commands that test traces.
extension OptionTable {
  static let test = CommandDescription(
    name: .test, summary: "check the expectations and recorded logs of traces",
    operands: "PATH...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(.update, "record the logs again and report the changes"),
      OptionDescription(.review, "show each change of a log and ask whether to accept it"),
      OptionDescription(.keepLog, "record full logs, however long they are"),
      OptionDescription(.list, "list the tests without running them"),
      OptionDescription(.filter, "REGEX", "run the tests whose path matches"),
      OptionDescription(.tag, "TAG", "run the tests with a comment '// tags: TAG' at the top"),
      OptionDescription(.shard, "PART/COUNT", "run one part of the tests, such as 2/8"),
      OptionDescription(
        .schedules, "N",
        "also run each passing trace under up to N other schedules; 0 for none, even if the trace requests them"
      ),
      OptionDescription(.failFast, "stop at the first failure"),
      OptionDescription(.verbose, "also list the tests that passed"),
      quiet,
      OptionDescription(.durations, "N", "list the N slowest tests"),
      OptionDescription(.all, "also run tests that are unchanged since they passed"),
      OptionDescription(
        .changedSince, "FILE", "run the tests that changed since '--digests' wrote this file",
        completion: .file),
      OptionDescription(
        .digests, "FILE", "write the tests that passed, with digests of their inputs",
        completion: .file),
      seed,
      OptionDescription(
        .seeds, "N",
        "run each trace with N seeds, from its own or '--seed' on; each run must meet all expectations"
      ),
      jobs,
      OptionDescription(.junit, "FILE", "write the results as JUnit XML", completion: .file),
      OptionDescription(
        .sarif, "FILE", "write failures, diagnostics and findings as SARIF", completion: .file),
      steps, invariants, color, helpOption,
    ],
    discussion: """
      Each PATH is a trace, or a folder that is searched for traces. A trace passes when its \
      expectations are met and its run equals NAME.log beside NAME.trace, if there is one. A failure \
      reports what was observed, the findings, the outcome and the first difference from the log.

      '--update' records the logs of all runs that differ, '--review' asks for each; both are refused \
      when CI is set. Of a log of more than 200 lines only the final numbers are kept, with digests of \
      the threads, and of order and times in each of six parts; '--keep-log' keeps all of it, and a \
      failure then shows the steps that differ.

      A log is compared with the run of the trace's own seed only: '--seed' checks expectations alone.

      Unless CI is set, a test is skipped when its trace, its log and the tool are unchanged since it \
      passed. The last line counts the skipped tests, and '--all' runs them. The user's cache folder \
      keeps the list of passed tests.

      Where GITHUB_ACTIONS is 'true', failures are annotated at their lines.

      A trace that must be rejected states the message in a comment under the offending text, with the \
      caret under its first character, and has no log:
        work(5)
        //   ^ error: a duration needs a unit; did you mean '5ms'?

      Examples:
        spindle test Traces --jobs 4
        spindle test Traces --filter 'queues/.*barrier' --verbose
        spindle test Traces --shard 2/8 --junit results.xml
        spindle test cache.trace --review
        spindle test Traces/app --seeds 100
      """)

  static let verify = CommandDescription(
    name: .verify, summary: "check that traces run deterministically",
    operands: "FILE...", operandCount: 1...Int.max, operandCompletion: .trace,
    options: [
      OptionDescription(
        .with, "TOOL", "also compare with another build of the tool", completion: .file),
      quiet, jobs, steps, invariants, helpOption,
    ],
    discussion: """
      Runs each FILE in two fresh processes, in one with a fixed hash seed, in one with another \
      language, time zone and a large environment, four times concurrently in one process, and once \
      without observers, and compares all results.

      When a run differs, the exit status is 3, and the first different line is shown.

      Example:
        spindle verify Traces/notes/E1-modules.trace --with .build/debug/spindle
      """)

  static let reduce = CommandDescription(
    name: .reduce, summary: "shrink a trace that fails, and keep the failure",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(
        .keep, "WHAT",
        "the failure to preserve: 'finding KIND', 'outcome KIND', 'expectation N', or a command"),
      seed,
      OptionDescription(
        .seeds, "N",
        "try N seeds, from the trace's own or '--seed' on, and take the first that fails"),
      schedule,
      OptionDescription(
        .output, "FILE", "write the trace to FILE instead of standard output", completion: .file),
      steps, helpOption,
    ],
    discussion: """
      Removes statements, declarations, arguments and comments, lowers counts and simplifies times, as \
      long as the trace has no errors and the failure remains. No single further step makes the result \
      smaller. Without '--keep' the failure is the first of: an error that was found, an outcome other \
      than finished, an unmet expectation, a warning.

      'expectation 2' is the second expectation in the text, which has to stay unmet; its text may be \
      given instead. A command gets the name of a file with the trace, and exits with 0 when the trace \
      still fails as wanted.

      A cycle of waiting threads stays a cycle, and no other kind of error or warning is introduced. A \
      wrong text in an unmet expectation stays that text, and what is expected stays in the program.

      The result sets the seed with which it fails.

      With '--schedule' or a 'schedule' block, the result fails under that schedule, without the lines that \
      are not needed, and not in its normal run, unless FILE does.

      The result expects the finding or the outcome, so that 'spindle test' tests for it.

      Examples:
        spindle reduce app.trace --keep 'finding deadlock' --output deadlock.trace
        spindle reduce app.trace --keep './shows-it.sh'
        spindle reduce app.trace --seeds 100
        spindle reduce app.trace --schedule app-1.schedule
      """)
}
