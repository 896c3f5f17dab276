import SpindleModel

/// What an export for Perfetto has written and knows.
struct PerfettoWriter: ~Copyable {
  var bytes = ProtobufBytes()
  var kernel = KernelTally()
  var names = PerfettoNames()
  var texts = NameTable([])
  /// By `LaneIndex`.
  var lanes = TallyTable<PerfettoLane>()
  /// By number of an item that waits: the row that it is in.
  var itemRows: OpenTable<Int32> = OpenTable()
  /// By lane and holder: the row that a hold is in.
  var holdRows: OpenTable<Int32> = OpenTable()
  /// The findings' threads, by their place in the record.
  var findingThreads: [(finding: Int64, thread: ThreadIndex)] = []
  /// By number of a task that has begun: what its slices are called.
  var tasks: OpenTable<UInt64> = OpenTable()
  var readyThreads: Int64 = 0
  /// The item that has just begun, until its slice is written.
  var startedItem: ItemSlice?

  /// A category of slices, with its number.
  enum Category: UInt64, CaseIterable {
    case item = 1
    case submit, wait, span, hold, mark, finding, run
  }

  /// A name of an annotation of a slice, with its number.
  enum Annotation: UInt64, CaseIterable {
    case place = 1
    case item, waited, holder, value, explanation, severity, outcome

    var text: String {
      switch self {
      case .place: "place"
      case .item: "item"
      case .waited: "waited ns"
      case .holder: "held by"
      case .value: "value"
      case .explanation: "explanation"
      case .severity: "severity"
      case .outcome: "outcome"
      }
    }
  }

  init() {}

  /// All times are a second later, since tools take 0 for unknown.
  static let origin: Int64 = 1_000_000_000
  /// The number of the writer, of which there is one.
  private static let sequence: UInt64 = 7
  /// The process's number.
  static let process: Int64 = 1_000
  /// CLOCK_BOOTTIME, in which times are.
  private static let clock: UInt64 = 6

  /// What the number of an arrow from one piece of a task to the next has beside the task's.
  static let taskFlow: UInt64 = 1 << 32

  static func stamp(_ time: Instant) -> UInt64 { stamp(time.nanoseconds) }

  static func stamp(_ time: Int64) -> UInt64 { UInt64(bitPattern: time &+ origin) }

  // MARK: Packets

  /// Begins a packet; `bytes.end` of what it gives back ends it.
  @inline(__always)
  mutating func packet(at time: Instant? = nil) -> Int {
    let packet = bytes.begin(PacketField.trace)
    if let time { bytes.field(PacketField.timestamp, PerfettoWriter.stamp(time)) }
    bytes.field(PacketField.sequence, PerfettoWriter.sequence)
    bytes.field(PacketField.sequenceFlags, PacketField.needsState)
    return packet
  }

  /// Something at one moment: a slice without length, which ends at once.
  ///
  /// Perfetto's own instants nest where several are at one moment of a track, which makes it a row higher for
  /// each, and those beyond 512 lose their arrows. Source:
  /// google/perfetto:src/trace_processor/importers/common/slice_tracker.cc, kMaxDepth.
  @inline(__always)
  mutating func moment(
    _ track: UInt64, at time: Instant, category: Category, name: UInt64? = nil, place: Int32 = -1,
    _ more: (inout ProtobufBytes) -> Void = { _ in }
  ) {
    event(
      EventField.begin, track, at: time, category: category, name: name, place: place, more)
    event(EventField.end, track, at: time)
  }

