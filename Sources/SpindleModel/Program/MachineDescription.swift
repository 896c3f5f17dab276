/// The machine as a trace and the command line describe it; nil where the platform decides.
@usableFromInline package struct MachineDescription: Hashable, Sendable {
  /// Which set of defaults holds.
  @usableFromInline package var platform = Platform.iOS
  /// The cores, in order of their numbers.
  @usableFromInline package var cores: [CoreDescription]?
  /// Physical memory.
  @usableFromInline package var memory: ByteCount?
  /// What acts cost: a profile's name with the values that replace its own.
  @usableFromInline package var costs: Configuration?
  /// The scheduling policy with its parameters.
  @usableFromInline package var policy: Configuration?
  /// How many threads a process may have.
  @usableFromInline package var threadLimit: Int64?
  /// What the owner of a lock has of the priorities of others, where the lock does not say.
  @usableFromInline package var resourceProtocol: ResourceProtocol?
  /// When the monitor of libdispatch's pools on Linux looks first, under 1 s; then every second.
  @usableFromInline package var monitorPhase: Nanoseconds?
  /// How many threads the pool of tasks may have, of each priority or in all, as the platform has it.
  @usableFromInline package var cooperativeWidth: Int64?
  /// How long an app with background tasks may go on that has left the screen, on iOS.
  @usableFromInline package var backgroundTime: Nanoseconds?

  /// The machine of a trace that describes none.
  package init() {}
}

/// A set of defaults: whose threads, costs and limits are simulated.
@usableFromInline package enum Platform: String, Hashable, Sendable, CaseIterable {
  /// Apple's mobile system.
  case iOS
  /// Apple's desktop system.
  case macOS
  /// Swift on Linux.
  case linux
  /// No costs, first in first out: for textbook scheduling.
  case ideal
}

/// What becomes of the priority of a thread that has a lock.
@usableFromInline package enum ResourceProtocol: String, Hashable, Sendable, CaseIterable {
  /// It stays: `PTHREAD_PRIO_NONE`.
  case none
  /// It is raised to that of the most urgent thread that waits: `PTHREAD_PRIO_INHERIT`.
  case inheritance
  /// It is raised to the ceiling of the lock as soon as the thread has it: `PTHREAD_PRIO_PROTECT`.
  case immediateCeiling
}

/// One core of a machine.
public struct CoreDescription: Hashable, Sendable {
  /// Which cluster it belongs to.
  public var cluster: Cluster
  /// How fast it does the work that is given at speed 1.
  public var speed: Speed
  /// What it draws; nil where the trace says nothing.
  @usableFromInline package var power: CorePower?
  /// Which of the machine's last-level caches it has, from 0: cores with the same one make a cluster.
  @usableFromInline package var sharedCache: Int

  /// The clusters of a machine with unlike cores.
  public enum Cluster: String, Hashable, Sendable, CaseIterable {
    /// Fast, and the only kind where cores are alike.
    case performance
    /// Slow and frugal.
    case efficiency
  }

  /// Creates a core.
  package init(
    cluster: Cluster = .performance, speed: Speed = .one, power: CorePower? = nil,
    sharedCache: Int = 0
  ) {
    (self.cluster, self.speed, self.power) = (cluster, speed, power)
    self.sharedCache = sharedCache
  }
}

/// What a core draws, in milliwatts: one milliwatt in one nanosecond is one picojoule, exactly.
@usableFromInline package struct CorePower: Hashable, Sendable {
  /// While it works or pays costs; from 0 to `largest`.
  @usableFromInline package var busy: Int64
  /// While it has nothing to do; from 0 to `largest`.
  @usableFromInline package var idle: Int64

  /// The most that a core may draw: a megawatt.
  @usableFromInline package static let largest: Int64 = 1_000_000_000

  /// Creates the power of a core, in milliwatts.
  package init(busy: Int64, idle: Int64) { (self.busy, self.idle) = (busy, idle) }
}

/// A policy or a cost profile by name, with the arguments that are given.
@usableFromInline package struct Configuration: Hashable, Sendable {
  /// The name in the catalogue, without a point.
  @usableFromInline package var name: String
  /// The arguments as written, in order.
  @usableFromInline package var arguments: [Argument]
  /// The file that it stands in, as it was named; nil when it was written where it is used.
  @usableFromInline package var file: String?

  /// One argument, as a value of the parameter's format.
  @usableFromInline package struct Argument: Hashable, Sendable {
    /// The parameter's label.
    @usableFromInline package var label: String
    /// The value.
    @usableFromInline package var value: Int64

    /// Creates an argument.
    package init(label: String, value: Int64) {
      (self.label, self.value) = (label, value)
    }
  }

  /// Creates a configuration.
  package init(name: String, arguments: [Argument] = []) {
    (self.name, self.arguments) = (name, arguments)
  }

  /// The value given for `label`, nil when none is.
  @usableFromInline package subscript(label: String) -> Int64? {
    arguments.first { $0.label == label }?.value
  }
}

/// What the machine can be made of: the names that the simulator knows, for the language to check.
public struct MachineCatalogue: Hashable, Sendable {
  /// The scheduling policies.
  package var policies: [Signature]
  /// The cost profiles.
  package var costs: [Signature]

  /// A policy or profile with the parameters that it takes.
  package struct Signature: Hashable, Sendable {
    /// The name, without a point.
    package var name: String
    /// One sentence on what it is.
    package var summary: String
    /// What it takes; every parameter has a default.
    package var parameters: [Parameter]

    /// Creates a signature.
    package init(name: String, summary: String, parameters: [Parameter] = []) {
      (self.name, self.summary, self.parameters) = (name, summary, parameters)
    }
  }

  /// A parameter of a policy or profile.
  package struct Parameter: Hashable, Sendable {
    /// The label in the call.
    package var label: String
    /// Which kind of value it takes.
    package var format: ValueFormat
    /// The value when none is given.
    package var standard: Int64
    /// The least value that is allowed.
    package var least: Int64
    /// The greatest value that is allowed.
    package var most: Int64
    /// What a symbol can be, by its value; empty for other formats.
    package var choices: [String]

    /// Creates a parameter.
    package init(
      label: String, format: ValueFormat, standard: Int64, least: Int64, most: Int64 = .max,
      choices: [String] = []
    ) {
      (self.label, self.format, self.choices) = (label, format, choices)
      (self.standard, self.least, self.most) = (standard, least, most)
    }
  }

  /// Creates a catalogue.
  package init(policies: [Signature], costs: [Signature]) {
    (self.policies, self.costs) = (policies, costs)
  }
}
