/// The command that compares two runs step by step.
extension OptionTable {
  static let diff = CommandDescription(
    name: .diff, summary: "say where two runs part, why, and what that costs",
    operands: "FILE [FILE]", operandCount: 1...2, operandCompletion: .trace,
    options: [
      OptionDescription(
        .set, "NAME=LIST", "of one trace: the two values of a parameter; of two: its value",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.policies, "LIST", "the two policies", completion: .list(policies)),
      OptionDescription(
        .replace, "NAME=LIST", "the two executors or locks in 'let' NAME", isRepeatable: true),
      OptionDescription(.cores, "LIST", "the two numbers of cores"),
      OptionDescription(
        .platform, "LIST", "the defaults of the two platforms",
        completion: platform.completion.severally),
      OptionDescription(
        .costs, "LIST", "the two cost profiles, or files as 'my.costs'",
        completion: costs.completion.severally),
      seed, until, steps, color, helpOption,
    ],
    discussion: """
      Compares two traces, one in two settings, or the logs of runs, also a trace with a log. It says which inputs differ, at which step the runs \
      part and what each does there, with two pictures of that time, and then which items took how \
      much longer, the worst first. The exit status is 0 when the runs are the same, 1 when they differ.

      Examples:
        spindle diff before.trace after.trace
        spindle diff before.log after.log
        spindle diff stutter.trace --set inherit=true,false
        spindle diff stutter.trace --policies fifo,timeshare
      """)
}
