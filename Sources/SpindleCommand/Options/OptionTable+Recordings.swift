/// The commands that read recordings of real machines.
extension OptionTable {
  /// The options that select a part of a recording.
  private static let recordingOptions = [
    OptionDescription(
      .process, "NAME", "import this process, by name or number; 'all' for every thread"),
    OptionDescription(
      .others, "WHAT",
      "other threads: 'threads' imports them too, 'none' leaves them out",
      completion: .words(["threads", "none"])),
    OptionDescription(
      .level, "WHAT",
      "'queues' imports queues and items where libdispatch was probed (default), "
        + "'threads' its workers as threads",
      completion: .words(["queues", "threads"])),
    OptionDescription(
      .probes, "WHAT",
      "'left-out' subtracts the time of the probes in libdispatch (default), 'kept' does not",
      completion: .words(["left-out", "kept"])),
    OptionDescription(.from, "TIME", "begin at this moment of the recording"),
    OptionDescription(.to, "TIME", "end at this moment of the recording"),
  ]

  static let recordingImport = CommandDescription(
    name: .import, summary: "convert a recording of a real machine to a trace",
    operands: "FILE", operandCount: 1...1, operandCompletion: .file,
    options: recordingOptions + [
      OptionDescription(
        .output, "FILE", "write the trace to FILE instead of standard output", completion: .file),
      helpOption,
    ],
    discussion: """
      FILE is the output of the kernel's ftrace, of 'trace-cmd report' or of 'perf script', a page of \
      systrace, a recording of Perfetto, a table of Instruments from 'xctrace export', or a workload of \
      rt-app. The format is detected. '-' reads standard input.

      CPU time of a thread becomes 'work', merged over preemptions. A wait that another thread of the \
      program ended becomes the 'wait' of a semaphore, with a 'signal' at that point of the other \
      thread; any other wait becomes 'io' of that length. Repetition becomes loops, with lists of the \
      lengths that differ. Comments at the top state what was recorded and what is missing.

      Where libdispatch was probed, the work of its workers becomes items of queues, and the trace uses \
      the simulated pool, whose size depends on the machine. 'Recording a program' in the documentation \
      describes how to set the probes.

      Of Instruments, 'thread-state' is read as above; 'SwiftTaskStateTable' becomes tasks, and \
      'runloop-intervals' or 'runloop-events' items of run loops.

      Without '--process', the process with the most CPU time is imported, of those that began during \
      the recording, or else of all. Memory does not grow with the recording; the trace ends after \
      250,000 steps. Unreadable lines are skipped, and the first one is reported.

      Examples:
        spindle import app.ftrace --output app.trace
        spindle import system.pftrace --process 1234 --from 2s --to 2500ms
      """)

  static let replay = CommandDescription(
    name: .replay, summary: "simulate a recording and compare the two",
    operands: "FILE", operandCount: 1...1, operandCompletion: .file,
    options: recordingOptions + [
      OptionDescription(.cores, "LIST", "then re-run with these numbers of cores"),
      OptionDescription(
        .policies, "LIST", "then re-run with these policies", completion: .list(policies + ["all"])),
      OptionDescription(
        .set, "NAME=LIST", "then re-run with these values of a parameter",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.force, "show forecasts even if the simulation error exceeds 5%"),
      seed, until, steps, invariants, color, helpOption,
    ],
    discussion: """
      FILE is a recording as for 'spindle import', but not a workload, and of Instruments only the table \
      'thread-state'. The program runs on the cores on which it was recorded, beside the other threads, \
      which occupy cores as recorded ('--others none' leaves them out). For the program and each of its \
      threads, the recorded and the simulated value are printed of: CPU time, time runnable without a \
      core, dispatches, wake-ups, and the time from its first to its last event.

      With '--cores', '--policies' or '--set' the program then runs alone, on the recorded machine and \
      with each of these settings ('--others threads' keeps the others). These forecasts are refused, with \
      status 1, when the simulation of the recording is off by more than 5%; a warning reports threads \
      that are off, or missing wake-ups. The time of probes is part of the first run only.

      Examples:
        spindle replay app.ftrace
        spindle replay app.ftrace --cores 1,2,4 --policies 'fifo, fairShare'
      """)
}
