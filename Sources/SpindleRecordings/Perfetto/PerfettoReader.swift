/// Reads Perfetto's protobuf: packets, of which some have bundles of one core's events in their order.
///
/// The bundles of different cores stand in any order. They are looked up first, and then read side by
/// side: what is in memory is one bundle of each core, and where they all stand.
struct PerfettoReader<Receiver: RecordingReceiver> {
  /// Where a message stands in the recording.
  private struct Place {
    var offset: Int
    var count: Int
  }

  /// What of a core has been read.
  private struct Lane {
    var core: Int32
    var bundles: [Place] = []
    var next = 0
    var events: [RecordedEvent] = []
    var position = 0
    var state = PerfettoBundle.State()
  }

  private let bytes: any RecordingBytes
  private var receiver: Receiver
  private var lanes: [Lane] = []
  private var names: [Int32: String] = [:]

  private init(_ bytes: any RecordingBytes, _ receiver: Receiver) {
    (self.bytes, self.receiver) = (bytes, receiver)
  }

  /// Reads all of a recording.
  static func read(_ bytes: any RecordingBytes, into receiver: inout Receiver) throws {
    var reader = PerfettoReader(bytes, receiver)
    try reader.findBundles()
    try reader.merge()
    receiver = reader.receiver
  }

  // MARK: Packets

  /// How much is read at a time, and how large a packet may be.
  private static var step: Int { 1 << 20 }
  private static var largest: Int { 1 << 28 }

  private mutating func findBundles() throws {
    var (offset, base): (Int, Int) = (0, 0)
    var buffer: [UInt8] = []
    while offset < bytes.count {
      if offset + 16 > base + buffer.count {
        (buffer, base) = (try bytes.read(at: offset, count: Self.step), offset)
        if buffer.isEmpty { return }
      }
      guard let packet = Self.packet(buffer, offset - base) else {
        return damaged(offset, "no packet begins here; what follows is passed over")
      }
      let start = base + packet.lowerBound
      guard start + packet.count <= bytes.count else {
        return damaged(offset, "the recording ends within the packet")
      }
      if packet.upperBound > buffer.count {
        guard packet.count <= Self.largest else {
          return damaged(offset, "the packet is too large")
        }
        let wanted = max(Self.step, packet.count + 16)
        (buffer, base) = (try bytes.read(at: start, count: wanted), start)
        if buffer.count < packet.count { return damaged(offset, "the packet can't be read") }
      }
      let local = start - base..<start - base + packet.count
      take(buffer, local, at: start)
      offset = start + packet.count
    }
  }

  /// Where the packet's message stands that begins at a place.
  private static func packet(_ buffer: [UInt8], _ start: Int) -> Range<Int>? {
    buffer.withUnsafeBufferPointer { bytes in
      var position = start
      guard position < bytes.count, bytes[position] == 0x0A else { return nil }
      position += 1
      guard let length = ProtobufFields.number(bytes, &position, bytes.count),
        length < UInt64(largest) * 16
      else { return nil }
      return position..<position + Int(length)
    }
  }

  private mutating func damaged(_ offset: Int, _ reason: String) {
    receiver.receive(.unread(RecordingMistake(.byte(offset), reason)))
  }

  private mutating func take(_ buffer: [UInt8], _ range: Range<Int>, at offset: Int) {
    buffer.withUnsafeBufferPointer { bytes in
      var fields = ProtobufFields(bytes, range)
      while let (field, value) = fields.next() {
        guard case .bytes(let place) = value else { continue }
        switch field {
        case RecordedPacket.bundle:
          addBundle(bytes, place, at: offset + place.lowerBound - range.lowerBound)
        case RecordedPacket.processTree: takeTree(bytes, place)
        case RecordedPacket.compressed:
          damaged(offset, "packets are compressed: run 'traceconv decompress_packets' first")
        default: break
        }
      }
      if fields.isDamaged { damaged(offset, "the packet's fields can't be read") }
    }
  }

