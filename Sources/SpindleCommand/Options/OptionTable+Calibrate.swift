/// The command that measures, and its options.
extension OptionTable {
  static let calibrate = CommandDescription(
    name: .calibrate, summary: "measure the costs of this machine", operands: "",
    operandCount: 0...0, operandCompletion: .none,
    options: [
      OptionDescription(
        .output, "FILE.costs", "write the costs to a file for traces and '--costs'",
        completion: .file),
      OptionDescription(.quick, "take a quarter of the samples in a third of the rounds"),
      OptionDescription(.force, "write the costs even if other processes disturbed them"),
      helpOption,
    ],
    discussion: """
      Runs real threads, queues and operations for some seconds, and prints each cost with its \
      interquartile range. When other processes used more than a tenth of the processors, nothing is \
      written, and the exit status is 1. The same holds when the range of a cost is more than 20 us wide \
      and its upper end more than five times its lower end, since other processes ran for a while.

      A trace names the file relative to itself; commands take its path:
        spindle calibrate --output my.costs
        spindle simulate feed.trace --costs my.costs

      The measurements are in 'spindle-calibrate', which must be installed beside 'spindle'.
      """)
}
