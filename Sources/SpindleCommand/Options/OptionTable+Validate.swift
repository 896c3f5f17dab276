/// The command that compares predictions with real runs, and its options.
extension OptionTable {
  static let validate = CommandDescription(
    name: .validate, summary: "compare predictions with real runs on this machine", operands: "",
    operandCount: 0...0, operandCompletion: .none,
    options: [
      costs,
      OptionDescription(.quick, "run each program three times, and calibrate quickly"),
      OptionDescription(.force, "show the comparison even if other processes disturbed it"),
      helpOption,
    ],
    discussion: """
      Runs forty-five real programs with threads, pools, locks, queues and operations, simulates the same \
      programs with the costs of this machine, and prints predicted and measured times side by side; then \
      which of several designs is better, and from which value on. It takes some minutes.

      The costs are measured first, as by 'spindle calibrate', unless '--costs my.costs' names its result. \
      When other processes disturb more than a third of the programs, nothing is compared, and the exit \
      status is 1: run it on an otherwise idle machine.

      The programs are in 'spindle-validate', which must be installed beside 'spindle', as must \
      'spindle-calibrate'.
      """)
}
