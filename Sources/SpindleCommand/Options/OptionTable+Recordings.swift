/// The commands that read recordings of real machines.
extension OptionTable {
  /// What is taken of a recording.
  private static let recordingOptions = [
    OptionDescription(
      .process, "NAME", "take this process, by name or number; 'all' for every thread"),
    OptionDescription(
      .others, "WHAT",
      "what other threads did: 'threads' takes part in the run, 'none' is left out",
      completion: .words(["threads", "none"])),
    OptionDescription(
      .level, "WHAT",
      "'queues' takes queues and items where probes in libdispatch tell them (unless said), "
        + "'threads' its workers as threads",
      completion: .words(["queues", "threads"])),
    OptionDescription(
      .probes, "WHAT",
      "'left-out' takes what probes in libdispatch took from the work (unless said), 'kept' not",
      completion: .words(["left-out", "kept"])),
    OptionDescription(.from, "TIME", "begin at this moment of the recording"),
    OptionDescription(.to, "TIME", "end at this moment of the recording"),
  ]

  static let recordingImport = CommandDescription(
    name: .import, summary: "make a trace of a recording of a real machine",
    operands: "FILE", operandCount: 1...1, operandCompletion: .file,
    options: recordingOptions + [
      OptionDescription(
        .output, "FILE", "write the trace there and not to standard output", completion: .file),
      helpOption,
    ],
    discussion: """
      FILE is what the kernel's ftrace, 'trace-cmd report' or 'perf script' printed, a page of systrace, \
      a recording of Perfetto, a table that 'xctrace export' printed of a recording of Instruments, or a \
      workload of rt-app: its content tells which. '-' reads standard input.

      What a thread computed becomes 'work', merged over preemptions. A wait that a thread of the \
      program ended becomes the 'wait' of a semaphore, with its 'signal' at that point of the other \
      thread's work; any other wait is 'io' of that length. Repetition becomes loops, with the \
      lengths that differ in lists. Comments at the top say what was recorded and what is missing.

      Where the recording has probes in libdispatch, what its workers did becomes the items of \
      queues, and the trace has the pool itself: how many workers there are on another machine is \
      then simulated. 'Recording a program' in the documentation says how to set these probes.

      Of Instruments the table 'thread-state' is read so; 'SwiftTaskStateTable' becomes tasks, and \
      'runloop-intervals' or 'runloop-events' items of run loops.

      Without '--process' it is the process that computed most of those that began in the recording, or \
      else of all. A recording of any size is read in the same memory; the trace has up to 250,000 \
      steps, and ends there. Lines that can't be read are passed over, and the first one is told.

      Examples:
        spindle import app.ftrace --output app.trace
        spindle import system.pftrace --process 1234 --from 2s --to 2500ms
      """)

  static let replay = CommandDescription(
    name: .replay, summary: "simulate a recording, and hold both side by side",
    operands: "FILE", operandCount: 1...1, operandCompletion: .file,
    options: recordingOptions + [
      OptionDescription(.cores, "LIST", "and then on so many cores"),
      OptionDescription(
        .policies, "LIST", "and then by these policies", completion: .list(policies + ["all"])),
      OptionDescription(
        .set, "NAME=LIST", "and then with these values of a parameter",
        completion: .parameter, isRepeatable: true),
      OptionDescription(.force, "say what if, however far the simulation is off"),
      seed, until, steps, invariants, color, helpOption,
    ],
    discussion: """
      FILE is a recording as 'spindle import' takes it, but no workload and of Instruments only the table \
      'thread-state'. Its program runs on the cores on which it was \
      recorded, beside the other threads, which take cores away when they did so ('--others none' \
      leaves them out). For the program and each of its threads there stand recorded and simulated: \
      the time of a processor, the time in which it could have run and had no core, how often it got \
      a core and was woken, and the time from its first to its last moment.

      With '--cores', '--policies' or '--set' the program then runs alone, on the recorded machine and \
      in each of these ways ('--others threads' keeps the others). That is refused, with status 1, \
      when the simulation of what was recorded is off by more than 5%; a warning says where a thread is, \
      or the recording does not tell enough of who woke whom. What probes took is in the \
      first part, as it was recorded, and not in these.

      Examples:
        spindle replay app.ftrace
        spindle replay app.ftrace --cores 1,2,4 --policies 'fifo, fairShare'
      """)
}