  /// A packet with a slice's begin or end, or a counter's value.
  ///
  /// `name` is a number of `names`, which is explained when it is new; `more` adds further fields.
  @inline(__always)
  mutating func event(
    _ type: UInt64, _ track: UInt64, at time: Instant, category: Category? = nil,
    name: UInt64? = nil, place: Int32 = -1, _ more: (inout ProtobufBytes) -> Void = { _ in }
  ) {
    let packet = packet(at: time)
    let saysName = name.map { names.isNew($0) } ?? false
    let saysPlace = place >= 0 && names.isNew(place: place)
    if saysName || saysPlace { explain(saysName ? name : nil, saysPlace ? place : -1) }
    let event = bytes.begin(PacketField.trackEvent)
    bytes.field(EventField.type, type)
    bytes.field(EventField.track, track)
    if let category { bytes.field(EventField.categoryNumbers, category.rawValue) }
    if let name { bytes.field(EventField.nameNumber, name) }
    if place >= 0 {
      let annotation = bytes.begin(EventField.annotations)
      bytes.field(EventField.annotationName, Annotation.place.rawValue)
      bytes.field(EventField.annotationTextNumber, UInt64(place) + 1)
      bytes.end(annotation)
    }
    more(&bytes)
    bytes.end(event)
    bytes.end(packet)
  }

  /// Defines the text of a number.
  @inline(never)
  private mutating func explain(_ name: UInt64?, _ place: Int32) {
    let data = bytes.begin(PacketField.internedData)
    if let name {
      PerfettoWriter.intern(InternedField.eventNames, name, names.text(name), &bytes)
    }
    if place >= 0 {
      PerfettoWriter.intern(
        InternedField.annotationTexts, UInt64(place) + 1, names.position(place), &bytes)
    }
    bytes.end(data)
  }

  private static func intern(
    _ field: UInt32, _ number: UInt64, _ text: String, _ bytes: inout ProtobufBytes
  ) {
    let entry = bytes.begin(field)
    bytes.field(InternedField.number, number)
    bytes.field(InternedField.text, text)
    bytes.end(entry)
  }

  /// A number beside a slice.
  static func annotate(_ name: Annotation, _ value: Int64, _ bytes: inout ProtobufBytes) {
    let annotation = bytes.begin(EventField.annotations)
    bytes.field(EventField.annotationName, name.rawValue)
    bytes.field(EventField.annotationInteger, signed: value)
    bytes.end(annotation)
  }

  /// A text beside a slice.
  static func annotate(_ name: Annotation, _ text: String, _ bytes: inout ProtobufBytes) {
    let annotation = bytes.begin(EventField.annotations)
    bytes.field(EventField.annotationName, name.rawValue)
    bytes.field(EventField.annotationText, text)
    bytes.end(annotation)
  }

  /// A counter's value.
  mutating func count(_ track: UInt64, _ value: Int64, at time: Instant) {
    event(EventField.counter, track, at: time) {
      $0.field(EventField.counterValue, signed: value)
    }
  }

  /// Defines a track, inside another one unless `parent` is 0.
  mutating func describe(
    _ track: UInt64, _ name: String, parent: UInt64 = 0, rank: Int64 = 0, unit: UInt64? = nil,
    ordersChildren: Bool = false
  ) {
    let packet = packet()
    let descriptor = bytes.begin(PacketField.trackDescriptor)
    bytes.field(TrackField.identifier, track)
    bytes.field(TrackField.name, name)
    if parent != 0 { bytes.field(TrackField.parent, parent) }
    if let unit {
      let counter = bytes.begin(TrackField.counter)
      bytes.field(TrackField.counterUnit, unit)
      bytes.end(counter)
    }
    if ordersChildren { bytes.field(TrackField.childOrdering, TrackField.byRank) }
    bytes.field(TrackField.rank, signed: rank)
    bytes.end(descriptor)
    bytes.end(packet)
  }

  // MARK: The whole

