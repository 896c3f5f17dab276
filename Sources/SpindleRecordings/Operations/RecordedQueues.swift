/// What was submitted to a queue, and what it did when it was called.
struct RecordedItem: Sendable {
  /// Its queue, as a place in the list.
  let queue: Int
  /// Whether the submitter waited for it: `sync`.
  let isSync: Bool
  /// Whether it runs alone on a concurrent queue.
  let isBarrier: Bool
  /// The group that it was submitted with.
  var group: Int32?
  /// The groups that it leaves by itself.
  var left: [Int32] = []
  /// What it does.
  var operations: [ThreadOperation] = []
  /// Whether it was called.
  var hasBegun = false
  /// When it came, from the program's start on, where nothing of the program submitted it; else nil.
  var arrival: Int64?

  init(queue: Int, isSync: Bool = false, isBarrier: Bool = false) {
    (self.queue, self.isSync, self.isBarrier) = (queue, isSync, isBarrier)
  }

  /// A shorter item that only computes, without a submitter, is the library's own.
  private static let leastWork: Int64 = 100_000

  /// How long it computes, where that is all and not for long; else nil.
  var shortWork: Int64? {
    guard operations.allSatisfy({ $0.kind == .work || $0.kind == .io }) else { return nil }
    let work = operations.reduce(0) { $0 + ($1.kind == .work ? $1.length : 0) }
    return work < Self.leastWork ? work : nil
  }
}

/// The queues, groups, semaphores and items of a recording with probes in libdispatch.
struct RecordedQueues: Sendable {
  /// A queue.
  struct Queue: Hashable, Sendable {
    /// Empty where its beginning was not recorded, or where it has none.
    var label: String
    /// How items went to it.
    var path: DispatchProbe.Path
    /// The class of service of a queue of the system, as the language writes it; nil for the default.
    var quality: String?
  }

  /// A semaphore: what its count must have been at first, so that no wait lasted longer than it did.
  struct Semaphore: Hashable, Sendable {
    var value: Int64 = 0
    /// How often it was waited for and got, less how often it was signalled.
    fileprivate var balance: Int64 = 0
  }

  private(set) var queues: [Queue] = []
  var items: [RecordedItem] = []
  private(set) var semaphores: [Semaphore] = []
  private(set) var groups: Int32 = 0
  /// The groups that are waited for, or that items are submitted with.
  ///
  /// Others are not needed: a block that may be waited for has one of the library's own.
  private var usedGroups: Set<Int32> = []
  /// The groups that threads leave, once for each time; the threads that entered them were not recorded.
  var leftByThreads: [Int32] = []
  /// By what the library itself began: the items that came of it.
  private(set) var pokes: [[Int]] = []
  private var queuePlaces: [UInt64: Int] = [:]
  private var rootPlaces: [String: Int] = [:]
  private var groupPlaces: [UInt64: Int32] = [:]
  private var semaphorePlaces: [UInt64: Int32] = [:]
  /// By context: what was submitted and is not called yet, the first one first.
  private var waiting: [UInt64: [Int]] = [:]

  // MARK: Queues

  /// A queue was made; another one at its address has gone.
  mutating func created(_ address: UInt64, label: String) {
    queuePlaces[address] = queues.count
    queues.append(Queue(label: label, path: .serial))
  }

  /// The queue at an address.
  mutating func queue(_ address: UInt64, _ path: DispatchProbe.Path) -> Int {
    let place: Int
    if let known = queuePlaces[address] {
      place = known
    } else {
      place = queues.count
      queuePlaces[address] = place
      queues.append(Queue(label: "", path: path))
    }
    if path == .concurrent { queues[place].path = path }
    return place
  }

  /// The queue of the system whose workers have a name.
  mutating func root(ofWorker name: String) -> Int {
    let quality = Self.quality(ofWorker: name)
    if let place = rootPlaces[quality ?? ""] { return place }
    rootPlaces[quality ?? ""] = queues.count
    queues.append(Queue(label: "", path: .root, quality: quality))
    return queues.count - 1
  }

  /// A worker of that name runs an item: this gives the class of a queue of the system.
  mutating func ran(_ item: Int, onWorker name: String) {
    let queue = items[item].queue
    guard queues[queue].path == .root, queues[queue].quality == nil else { return }
    queues[queue].quality = Self.quality(ofWorker: name)
  }

  /// A worker is called as its queue, of which the system keeps the last fifteen bytes.
  static func isWorker(_ name: String) -> Bool {
    name.hasSuffix("-qos") || name.hasSuffix("-qos.overcommit")
  }

