/// How a run ended.
public struct Outcome: Hashable, Sendable {
  /// Which way.
  public var kind: Kind
  /// The message of a crash or a policy's fault, or why the process was killed or the run refused; empty otherwise.
  public var message: String
  /// Where in the trace it crashed or was refused.
  public var place: SourceRange?
  /// What `exit(code)` gave; nil when the process did not end by it.
  public var exitCode: Int64?

  /// The ways in which a run can end.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// All that was to be done is done, the process exited, or a stated `until` was reached.
    case finished
    /// Nothing can happen any more, and threads still wait for each other or for nobody.
    case deadlock
    /// The simulated process crashed.
    case crashed
    /// The system killed the simulated process.
    case killed
    /// The default horizon of one hour was reached.
    case timeLimit
    /// The limit of steps was reached.
    case stepLimit
    /// The policy can't schedule this program: it must know what can't be known ahead.
    case refused
    /// The policy broke a rule that every policy keeps.
    case policyFault

    /// The name, as the trace language has it after the point.
    public var name: String {
      switch self {
      case .finished: "finished"
      case .deadlock: "deadlock"
      case .crashed: "crashed"
      case .killed: "killed"
      case .timeLimit: "timeLimit"
      case .stepLimit: "stepLimit"
      case .refused: "refused"
      case .policyFault: "policyFault"
      }
    }
  }

  /// Creates an outcome.
  package init(
    _ kind: Kind, message: String = "", place: SourceRange? = nil, exitCode: Int64? = nil
  ) {
    (self.kind, self.message, self.place, self.exitCode) = (kind, message, place, exitCode)
  }
}
