/// The command that holds predictions against real runs, and its options.
extension OptionTable {
  static let validate = CommandDescription(
    name: .validate, summary: "hold predictions against real runs on this machine", operands: "",
    operandCount: 0...0, operandCompletion: .none,
    options: [
      costs,
      OptionDescription(.quick, "run each program three times, and calibrate quickly"),
      OptionDescription(.force, "show the comparison though others disturbed it"),
      helpOption,
    ],
    discussion: """
      Runs forty-five programs of threads, pools, locks, queues and operations for real, simulates the same \
      text with the costs of this machine, and prints predicted beside measured; then which of several \
      designs is better, and from which value on. It takes some minutes.

      The costs are measured first, as 'spindle calibrate' does, unless '--costs my.costs' names what it \
      wrote. Where others have more than a tenth of the processors, nothing is compared, and the exit \
      status is 1: run it while nothing else runs.

      What runs is a program of its own, 'spindle-validate', which belongs beside 'spindle', with \
      'spindle-calibrate'.
      """)
}
