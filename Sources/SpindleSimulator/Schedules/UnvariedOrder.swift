/// What may come in another order on a real machine, and that no schedule varies.
package enum UnvariedOrder: UInt8, CaseIterable, Sendable {
  /// When timers of dispatch sources and of run loops fire.
  case timers
  /// When something ends that no step of a schedule ends.
  case ends
  /// When the last reference to an object goes, which weak references notice.
  case lives
  /// Whether a cancellation comes before a sleep or an input or output of a task has ended.
  case cancellation
  /// How far other threads come before the process ends.
  case exit

  /// What is not varied, behind "not varied: ".
  package var text: String {
    switch self {
    case .timers: "when timers fire"
    case .ends: "when some work ends that enqueues other work"
    case .lives: "when objects are freed"
    case .cancellation: "whether a cancellation comes before a wait of its task ends"
    case .exit: "how far other threads come before the process ends"
    }
  }
}
