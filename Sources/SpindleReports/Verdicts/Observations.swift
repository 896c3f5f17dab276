import SpindleModel

/// What was seen of the items and marks that one name or pattern means.
///
/// A class, since its histograms can't be copied.
final class NameObservation {
  /// A moment, and its place in the order of the log.
  struct Moment: Hashable {
    var time: Int64
    var ordinal: Int64
  }

  var submissions: Int64 = 0
  /// The first two beginnings; a second one means that the name is not unique.
  var starts: [Moment] = []
  var startCount: Int64 = 0
  /// The number of starts before counting began.
  var forgottenStarts: Int64 = 0
  var ends: [Moment] = []
  var endCount: Int64 = 0
  var firstMark: Moment?
  /// The numbers of the different threads that ran items, in order of creation of the threads.
  var threads: [Int64] = []
  /// What the thread that ran the first of the items is called.
  var thread = ThreadLabel()
  var ranOnMain = false
  var wait = Histogram()
  var latency = Histogram()
  var running: Int64 = 0
  var runningPeak: Int64 = 0
}

/// What was seen of the threads of one name.
struct ThreadObservation {
  /// When the first two were made.
  var creations: [Int64] = []
  /// The number of the first, counted from 1 over all threads.
  var serial: Int64 = 0
  /// Its own work in nanoseconds.
  var processor: Int64 = 0
}

/// One mark of the trace.
struct MarkObservation {
  var time: Int64
  /// The number of the thread that made it, counted from 1; 0 for the world outside.
  var thread: Int64
  var name: Int32
}

/// One `record(key, value)`.
struct RecordObservation {
  var time: Int64
  var key: Int32
  var value: Int64
  var format: ValueFormat
}

/// What the expectations of a trace need of its log.
struct Observations {
  let inquiry: Inquiry
  /// As long as `inquiry.texts`.
  private(set) var names: [NameObservation]
  /// As long as `inquiry.threadNames`.
  private(set) var threads: [ThreadObservation]
  private(set) var marks: [MarkObservation] = []
  private(set) var output: [Int32] = []
  private(set) var records: [RecordObservation] = []
  /// How many threads each executor made.
  private(set) var labels = ThreadLabels()

  /// The waiting times that are asked for.
  private(set) var waiting: WaitingObservation
  /// The times since arrivals that are asked for.
  private(set) var arrivals: ArrivalObservation
  /// The spans that are asked for.
  private(set) var spans: SpanObservations
  /// The samples that are asked for.
  private(set) var samples: SampleObservations
  /// The times above limits that are asked for.
  private(set) var limits: LimitObservations

  private var table = NameTable([])
  private var ordinal: Int64 = 0
  private var threadsCreated: Int64 = 0
  private var slots: ContiguousArray<Slot> = []
  /// By the name's number: the index in `groups`.
  private var groupOfName: ContiguousArray<Int32> = []
  /// Which of `names` a name belongs to; the first is empty.
  private var groups: [[Int32]] = [[]]
  private var groupOfMembers: [[Int32]: Int32] = [[]: 0]
  private let exact: NameTable
  private let exactIndices: [Int32]
  private let patterns: [(index: Int32, utf8: [UInt8])]
  /// Which of `names` work without a name belongs to, by the number of its kind.
  private var namelessGroups: [[Int32]] = []

  private struct Slot {
    var serial: Int64 = 0
    var label = ThreadLabel()
    var isMain = false
    /// The index in `threads`, or -1.
    var observed: Int32 = -1
    var processor: Int64 = 0
  }

