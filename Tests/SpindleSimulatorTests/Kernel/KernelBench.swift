import SpindleModel

@testable import SpindleSimulator

/// A kernel without anything above it, and the log that it makes.
///
/// Its verbs are called as the execution calls them; no program runs. A class, since `#expect` copies
/// what is asked in it.
final class KernelBench {
  var kernel: Kernel
  private let entries = Entries()

  init(
    speeds: [Speed] = [.one], platform: Platform = .ideal, costs: Configuration? = nil,
    policy: Configuration? = nil, caches: [Int] = []
  ) {
    var machine = MachineDescription()
    machine.platform = platform
    machine.cores = speeds.enumerated().map {
      CoreDescription(speed: $1, sharedCache: caches.isEmpty ? 0 : caches[$0])
    }
    machine.costs = costs ?? Configuration(name: "zero")
    machine.policy = policy
    kernel = Kernel(
      machine: Machine(machine, policies: PolicyCatalog.signatures),
      names: NameTable(WellKnownName.allCases.map(\.text)),
      places: [SourceRange(0, 1), SourceRange(2, 3)], storage: Storage(limit: .max),
      consumers: [entries], races: RaceDetector(isOn: false, sharesNumbers: false),
      lockOrder: LockOrder(isOn: false, sharesNumbers: false), driver: nil,
      sizes: .standard, shortcuts: .all, seed: 0)
  }

  deinit { kernel.storage.deallocate() }

  /// Makes a thread and starts it; it has `work` milliseconds to do.
  func start(work: Int64 = 0, realtime: RealtimeClaim? = nil) -> ThreadID {
    let thread = kernel.createThread { $0.pointee.work = work * 1_000_000 }
    if let realtime { kernel.setRealtime(thread, realtime, by: .none) }
    kernel.start(thread, origin: .thread, executorName: -1, by: .none)
    return thread
  }

  /// Gives out cores until none can be; the cores that were given out.
  func assign() -> [Int32] {
    var cores: [Int32] = []
    while let core = kernel.assignCore() { cores.append(core.index) }
    return cores
  }

  /// Moves time forward to so many milliseconds.
  func advance(to milliseconds: Int64) { kernel.advance(to: milliseconds * 1_000_000) }

  /// The thread on a core, or none.
  func running(_ core: Int32 = 0) -> ThreadID { kernel.cores[core].thread }

  /// The next event, taken out; nil when there is none.
  func takeEvent() -> ScheduledEvent? { kernel.queue.pop() }

  func state(_ thread: ThreadID) -> ThreadPhase { kernel.threads[thread].state }

  /// When the next event is due, in milliseconds; nil when there is none.
  func nextEvent() -> Int64? { kernel.queue.peek().map { $0.time / 1_000_000 } }

  /// What has been recorded.
  func log() -> [LogEntry] {
    kernel.recorder.flush()
    return entries.all
  }

  func events() -> [LogEvent] { log().map(\.event) }
}