  private mutating func addBundle(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, at offset: Int
  ) {
    var (core, fields): (Int32, ProtobufFields) = (0, ProtobufFields(bytes, range))
    while let (field, value) = fields.next() {
      if field == RecordedPacket.core, case .number(let number) = value {
        core = Int32(truncatingIfNeeded: number & 0xFFFF)
      }
      if field == RecordedPacket.lost, value == .number(1) { receiver.receive(.lost(1)) }
      // What it is about stands in front of the many.
      if field == RecordedPacket.event && core > 0 { break }
    }
    let place = Place(offset: offset, count: range.count)
    if let lane = lanes.firstIndex(where: { $0.core == core }) {
      lanes[lane].bundles.append(place)
    } else {
      lanes.append(Lane(core: core, bundles: [place]))
    }
  }

  private mutating func takeTree(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    var fields = ProtobufFields(bytes, range)
    while let (field, value) = fields.next() {
      guard case .bytes(let place) = value else { continue }
      var (numbers, texts): ([UInt64: Int32], [UInt64: String]) = ([:], [:])
      var inner = ProtobufFields(bytes, place)
      while let (field, value) = inner.next() {
        switch value {
        case .number(let number): numbers[field] = Int32(truncatingIfNeeded: number)
        case .bytes(let place):
          let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[place]), as: UTF8.self)
          if texts[field] == nil { texts[field] = text }
        }
      }
      if field == RecordedTree.process, let process = numbers[RecordedTree.processNumber] {
        receiver.receive(.process(process, process))
        if let name = texts[RecordedTree.commandLine], !name.isEmpty {
          receiver.receive(.processName(process, name))
        }
      } else if field == RecordedTree.thread, let thread = numbers[RecordedTree.threadNumber] {
        if let process = numbers[RecordedTree.threadProcess] {
          receiver.receive(.process(thread, process))
        }
        if let name = texts[RecordedTree.threadName] { note(thread, name) }
      }
    }
  }

  // MARK: Events

  /// Hands all events on, the earliest first; of equals wakes before switches, and then the lower core.
  private mutating func merge() throws {
    lanes.sort { $0.core < $1.core }
    for lane in lanes.indices { try fill(lane) }
    while true {
      var best: (lane: Int, time: Int64, isSwitch: Bool)?
      for (index, lane) in lanes.enumerated() where lane.position < lane.events.count {
        let event = lane.events[lane.position]
        let key = (event.time, event.isSwitch ? 1 : 0)
        if best.map({ key < ($0.time, $0.isSwitch ? 1 : 0) }) ?? true {
          best = (index, event.time, event.isSwitch)
        }
      }
      guard let lane = best?.lane else { return }
      receiver.receive(lanes[lane].events[lanes[lane].position])
      lanes[lane].position += 1
      if lanes[lane].position == lanes[lane].events.count { try fill(lane) }
    }
  }

  /// Reads the next bundle of a core that has events.
  private mutating func fill(_ lane: Int) throws {
    while lanes[lane].next < lanes[lane].bundles.count {
      let place = lanes[lane].bundles[lanes[lane].next]
      lanes[lane].next += 1
      let read = try bytes.read(at: place.offset, count: place.count)
      var found: [(Int32, String)] = []
      let core = lanes[lane].core
      lanes[lane].events = read.withUnsafeBufferPointer { buffer in
        var bundle = PerfettoBundle(buffer, core: core, lanes[lane].state)
        bundle.read()
        (found, lanes[lane].state) = (bundle.names, bundle.state)
        return bundle.events
      }
      lanes[lane].position = 0
      for (thread, name) in found { note(thread, name) }
      if !lanes[lane].events.isEmpty { return }
    }
    (lanes[lane].events, lanes[lane].position) = ([], 0)
  }

  private mutating func note(_ thread: Int32, _ name: String) {
    guard thread > 0, !name.isEmpty, names[thread] != name else { return }
    names[thread] = name
    receiver.receive(.name(thread, name))
  }
}