  init(_ inquiry: Inquiry) {
    self.inquiry = inquiry
    names = inquiry.texts.map { _ in NameObservation() }
    threads = inquiry.threadNames.map { _ in ThreadObservation() }
    var plain: [String] = []
    var plainIndices: [Int32] = []
    var patterns: [(index: Int32, utf8: [UInt8])] = []
    for (index, text) in inquiry.texts.enumerated() {
      if NamePattern.isPattern(text) {
        patterns.append((Int32(index), Array(text.utf8)))
      } else {
        plain.append(text)
        plainIndices.append(Int32(index))
      }
    }
    (waiting, arrivals) = (WaitingObservation(inquiry), ArrivalObservation(inquiry))
    (spans, limits) = (SpanObservations(inquiry), LimitObservations(inquiry))
    samples = SampleObservations(inquiry)
    (exact, exactIndices) = (NameTable(plain), plainIndices)
    self.patterns = patterns
    namelessGroups = inquiry.namelessKinds.map { $0.isEmpty ? [] : members(Array($0.utf8)[...]) }
  }

  /// Begins a run whose names are in `table`.
  mutating func begin(_ table: NameTable) {
    self = Observations(inquiry)
    self.table = table
  }

  /// Processes the next entries.
  mutating func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    guard inquiry.needsEntries else { return }
    for entry in entries {
      ordinal += 1
      if inquiry.needsWaiting, let time = waiting.receive(entry, table) {
        limits.add(.waiting, time, entry, table)
      }
      if inquiry.needsArrivals, let time = arrivals.receive(entry, table) {
        limits.add(.sinceArrival, time, entry, table)
      }
      spans.receive(entry, table)
      switch entry.event {
      case .threadCreated: created(entry)
      case .threadPreempted, .threadBlocked, .threadEnded, .threadKilled: worked(entry)
      case .itemSubmitted:
        for index in group(of: entry) { names[Int(index)].submissions += 1 }
      case .itemStarted: started(entry)
      case .itemEnded: ended(entry)
      case .mark: marked(entry)
      case .print: if inquiry.needsOutput { output.append(entry.object) }
      case .record:
        guard inquiry.needsRecords else { continue }
        let format = ValueFormat(rawValue: entry.detail) ?? .integer
        records.append(
          RecordObservation(
            time: entry.time, key: entry.object, value: entry.value, format: format))
      case .sampled: samples.receive(entry, table)
      default: break
      }
    }
  }

  /// Forgets the counts of items; running ones continue, and moments stay known.
  mutating func forget() {
    waiting.forget()
    arrivals.forget()
    spans.forget()
    samples.forget()
    limits.forget()
    for name in names {
      (name.submissions, name.forgottenStarts) = (0, name.startCount)
      name.wait = Histogram()
      name.latency = Histogram()
      name.runningPeak = name.running
    }
  }

  /// The number of the thread that a value means, counted from 1; nil when it never began.
  func serial(of handle: Int64) -> Int64? {
    guard let slot = slot(of: handle), slots[slot].serial > 0 else { return nil }
    return slots[slot].serial
  }

  /// The own work of the thread that a value means.
  func processorTime(of handle: Int64) -> Int64 {
    slot(of: handle).map { slots[$0].processor } ?? 0
  }

  /// What the thread that a value means is called.
  func name(of handle: Int64) -> String? {
    slot(of: handle).flatMap { slots[$0].label.text(table) }
  }

  /// A thread's value holds its slot in the lower half.
  private func slot(of handle: Int64) -> Int? {
    guard handle >= 0 else { return nil }
    let slot = Int(handle & 0xFFFF_FFFF)
    return slot < slots.count ? slot : nil
  }

  private mutating func created(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 else { return }
    while slot >= slots.count { slots.append(Slot()) }
    threadsCreated += 1
    slots[slot] = Slot(
      serial: threadsCreated, label: labels.label(entry),
      isMain: entry.detail == ThreadOrigin.main.rawValue)
    guard !inquiry.threadNames.isEmpty, let name = slots[slot].label.text(table),
      let index = inquiry.index(ofThread: name)
    else { return }
    if threads[index].creations.count < 2 { threads[index].creations.append(entry.time) }
    if threads[index].creations.count == 1 {
      threads[index].serial = threadsCreated
      slots[slot].observed = Int32(index)
    }
  }

  private mutating func worked(_ entry: LogEntry) {
    let slot = Int(entry.thread)
    guard slot >= 0 && slot < slots.count else { return }
    slots[slot].processor += entry.value
    let observed = slots[slot].observed
    if observed >= 0 { threads[Int(observed)].processor += entry.value }
  }

  private mutating func started(_ entry: LogEntry) {
    limits.add(.wait, entry.value, entry, table)
    let slot = Int(entry.thread)
    for number in group(of: entry) {
      let index = Int(number)
      names[index].startCount += 1
      names[index].running += 1
      names[index].runningPeak = max(names[index].runningPeak, names[index].running)
      names[index].wait.add(entry.value)
      if names[index].starts.count < 2 {
        names[index].starts.append(.init(time: entry.time, ordinal: ordinal))
      }
      guard slot >= 0 && slot < slots.count else { continue }
      if names[index].startCount == 1 {
        names[index].thread = slots[slot].label
        names[index].ranOnMain = slots[slot].isMain
      }
      names[index].insert(thread: slots[slot].serial)
    }
  }

  private mutating func ended(_ entry: LogEntry) {
    limits.add(.latency, entry.value, entry, table)
    for number in group(of: entry) {
      let index = Int(number)
      names[index].endCount += 1
      names[index].running -= 1
      names[index].latency.add(entry.value)
      if names[index].ends.count < 2 {
        names[index].ends.append(.init(time: entry.time, ordinal: ordinal))
      }
    }
  }

  private mutating func marked(_ entry: LogEntry) {
    if inquiry.needsMarks {
      let slot = Int(entry.thread)
      let serial = slot >= 0 && slot < slots.count ? slots[slot].serial : 0
      marks.append(MarkObservation(time: entry.time, thread: serial, name: entry.object))
    }
    for number in group(of: entry.object) where names[Int(number)].firstMark == nil {
      names[Int(number)].firstMark = .init(time: entry.time, ordinal: ordinal)
    }
  }

  /// The names and patterns of the inquiry that an item belongs to: by its name, or by what it is called without one.
  private mutating func group(of item: LogEntry) -> [Int32] {
    if item.object >= 0 { return group(of: item.object) }
    let kind = Int(item.subject)
    return namelessGroups.indices.contains(kind) ? namelessGroups[kind] : []
  }

  /// The names and patterns of the inquiry that the name with this number belongs to.
  private mutating func group(of name: Int32) -> [Int32] {
    guard name >= 0 && !inquiry.texts.isEmpty else { return [] }
    while Int(name) >= groupOfName.count { classify(Int32(groupOfName.count)) }
    return groups[Int(groupOfName[Int(name)])]
  }

  /// The names and patterns of the inquiry that a name is one of.
  private func members(_ utf8: ArraySlice<UInt8>) -> [Int32] {
    var members: [Int32] = []
    if let found = utf8.withUnsafeBufferPointer({ exact.find($0) }) {
      members.append(exactIndices[Int(found.index)])
    }
    for pattern in patterns where NamePattern.matches(utf8, pattern.utf8) {
      members.append(pattern.index)
    }
    return members
  }

  private mutating func classify(_ name: Int32) {
    let members = members(table.utf8(NameID(Int(name))))
    if let known = groupOfMembers[members] {
      groupOfName.append(known)
    } else {
      groupOfMembers[members] = Int32(groups.count)
      groupOfName.append(Int32(groups.count))
      groups.append(members)
    }
  }
}

extension NameObservation {
  /// Adds a thread's number, once; the list stays sorted.
  fileprivate func insert(thread: Int64) {
    var (low, high) = (0, threads.count)
    while low < high {
      let middle = (low + high) / 2
      if threads[middle] < thread { low = middle + 1 } else { high = middle }
    }
    if low == threads.count || threads[low] != thread { threads.insert(thread, at: low) }
  }
}
