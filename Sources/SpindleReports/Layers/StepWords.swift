import SpindleModel

/// Splits each entry of a log into the step and its time.
///
/// A step is the event with its thread, core, names and amounts. Numbers that only count, those of items and
/// slots, are left out, so that one item more does not change all that follow. Moments and lengths of time
/// belong to the times; a thread's own work belongs to its totals alone.
struct StepWords {
  /// The parts of one entry.
  struct Step {
    /// What was done, by whom.
    var order: UInt64
    /// A length of time in the entry; 0 when it has none.
    var duration: UInt64
  }

  private var names = NameTable([])
  /// The digests of the names, by number.
  private var nameKeys: ContiguousArray<UInt64> = []
  /// By slot: what the thread is called.
  private(set) var threads: ContiguousArray<Thread> = []
  private var labels = ThreadLabels()
  /// How many threads had a name, by its digest.
  private var sameNames: [UInt64: UInt64] = [:]

  /// A thread, distinguished from all others of the run.
  struct Thread {
    /// The digest of its name, and which one of that name it is.
    var key: UInt64 = 0
    /// Its name.
    var label = ThreadLabel()
    /// Which one of its name it is, from 1.
    var ordinal: UInt64 = 1
  }

  init() {}

  /// Splits the entries of the run whose names are in `names`.
  init(_ names: NameTable) { self.names = names }

  /// What a thread is called, with its number where another one had its name before.
  func name(of thread: Thread) -> String {
    let name = thread.label.text(names) ?? "a thread"
    return thread.ordinal > 1 ? "\(name)#\(thread.ordinal)" : name
  }

  /// Notes the names that have come since, to be called before each chunk of entries.
  mutating func takeNames() {
    while nameKeys.count < names.count {
      nameKeys.append(LayerHash.text(names.utf8(NameID(nameKeys.count))))
    }
  }

  /// Notes a thread that is made.
  mutating func made(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= threads.count { threads.append(Thread()) }
    let label = labels.label(entry)
    let name =
      label.name >= 0
      ? key(label.name) : LayerHash.mixed(key(label.executor), UInt64(label.ordinal))
    let ordinal = sameNames[name, default: 0] + 1
    sameNames[name] = ordinal
    threads[slot] = Thread(key: LayerHash.mixed(name, ordinal), label: label, ordinal: ordinal)
  }

  /// The parts of an entry.
  @inline(__always)
  func step(_ entry: LogEntry) -> Step {
    let fields = NameFields(of: entry)
    var subject = fields.contains(.subject) ? key(entry.subject) : number(entry.subject)
    var other = fields.contains(.other) ? key(entry.other) : number(entry.other)
    var amount = fields.contains(.value) ? key(Int32(clamping: entry.value)) : 0
    var duration: Int64 = 0
    switch entry.event {
    case .itemSubmitted: subject = 0
    case .taskResumed, .actorEntered, .actorLeft: (subject, other, duration) = (0, 0, entry.value)
    case .taskSuspended, .taskCancelled, .taskRaised: (subject, other) = (0, 0)
    case .itemStarted, .itemEnded, .itemSkipped: (subject, other, duration) = (0, 0, entry.value)
    case .threadPreempted, .threadBlocked, .threadEnded, .threadKilled:
      other = thread(entry.other)
    case .threadCreated, .threadReady, .threadCancelled:
      (other, amount) = (thread(entry.other), UInt64(bitPattern: entry.value))
    case .objectMade:
      (other, amount) = (0, UInt64(bitPattern: entry.value))
    case .timerFired, .deadlineMissed, .realtimeChanged, .machineSlept, .trackingBegan,
      .acceleratorBegan, .acceleratorEnded:
      duration = entry.value
    case .itemPlanned, .waitLimited: duration = entry.value &- entry.time
    case .record, .sampled, .sharedRead, .sharedWritten:
      switch ValueFormat(rawValue: entry.detail) {
      case .duration: duration = entry.value
      case .instant: duration = entry.value &- entry.time
      default: if !fields.contains(.value) { amount = UInt64(bitPattern: entry.value) }
      }
    default: if !fields.contains(.value) { amount = UInt64(bitPattern: entry.value) }
    }
    let what =
      UInt64(entry.event.rawValue) | UInt64(entry.detail) << 8
      | UInt64(UInt16(bitPattern: entry.core)) << 16
    let mixed =
      what &* 0x1656_67B1_9E37_79F9
      ^ rotated(thread(entry.thread) &* 0xD6E8_FEB8_6659_FD93, 11)
      ^ rotated(key(entry.object) &* 0x9FB2_1C65_1E98_DF25, 23)
      ^ rotated(other &* 0xC2B2_AE3D_27D4_EB4F, 37)
      ^ rotated(subject &* 0xA24B_AED4_963E_E407, 47)
      ^ rotated(amount &* 0x8EBC_6AF0_9C88_C6E3, 57)
    return Step(order: LayerHash.mixed(mixed), duration: UInt64(bitPattern: duration))
  }

  @inline(__always)
  private func key(_ name: Int32) -> UInt64 {
    name >= 0 && Int(name) < nameKeys.count ? nameKeys[Int(name)] : number(name)
  }

  @inline(__always)
  private func thread(_ slot: Int32) -> UInt64 {
    slot >= 0 && Int(slot) < threads.count ? threads[Int(slot)].key : number(slot)
  }

  @inline(__always)
  private func number(_ field: Int32) -> UInt64 { UInt64(UInt32(bitPattern: field)) }

  @inline(__always)
  private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
