import SpindleExplore

/// The command that searches other schedules.
extension OptionTable {
  /// The changes to the normal run.
  static let schedule = OptionDescription(
    .schedule, "SCHEDULE",
    "change the order of the run: a file, or '\"a\" locks x before \"b\" locks x'",
    completion: .file)

  static let explore = CommandDescription(
    name: .explore, summary: "run a trace under many other orders and delays, and report failures",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.runs, "N", "run at most N schedules (2000)"),
      OptionDescription(
        .strategy, "NAME", "search by this strategy alone",
        completion: .words(ExploreStrategy.names)),
      OptionDescription(
        .reversals, "N", "change the order of at most N pairs of steps in one schedule"),
      OptionDescription(
        .late, "DURATION", "ignore runs that delay a thread for longer than this"),
      OptionDescription(
        .save, "PREFIX", "write each failing schedule to PREFIX-1.schedule and so on",
        completion: .file),
      OptionDescription(
        .keep, "FILE", "write the trace with the schedule of the first failure, as a test",
        completion: .file),
      OptionDescription(.failFast, "stop at the first failure"),
      OptionDescription(
        .require, "WHAT", "'complete': fail when a limit ended the search",
        completion: .words(["complete"])),
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs,
      OptionDescription(
        .set, "NAME=VALUE", "give a parameter another value", completion: .parameter,
        isRepeatable: true),
      seed, until,
      OptionDescription(
        .shard, "K/N", "search part K of N, for 'spindle merge' to join"),
      output,
      OptionDescription(.json, "print JSON"),
      jobs, steps, color, helpOption,
    ],
    discussion: """
      A run shows one order of the steps of all threads. 'explore' runs FILE under others: it delays a thread \
      before a step that affects other threads, such as the acquisition of a lock, a read of a shared variable \
      or an enqueue, until another thread has made its step. A run fails when it does not meet the \
      expectations of FILE, deadlocks or crashes, or has a finding of level error that the normal run lacks.

      Each failure is reported once, with the fewest changes to the normal run that cause it, their positions \
      in the text, and the delay that a thread needs. '--schedule' of simulate, explain, timeline, diff, \
      compare and reduce accepts these changes, and so does a 'schedule' block in a trace.

      The search starts with predictions from the normal run, then reverses pairs of steps whose order \
      nothing enforces; every fourth run is random. When no pair is left, the search ends and reports that \
      every order of dependent steps was run. The result does not depend on '--jobs'.

      Strategies: 'reversals' only reverses pairs; 'delays' delays one to three steps by '--late'; \
      'preemptions' lets another thread do all its work before a step; 'random', 'urw', 'surw', 'pos' and \
      'pct(DEPTH)' choose each run at random.

      With '--shard' a part of the search is run, and written in a special format: 'spindle merge' joins all \
      parts and prints what they have found. '--runs' is for all parts together.

      The exit status is 0 when no run fails, 1 when one does, and 2 when FILE has errors.

      Examples:
        spindle explore philosophers.trace
        spindle explore cache.trace --late 50ms --save cache
        spindle explore cache.trace --keep cache-fails.trace
        spindle explore queue.trace --strategy 'pct(3)' --runs 10000
        spindle explore queue.trace --shard 2/4 --output part-2
      """)
}
