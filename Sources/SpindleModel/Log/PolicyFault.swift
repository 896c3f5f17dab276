/// What a policy did that no policy may do, and where.
///
/// The run ends there, with the outcome ``Outcome/Kind/policyFault``.
public struct PolicyFault: Hashable, Sendable {
  /// The policy's name.
  public var policy: String
  /// The rule that it broke.
  public var rule: Rule
  /// When.
  public var time: Instant
  /// The thread that the answer is about; nil where it is about none that exists.
  public var thread: String?

  /// The rules that every policy keeps.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A policy that is `inOrder` does not bind cores, preempt, use attributes of threads or stop lone threads.
    case orderedPolicyIsSimple
    /// A quantum is more than 0.
    case quantumIsPositive
    /// `dequeue` returns a thread that was enqueued and was not returned since.
    case dequeuedThreadIsReady
    /// `dequeue` returns a thread for some idle core while a thread is ready.
    case readyThreadGetsIdleCore
    /// A lone thread whose quantum ended and which was enqueued again is returned by the next `dequeue`.
    case loneThreadIsReturned
    /// `equalQuanta` counts the present one.
    case equalQuantaCountThePresent
    /// `victim` names a core that runs a thread.
    case victimRuns
    /// `victim` comes to an end at each instant.
    case preemptionEnds
    /// Without `canPreempt`, `victim` names no core.
    case victimNeedsPreemption
    /// Without `canPreempt`, `nextTick` names no time.
    case tickNeedsPreemption
    /// `nextTick` names a time in the future.
    case tickIsLater
    /// `coreToVacate` names a core that runs a thread.
    case vacatedCoreRuns
    /// `coreToVacate` comes to an end at each instant.
    case movesEnd

    /// What a policy did that breaks it.
    var breach: String {
      switch self {
      case .orderedPolicyIsSimple:
        "is 'inOrder', but binds cores, preempts, uses attributes of threads or stops lone threads"
      case .quantumIsPositive: "returned a quantum that is not positive"
      case .dequeuedThreadIsReady: "returned a thread from 'dequeue' that is not ready"
      case .readyThreadGetsIdleCore: "left cores idle while a thread was ready"
      case .loneThreadIsReturned:
        "did not return a thread from 'dequeue' that was the only ready one"
      case .equalQuantaCountThePresent: "returned less than 1 from 'equalQuanta'"
      case .victimRuns: "returned a core from 'victim' that runs no thread"
      case .preemptionEnds: "preempted threads at one instant without end"
      case .victimNeedsPreemption: "returned a core from 'victim', but 'canPreempt' is false"
      case .tickNeedsPreemption: "returned a time from 'nextTick', but 'canPreempt' is false"
      case .tickIsLater: "returned a time from 'nextTick' that is not in the future"
      case .vacatedCoreRuns: "returned a core from 'coreToVacate' that runs no thread"
      case .movesEnd: "moved threads at one instant without end"
      }
    }
  }

  /// Creates a fault.
  package init(policy: String, rule: Rule, time: Instant, thread: String? = nil) {
    (self.policy, self.rule, self.time, self.thread) = (policy, rule, time, thread)
  }

  /// The fault as a sentence without a full stop.
  package var message: String {
    let about = thread.map { ", thread '\($0)'" } ?? ""
    return "policy '\(policy)' \(rule.breach) (at \(time)\(about))"
  }
}
