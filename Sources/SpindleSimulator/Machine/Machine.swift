import SpindleModel

/// The machine with every default of its platform filled in: what the kernel is built from.
struct Machine {
  let platform: Platform
  /// Whether Apple's rules hold.
  let isDarwin: Bool
  let cores: [CoreDescription]
  let memory: ByteCount
  let costs: CostProfile
  let costsName: String
  let policy: Configuration
  let policyName: String
  let threadLimit: Int
  /// What owners of locks have of the priorities of others.
  let resourceProtocol: ResourceProtocol
  /// Whether threads have the priority and quality of service that they ask for.
  let honoursPriorities: Bool
  /// Whether a lock that is given back goes straight to the thread that waits longest.
  let handsLocksOver: Bool
  /// Whether a process that needs more than the machine's memory is killed; otherwise it pages.
  let killsOverMemory: Bool
  /// When libdispatch's monitor of its pools looks first, in nanoseconds, then every second; nil where the
  /// machine does not say.
  let monitorPhase: Int64?
  /// How wide the pool of tasks is: as many threads as there are cores, unless the trace says otherwise.
  let cooperativeWidth: Int32
  let mainStack: ByteCount
  let threadStack: ByteCount
  /// How long an app with background tasks may go on that has left the screen, in nanoseconds.
  let backgroundTime: Int64

  /// Fills in what `description` leaves open.
  ///
  /// Defaults: 2 cores and 1 GB everywhere. Darwin: XNU's clutch scheduler, or edge where there are
  /// two kinds of cores (xnu:config/MASTER.arm64.MacOSX), with the quanta of the platform; Apple's costs, 2,560 threads (xnu:config/MASTER), 512 KB stacks, a main stack of 1 MB on iOS
  /// and 8 MB on macOS, owners of locks inherit priority. Linux: a fair share with equal weights, since
  /// Foundation sets no nice value there, measured costs, 8 MB stacks, no thread limit. Background tasks: 10 min, as on
  /// iOS 4 to 6; later systems have less and document no bound.
  ///
  /// `policies` are those that there are, with what they take: a machine says which it has, and knows
  /// none.
  init(_ description: MachineDescription, policies: [MachineCatalogue.Signature]) {
    platform = description.platform
    isDarwin = platform == .iOS || platform == .macOS
    cores = description.cores ?? [CoreDescription(), CoreDescription()]
    demand(!cores.isEmpty, "a machine has a core")
    demand(cores.count <= 1_024, "a machine has at most 1,024 cores")
    memory = description.memory ?? .gigabytes(1)

    let costs = description.costs ?? Self.standardCosts(platform)
    self.costs = CostCatalog.profile(costs)
    costsName = CostCatalog.spelling(costs)
    policy = description.policy ?? Self.standardPolicy(platform, cores)
    policyName = Self.spelling(policy, policies)

    let limit = description.threadLimit ?? (isDarwin ? 2_560 : Int64(ScheduledEvent.maximumIndex))
    threadLimit = Int(min(limit, Int64(ScheduledEvent.maximumIndex)))
    resourceProtocol = description.resourceProtocol ?? (isDarwin ? .inheritance : .none)
    honoursPriorities = platform != .linux || description.policy != nil
    handsLocksOver = platform == .ideal
    killsOverMemory = platform == .iOS
    monitorPhase = description.monitorPhase?.rawValue
    cooperativeWidth = Int32(clamping: description.cooperativeWidth ?? Int64(cores.count))
    mainStack = platform == .iOS ? .megabytes(1) : .megabytes(8)
    threadStack = isDarwin ? .kilobytes(512) : .megabytes(8)
    backgroundTime = (description.backgroundTime ?? .seconds(600)).rawValue
  }

  /// A configuration as the trace language writes it, without the point.
  private static func spelling(
    _ configuration: Configuration, _ signatures: [MachineCatalogue.Signature]
  ) -> String {
    let signature = signatures.first { $0.name == configuration.name }
    demand(signature != nil, "no policy is called '\(configuration.name)'")
    return signature.map { configuration.spelled(with: $0) } ?? configuration.name
  }

  /// Whether not all cores share one last-level cache.
  var hasClusters: Bool { cores.contains { $0.sharedCache != cores[0].sharedCache } }

  /// The machine as reports show it.
  var resolved: ResolvedMachine {
    ResolvedMachine(
      platform: platform, cores: cores, memory: memory, costs: costsName, policy: policyName)
  }

  private static func standardCosts(_ platform: Platform) -> Configuration {
    switch platform {
    case .iOS, .macOS: Configuration(name: "apple")
    case .linux: Configuration(name: "linux")
    case .ideal: Configuration(name: "zero")
    }
  }

  private static func standardPolicy(
    _ platform: Platform, _ cores: [CoreDescription]
  ) -> Configuration {
    let isMixed = Set(cores.map(\.cluster)).count > 1
    let xnu = isMixed ? "edge" : "clutch"
    return switch platform {
    case .iOS: Configuration(name: xnu)
    case .macOS:
      Configuration(name: xnu, arguments: [Configuration.Argument(label: "longQuanta", value: 1)])
    case .linux: Configuration(name: "fairShare")
    case .ideal: Configuration(name: "fifo")
    }
  }
}
