import SpindleModel

/// What a policy answers is checked; a wrong answer ends the run, and not the process of the host.
extension Kernel {
  /// Asks another policy, or the machine's own while its choices are noted, from before the first thread on.
  mutating func use(_ custom: (any SchedulingPolicy)?, isWatched: Bool) {
    demand(threads.count == 0, "the policy is replaced after \(threads.count) threads were made")
    let (chosen, steps) = (custom ?? PolicyCatalog.policy(machine.policy), policy.steadySteps)
    policy = ActivePolicy(
      chosen, shortcuts: shortcuts, queueRoom: sizes.readyRoom, isWatched: isWatched)
    policy.steadySteps = steps
    if let rule = ActivePolicy.brokenRule(chosen) { breaks(rule) }
    policy.begin(cores: machine.cores, seed: seed)
  }

  /// The policy has broken a rule, by an answer about a thread, or none.
  ///
  /// The run ends at the next look whether it must. Only the first fault counts: what follows may come of it.
  @inline(never)
  mutating func breaks(_ rule: PolicyFault.Rule, about thread: ThreadID = .none) {
    if policyFault != nil { return }
    let exists = !thread.isNone && Int(thread.index) < threads.count
    policyFault = PolicyFault(
      policy: policy.name, rule: rule, time: Instant(now),
      thread: exists ? name(of: thread) : nil)
    storage.endRun()
  }

  /// Whether a core that the policy named is there and runs a thread.
  func runs(_ core: CoreID) -> Bool {
    core.index >= 0 && Int(core.index) < cores.count && !cores[core].thread.isNone
  }

  /// Whether more threads were preempted at this instant than a policy that comes to an end preempts.
  var preemptsEndlessly: Bool { preemptionsAtInstant > 4 * (threads.count + cores.count) }

  /// Whether the policy has a thread, to give it out: it is ready, and in no core's line.
  @inline(__always)
  func isWithPolicy(_ thread: ThreadID) -> Bool {
    let record = threads.writable.unchecked(thread)
    return record.pointee.state == .ready && !record.pointee.flags.contains(.inLine)
  }

  /// Some thread that is ready, for a policy that left it there, or none.
  var someReadyThread: ThreadID { threads.ids.first { isWithPolicy($0) } ?? .none }
}
