/// The command that compares two runs step by step.
extension OptionTable {
  static let diff = CommandDescription(
    name: .diff, summary: "show where two runs diverge, why, and what that costs",
    operands: "FILE [FILE]", operandCount: 1...2, operandCompletion: .trace,
    options: [
      OptionDescription(
        .set, "NAME=LIST", "one trace: two values of a parameter; two traces: its value",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.policies, "LIST", "the two policies", completion: .list(policies)),
      OptionDescription(
        .replace, "NAME=LIST", "the two executors or locks in 'let' NAME", isRepeatable: true),
      OptionDescription(.cores, "LIST", "the two numbers of cores"),
      OptionDescription(
        .platform, "LIST", "the defaults of the two platforms",
        completion: platform.completion.severally),
      OptionDescription(
        .costs, "LIST", "the two cost profiles, or files such as 'my.costs'",
        completion: costs.completion.severally),
      seed, until, schedule, steps, color, helpOption,
    ],
    discussion: """
      Compares two traces, one trace in two settings, two logs, or a trace and a log. Reports the inputs \
      that differ, the first step that differs and what each run does there, with a picture of both, and \
      then how much longer each item took, the worst first. The exit status is 0 when the runs are equal, \
      and 1 when they differ.

      With '--schedule', one trace is compared with its normal run. Two traces, or one in two settings, both \
      run under the schedule.

      Examples:
        spindle diff before.trace after.trace
        spindle diff before.log after.log
        spindle diff stutter.trace --set inherit=true,false
        spindle diff stutter.trace --policies fifo,timeshare
        spindle diff cache.trace --schedule cache-1.schedule
      """)
}
