/// The commands that test traces.
extension OptionTable {
  static let test = CommandDescription(
    name: .test, summary: "check traces against what they expect and against their logs",
    operands: "PATH...", operandCount: 1...Int.max, operandCompletion: .file,
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
      jobs,
      OptionDescription(.junit, "FILE", "write the results as JUnit XML", completion: .file),
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
}
