import SpindleModel

/// What a policy answers is checked; a wrong answer ends the run, and not the process of the host.
extension Kernel {
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
    core.index >= 0 && Int(core.index) < cores.count && !cores[core.index].thread.isNone
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
