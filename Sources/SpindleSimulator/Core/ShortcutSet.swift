/// The ways in which the simulator saves time, each beside a plain twin that comes to the same.
///
/// None of them changes what a run does, only how fast it is. A test switches them off and compares.
package struct ShortcutSet: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A policy of the catalogue is called directly.
  ///
  /// Saves the call through a protocol, several times for each scheduling event. Twin: the policy as an
  /// object, asked through its protocol.
  package static let directPolicy = ShortcutSet(rawValue: 1 << 0)
  /// Where a policy says that it gives threads out in the order in which they came, the kernel keeps
  /// them in a ring in raw memory.
  ///
  /// Saves the check for other copies of an array, and the call. Twin: the policy's own queue.
  package static let readyQueue = ShortcutSet(rawValue: 1 << 1)
  /// A policy is neither told nor asked what it says that it never uses.
  ///
  /// Saves the claims of new threads, the time of those that leave a core, and the question who is
  /// preempted. Twin: everything is told and asked, and an answer that a policy said it never gives stops
  /// the run.
  package static let policySkips = ShortcutSet(rawValue: 1 << 2)
  /// The ends of quanta at which nothing happens are no events.
  ///
  /// Saves an event and a renewal for each such quantum, however short it is. Twin: each end is an event,
  /// and a step of the run: the number of steps is all that this changes.
  package static let repeatedQuanta = ShortcutSet(rawValue: 1 << 3)
  /// A thread of an executor takes over the record of the last one that ended untouched.
  ///
  /// Saves writing the rear half of the record. Twin: a record made from the start.
  package static let renewedThreads = ShortcutSet(rawValue: 1 << 4)

  /// What is fast.
  package static let all = ShortcutSet(rawValue: UInt32.max)
  /// What is plain.
  package static let none: ShortcutSet = []
}
