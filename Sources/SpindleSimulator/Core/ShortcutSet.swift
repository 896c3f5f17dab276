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
  /// When a thread comes back to its core, an item that ends, the next one that begins, and its first
  /// work are done in a straight line.
  ///
  /// Saves the way through the instruction loop. Twin: the thread is run step by step.
  package static let straightLine = ShortcutSet(rawValue: 1 << 4)
  /// A frame that only begins to work, or an input, or ends, does so without the instruction loop.
  ///
  /// Saves entering the loop. Twin: the loop.
  package static let briefSteps = ShortcutSet(rawValue: 1 << 5)
  /// An item is handed to an executor of the simulator's own without a call of the vocabulary, where
  /// nothing costs anything.
  ///
  /// Saves the call, its cost and its phases. Twin: the call.
  package static let plainItems = ShortcutSet(rawValue: 1 << 6)
  /// An item that captures nothing, and whose frame needs no key, waits without a frame and takes over that
  /// of the item before it.
  ///
  /// Saves memory for items that wait, and making a frame for each. Twin: a frame for each.
  package static let laterFrames = ShortcutSet(rawValue: 1 << 7)
  /// An interval that is a constant or one exponential draw is computed without a frame, and so is an
  /// arrival that only hands an item over.
  ///
  /// Saves a frame for each, and the loop. Twin: both blocks are run.
  package static let arrivalShapes = ShortcutSet(rawValue: 1 << 8)

  /// A strand of what may race has the number of one that is over and that it comes after.
  ///
  /// Saves clocks as long as all strands of a run, which takes time by their square. Twin: a number for each.
  package static let strandNumbers = ShortcutSet(rawValue: 1 << 9)
  /// Where nobody gets a core and nothing else is to be done, an instant ends with its last event.
  ///
  /// Saves a second look at the next event, and all that may be done between two instants. Twin: each is
  /// asked for.
  package static let plainInstants = ShortcutSet(rawValue: 1 << 10)

  /// Rounds of loops that wait for something and take time for asking are passed over, up to what comes next.
  ///
  /// Saves the instructions and events of each round. Twin: each is run; the number of steps is all that this changes.
  package static let busyRounds = ShortcutSet(rawValue: 1 << 11)

  /// Those that pass over calls in front of which a thread may be held.
  package static let skipsSteps: ShortcutSet = [
    .straightLine, .briefSteps, .plainItems, .busyRounds,
  ]

  /// What is fast.
  package static let all = ShortcutSet(rawValue: UInt32.max)
  /// What is plain.
  package static let none: ShortcutSet = []

  /// Each shortcut by its name, in the order of the documentation.
  package static let named: [(name: String, shortcut: ShortcutSet)] = [
    ("directPolicy", .directPolicy), ("readyQueue", .readyQueue), ("policySkips", .policySkips),
    ("repeatedQuanta", .repeatedQuanta),
    ("straightLine", .straightLine), ("briefSteps", .briefSteps), ("plainItems", .plainItems),
    ("laterFrames", .laterFrames), ("arrivalShapes", .arrivalShapes),
    ("strandNumbers", .strandNumbers), ("plainInstants", .plainInstants),
    ("busyRounds", .busyRounds),
  ]
}