  mutating func begin(_ run: RunDescription) {
    (names, texts) = (PerfettoNames(run), run.names)
    let first = bytes.begin(PacketField.trace)
    bytes.field(PacketField.timestamp, UInt64(PerfettoWriter.origin))
    bytes.field(PacketField.sequence, PerfettoWriter.sequence)
    bytes.field(PacketField.sequenceFlags, PacketField.clearsState | PacketField.needsState)
    let defaults = bytes.begin(PacketField.defaults)
    bytes.field(58, PerfettoWriter.clock)
    bytes.end(defaults)
    let snapshot = bytes.begin(PacketField.clockSnapshot)
    // BOOTTIME, MONOTONIC and REALTIME are the same.
    for clock in [PerfettoWriter.clock, 3, 1] {
      let entry = bytes.begin(1)
      bytes.field(1, clock)
      bytes.field(2, UInt64(PerfettoWriter.origin))
      bytes.end(entry)
    }
    bytes.end(snapshot)
    let data = bytes.begin(PacketField.internedData)
    for category in Category.allCases {
      PerfettoWriter.intern(
        InternedField.categories, category.rawValue, "\(category)", &bytes)
    }
    for annotation in Annotation.allCases {
      PerfettoWriter.intern(
        InternedField.annotationNames, annotation.rawValue, annotation.text, &bytes)
    }
    bytes.end(data)
    bytes.end(first)
    describeProcess(run.program.title)
    describe(PerfettoTrack.run, "Run", rank: 1, ordersChildren: true)
    describe(PerfettoTrack.findings, "findings", parent: PerfettoTrack.run, rank: 1)
    describe(PerfettoTrack.outside, "world outside", parent: PerfettoTrack.run, rank: 2)
    let (count, size) = (TrackField.unitCount, TrackField.unitBytes)
    let parent = PerfettoTrack.run
    describe(PerfettoTrack.liveThreads, "live threads", parent: parent, rank: 3, unit: count)
    describe(PerfettoTrack.readyThreads, "ready threads", parent: parent, rank: 4, unit: count)
    describe(PerfettoTrack.memory, "memory in use", parent: parent, rank: 5, unit: size)
    describe(PerfettoTrack.lanes, "Queues and locks", rank: 2, ordersChildren: true)
  }

  private mutating func describeProcess(_ title: String) {
    let packet = packet(at: .start)
    let tree = bytes.begin(PacketField.processTree)
    let process = bytes.begin(1)
    bytes.field(1, signed: PerfettoWriter.process)
    bytes.field(2, 1)
    // Of a command line Perfetto shows the first word.
    bytes.field(3, String(title.map { $0.isWhitespace ? "_" : $0 }))
    bytes.end(process)
    bytes.end(tree)
    bytes.end(packet)
    let description = self.packet()
    let descriptor = bytes.begin(PacketField.trackDescriptor)
    bytes.field(TrackField.identifier, PerfettoTrack.process)
    let about = bytes.begin(TrackField.process)
    bytes.field(TrackField.processNumber, signed: PerfettoWriter.process)
    bytes.field(TrackField.processName, title)
    bytes.end(about)
    bytes.end(descriptor)
    bytes.end(description)
  }

  mutating func end(_ record: RunRecord) {
    kernel.advance(to: record.end.nanoseconds + 1)
    writeKernelEvents()
    for (index, finding) in record.findings.enumerated() {
      let thread = findingThreads.first { $0.finding == Int64(index) }?.thread ?? .none
      let place = finding.places.first.map { names.position(of: $0) }
      var tracks = [PerfettoTrack.findings]
      if !thread.isNone { tracks.append(PerfettoTrack.thread(thread)) }
      for track in tracks {
        moment(track, at: finding.time, category: .finding) {
          $0.field(EventField.name, finding.kind.rawValue)
          PerfettoWriter.annotate(.severity, finding.kind.severity.name, &$0)
          PerfettoWriter.annotate(.explanation, finding.explanation, &$0)
          if let place { PerfettoWriter.annotate(.place, place, &$0) }
        }
      }
    }
    moment(PerfettoTrack.run, at: record.end, category: .run) {
      $0.field(EventField.name, "end of the run: \(record.outcome.kind.name)")
      if !record.outcome.message.isEmpty {
        PerfettoWriter.annotate(.explanation, record.outcome.message, &$0)
      }
    }
  }
}
