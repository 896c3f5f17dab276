/// The command that measures, and its options.
extension OptionTable {
  static let calibrate = CommandDescription(
    name: .calibrate, summary: "measure on this machine what acts cost", operands: "",
    operandCount: 0...0, operandCompletion: .none,
    options: [
      OptionDescription(
        .output, "FILE.costs", "write the costs to a file that traces and '--costs' can name",
        completion: .file),
      OptionDescription(.quick, "take a quarter of the samples, in a third of the rounds"),
      OptionDescription(.force, "write the costs though others disturbed them"),
      helpOption,
    ],
    discussion: """
      Runs real threads, queues and operations for some seconds, and prints each cost with the \
      middle half of what its rounds came to. Where others had more than a tenth of the processors \
      meanwhile, nothing is written, and the exit status is 1; nor is it where the middle half of a cost \
      is more than 20 us wide and reaches over five times its lower end, since others came for a while.

      A trace uses the file by its name, beside which it is looked for, and so does a command:
        spindle calibrate --output my.costs
        spindle simulate feed.trace --costs my.costs

      What measures is a program of its own, 'spindle-calibrate', which belongs beside 'spindle'.
      """)
}
