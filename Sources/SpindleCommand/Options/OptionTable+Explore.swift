import SpindleExplore

/// The command that looks for other schedules.
extension OptionTable {
  /// What is to be different from the normal run.
  static let schedule = OptionDescription(
    .schedule, "SCHEDULE",
    "change the order of the run: a file, or '\"a\" locks x before \"b\" locks x'",
    completion: .file)

  static let explore = CommandDescription(
    name: .explore, summary: "run a trace under many other orders and delays, and say which fail",
    operands: "FILE", operandCount: 1...1, operandCompletion: .trace,
    options: [
      OptionDescription(.runs, "N", "run at most N schedules (2000)"),
      OptionDescription(
        .strategy, "NAME", "search by this strategy alone",
        completion: .words(ExploreStrategy.names)),
      OptionDescription(
        .reversals, "N", "change the order of at most N pairs of steps in one schedule"),
      OptionDescription(
        .late, "DURATION", "count no run in which a thread is held for longer than that"),
      OptionDescription(
        .save, "PREFIX", "write each failing schedule to PREFIX-1.schedule and so on",
        completion: .file),
      OptionDescription(
        .keep, "FILE", "write the trace with the schedule of the first failure, as a test",
        completion: .file),
      OptionDescription(.failFast, "stop at the first failure"),
      OptionDescription(
        .require, "WHAT", "'complete': fail where a bound ended the search",
        completion: .words(["complete"])),
      OptionDescription(.policy, "POLICY", "schedule by this policy", completion: .words(policies)),
      OptionDescription(.cores, "N", "give the machine N cores"),
      platform, costs,
      OptionDescription(
        .set, "NAME=VALUE", "give a parameter another value", completion: .parameter,
        isRepeatable: true),
      seed, until,
      OptionDescription(.json, "print JSON"),
      jobs, steps, color, helpOption,
    ],
    discussion: """
      A run shows one order of all that threads do. 'explore' runs FILE under others: it holds a thread in \
      front of a step that others can notice, as the taking of a lock, a read of a shared variable or an item \
      for a queue, until another thread has done its own. A run fails when it does not meet what FILE \
      expects, deadlocks or crashes, or has a finding of level error that the normal run has not.

      Each way to fail is reported once, with the fewest changes of the normal run that bring it about, where \
      they are in the text, and how long a thread has to be late. '--schedule' of simulate, explain, timeline, \
      diff, compare and reduce takes them, and a 'schedule' block in a trace.

      The search begins with what the normal run predicts, then turns round pairs of steps whose order \
      nothing fixes; every fourth run is drawn. It ends when no pair is left, and reports it: then every order \
      of dependent steps was run. The result does not depend on '--jobs'.

      Strategies: reversals are the pairs alone, delays hold one to three steps for '--late', preemptions let \
      another thread do all that it has to do before a step; random, urw, surw, pos and pct(DEPTH) draw \
      each run.

      The exit status is 0 when no run fails, 1 when one does, and 2 when FILE has errors.

      Examples:
        spindle explore philosophers.trace
        spindle explore cache.trace --late 50ms --save cache
        spindle explore cache.trace --keep cache-fails.trace
        spindle explore queue.trace --strategy 'pct(3)' --runs 10000
      """)
}
