/// Reads Perfetto's protobuf: packets, of which some have bundles of one core's events in their order.
///
/// The bundles of different cores and data sources are in any order. They are indexed first, and then read in
/// parallel: one bundle of each core and source, and the index, are in memory.
struct PerfettoReader<Receiver: RecordingReceiver> {
  private let bytes: any RecordingBytes
  private var receiver: Receiver
  private var streams: [PerfettoStream] = []
  private var places: [PerfettoStream.Key: Int] = [:]
  private var sequences: Set<UInt32> = []
  private var moments = RecordedMoments()
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
        return damaged(offset, "no packet begins here; the rest of the file is skipped")
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

  /// The position of the message of the packet that begins at a place.
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
      var (sequence, bundles): (UInt32, [Range<Int>]) = (0, [])
      var fields = ProtobufFields(bytes, range)
      while let (field, value) = fields.next() {
        switch (field, value) {
        case (RecordedPacket.sequence, .number(let number)):
          sequence = UInt32(truncatingIfNeeded: number)
        case (RecordedPacket.bundle, .bytes(let place)): bundles.append(place)
        case (RecordedPacket.processTree, .bytes(let place)): takeTree(bytes, place)
        case (RecordedPacket.compressed, .bytes):
          damaged(offset, "packets are compressed: run 'traceconv decompress_packets' first")
        default: break
        }
      }
      for place in bundles {
        addBundle(bytes, place, of: sequence, at: offset + place.lowerBound - range.lowerBound)
      }
      if fields.isDamaged { damaged(offset, "the packet's fields can't be read") }
    }
  }

  private mutating func addBundle(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, of sequence: UInt32, at offset: Int
  ) {
    var (core, start): (Int32, Int64?) = (0, nil)
    var fields = ProtobufFields(bytes, range)
    while let (field, value) = fields.next() {
      switch (field, value) {
      case (RecordedPacket.core, .number(let number)):
        core = Int32(truncatingIfNeeded: number & 0xFFFF)
      case (RecordedPacket.lost, .number(1)): receiver.receive(.lost(1))
      case (RecordedPacket.event, .bytes(let place)) where start == nil,
        (RecordedPacket.compactSched, .bytes(let place)):
        let time = PerfettoBundle.start(
          bytes, place, isCompact: field == RecordedPacket.compactSched)
        if let time { start = min(start ?? time, time) }
      default: break
      }
    }
    let key = PerfettoStream.Key(sequence: sequence, core: core)
    let place = places[key] ?? streams.count
    if place == streams.count {
      places[key] = place
      streams.append(PerfettoStream(key))
      sequences.insert(sequence)
    }
    // A bundle that is far from the first one of all is damaged, and not from the earliest one.
    if streams.count == 1, streams[place].bundles.isEmpty, let start { _ = moments.has(start) }
    // A bundle without events has names at most.
    let last = streams[place].bundles.last?.start ?? 0
    streams[place].bundles.append(.init(offset: offset, count: range.count, start: start ?? last))
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

  /// Passes on all events, the earliest first; of equals wake-ups before switches, and then the lower core.
  private mutating func merge() throws {
    var (turns, twins) = (PerfettoTurns(), PerfettoTwins())
    for place in streams.indices {
      streams[place].sort()
      if let turn = streams[place].turn { turns.add(place, at: turn) }
    }
    while let place = turns.first {
      if streams[place].isToBeRead {
        try fill(place)
      } else {
        let event = streams[place].events[streams[place].position]
        streams[place].position += 1
        if !moments.has(event.time) {
          damaged(streams[place].bundles[streams[place].next - 1].offset, RecordedMoments.mistake)
        } else if sequences.count < 2 || !twins.has(event, of: streams[place].key.sequence) {
          receiver.receive(event)
        }
      }
      let turn = streams[place].turn
      if turn == nil { (streams[place].events, streams[place].position) = ([], 0) }
      turns.changeFirst(to: turn)
    }
  }

  /// Reads the next bundle of a stream.
  private mutating func fill(_ place: Int) throws {
    let next = streams[place].bundles[streams[place].next]
    streams[place].next += 1
    let read = try bytes.read(at: next.offset, count: next.count)
    var found: [(Int32, String)] = []
    let core = streams[place].key.core
    streams[place].events = read.withUnsafeBufferPointer { buffer in
      var bundle = PerfettoBundle(buffer, core: core, streams[place].state)
      bundle.read()
      (found, streams[place].state) = (bundle.names, bundle.state)
      return bundle.events
    }
    streams[place].position = 0
    for (thread, name) in found { note(thread, name) }
  }

  private mutating func note(_ thread: Int32, _ name: String) {
    guard thread > 0, !name.isEmpty, names[thread] != name else { return }
    names[thread] = name
    receiver.receive(.name(thread, name))
  }
}