  private static func quality(ofWorker name: String) -> String? {
    let classes = [
      ("interactive-qos", ".userInteractive"), ("initiated-qos", ".userInitiated"),
      ("utility-qos", ".utility"), ("background-qos", ".background"),
      ("maintenance-qos", ".background"),
    ]
    return classes.first { name.hasSuffix($0.0) }?.1
  }

  // MARK: Items

  /// A call with a context is submitted to a queue; nil where it is only moved on.
  mutating func submitted(
    _ context: UInt64, to address: UInt64, _ path: DispatchProbe.Path, isBarrier: Bool
  ) -> Int? {
    // A queue that goes to the one below it has no context.
    if context == 0 && path == .root { return nil }
    // On its way to the queue where it runs it is seen again.
    if let moved = waiting[context], !moved.isEmpty {
      let queue = queuePlaces[address]
      if path == .root || moved.contains(where: { items[$0].queue == queue }) { return nil }
    }
    items.append(RecordedItem(queue: queue(address, path), isBarrier: isBarrier))
    waiting[context, default: []].append(items.count - 1)
    return items.count - 1
  }

  /// The item that is called with a context; nil where none was submitted.
  mutating func called(_ context: UInt64) -> Int? {
    guard var list = waiting[context], !list.isEmpty else { return nil }
    let item = list.removeFirst()
    waiting[context] = list.isEmpty ? nil : list
    return item
  }

  /// An item without a recorded submitter.
  mutating func unknown(_ queue: Int, isSync: Bool = false, isBarrier: Bool = false) -> Int {
    items.append(RecordedItem(queue: queue, isSync: isSync, isBarrier: isBarrier))
    return items.count - 1
  }

  /// A place at which something woke a worker.
  mutating func poke() -> Int {
    pokes.append([])
    return pokes.count - 1
  }

  /// What came of it.
  mutating func came(_ item: Int, of poke: Int) { pokes[poke].append(item) }

  // MARK: Groups and semaphores

  mutating func group(_ address: UInt64) -> Int32 {
    if let group = groupPlaces[address] { return group }
    groupPlaces[address] = groups
    groups += 1
    return groups - 1
  }

  /// A thread waits for a group, or submits with it.
  mutating func uses(_ group: Int32) { usedGroups.insert(group) }

  /// The groups that are of interest, in the order in which they were seen.
  var namedGroups: [Int32] { (0..<groups).filter(usedGroups.contains) }

  /// The groups that are entered at the start, once for each time: those that threads leave, and items that nothing of
  /// the program submitted.
  var enteredFirst: [Int32] {
    (leftByThreads + items.flatMap { $0.arrival != nil && $0.hasBegun ? $0.left : [] })
      .filter(usedGroups.contains)
  }

  mutating func semaphore(_ address: UInt64) -> Int32 {
    if let place = semaphorePlaces[address] { return place }
    let place = ownSemaphore()
    semaphorePlaces[address] = place
    return place
  }

  /// A semaphore for a wait whose cause was recorded and whose means was not.
  mutating func ownSemaphore() -> Int32 {
    semaphores.append(Semaphore())
    return Int32(semaphores.count - 1)
  }

  mutating func signalled(_ semaphore: Int32) { semaphores[Int(semaphore)].balance -= 1 }

  mutating func waited(_ semaphore: Int32) {
    semaphores[Int(semaphore)].balance += 1
    let balance = semaphores[Int(semaphore)].balance
    if balance > semaphores[Int(semaphore)].value { semaphores[Int(semaphore)].value = balance }
  }

  // MARK: What is done

  /// Operations as they are to be written: what was submitted and never called is left out, what woke a worker
  /// becomes what the worker then did, and work that nothing parts is one.
  func resolved(_ operations: [ThreadOperation]) -> [ThreadOperation] {
    var result: [ThreadOperation] = []
    result.reserveCapacity(operations.count)
    func submit(_ item: Int) {
      guard items[item].hasBegun else { return }
      let entered = items[item].left.filter(usedGroups.contains)
      result += entered.map { ThreadOperation(kind: .enter, target: $0) }
      result.append(ThreadOperation(kind: .submit, target: Int32(item)))
    }
    for operation in operations {
      switch operation.kind {
      case .poke: for item in pokes[Int(operation.target)] { submit(item) }
      case .submit: submit(Int(operation.target))
      case .leave where !usedGroups.contains(operation.target): continue
      case .work where result.last?.kind == .work:
        result[result.count - 1].length += operation.length
      default: result.append(operation)
      }
    }
    return result
  }
}
